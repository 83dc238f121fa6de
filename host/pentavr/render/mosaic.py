# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes as a mosaic of character cells: two pixels to a cell in colour, letters without."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pentavr.render.drawing import Colour, Drawing, Polygon, Squares
from pentavr.render.geometry import inside
from pentavr.render.palette import text_on

__all__ = ["Cell", "Pixels", "half_blocks", "letters", "separated", "square_pixels", "unit_pixels"]

Pixels = list[list[int | None]]
"""Rows of pixels, each the index of the shape that covers it; None where there is none."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A character with its colours; None is the terminal's own."""

    text: str
    ink: Colour | None = None
    ground: Colour | None = None


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
    """Sample any shapes at the middle of each pixel, `scale` to a unit and `aspect` times fewer downwards."""
    pixels: Pixels = [[None] * (scale * drawing.width) for _ in range(scale * drawing.height // aspect)]
    owner = _owners(drawing)
    for row, line in enumerate(pixels):
        y = (row + 0.5) * aspect / scale
        for column in range(len(line)):
            x = (column + 0.5) / scale
            line[column] = owner.get((int(x), int(y)))
            for index, shape in enumerate(drawing.shapes):
                if isinstance(shape, Polygon) and inside(shape.vertices, x, y):
                    line[column] = index
    return pixels


def half_blocks(
    drawing: Drawing, pixels: Pixels, labels: Mapping[tuple[int, int], tuple[int, str]]
) -> list[list[Cell]]:
    """Set two rows of pixels on each line; `labels` gives the shape and the letter at a column and line."""
    colours = [shape.colour for shape in drawing.shapes]

    def colour(index: int | None) -> Colour | None:
        return None if index is None else colours[index]

    lines = []
    for line, upper in enumerate(pixels[::2]):
        lower = pixels[2 * line + 1] if 2 * line + 1 < len(pixels) else [None] * len(upper)
        cells = [_half_block(colour(above), colour(below)) for above, below in zip(upper, lower, strict=True)]
        lines.append(cells)
    for (column, line), (index, letter) in labels.items():
        lines[line][column] = Cell(letter, text_on(colours[index]), colours[index])
    return lines


def letters(drawing: Drawing, pixels: Pixels) -> list[str]:
    """Write each pixel as the first letter of its shape's label, with blanks between shapes of the same letter."""
    signs = [shape.label[:1] or "#" for shape in drawing.shapes]
    lines = []
    for row, line in enumerate(pixels):
        text = ""
        for column, index in enumerate(line):
            before = line[column - 1] if column else None
            above = pixels[row - 1][column] if row else None
            twins = (
                index is not None and other is not None and other != index and signs[other] == signs[index]
                for other in (before, above)
            )
            text += " " if index is None or any(twins) else signs[index]
        lines.append(text.rstrip())
    return lines


def separated(pixels: Pixels) -> Pixels:
    """Clear the pixels where one shape meets another on the left or above."""
    return [
        [
            None
            if _meets(index, line[column - 1] if column else None)
            or _meets(index, pixels[row - 1][column] if row else None)
            else index
            for column, index in enumerate(line)
        ]
        for row, line in enumerate(pixels)
    ]


def _meets(one: int | None, other: int | None) -> bool:
    return one is not None and other is not None and one != other


def _owners(drawing: Drawing) -> dict[tuple[int, int], int]:
    owner = {}
    for index, shape in enumerate(drawing.shapes):
        if isinstance(shape, Squares):
            owner.update(dict.fromkeys(shape.squares, index))
    return owner


def _common(owner: Mapping[tuple[int, int], int], columns: Iterable[int], rows: Sequence[int]) -> int | None:
    owners = {owner.get((column, row)) for column in columns for row in rows}
    return owners.pop() if len(owners) == 1 else None


def _half_block(above: Colour | None, below: Colour | None) -> Cell:
    if above is None:
        return Cell(" ") if below is None else Cell("▄", below)
    if above == below:
        return Cell(" ", None, above)
    return Cell("▀", above, below)
