# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kind of picture that Pillow reads comes out right, and what is no picture is refused."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageOps

from pentavr.errors import UnusableInput
from pentavr.tangram import picture
from tangram_judge import draw

ROWS = ("d..", "#d.", "##d", "##a", "ba.")
"""A convex shape without symmetry."""

DRAWN = draw(ROWS)
MASK = ImageOps.invert(DRAWN)


def rows(image: Image.Image) -> tuple[str, ...]:
    return picture.read(image).silhouette.trimmed().rows


def saved(image: Image.Image, form: str, **options: object) -> Image.Image:
    memory = BytesIO()
    image.save(memory, form, **options)
    return picture.load(memory.getvalue())


def on_nothing(mode: str, ink: tuple[int, ...], ground: tuple[int, ...]) -> Image.Image:
    """The shape in a colour, opaque, on another that is wholly transparent."""
    image = Image.new(mode, DRAWN.size, (*ground, 0))
    image.paste((*ink, 255), mask=MASK)
    return image


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "RGBX", "CMYK", "YCbCr", "HSV", "I", "I;16", "F"])
def test_every_mode_is_read(mode: str) -> None:
    image = DRAWN.convert(mode)
    assert image.mode == mode
    assert rows(image) == ROWS


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "CMYK", "I;16"])
def test_an_inverted_picture_is_read_in_every_mode(mode: str) -> None:
    assert rows(MASK.convert(mode)) == ROWS


def test_the_lightness_of_lab_is_read() -> None:
    flat = Image.new("L", DRAWN.size, 128)
    assert rows(Image.merge("LAB", (DRAWN, flat, flat))) == ROWS


@pytest.mark.parametrize("white", [65535, 40000, 255, 100])
def test_sixteen_bits_are_read_whatever_of_them_is_used(white: int) -> None:
    values = np.asarray(DRAWN, dtype=np.uint16) // 255 * white
    image = saved(Image.fromarray(values), "PNG")
    assert image.mode == "I;16"
    assert rows(image) == ROWS


@pytest.mark.parametrize("white", [1.0, 255.0, 1e-3, 1e6])
def test_floats_are_read_whatever_white_is(white: float) -> None:
    values = np.asarray(DRAWN, dtype=np.float32) / np.float32(255) * np.float32(white)
    assert rows(saved(Image.fromarray(values), "TIFF")) == ROWS


def test_floats_that_are_no_numbers_are_nothing() -> None:
    values = np.asarray(DRAWN, dtype=np.float32) / np.float32(255)
    values[:5, :5] = np.nan
    assert rows(Image.fromarray(values)) == ROWS


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
@pytest.mark.parametrize(("ink", "ground"), [(0, 0), (0, 255), (255, 255), (255, 0), (90, 200)])
def test_what_is_transparent_is_paper(mode: str, ink: int, ground: int) -> None:
    channels = len(mode) - 1
    image = on_nothing(mode, (ink,) * channels, (ground,) * channels)
    assert rows(image) == ROWS
    assert rows(saved(image, "PNG")) == ROWS


def test_a_palette_may_have_a_transparent_colour() -> None:
    image = Image.new("P", DRAWN.size, 1)
    image.putpalette([0, 0, 0, 0, 0, 0, 255, 255, 255])
    image.paste(0, mask=MASK)
    for form in ("PNG", "GIF"):
        assert rows(saved(image, form, transparency=1)) == ROWS


@pytest.mark.parametrize(("mode", "transparent"), [("L", 0), ("RGB", (0, 0, 0)), ("I;16", 0), ("1", 0)])
def test_a_picture_without_alpha_may_have_a_transparent_colour(
    mode: str, transparent: int | tuple[int, int, int]
) -> None:
    # The ground has the transparent black, the shape another.
    dark = 3000 if mode == "I;16" else 255 if mode == "1" else 12
    image = Image.fromarray(np.where(np.asarray(MASK) > 0, dark, 0).astype(np.uint16 if mode == "I;16" else np.uint8))
    image = image.convert(mode)
    assert rows(saved(image, "PNG", transparency=transparent)) == ROWS


def test_a_half_transparent_shape_is_read() -> None:
    image = Image.new("RGBA", DRAWN.size, (255, 255, 255, 255))
    image.paste(Image.new("RGBA", DRAWN.size, (0, 0, 0, 100)), mask=MASK)
    assert rows(image) == ROWS


@pytest.mark.parametrize("form", ["PNG", "TIFF", "PPM", "BMP", "GIF", "JPEG", "WEBP", "TGA", "PCX", "ICO", "JPEG2000"])
def test_every_format_is_read(form: str) -> None:
    if form == "ICO":
        square = Image.new("L", (256, 256), 255)
        square.paste(DRAWN.resize((175, 245)), (0, 0))
        assert rows(saved(square, form, sizes=[(256, 256)])) == ROWS
    else:
        assert rows(saved(DRAWN, form)) == ROWS


def test_both_kinds_of_bitmap_are_read() -> None:
    plain = "\n".join("".join("1" if pixel else "0" for pixel in line) for line in np.asarray(MASK) > 0)
    width, height = DRAWN.size
    assert rows(picture.load(f"P1\n{width} {height}\n{plain}\n".encode())) == ROWS
    bitmap = saved(DRAWN.convert("1"), "PPM")
    assert (bitmap.mode, rows(bitmap)) == ("1", ROWS)


@pytest.mark.parametrize("photometric", [0, 1])
def test_a_tiff_may_count_white_as_zero(photometric: int) -> None:
    image = (MASK if photometric == 0 else DRAWN).convert("1")
    memory = BytesIO()
    image.save(memory, "TIFF", tiffinfo={262: photometric})
    assert rows(picture.load(memory.getvalue())) == ROWS


def test_the_first_picture_of_several_is_read() -> None:
    for form in ("GIF", "TIFF"):
        assert rows(saved(DRAWN, form, save_all=True, append_images=[MASK, DRAWN.rotate(90)])) == ROWS


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("form", ["JPEG", "PNG", "TIFF", "WEBP"])
def test_a_turned_picture_is_read_upright(form: str, orientation: int) -> None:
    # How the viewer has to move the stored picture, by the EXIF standard (CIPA DC-008, tag 274); here its inverse.
    stored_by = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    stored = DRAWN.transpose(stored_by[orientation]) if orientation > 1 else DRAWN
    exif = Image.Exif()
    exif[274] = orientation
    image = saved(stored, form, exif=exif)
    assert rows(image) == ROWS
    assert picture.read(image).size == DRAWN.size


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"hello world", "neither a picture that Pillow knows, nor a text of 0 and 1, nor one of"),
        (b"\x89PNG\r\n\x1a\n" + b"junk" * 40, "the picture is broken"),
        (b"GIF89a", "the picture is broken|neither a picture"),
    ],
)
def test_what_is_no_picture_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(UnusableInput, match=message):
        picture.load(content)


@pytest.mark.parametrize("form", ["PNG", "TIFF", "BMP", "GIF", "JPEG", "WEBP", "PPM"])
def test_a_file_cut_short_is_refused(form: str) -> None:
    memory = BytesIO()
    DRAWN.save(memory, form)
    content = memory.getvalue()
    with pytest.raises(UnusableInput, match=r"the picture is broken|neither a picture"):
        picture.read(picture.load(content[: len(content) // 2]))


@pytest.mark.parametrize(("width", "height"), [(12_000, 12_000), (100_000, 100_000)])
def test_a_decompression_bomb_is_refused_unread(width: int, height: int) -> None:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    bomb = (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(100))) + chunk(b"IEND", b"")
    )
    with pytest.raises(UnusableInput, match="more than 89,478,485 pixels, no more are read; make it smaller"):
        picture.load(bomb)
