# SPDX-License-Identifier: GPL-3.0-or-later
"""A board as a drawing in text: `#` a free square, `.` no square, a letter the piece that is laid there."""

from __future__ import annotations

from collections import defaultdict

from pentavr.errors import UnusableInput
from pentavr.pentomino.figures import PIECES, figure, recognise
from pentavr.pentomino.square import BLOCKED, FREE, is_figure

__all__ = ["LONGEST_SIDE", "draw", "read"]

LONGEST_SIDE = 255
"""A side is one byte on the chip."""

UNREADABLE = "?"


def read(text: str, source: str) -> tuple[int, int, bytes]:
    """Read a drawing and return its width, its height and the bytes of its squares, row by row.

    Empty lines above and below the drawing and white space at the ends of lines do not count. UnusableInput names
    `source`, the line and the column, both counted from 1.
    """
    rows, first_line = _rows(text, source)

    def where(x: int, y: int) -> str:
        return f"{source}, line {first_line + y}, column {x + 1}"

    width, height = len(rows[0]), len(rows)
    if max(width, height) > LONGEST_SIDE:
        raise UnusableInput(
            f"{source}: the drawing is {width} columns wide and {height} rows high;"
            f" a side has {LONGEST_SIDE} squares at most"
        )
    cells = bytearray()
    laid: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for y, row in enumerate(rows):
        if len(row) != width:
            raise UnusableInput(
                f"{where(min(len(row), width), y)}: this row has {len(row)} squares, the first one {width};"
                f" fill rows up with '.' where there is no square"
            )
        for x, mark in enumerate(row):
            if mark in PIECES:
                laid[mark].append((x, y))
            elif mark not in "#.":
                raise UnusableInput(f"{where(x, y)}: {_complaint(mark)}")
            cells.append(BLOCKED if mark == "." else FREE)
    for piece, squares in laid.items():
        start = where(*squares[0])
        if len(squares) != 5:
            raise UnusableInput(
                f"{start}: the letter {piece} stands on {len(squares)} squares;"
                f" a piece has five, and each can be laid once"
            )
        found = recognise(squares)
        if found is None or found.piece != piece:
            shape = f"the shape of {found.piece}" if found else "no piece"
            raise UnusableInput(f"{start}: the five squares with the letter {piece} form {shape}, expected {piece}")
        for x, y in squares:
            cells[y * width + x] = found.number
    return width, height, bytes(cells)


def draw(width: int, height: int, cells: bytes) -> str:
    """Draw a board, a row a line; bytes that no square can have become `?`."""
    marks = "".join(map(_mark, cells))
    return "\n".join(marks[y * width : (y + 1) * width] for y in range(height))


def _mark(byte: int) -> str:
    if byte == FREE:
        return "#"
    if byte == BLOCKED:
        return "."
    return figure(byte).piece if is_figure(byte) else UNREADABLE


def _rows(text: str, source: str) -> tuple[list[str], int]:
    lines = [line.rstrip() for line in text.removeprefix("\ufeff").split("\n")]
    filled = [place for place, line in enumerate(lines) if line]
    if not filled:
        raise UnusableInput(f"{source}: the drawing is empty; expected rows of '#', '.' and the letters {PIECES}")
    first = filled[0]
    rows = lines[first : filled[-1] + 1]
    if "" in rows:
        raise UnusableInput(
            f"{source}, line {first + rows.index('') + 1}, column 1: an empty line inside the drawing;"
            f" expected one board alone"
        )
    return rows, first + 1


def _complaint(mark: str) -> str:
    if mark.upper() in PIECES:
        return f"{mark!r} is no square; the letters of pieces are capitals: {mark.upper()}"
    return f"{mark!r} is no square; expected '#' (free), '.' (no square) or a piece's letter ({PIECES})"
