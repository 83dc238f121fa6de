# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures read back whatever lies over them, and refused where they are no shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFilter, ImageOps

from pentavr.errors import UnusableInput
from pentavr.tangram import Silhouette, picture, solve
from tangram_judge import SHAPES, Shape, draw, faults, laid, laid_set, moved_pieces, of_class, signs_of

Disturb = Callable[[Image.Image], Image.Image]


def jpeg(quality: int) -> Disturb:
    def disturb(image: Image.Image) -> Image.Image:
        memory = BytesIO()
        image.save(memory, "JPEG", quality=quality)
        return Image.open(memory)

    return disturb


def blur(sigma: float) -> Disturb:
    return lambda image: image.filter(ImageFilter.GaussianBlur(sigma))


def noise(share: float) -> Disturb:
    def disturb(image: Image.Image) -> Image.Image:
        chance = np.random.default_rng(1942)
        pixels = np.array(image)
        struck = chance.random(pixels.shape) < share
        pixels[struck] = 255 * chance.integers(0, 2, np.count_nonzero(struck))
        return Image.fromarray(pixels)

    return disturb


def shift(x: int, y: int) -> Disturb:
    def disturb(image: Image.Image) -> Image.Image:
        moved = Image.new("L", image.size, 255)
        moved.paste(image, (x, y))
        return moved

    return disturb


def scale(factor: float) -> Disturb:
    return lambda image: image.resize((round(image.width * factor), round(image.height * factor)))


def crop(left: int, top: int, right: int, bottom: int) -> Disturb:
    return lambda image: image.crop((left, top, image.width - right, image.height - bottom))


def greyed(image: Image.Image) -> Image.Image:
    return image.point(lambda value: 120 + value // 10)


def both(one: Disturb, other: Disturb) -> Disturb:
    return lambda image: other(one(image))


HARDEST: dict[str, Disturb] = {
    "nothing": lambda image: image,
    "JPEG of quality 1": jpeg(1),
    "blur": blur(10),
    "60 % noise": noise(0.6),
    "off by 6 px": shift(6, 6),
    "off by -6 px": shift(-6, 6),
}
FURTHER: dict[str, Disturb] = {
    "dust": noise(0.02),
    "off by 17 px and 8 px": shift(17, 8),
    "off, in dust": both(shift(-13, 20), noise(0.02)),
    "off, blurred": both(shift(17, 8), blur(6)),
    "cut at odd places": crop(13, 22, 7, 31),
    "37 px": scale(0.74),
    "41.3 px": scale(0.826),
    "100 px": scale(2),
    "75 px, blurred": both(scale(1.5), blur(3)),
    "10 px": scale(0.2),
    "16 px": scale(0.32),
    "21 px": scale(0.42),
    "grey on grey": greyed,
    "grey on grey, noisy": both(noise(0.2), greyed),
    "inverted": ImageOps.invert,
    "inverted JPEG": both(ImageOps.invert, jpeg(5)),
    "inverted, noisy": both(ImageOps.invert, noise(0.6)),
    "inverted, of 37 px": both(ImageOps.invert, scale(0.74)),
}


DISTURBANCES = HARDEST | FURTHER


@pytest.mark.parametrize(
    ("name", "shapes"),
    [*((name, SHAPES) for name in HARDEST), *((name, SHAPES[::3]) for name in FURTHER)],
    ids=lambda value: value if isinstance(value, str) else f"{len(value)} shapes",
)
def test_the_shapes_are_read_whatever_lies_over_them(name: str, shapes: Sequence[Shape]) -> None:
    misread = {}
    for shape in shapes:
        try:
            found = picture.read(DISTURBANCES[name](draw(shape.rows)))
        except UnusableInput as error:
            misread[shape.name] = str(error)
            continue
        if found.silhouette.trimmed().rows != shape.rows:
            misread[shape.name] = str(found.silhouette)
        assert found.inverted == ("inverted" in name)
    assert misread == {}


@pytest.mark.parametrize("name", ["nothing", "JPEG of quality 1", "blur", "60 % noise", "grey on grey"])
def test_a_picture_may_have_no_margin(name: str) -> None:
    for shape in SHAPES:
        if set("".join(shape.rows)) != {"#"}:
            found = picture.read(DISTURBANCES[name](draw(shape.rows, margin=0)))
            assert found.silhouette.rows == shape.rows


@pytest.mark.parametrize("grid", [12, 16, 18, 25, 33, 60, 75, 100, 128])
@pytest.mark.parametrize("margin", [0, 2])
def test_the_scale_is_found_with_and_without_a_margin(grid: int, margin: int) -> None:
    for shape in SHAPES[::2]:
        if set("".join(shape.rows)) != {"#"}:
            found = picture.read(draw(shape.rows, grid=grid, margin=margin))
            assert (found.silhouette.trimmed().rows, found.grid, found.inverted) == (shape.rows, grid, False)


def test_the_place_in_the_picture_is_found() -> None:
    (shape,) = (shape for shape in SHAPES if shape.name == "convex06")
    found = picture.read(shift(17, -8)(draw(shape.rows)))
    assert (found.grid, found.origin, found.size) == (50, (17, -8), (250, 350))
    assert found.confidence > 0.95
    found = picture.read(draw(shape.rows, grid=37))
    assert (found.grid, found.origin, found.size) == (37, (0, 0), (185, 259))


def test_the_confidence_falls_with_the_quality() -> None:
    clean = draw(SHAPES[0].rows)
    confidences = [picture.read(image).confidence for image in (clean, blur(4)(clean), blur(8)(clean), blur(12)(clean))]
    assert confidences[0] > 0.99
    assert confidences == sorted(confidences, reverse=True)
    assert confidences[-1] < 0.7


def test_a_given_grid_is_kept() -> None:
    image = draw(SHAPES[0].rows, grid=100)
    assert picture.read(image).grid == 100
    assert picture.read(image, grid=100).silhouette.trimmed().rows == SHAPES[0].rows
    with pytest.raises(UnusableInput, match=r"an area of 32.* grid squares of 50 pixels.* squares of 100\.\d pixels"):
        picture.read(image, grid=50)


def test_a_given_side_is_kept() -> None:
    # A white square on a black ground of 24 - 8 = 16 grid squares: both are shapes.
    image = ImageOps.invert(draw(("##", "##", "##", "##")))
    assert picture.read(image).inverted
    assert picture.read(image, invert=True).silhouette.trimmed().rows == ("##", "##", "##", "##")
    assert picture.read(image, invert=False).silhouette.area == 16


def test_a_picture_full_of_the_shape_is_read_if_the_grid_is_plain() -> None:
    full = Image.new("L", (100, 200), 0)
    assert picture.read(full).silhouette.rows == ("##", "##", "##", "##")
    assert picture.read(full.resize((74, 148)), grid=37).silhouette.rows == ("##", "##", "##", "##")
    assert picture.read(full.resize((200, 200)), grid=50).silhouette.rows == ("####",) * 4
    assert picture.read(ImageOps.invert(full), invert=True).silhouette.rows == ("##", "##", "##", "##")


@pytest.mark.parametrize(
    ("image", "message"),
    [
        (Image.new("L", (300, 200), 255), "the picture is empty: all 300 x 200 pixels are white"),
        (Image.new("RGBA", (300, 200), (0, 0, 0, 0)), "the picture is empty"),
        (Image.new("L", (300, 200), 0), "the picture is full: all 300 x 200 pixels are black, without an outline"),
        (Image.new("L", (200, 200), 0), "the picture is full: .* give the grid in pixels"),
        (draw(("###", "###", "###")), r"an area of 9 grid squares of 50 pixels, expected 8 \(or 16.*53\.0 pixels"),
        (draw(("###", "###", "#..")), r"an area of 7 grid squares of 50 pixels.*46\.8 pixels"),
        (draw(("###", "###", "##a")), r"an area of 8\.5 grid squares of 50 pixels"),
        (noise(1)(Image.new("L", (300, 400))), r"an area of 2\d\.\d* grid squares"),
    ],
    ids=["white", "transparent", "black", "square", "nine", "seven", "a half too much", "noise"],
)
def test_what_is_no_shape_is_refused(image: Image.Image, message: str) -> None:
    with pytest.raises(UnusableInput, match=message):
        picture.read(image)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda pen: pen.rectangle((150, 50, 174, 99), fill=255),
        lambda pen: pen.polygon([(150, 50), (199, 50), (175, 75)], fill=255),
        lambda pen: pen.rectangle((150, 50, 199, 99), fill=255) or pen.ellipse((150, 50, 199, 99), fill=0),
        lambda pen: pen.rectangle((160, 60, 189, 89), fill=255),
    ],
    ids=["half by an upright", "three quarters", "disc", "window"],
)
def test_a_grid_square_that_is_no_half_is_refused_with_its_address(
    spoil: Callable[[ImageDraw.ImageDraw], None],
) -> None:
    image = draw(("####", ".##.", ".##."))
    spoil(ImageDraw.Draw(image))
    with pytest.raises(UnusableInput, match=r"column 3, row 1 \(pixels 150 to 199 across, 50 to 99 down\)"):
        picture.read(image)


def test_the_address_is_in_pixels_of_a_large_picture_too() -> None:
    image = draw(("####", ".##.", ".##."), grid=1000)
    ImageDraw.Draw(image).rectangle((3000, 1000, 3499, 1999), fill=255)
    message = r"column 3, row 1 \(pixels 3000 to 3999 across, 1000 to 1999 down\).*the grid is 1000 pixels"
    with pytest.raises(UnusableInput, match=message):
        picture.read(image, grid=1000)
    found = picture.read(draw(("####", ".##.", ".##."), grid=1000))
    assert (found.grid, found.origin, found.size) == (1000, (0, 0), (6000, 5000))


@pytest.mark.parametrize("grid", [0.5, 10_000])
def test_a_grid_out_of_all_proportion_is_refused(grid: float) -> None:
    with pytest.raises(UnusableInput, match="does not go with a picture of 300 x 300 pixels"):
        picture.read(draw(SHAPES[0].rows), grid=grid)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.booleans(), st.sampled_from([(50, 1), (50, 0), (29, 2)]))
def test_whatever_is_glued_of_the_pieces_is_solved_from_its_picture(
    data: st.DataObject, turned: bool, scale: tuple[int, int]
) -> None:
    grid, margin = scale
    glued = moved_pieces(data.draw, turned=turned)
    rows = signs_of(glued)
    found = picture.read(draw(rows, grid=grid, margin=margin))
    assert found.silhouette.trimmed().rows == rows
    solutions = [laid(solution) for solution in solve(Silhouette(rows))]
    assert all(faults(rows, pieces) == [] for pieces in solutions)
    assert laid_set(glued) in {laid_set(pieces) for pieces in solutions}


def test_the_two_shapes_in_far_parts_are_shapes() -> None:
    for shape in of_class("split"):
        found = picture.read(draw(shape.rows)).silhouette
        assert sum(1 for _ in solve(found)) == shape.solutions
