# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawings as text for the terminal: tiles of colour where it has any, lines and letters where it has none."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import groupby
from typing import TextIO, TypeVar

from pentavr.render import boxes, mosaic
from pentavr.render.drawing import Colour, Drawing, Squares
from pentavr.render.geometry import anchor, label_square

__all__ = ["has_colour", "show", "text", "window"]

_Line = TypeVar("_Line", str, list[mosaic.Cell])
_UNBOUNDED = (1 << 30, 1 << 30)
_POLYGON_ROOM = (80, 24)
_LARGEST_SCALE = 12


def text(drawing: Drawing, *, colour: bool, room: tuple[int, int] | None = None) -> str:
    """Draw without the title, at the largest scale that fits into `room`, columns by lines; without it, full size.

    A drawing that fits at no scale is drawn at the smallest. Colours come as the escape sequences of the terminal that
    TERM and COLORTERM name, true colour if they name none. There is no line end after the last line.
    """
    if all(isinstance(shape, Squares) for shape in drawing.shapes):
        return _squares(drawing, colour, room or _UNBOUNDED)
    return _polygons(drawing, colour, room or _POLYGON_ROOM)


def show(drawing: Drawing, stream: TextIO | None = None) -> None:
    """Print the drawing on a stream, standard output if none is given, as large and colourful as that can show."""
    stream = stream or sys.stdout
    print(text(drawing, colour=has_colour(stream), room=window(stream)), file=stream)


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


def _squares(drawing: Drawing, colour: bool, room: tuple[int, int]) -> str:
    if not colour:
        plain = [boxes.roomy(drawing), boxes.roomy(drawing, 3), boxes.compact(drawing)]
        return "\n".join(_first_that_fits(plain, room))
    tiles = [_tiles(drawing, 4, 1), _tiles(drawing, 3, 1), _tiles(drawing, 2, 0), _tiles(drawing, 1, 0)]
    return _coloured(_first_that_fits(tiles, room))


def _tiles(drawing: Drawing, scale: int, gap: int) -> list[list[mosaic.Cell]]:
    middles = {}
    if scale > 1:
        for index, shape in enumerate(drawing.shapes):
            if isinstance(shape, Squares) and shape.squares:
                column, row = label_square(shape.squares)
                middles[index] = scale * column + (scale - gap) / 2, scale * row + (scale - gap) / 2
    return mosaic.half_blocks(drawing, mosaic.square_pixels(drawing, scale, gap), middles)


def _polygons(drawing: Drawing, colour: bool, room: tuple[int, int]) -> str:
    columns, lines = room
    scale = max(1, min(_LARGEST_SCALE, columns // max(1, drawing.width), 2 * lines // max(1, drawing.height)))
    if not colour:
        signs = [shape.label[:1] or "#" for shape in drawing.shapes]
        return "\n".join(mosaic.letters(mosaic.separated(mosaic.unit_pixels(drawing, scale, 2), signs), signs))
    places = [anchor(shape) for shape in drawing.shapes]
    middles = {index: (scale * place.x, scale * place.y) for index, place in enumerate(places)}
    return _coloured(mosaic.half_blocks(drawing, mosaic.separated(mosaic.unit_pixels(drawing, scale)), middles))


def _first_that_fits(choices: Sequence[list[_Line]], room: tuple[int, int]) -> list[_Line]:
    columns, lines = room
    narrow = [choice for choice in choices if max(map(len, choice), default=0) <= columns]
    return next((choice for choice in narrow if len(choice) <= lines), (narrow or choices[-1:])[0])


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
