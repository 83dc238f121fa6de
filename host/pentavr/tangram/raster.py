# SPDX-License-Identifier: GPL-3.0-or-later
"""A dissection pixel by pixel: a picture, or a matrix, of exactly the size that the shape was read from."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFilter

from pentavr.errors import UnusableInput
from pentavr.render.palette import SEVEN as COLOURS
from pentavr.tangram.pieces import SEVEN, Dissection
from pentavr.tangram.silhouette import Silhouette
from pentavr.tangram.source import Kind, Source

__all__ = ["check_ending", "encoded", "matrix", "picture"]

_Numbers = npt.NDArray[np.uint8]
_Floats = npt.NDArray[np.float64]

_UNLAID = len(SEVEN) + 1
_QUARTERS = {".": (), "#": (0, 1, 2, 3), "a": (0, 3), "b": (0, 1), "c": (1, 2), "d": (2, 3)}
"""Quarters of a grid square, clockwise from the upper one."""
_LEAST_GRID_PX = 50  # of the picture of a matrix, whose own cells may be few
_PIXEL_LIMIT = 1 << 27
_STRIP_PIXELS = 1 << 20  # worked out at a time, which bounds the memory
_BLACK_AND_WHITE = (".pbm", ".xbm", ".msp")
_GREY = (".pgm",)
_OPTIONS: dict[str, dict[str, object]] = {
    ".jpeg": {"quality": 95, "subsampling": 0},
    ".jpg": {"quality": 95, "subsampling": 0},
    ".webp": {"lossless": True},
}


def picture(source: Source, dissection: Dissection, *, lines: bool = False, laid: int = len(SEVEN)) -> Image.Image:
    """Draw each piece in a colour of its own on white paper, or all in black with white lines between them.

    Of the pieces only the first `laid` are drawn, the rest of the shape in black. A matrix comes larger if its grid
    squares have few cells.
    """
    factor = max(1, round(_LEAST_GRID_PX / source.grid)) if source.kind is Kind.MATRIX else 1
    numbers = _numbers(_enlarged(source, factor), dissection, laid)
    if lines:
        return _black(numbers, source.grid * factor)
    colours = [(255, 255, 255), *((colour.red, colour.green, colour.blue) for colour in COLOURS), (0, 0, 0)]
    return Image.fromarray(np.array(colours, dtype=np.uint8)[numbers])


def matrix(source: Source, dissection: Dissection) -> str:
    """Write a cell a character: 0 outside, 1 to 7 for the pieces in the order of SEVEN."""
    rows = _numbers(source, dissection, len(SEVEN)) + ord("0")
    return "\n".join(row.tobytes().decode() for row in rows)


def check_ending(ending: str, *, lines: bool) -> None:
    """Raise UnusableInput unless Pillow writes a format that goes by the ending and holds the colours."""
    if _format(ending) not in Image.SAVE:
        raise UnusableInput(f"no picture format that can be written goes by {ending!r}; try .png or .svg")
    if ending in (*_BLACK_AND_WHITE, *_GREY) and not lines:
        raise UnusableInput(f"{ending} holds no colours: take --lines or another ending, such as .png")


def encoded(image: Image.Image, ending: str) -> bytes:
    """Give the content of a picture file of the format that goes by the ending."""
    if ending in _BLACK_AND_WHITE:
        image = image.convert("1")
    elif ending == ".gif" and image.mode == "RGB":
        # Eight colours or nine: an adaptive palette holds them as they are.
        image = image.convert("P", palette=Image.Palette.ADAPTIVE)
    memory = BytesIO()
    try:
        image.save(memory, format=_format(ending), **_OPTIONS.get(ending, {}))
    except (OSError, ValueError, KeyError) as error:
        size = f"{image.width} x {image.height} pixels"
        raise UnusableInput(f"Pillow cannot write {size} as {ending} ({error}); try .png") from error
    return memory.getvalue()


def _format(ending: str) -> str | None:
    """Give Pillow's name of the format that goes by the ending; loading all its formats takes longer than a picture."""
    Image.preinit()
    if ending not in Image.EXTENSION:
        Image.init()
    return Image.EXTENSION.get(ending)


def _enlarged(source: Source, factor: int) -> Source:
    (x, y), (width, height) = source.origin, source.size
    return replace(
        source, grid=source.grid * factor, origin=(x * factor, y * factor), size=(width * factor, height * factor)
    )


def _numbers(source: Source, dissection: Dissection, laid: int) -> _Numbers:
    """Give each pixel the number of the piece that covers its middle: 0 for none, 8 for the pieces not laid."""
    rows, columns = source.silhouette.height, source.silhouette.width
    table: _Numbers = np.zeros((rows + 1, columns + 1, 4), dtype=np.uint8)
    _fill(table, source.silhouette)
    for number, placement in enumerate(dissection.placements[:laid], 1):
        for column, row, sign in placement.parts:
            table[row, column, _QUARTERS[sign]] = number
    width, height = source.size
    if width * height > _PIXEL_LIMIT:
        raise UnusableInput(f"the picture would be {width} x {height} pixels, over the limit of {_PIXEL_LIMIT:,}")
    x, y = source.origin
    # What lies outside the grid goes to the empty row and column at its end, which -1 counts as too.
    across = np.clip((np.arange(width) + 0.5 - x) / source.grid, -0.5, columns + 0.5)
    down = np.clip((np.arange(height) + 0.5 - y) / source.grid, -0.5, rows + 0.5)[:, np.newaxis]
    strip = max(1, _STRIP_PIXELS // width)
    return np.concatenate([_looked_up(table, across, down[top : top + strip]) for top in range(0, height, strip)])


def _looked_up(table: _Numbers, across: _Floats, down: _Floats) -> _Numbers:
    """Find quarters of grid squares in a table, by the distances of columns and rows of pixels in grid squares."""
    column, row = np.floor(across).astype(int), np.floor(down).astype(int)
    right, lower = np.round(across - column, 9), np.round(down - row, 9)
    upper_right, lower_right = right > lower, np.round(right + lower, 9) > 1
    quarter = np.where(upper_right, np.where(lower_right, 1, 0), np.where(lower_right, 2, 3))
    return np.asarray(table[row, column, quarter])


def _fill(table: _Numbers, silhouette: Silhouette) -> None:
    for row, signs in enumerate(silhouette.rows):
        for column, sign in enumerate(signs):
            table[row, column, _QUARTERS[sign]] = _UNLAID


def _black(numbers: _Numbers, grid: float) -> Image.Image:
    border = np.zeros(numbers.shape, dtype=bool)
    for one, other, marks in (
        (numbers[:, :-1], numbers[:, 1:], (border[:, :-1], border[:, 1:])),
        (numbers[:-1], numbers[1:], (border[:-1], border[1:])),
    ):
        meeting = (one != other) & (one > 0) & (other > 0)
        for mark in marks:
            mark[meeting] = True
    white = Image.fromarray(border | (numbers == 0)).convert("L")
    thickness = 2 * round(grid / _LEAST_GRID_PX / 2 - 0.5) + 1
    return white.filter(ImageFilter.MaxFilter(thickness)) if thickness > 1 else white
