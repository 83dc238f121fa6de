# SPDX-License-Identifier: GPL-3.0-or-later
"""The measures that SVG and PNG share: where drawings, captions, outlines and labels lie, in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil

from pentavr.errors import UnusableInput
from pentavr.render.drawing import Colour, Drawing, Shape
from pentavr.render.geometry import anchor

__all__ = [
    "BASELINE",
    "CAPTION_COLOUR",
    "OUTLINE_COLOUR",
    "PAPER",
    "Caption",
    "Label",
    "Layout",
    "Panel",
    "label",
    "lay_out",
    "lay_out_one",
    "outline_width",
]

PAPER = Colour(255, 255, 255)
OUTLINE_COLOUR = Colour(0x22, 0x22, 0x22)
CAPTION_COLOUR = Colour(0x33, 0x33, 0x33)

BASELINE = 0.36
"""How far under the middle of a line of capitals its baseline lies, in sizes of the type."""

_ADVANCE = 0.6
"""The width of a middling letter, in sizes of the type; widths are estimated, the reader's type is not known."""

_MARGIN = 0.4  # of a unit, around a drawing
_CAPTION_SIZE = 0.4  # of a unit
_SMALLEST_CAPTION_PX = 10
_CAPTION_LETTERS = 16  # a sheet of narrow drawings is widened for captions up to this many letters


@dataclass(frozen=True, slots=True)
class Caption:
    """A line of text under a drawing, centred on x."""

    text: str
    x: float
    y: float
    size: float


@dataclass(frozen=True, slots=True)
class Label:
    """The text on a shape, centred on (x, y) relative to the drawing's upper left corner."""

    text: str
    x: float
    y: float
    size: float


@dataclass(frozen=True, slots=True)
class Panel:
    """One drawing on the sheet, its upper left corner at (x, y)."""

    drawing: Drawing
    x: float
    y: float
    caption: Caption | None


@dataclass(frozen=True, slots=True)
class Layout:
    """A sheet of drawings, its measures in pixels."""

    width: int
    height: int
    unit: int
    panels: tuple[Panel, ...]


def lay_out_one(drawing: Drawing, unit_px: int) -> Layout:
    """Lay out one drawing without its caption."""
    margin = _margin(unit_px)
    width, height = (2 * margin + unit_px * units for units in (drawing.width, drawing.height))
    return Layout(width, height, unit_px, (Panel(drawing, margin, margin, None),))


def lay_out(drawings: Sequence[Drawing], columns: int | None, unit_px: int) -> Layout:
    """Lay drawings out in rows, titles below; without `columns` the sheet comes as near a square as it can."""
    if columns is not None and columns < 1:
        raise UnusableInput(f"a sheet of {columns} columns: give 1 or more")
    margin = _margin(unit_px)
    if not drawings:
        return Layout(2 * margin, 2 * margin, unit_px, ())
    caption_px = max(_SMALLEST_CAPTION_PX, _CAPTION_SIZE * unit_px)
    letter_px = caption_px * _ADVANCE
    caption_room = ceil(1.6 * caption_px) if any(drawing.title for drawing in drawings) else 0
    widths = [
        max(unit_px * drawing.width, ceil(letter_px * min(len(drawing.title), _CAPTION_LETTERS)))
        for drawing in drawings
    ]
    heights = [unit_px * drawing.height for drawing in drawings]
    count = len(drawings)
    across = columns or _squarest(
        count, sum(widths) / count + 2 * margin, sum(heights) / count + caption_room + 2 * margin
    )
    column_widths = [max(widths[column::across]) for column in range(min(across, count))]
    row_heights = [max(heights[first : first + across]) for first in range(0, count, across)]
    lefts = list(accumulate((width + 2 * margin for width in column_widths), initial=margin))
    tops = list(accumulate((height + caption_room + 2 * margin for height in row_heights), initial=margin))
    panels = []
    for index, drawing in enumerate(drawings):
        row, column = divmod(index, across)
        floor = tops[row] + row_heights[row]
        x = lefts[column] + (column_widths[column] - unit_px * drawing.width) // 2
        caption = None
        if drawing.title:
            text = _cut(drawing.title, int((column_widths[column] + margin) / letter_px))
            caption = Caption(text, lefts[column] + column_widths[column] / 2, floor + 1.4 * caption_px, caption_px)
        panels.append(Panel(drawing, x, floor - unit_px * drawing.height, caption))
    return Layout(lefts[-1] - margin, tops[-1] - margin, unit_px, tuple(panels))


def label(shape: Shape, unit_px: int) -> Label:
    """Place the shape's label, as large as its surroundings allow."""
    place = anchor(shape)
    room = 2 * place.clearance * unit_px
    size = min(0.55 * unit_px, 0.75 * room, 0.9 * room / (_ADVANCE * max(1, len(shape.label))))
    return Label(shape.label, place.x * unit_px, place.y * unit_px, size)


def outline_width(unit_px: int) -> float:
    """Give the width of the outlines in pixels."""
    return unit_px / 16


def _margin(unit_px: int) -> int:
    if unit_px < 1:
        raise UnusableInput(f"a unit of {unit_px} pixels: give 1 or more")
    return max(2, round(_MARGIN * unit_px))


def _squarest(count: int, step_x: float, step_y: float) -> int:
    def fault(columns: int) -> float:
        rows = ceil(count / columns)
        width, height = columns * step_x, rows * step_y
        return max(width, height) / min(width, height) * (columns * rows / count)

    return min(range(1, count + 1), key=fault)


def _cut(text: str, letters: int) -> str:
    return text if len(text) <= letters else f"{text[: max(0, letters - 1)]}…"
