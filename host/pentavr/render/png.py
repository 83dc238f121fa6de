# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawings as pictures of pixels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageFont

from pentavr.errors import UnusableInput
from pentavr.render.drawing import Colour, Drawing, Shape, Squares
from pentavr.render.geometry import Point, outlines
from pentavr.render.layout import (
    BASELINE,
    CAPTION_COLOUR,
    OUTLINE_COLOUR,
    PAPER,
    Layout,
    label,
    lay_out,
    lay_out_one,
    outline_width,
)
from pentavr.render.palette import text_on

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

__all__ = ["PIXEL_LIMIT", "drawing", "sheet"]

PIXEL_LIMIT = 64_000_000
"""The most pixels in a picture; Pillow itself warns of files that hold more than 89 million."""

_FINENESS = 4  # drawn so many times as fine, then averaged: smooth edges
_STRIP_PIXELS = 16_000_000  # drawn at a time, which bounds the memory
_LEAST_TYPE_PX = 6  # smaller labels are smudges


def drawing(drawing: Drawing, *, unit_px: int = 40) -> Image.Image:
    """Draw one drawing without its title.

    Raise UnusableInput if the picture would have more than PIXEL_LIMIT pixels.
    """
    return _picture(lay_out_one(drawing, unit_px))


def sheet(drawings: Sequence[Drawing], *, columns: int | None = None, unit_px: int = 40) -> Image.Image:
    """Draw drawings in rows with their titles below; without `columns` the sheet is as near a square as goes.

    Raise UnusableInput if the picture would have more than PIXEL_LIMIT pixels.
    """
    return _picture(lay_out(drawings, columns, unit_px))


@dataclass(frozen=True, slots=True)
class _Placed:
    """A shape on the sheet, and the rows of pixels that it and its outline touch."""

    shape: Shape
    outlines: tuple[tuple[Point, ...], ...]
    x: float
    y: float
    top: float
    bottom: float


def _picture(layout: Layout) -> Image.Image:
    if layout.width * layout.height > PIXEL_LIMIT:
        raise UnusableInput(
            f"the picture would be {layout.width} x {layout.height} pixels, over the limit of {PIXEL_LIMIT:,}: "
            "take fewer drawings, fewer pixels for each square, or an .svg file"
        )
    picture = Image.new("RGB", (layout.width, layout.height), str(PAPER))
    placed = list(_placed(layout))
    strip = max(1, _STRIP_PIXELS // (layout.width * _FINENESS**2))
    for top in range(0, layout.height, strip):
        rows = min(strip, layout.height - top)
        fine = Image.new("RGB", (layout.width * _FINENESS, rows * _FINENESS), str(PAPER))
        pen = ImageDraw.Draw(fine)
        for item in placed:
            if item.bottom >= top and item.top <= top + rows:
                _draw(pen, item, layout.unit, top)
        picture.paste(fine.reduce(_FINENESS), (0, top))
    _write(ImageDraw.Draw(picture), layout, placed)
    return picture


def _placed(layout: Layout) -> Iterator[_Placed]:
    width = outline_width(layout.unit)
    for panel in layout.panels:
        for shape in panel.drawing.shapes:
            loops = outlines(shape)
            heights = [y for loop in loops for _, y in loop]
            if heights:
                top, bottom = (panel.y + layout.unit * height for height in (min(heights), max(heights)))
                yield _Placed(shape, loops, panel.x, panel.y, top - width, bottom + width)


def _draw(pen: ImageDraw.ImageDraw, item: _Placed, unit: int, top: int) -> None:
    def fine(point: Point) -> tuple[int, int]:
        x, y = point
        return round((item.x + x * unit) * _FINENESS), round((item.y + y * unit - top) * _FINENESS)

    shape = item.shape
    if isinstance(shape, Squares):
        for column, row in shape.squares:
            left, upper = fine((column, row))
            right, lower = fine((column + 1, row + 1))
            pen.rectangle((left, upper, right - 1, lower - 1), fill=str(shape.colour))
    else:
        pen.polygon([fine(vertex) for vertex in shape.vertices], fill=str(shape.colour))
    half = round(outline_width(unit) * _FINENESS / 2)
    if half == 0:
        return
    for loop in item.outlines:
        corners = [fine(corner) for corner in loop]
        for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
            _stroke(pen, start, end, half)


def _stroke(pen: ImageDraw.ImageDraw, start: tuple[int, int], end: tuple[int, int], half: int) -> None:
    (x0, y0), (x1, y1) = start, end
    ink = str(OUTLINE_COLOUR)
    if x0 == x1 or y0 == y1:
        left, right = sorted((x0, x1))
        upper, lower = sorted((y0, y1))
        pen.rectangle((left - half, upper - half, right + half - 1, lower + half - 1), fill=ink)
        return
    pen.line((start, end), fill=ink, width=2 * half)
    for x, y in (start, end):
        pen.ellipse((x - half, y - half, x + half - 1, y + half - 1), fill=ink)


def _write(pen: ImageDraw.ImageDraw, layout: Layout, placed: Sequence[_Placed]) -> None:
    for item in placed:
        if item.shape.label:
            text = label(item.shape, layout.unit)
            place = item.x + text.x, item.y + text.y + BASELINE * text.size
            _type(pen, place, text.text, text.size, text_on(item.shape.colour))
    for panel in layout.panels:
        if panel.caption:
            caption = panel.caption
            _type(pen, (caption.x, caption.y), caption.text, caption.size, CAPTION_COLOUR)


def _type(pen: ImageDraw.ImageDraw, place: Point, text: str, size: float, colour: Colour) -> None:
    if size >= _LEAST_TYPE_PX:
        pen.text(place, text, fill=str(colour), font=_font(size), anchor="ms")


@cache
def _font(size: float) -> FreeTypeFont:
    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise UnusableInput("this Pillow was built without FreeType and cannot write labels; install one of its wheels")
    return font
