# SPDX-License-Identifier: GPL-3.0-or-later
"""Tilings as drawings, and as pictures where they are too large to be drawn tile by tile."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from pentavr.render.drawing import Colour, Drawing, Squares
from pentavr.render.palette import BLACK, THREE, TWELVE
from pentavr.tromino.marks import Mark, Marks, Tiling
from pentavr.tromino.tile import Square

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["LARGEST_DRAWING", "LARGEST_PICTURE_PX", "drawing", "picture"]

LARGEST_DRAWING = 1 << 18
"""The most squares that are drawn tile by tile; n = 9 has so many."""

LARGEST_PICTURE_PX = 1 << 13
"""The longest side of a picture in pixels; one of n = 13 has so many, 67 million in all, which common viewers open."""

_COLOURS = (*THREE, *(colour for colour in TWELVE if colour not in THREE))
_OUTLINE = Colour(0x22, 0x22, 0x22)
_UNIT_PX = 8
_LEAST_OUTLINED_PX = 4


def drawing(tiling: Tiling, start: int, stop: int, *, label: Mark | None, filled: Collection[Square] = ()) -> Drawing:
    """Return the rows from `start` up to `stop` as a drawing, the tiles in few colours and labelled with their mark.

    `filled` holes are drawn black, the others are left out; a tile that the rows cut off is drawn in part.
    """
    numbers = _marks(tiling, Mark.NUMBERS, start, stop)
    colours = _marks(tiling, Mark.COLOURS, start, stop)
    labels = None if label is None else _marks(tiling, label, start, stop)
    squares: dict[int, list[Square]] = defaultdict(list)
    for y, row in enumerate(numbers.tolist()):
        for x, number in enumerate(row):
            squares[number].append((x, y))
    squares.pop(0, None)
    black = [Squares(((x, y - start),), BLACK, "*") for x, y in filled if start <= y < stop]
    tiles = []
    for places in squares.values():
        x, y = places[0]
        mark = "" if labels is None else chr(labels[y, x]) if label is Mark.LETTERS else str(labels[y, x])
        tiles.append(Squares(tuple(places), _COLOURS[colours[y, x] - 1], mark))
    return Drawing(tiling.width, stop - start, (*black, *tiles))


def picture(tiling: Tiling, start: int, stop: int) -> Image:
    """Return the rows from `start` up to `stop` as a picture without labels, one to eight pixels a square."""
    from PIL import Image

    unit = max(1, min(_UNIT_PX, LARGEST_PICTURE_PX // max(tiling.width, stop - start)))
    pixels = _marks(tiling, Mark.COLOURS, start, stop).repeat(unit, axis=0).repeat(unit, axis=1)
    if unit >= _LEAST_OUTLINED_PX:
        numbers = _marks(tiling, Mark.NUMBERS, start, stop)
        outline = len(_COLOURS) + 1
        rows = pixels.reshape(len(numbers), unit, -1)
        rows[1:, 0][(numbers[1:] != numbers[:-1]).repeat(unit, axis=1)] = outline
        columns = pixels.reshape(len(pixels), -1, unit)
        columns[:, 1:, 0][(numbers[:, 1:] != numbers[:, :-1]).repeat(unit, axis=0)] = outline
    image = Image.fromarray(pixels, mode="P")
    image.putpalette(
        [channel for colour in (BLACK, *_COLOURS, _OUTLINE) for channel in (colour.red, colour.green, colour.blue)]
    )
    return image


def _marks(tiling: Tiling, mark: Mark, start: int, stop: int) -> Marks:
    marks: Marks = np.empty((stop - start, tiling.width), tiling.dtype(mark))
    tiling.fill(mark, start, marks)
    return marks
