# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes as a mosaic of character cells: two pixels to a cell in colour, letters without."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import zip_longest
from math import hypot

from pentavr.render.drawing import Colour, Drawing, Polygon, Squares
from pentavr.render.geometry import inside
from pentavr.render.palette import text_on

__all__ = ["Cell", "Pixels", "half_blocks", "letters", "separated", "square_pixels", "unit_pixels"]

Pixels = list[list[int | None]]
"""Rows of pixels, each the index of the shape that covers it; None where there is none."""

Place = tuple[int, int]
"""A column and a line."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A character with its colours; None is the terminal's own. Reversed, the two change places."""

    text: str
    ink: Colour | None = None
    ground: Colour | None = None
    reverse: bool = False


def square_pixels(drawing: Drawing, scale: int, gap: int) -> Pixels:
    """Draw squares `scale` pixels apart, with `gap` pixels left free between different shapes."""
    owner = _owners(drawing)

    def touched(pixel: int) -> tuple[int, ...]:
        unit, rest = divmod(pixel, scale)
        return (unit,) if rest < scale - gap else (unit, unit + 1)

    columns = [touched(pixel) for pixel in range(scale * drawing.width - gap)]
    rows = [touched(pixel) for pixel in range(scale * drawing.height - gap)]
    return [[_common(owner, across, down) for across in columns] for down in rows]


def unit_pixels(drawing: Drawing, scale: int, aspect: int = 1) -> Pixels:
    """Sample any shapes near the middle of each pixel, `scale` to a unit and `aspect` times fewer downwards."""
    owner = _owners(drawing)
    polygons = [(index, shape) for index, shape in enumerate(drawing.shapes) if isinstance(shape, Polygon)]

    def covering(x: float, y: float) -> int | None:
        square = owner.get((int(x), int(y)), -1)
        last = max((index for index, polygon in polygons if inside(polygon.vertices, x, y)), default=-1)
        return max(square, last) if max(square, last) >= 0 else None

    # A little off the middle, as sides at 45 degrees run through the very middles and would fall now here, now there.
    columns = [(column + 0.51) / scale for column in range(scale * drawing.width)]
    rows = [(row + 0.503) * aspect / scale for row in range(-(-scale * drawing.height // aspect))]
    return [[covering(x, y) for x in columns] for y in rows]


def separated(pixels: Pixels, signs: Sequence[str] | None = None) -> Pixels:
    """Clear what a shape has next to an earlier one; with `signs`, one for each shape, only where the two are alike."""

    def cleared(row: int, column: int) -> bool:
        index = pixels[row][column]
        return any(
            index is not None
            and other is not None
            and other < index
            and (signs is None or signs[other] == signs[index])
            for other in _neighbours(pixels, row, column)
        )

    return [
        [None if cleared(row, column) else index for column, index in enumerate(line)]
        for row, line in enumerate(pixels)
    ]


def letters(pixels: Pixels, signs: Sequence[str]) -> list[str]:
    """Write each pixel as the sign of its shape."""
    return ["".join(" " if index is None else signs[index] for index in line).rstrip() for line in pixels]


def half_blocks(drawing: Drawing, pixels: Pixels, middles: Mapping[int, tuple[float, float]]) -> list[list[Cell]]:
    """Set two rows of pixels on each line, and a label as near as it can be to each shape's entry in `middles`."""
    colours = [shape.colour for shape in drawing.shapes]
    blank: list[int | None] = [None] * len(pixels[0]) if pixels else []
    lines = []
    solid: dict[int, set[Place]] = {}
    spare: dict[int, set[Place]] = {}
    for line, (upper, lower) in enumerate(zip_longest(pixels[::2], pixels[1::2], fillvalue=blank)):
        cells = []
        for column, (above, below) in enumerate(zip(upper, lower, strict=True)):
            cells.append(_cell(*(None if index is None else colours[index] for index in (above, below))))
            if above is not None and above == below:
                solid.setdefault(above, set()).add((column, line))
            elif above is not None and below is None:
                # At three pixels a square, a shape of one row may fill no cell: its label takes some of the joint.
                spare.setdefault(above, set()).add((column, line))
        lines.append(cells)
    for index, (x, y) in middles.items():
        label = drawing.shapes[index].label
        for (column, line), letter in _label_cells(label, solid.get(index) or spare.get(index, set()), x, y):
            lines[line][column] = Cell(letter, text_on(colours[index]), colours[index])
    return lines


def _label_cells(label: str, solid: Set[Place], x: float, y: float) -> Iterator[tuple[Place, str]]:
    """Spread the label over cells that its shape fills, cut as far as it must be."""
    for length in range(len(label), 0, -1):
        starts = [(column, line) for column, line in solid if all((column + at, line) in solid for at in range(length))]
        if starts:
            column, line = min(starts, key=lambda at: (hypot(at[0] + length / 2 - x, 2 * at[1] + 1 - y), at))
            for at, letter in enumerate(label[:length]):
                yield (column + at, line), letter
            return


def _neighbours(pixels: Pixels, row: int, column: int) -> Iterator[int | None]:
    if row > 0:
        yield pixels[row - 1][column]
    if row + 1 < len(pixels):
        yield pixels[row + 1][column]
    if column > 0:
        yield pixels[row][column - 1]
    if column + 1 < len(pixels[row]):
        yield pixels[row][column + 1]


def _owners(drawing: Drawing) -> dict[tuple[int, int], int]:
    owner = {}
    for index, shape in enumerate(drawing.shapes):
        if isinstance(shape, Squares):
            owner.update(dict.fromkeys(shape.squares, index))
    return owner


def _common(owner: Mapping[tuple[int, int], int], columns: Sequence[int], rows: Sequence[int]) -> int | None:
    owners = {owner.get((column, row)) for column in columns for row in rows}
    return owners.pop() if len(owners) == 1 else None


def _cell(above: Colour | None, below: Colour | None) -> Cell:
    # The lower half block alone: in many fonts the upper one leaves a hair's breadth free at the top of the cell.
    if above is None:
        return Cell(" ") if below is None else Cell("▄", below)
    if above == below:
        return Cell(" ", None, above)
    return Cell("▄", above, None, reverse=True) if below is None else Cell("▄", below, above)
