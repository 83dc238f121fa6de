# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawings as SVG text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from pentavr.render.drawing import Colour, Drawing, Shape
from pentavr.render.geometry import Point, outlines
from pentavr.render.layout import (
    BASELINE,
    CAPTION_COLOUR,
    OUTLINE_COLOUR,
    PAPER,
    Layout,
    Panel,
    label,
    lay_out,
    lay_out_one,
    outline_width,
)
from pentavr.render.palette import text_on

__all__ = ["drawing", "sheet"]


def drawing(drawing: Drawing, *, unit_px: int = 40) -> str:
    """Draw one drawing; its title becomes the document's title."""
    return "\n".join(_document(lay_out_one(drawing, unit_px), drawing.title))


def sheet(drawings: Sequence[Drawing], *, columns: int | None = None, unit_px: int = 40) -> str:
    """Draw drawings in rows with their titles below; without `columns` the sheet is as near a square as goes."""
    return "\n".join(_document(lay_out(drawings, columns, unit_px), ""))


def _document(layout: Layout, title: str) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{layout.width}" height="{layout.height}" '
        f'viewBox="0 0 {layout.width} {layout.height}">'
    )
    if title:
        yield _title(title)
    yield f'<rect width="100%" height="100%" fill="{PAPER}"/>'
    yield (
        f'<g stroke="{OUTLINE_COLOUR}" stroke-width="{_number(outline_width(layout.unit))}" stroke-linejoin="round" '
        'fill-rule="evenodd" font-family="sans-serif" text-anchor="middle">'
    )
    for panel in layout.panels:
        yield from _panel(panel, layout.unit)
    yield "</g>"
    yield "</svg>\n"


def _panel(panel: Panel, unit: int) -> Iterator[str]:
    yield f'<g transform="translate({_number(panel.x)} {_number(panel.y)})">'
    if panel.caption:
        yield _title(panel.drawing.title)
    for shape in panel.drawing.shapes:
        yield from _shape(shape, unit)
    yield "</g>"
    if panel.caption:
        caption = panel.caption
        yield _text(caption.text, caption.x, caption.y, caption.size, CAPTION_COLOUR)


def _shape(shape: Shape, unit: int) -> Iterator[str]:
    path = "".join(_loop(loop, unit) for loop in outlines(shape))
    if not path:
        return
    name = shape.name or shape.label
    start = f'<path fill="{shape.colour}" d="{path}"'
    yield f"{start}>{_title(name)}</path>" if name else f"{start}/>"
    if not shape.label:
        return
    text = label(shape, unit)
    yield _text(text.text, text.x, text.y + BASELINE * text.size, text.size, text_on(shape.colour))


def _loop(loop: Sequence[Point], unit: int) -> str:
    places = [(_number(x * unit), _number(y * unit)) for x, y in loop]
    (x, y), *others = places
    words = [f"M{x} {y}"]
    for next_x, next_y in others:
        if next_y == y:
            words.append(f"H{next_x}")
        elif next_x == x:
            words.append(f"V{next_y}")
        else:
            words.append(f"L{next_x} {next_y}")
        x, y = next_x, next_y
    return "".join([*words, "Z"])


def _text(text: str, x: float, y: float, size: float, colour: Colour) -> str:
    return (
        f'<text x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}" fill="{colour}" stroke="none">'
        f"{_escape(text)}</text>"
    )


def _title(text: str) -> str:
    return f"<title>{_escape(text)}</title>"


def _escape(text: str) -> str:
    # XML 1.0 has no way to write most control characters.
    return escape("".join(letter if letter.isprintable() else "�" for letter in text))


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
