# SPDX-License-Identifier: GPL-3.0-or-later
"""Boards drawn on gdb's terminal: in colour where it has any, with lines where it has none, in letters elsewhere."""

from __future__ import annotations

import os
import shutil
from itertools import groupby

import gdb

from pentavr.cli.pentomino_drawing import board_drawing
from pentavr.pentomino.board import Board
from pentavr.render import boxes, mosaic
from pentavr.render.drawing import Colour, Drawing, Squares
from pentavr.render.geometry import label_square

__all__ = ["picture"]

SCALES = ((4, 1), (2, 0), (1, 0))
"""Pixels to a square and between figures, the largest first; a character is one pixel wide and two high."""
CUBE = (0, 95, 135, 175, 215, 255)
"""The levels of each channel in a terminal's colours 16 to 231."""


def picture(board: Board) -> str:
    """Draw a board as large as the window allows, without a line end after the last line."""
    drawing = board_drawing(board)
    try:
        "▄│┼".encode(gdb.host_charset())
    except (UnicodeEncodeError, LookupError):
        return board.text()
    return _tiles(drawing) if _has_colour() else "\n".join(boxes.roomy(drawing))


def _has_colour() -> bool:
    is_wanted = gdb.parameter("style enabled") and not os.environ.get("NO_COLOR")
    return bool(is_wanted) and os.isatty(1) and os.environ.get("TERM", "dumb") != "dumb"


def _tiles(drawing: Drawing) -> str:
    columns, lines = shutil.get_terminal_size()
    fitting = (
        scale
        for scale in SCALES
        if scale[0] * drawing.width - scale[1] <= columns and scale[0] * drawing.height // 2 < lines
    )
    scale, gap = next(fitting, SCALES[-1])
    middles = {}
    if scale > 1:
        for index, shape in enumerate(drawing.shapes):
            if isinstance(shape, Squares):
                column, row = label_square(shape.squares)
                middles[index] = scale * column + (scale - gap) / 2, scale * row + (scale - gap) / 2
    cells = mosaic.half_blocks(drawing, mosaic.square_pixels(drawing, scale, gap), middles)
    return "\n".join("".join(_runs(line)) for line in cells)


def _runs(line: list[mosaic.Cell]) -> list[str]:
    runs = []
    for (ink, ground, reverse), cells in groupby(line, key=lambda cell: (cell.ink, cell.ground, cell.reverse)):
        codes = [*_code(38, ink), *_code(48, ground), *(["7"] if reverse else [])]
        text = "".join(cell.text for cell in cells)
        runs.append(f"\033[{';'.join(codes)}m{text}\033[m" if codes else text)
    return runs


def _code(kind: int, colour: Colour | None) -> list[str]:
    if colour is None:
        return []
    channels = (colour.red, colour.green, colour.blue)
    if os.environ.get("COLORTERM", "") in ("truecolor", "24bit"):
        return [f"{kind};2;{';'.join(map(str, channels))}"]
    red, green, blue = (min(range(6), key=lambda level: abs(CUBE[level] - channel)) for channel in channels)
    return [f"{kind};5;{16 + 36 * red + 6 * green + blue}"]
