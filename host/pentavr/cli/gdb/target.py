# SPDX-License-Identifier: GPL-3.0-or-later
"""What the debugged chip holds, read through gdb: labels, board, grid, and the figures on the stack of the search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import gdb

from pentavr.pentomino.board import BLOCKED, FREE, Board
from pentavr.pentomino.faults import SRAM_LIMIT, BoardError
from pentavr.pentomino.figures import figure
from pentavr.pentomino.square import is_figure

__all__ = [
    "BOARD_READY",
    "BOARD_REJECTED",
    "NO_MORE_SOLUTIONS",
    "SOLUTION_FOUND",
    "STOPS",
    "Level",
    "board",
    "current_stop",
    "figure_name",
    "grid",
    "is_for_boards",
    "is_searching",
    "label",
    "levels",
    "load",
    "number",
    "opcode",
    "rejection",
]

BOARD_READY, SOLUTION_FOUND = "board_ready", "solution_found"
NO_MORE_SOLUTIONS, BOARD_REJECTED = "no_more_solutions", "board_rejected"
STOPS = (BOARD_READY, SOLUTION_FOUND, NO_MORE_SOLUTIONS, BOARD_REJECTED)

DATA_OFFSET = 0x800000
FIRST_OF_SEARCH = "search_crosses"
"""All code from this label on belongs to the search, and works on the grid."""

GRID_STRIDE = 15
COVERED = 0x40
GRID_END_MARK = 0xC0
TRANSPOSED = 2
TRANSPOSE = 4
"""The symmetry, of those in `pentavr.pentomino.symmetry`, that the bit TRANSPOSED of `way` stands for."""

LAID_BEFORE = 7
"""Words from the ldi of a figure's number to where its search returns."""


@dataclass(frozen=True, slots=True)
class Level:
    """A figure that the search has laid, by its number in the grid, and the place that will take it back."""

    number: int
    place: str


def is_for_boards() -> bool:
    """Tell whether the program is the firmware that solves boards."""
    return gdb.lookup_global_symbol("board") is not None


def label(name: str) -> int:
    """Give the byte address of a code label; raise gdb.GdbError if this program has none of that name."""
    try:
        return int(gdb.decode_line(name)[1][0].pc)
    except gdb.error as error:
        raise _missing(name) from error


def number(name: str, size: int = 1) -> int:
    """Read a little-endian number in SRAM by its symbol."""
    return int.from_bytes(_read(_symbol(name), size), "little")


def opcode(address: int) -> int:
    """Read a word of Flash."""
    return int.from_bytes(bytes(gdb.selected_inferior().read_memory(address, 2)), "little")


def current_stop() -> str | None:
    """Name the stop that the chip stands at, None if it is none."""
    pc = gdb.newest_frame().pc()
    return next((stop for stop in STOPS if label(stop) == pc), None)


def board() -> Board:
    """Read what is in `board`."""
    width, height = number("board_width"), number("board_height")
    if width * height + 2 > SRAM_LIMIT:
        raise gdb.GdbError(f"board_width and board_height are {width} and {height}: the chip has no board so large")
    return Board(width, height, _read(_symbol("board"), width * height))


def load(given: Board) -> None:
    """Write a board into the place of the default one; gdb.GdbError where the chip has no room for it."""
    content = given.to_sram()
    if len(content) > SRAM_LIMIT:
        raise gdb.GdbError(str(given.faults()[0]))
    _write("board", content)
    _write("board_width", content[-2:-1])
    _write("board_height", content[-1:])


def rejection() -> str:
    """Say why the chip rejects its board."""
    code = number("board_error")
    for fault in board().faults():
        if fault.error == code:
            return f"board_error {code}: {fault}"
    known = code in BoardError.__members__.values()
    return f"board_error {code}: {BoardError(code).meaning}" if known else f"board_error {code}"


def is_searching() -> bool:
    """Tell whether the chip is in the search, where the grid says what lies on the board."""
    start = label(FIRST_OF_SEARCH)
    return any(frame.pc() >= start for frame in _frames())


def grid() -> Board:
    """Read the grid, the search's own copy of the board, turned the way that the board was given."""
    width, height = number("board_width"), number("board_height")
    transposed = bool(number("way") >> TRANSPOSED & 1)
    columns, rows = (height, width) if transposed else (width, height)
    content = _read(number("grid_start", 2), GRID_STRIDE * rows)
    squares = bytes(_square(content[GRID_STRIDE * row + column]) for row in range(rows) for column in range(columns))
    lying = Board(columns, rows, squares)
    return lying.image(TRANSPOSE) if transposed else lying


def levels() -> list[Level]:
    """List the figures on the stack of the search, the first laid first.

    The search keeps three bytes there a figure, its anchor and the return address into the decision tree. Only that
    address says which figure it is: the code before the call has loaded its number.
    """
    found = []
    for frame in _frames():
        laid = _laid_before(frame.pc()) if frame.level() else None
        if laid is not None:
            place = frame.find_sal()
            found.append(Level(laid, f"{place.symtab.filename}:{place.line}" if place.symtab else "?"))
    return found[::-1]


def figure_name(byte: int) -> str:
    """Name a figure, as F3; what is none by its number."""
    return figure(byte).name if is_figure(byte) else str(byte)


def _laid_before(address: int) -> int | None:
    """Give the number of the figure whose return address this is."""
    if address < 2 * LAID_BEFORE or opcode(address - 2) & 0xF000 != 0xD000:  # rcall
        return None
    word = opcode(address - 2 * LAID_BEFORE)
    value = word >> 4 & 0xF0 | word & 0x0F
    is_number = word & 0xF0F0 == 0xE010 and COVERED < value < 2 * COVERED  # ldi figure, COVERED | number
    return value - COVERED if is_number else None


def _square(byte: int) -> int:
    """Translate a byte of the grid to one of the board."""
    return byte - COVERED if COVERED < byte < GRID_END_MARK else FREE if byte == 0 else BLOCKED


def _frames() -> Iterator[gdb.Frame]:
    frame = gdb.newest_frame()
    while frame is not None:
        yield frame
        frame = frame.older()


def _symbol(name: str) -> int:
    try:
        return int(gdb.parse_and_eval(f"&{name}")) & 0xFFFF
    except gdb.error as error:
        raise _missing(name) from error


def _missing(name: str) -> gdb.GdbError:
    return gdb.GdbError(f"the program has no {name}: this command is for the firmware that solves pentomino boards")


def _read(address: int, size: int) -> bytes:
    return bytes(gdb.selected_inferior().read_memory(DATA_OFFSET + address, size))


def _write(name: str, content: bytes) -> None:
    gdb.selected_inferior().write_memory(DATA_OFFSET + _symbol(name), content)
