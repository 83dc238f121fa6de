# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawings as text for the terminal: tiles of colour where it has any, lines and letters where it has none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import TextIO

from pentavr.render import boxes, mosaic
from pentavr.render.drawing import Colour, Drawing, Shape, Squares
from pentavr.render.geometry import anchor, label_square, outlines

__all__ = ["has_colour", "show", "text", "window"]

_ASCII = str.maketrans("─│┌┐└┘├┤┬┴┼╵╷╶╴", "-|+++++++++||--")
_UNBOUNDED = (1 << 30, 1 << 30)
_POLYGON_ROOM = (80, 24)
_LARGEST_SCALE = 12


def text(drawing: Drawing, *, colour: bool, room: tuple[int, int] | None = None) -> str:
    """Draw without the title, at the largest scale that fits into `room`, columns by lines; without it, full size.

    What is too high at every scale goes by the columns alone, what is too wide as well is drawn at the smallest.
    With a polygon among the shapes, the full size is what fits 80 columns by 24 lines. Letters of labels that do not
    take one column each are left out. Colours come as escape sequences for the terminal that TERM and COLORTERM name,
    in true colour if they name none. No line end follows the last line.
    """
    drawing = replace(drawing, shapes=tuple(_with_narrow_label(shape) for shape in drawing.shapes))
    if all(isinstance(shape, Squares) for shape in drawing.shapes):
        return _squares(drawing, colour, room or _UNBOUNDED)
    return _polygons(drawing, colour, room or _POLYGON_ROOM)


def show(drawing: Drawing, stream: TextIO | None = None) -> None:
    """Print the drawing on a stream, standard output if none is given, as large and colourful as that can show."""
    stream = stream or sys.stdout
    written = text(drawing, colour=has_colour(stream), room=window(stream))
    try:
        written.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        written = text(drawing, colour=False, room=window(stream)).translate(_ASCII)
    print(written, file=stream)


def has_colour(stream: TextIO | None = None) -> bool:
    """Tell whether the stream (standard output) is a terminal with colours, and NO_COLOR does not forbid them."""
    from rich.console import Console

    console = Console(file=stream or sys.stdout)
    return console.color_system is not None and not console.no_color


def window(stream: TextIO | None = None) -> tuple[int, int] | None:
    """Give the columns and lines of the terminal, one line left for the prompt; None if the stream is no terminal."""
    from rich.console import Console

    console = Console(file=stream or sys.stdout)
    return (console.width, console.height - 1) if console.is_terminal else None


def _with_narrow_label(shape: Shape) -> Shape:
    from rich.cells import cell_len

    return replace(shape, label="".join(letter for letter in shape.label if cell_len(letter) == 1))


@dataclass(frozen=True, slots=True)
class _Scale:
    """One of the sizes at which squares can be drawn."""

    columns: int
    lines: int
    draw: Callable[[], str]


def _squares(drawing: Drawing, colour: bool, room: tuple[int, int]) -> str:
    width, height = drawing.width, drawing.height
    if colour:
        scales = [
            _Scale(scale * width - gap, (scale * height - gap + 1) // 2, partial(_tiles, drawing, scale, gap))
            for scale, gap in ((4, 1), (3, 1), (2, 0), (1, 0))
        ]
    else:
        scales = [
            _Scale(4 * width + 1, 2 * height + 1, lambda: "\n".join(boxes.roomy(drawing, 4))),
            _Scale(3 * width + 1, 2 * height + 1, lambda: "\n".join(boxes.roomy(drawing, 3))),
            _Scale(2 * width + 1, height + 1, lambda: "\n".join(boxes.compact(drawing))),
        ]
    columns, lines = room
    narrow = [scale for scale in scales if scale.columns <= columns] or scales[-1:]
    return next((scale for scale in narrow if scale.lines <= lines), narrow[0]).draw()


def _tiles(drawing: Drawing, scale: int, gap: int) -> str:
    middles = {}
    if scale > 1:
        for index, shape in enumerate(drawing.shapes):
            if isinstance(shape, Squares) and shape.squares:
                column, row = label_square(shape.squares)
                middles[index] = scale * column + (scale - gap) / 2, scale * row + (scale - gap) / 2
    return _coloured(mosaic.half_blocks(drawing, mosaic.square_pixels(drawing, scale, gap), middles))


def _polygons(drawing: Drawing, colour: bool, room: tuple[int, int]) -> str:
    columns, lines = room
    scale = max(1, min(_LARGEST_SCALE, columns // max(1, drawing.width), 2 * lines // max(1, drawing.height)))
    if not colour:
        signs = [shape.label[:1] or "#" for shape in drawing.shapes]
        return "\n".join(mosaic.letters(mosaic.separated(mosaic.unit_pixels(drawing, scale, 2), signs), signs))
    places = {index: anchor(shape) for index, shape in enumerate(drawing.shapes) if outlines(shape)}
    middles = {index: (scale * place.x, scale * place.y) for index, place in places.items()}
    return _coloured(mosaic.half_blocks(drawing, mosaic.separated(mosaic.unit_pixels(drawing, scale)), middles))


def _coloured(lines: list[list[mosaic.Cell]]) -> str:
    from rich.color import Color, ColorSystem
    from rich.console import COLOR_SYSTEMS, Console
    from rich.style import Style

    def rich_colour(colour: Colour | None) -> Color | None:
        return None if colour is None else Color.from_rgb(colour.red, colour.green, colour.blue)

    name = Console(force_terminal=True, color_system="auto").color_system
    system = COLOR_SYSTEMS[name] if name else ColorSystem.TRUECOLOR
    written = []
    for line in lines:
        runs = []
        for (ink, ground, reverse), cells in groupby(line, key=lambda cell: (cell.ink, cell.ground, cell.reverse)):
            style = Style(color=rich_colour(ink), bgcolor=rich_colour(ground), reverse=reverse or None)
            runs.append(style.render("".join(cell.text for cell in cells), color_system=system))
        written.append("".join(runs))
    return "\n".join(written)
