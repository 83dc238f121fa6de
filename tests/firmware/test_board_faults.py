# SPDX-License-Identifier: GPL-3.0-or-later
"""The chip refuses a board that it cannot search: it says the first reason that applies, and leaves the board alone."""

from __future__ import annotations

import pytest

from pentavr.errors import UnusableInput
from pentavr.machine.chip import Chip, Stop

ROOM = 0x3C0 - 0x100
"""Bytes of SRAM for the board and the working grid."""


def put(chip: Chip, width: int, height: int, squares: bytes) -> None:
    """Write a board as a debugger does, as much of it as there is room for."""
    chip.write("board", squares[:ROOM])
    chip.write("board_width", bytes((width,)))
    chip.write("board_height", bytes((height,)))


def put_drawing(chip: Chip, drawing: str, numbers: dict[str, int] | None = None) -> bytes:
    """Write a drawn board: '#' free, '.' no square, any other mark the byte that `numbers` has for it."""
    rows = drawing.split()
    values = {"#": 0, ".": 255, **(numbers or {})}
    squares = bytes(values[mark] for row in rows for mark in row)
    put(chip, len(rows[0]), len(rows), squares)
    return squares


def answer(chip: Chip) -> int:
    """Run to the next stop and give the error, 0 for a board that is searched."""
    stops = [chip.machine.image.code(stop.value) for stop in Stop]
    chip.machine.run(stops, max_cycles=1_000_000)
    reached = Stop.BOARD_REJECTED if chip.board_error else Stop.SOLUTION_FOUND
    assert chip.machine.pc == chip.machine.image.code(reached.value)
    return chip.board_error


def all_blocked_but_an_end(width: int, height: int) -> bytes:
    """Leave the last five squares of the last row free, or of the last column where a row has fewer."""
    step = 1 if width >= 5 else width
    free = {width * height - 1 - n * step for n in range(5)}
    return bytes(0 if place in free else 255 for place in range(width * height))


@pytest.mark.parametrize(
    ("width", "height", "error"),
    [
        (0, 0, 1),
        (0, 5, 1),
        (5, 0, 1),
        (15, 15, 1),
        (15, 16, 1),
        (255, 255, 1),
        (14, 15, 0),
        (15, 14, 0),
        # W * H + 2 + 15 * (long side + 5) may be 704 at the most.
        (14, 21, 0),
        (21, 14, 0),
        (14, 22, 2),
        (22, 14, 2),
        (4, 33, 0),
        (33, 4, 0),
        (4, 34, 2),
        (34, 4, 2),
        (3, 34, 0),
        (3, 35, 2),
        (1, 39, 0),
        (39, 1, 0),
        (1, 40, 2),
        (40, 1, 2),
        (255, 1, 2),
        (14, 255, 2),
    ],
)
def test_sides(chip: Chip, width: int, height: int, error: int) -> None:
    squares = all_blocked_but_an_end(width, height)
    put(chip, width, height, squares)
    assert answer(chip) == error
    if not error:
        lying, standing = b"\x0a", b"\x09"
        solved = squares.replace(b"\0", lying if width >= 5 else standing)
        assert chip.read("board", len(squares) + 2) == solved + bytes((width, height))


@pytest.mark.parametrize("byte", [64, 65, 127, 128, 192, 193, 254])
@pytest.mark.parametrize("place", [0, 7, 14])
def test_a_byte_that_is_no_square(chip: Chip, byte: int, place: int) -> None:
    squares = bytearray(15)
    squares[place] = byte
    put(chip, 3, 5, bytes(squares))
    assert answer(chip) == 3


@pytest.mark.parametrize("byte", range(1, 64))
def test_every_figure_number_is_a_square(chip: Chip, byte: int) -> None:
    # On a board of one square no figure is whole, but each is a figure.
    put(chip, 1, 1, bytes((byte,)))
    assert answer(chip) == 4


BROKEN = {
    "a square missing": ("iiii# #####", {"i": 10}),
    "a square blocked": ("iiii. #####", {"i": 10}),
    "a square too many": ("iiiii i####", {"i": 10}),
    "a square of another": ("pp### qp### p####", {"p": 27, "q": 31}),
    "a square alone": ("##### ####x", {"x": 51}),
    "another figure of the piece": ("ppp## .pp##", {"p": 27}),
    "the mirror image": ("ff### .ff## .f###", {"f": 1}),
    "lying, not standing": ("iiiii #####", {"i": 9}),
    "apart": ("i#i#i i#i#.", {"i": 10}),
    "round the edge": ("###ii iii##", {"i": 10}),
    "round the edge, twice": ("##lll l#### l####", {"l": 18}),
    "off the board": ("##### ##### ##iii", {"i": 9}),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_figure_that_is_not_whole(chip: Chip, fault: str) -> None:
    put_drawing(chip, *BROKEN[fault])
    assert answer(chip) == 4


TWICE = {
    "I, one below the other": ("iiiii iiiii #####", {"i": 10}),
    "I, side by side": ("ii### ii### ii### ii### ii###", {"i": 9}),
    "P and its mirror image": ("ppqq# ppqq# p##q#", {"p": 27, "q": 31}),
    "F, the first piece": ("#ff#g# ff#ggg #f###g", {"f": 1, "g": 2}),
    "Z, the last piece": ("zz###y #z#yyy #zzy##", {"z": 60, "y": 61}),
    "I three times": ("iiiii iiiii iiiii", {"i": 10}),
}


@pytest.mark.parametrize("fault", TWICE)
def test_a_piece_that_is_laid_twice(chip: Chip, fault: str) -> None:
    put_drawing(chip, *TWICE[fault])
    assert answer(chip) == 5


@pytest.mark.parametrize(
    "drawing", [".", "... ...", "#", "####", "###### #####.", "iiiii ####.", "iiiii ####. ####.", "############# " * 2]
)
def test_free_squares_that_no_pieces_make_up(chip: Chip, drawing: str) -> None:
    put_drawing(chip, drawing, {"i": 10})
    assert answer(chip) == 6


@pytest.mark.parametrize(
    ("width", "height", "laid"), [(5, 13, False), (10, 7, False), (14, 15, False), (5, 13, True), (13, 5, True)]
)
def test_more_free_squares_than_the_pieces_cover(chip: Chip, width: int, height: int, laid: bool) -> None:
    # With one piece laid, eleven are left for 60 squares.
    squares = bytearray(width * height)
    if laid:
        squares[:5] = bytes((10,)) * 5
    put(chip, width, height, bytes(squares))
    assert answer(chip) == 7


FIRST = {
    "sides before size": (1, "#" * 20 + (" " + "#" * 20) * 19, {}),
    "size before bytes": (2, "b" + "#" * 39, {"b": 64}),
    "bytes before figures": (3, "i#### ####b", {"i": 10, "b": 64}),
    "figures before pieces": (4, "iiiii iiiii j####", {"i": 10, "j": 9}),
    "pieces before free squares": (5, "iiiii iiiii ####.", {"i": 10}),
    "free squares before their number": (6, "##### " * 12 + "####.", {}),
    "figures before free squares": (4, "i####", {"i": 10}),
    "pieces before number": (5, "iiiii iiiii " + "##### " * 13, {"i": 10}),
}


@pytest.mark.parametrize("order", FIRST)
def test_the_first_reason_is_given(chip: Chip, order: str) -> None:
    error, drawing, numbers = FIRST[order]
    put_drawing(chip, drawing, numbers)
    assert answer(chip) == error


ONE_OF_EACH = {
    1: "#" * 15 + (" " + "#" * 15) * 14,
    2: "#" * 40,
    3: "##### ####b",
    4: "##### ####i",
    5: "iiiii iiiii #####",
    6: "iiiii ####.",
    7: "##### " * 13,
}


@pytest.mark.parametrize("error", ONE_OF_EACH)
def test_a_rejected_board_stays_and_so_does_the_chip(chip: Chip, error: int) -> None:
    squares = put_drawing(chip, ONE_OF_EACH[error], {"i": 10, "b": 64})
    sides = chip.read("board_width") + chip.read("board_height")
    for _ in range(3):
        assert answer(chip) == error
        assert not chip.machine.sreg & 0x80
        assert chip.read("board", len(squares)) == squares
        assert chip.read("board_width") + chip.read("board_height") == sides
        assert chip.solution_count == 0


def test_a_reset_gives_the_chip_another_chance(chip: Chip) -> None:
    default = chip.board
    put_drawing(chip, "####")
    with pytest.raises(UnusableInput, match="4 free squares; expected a multiple of five"):
        chip.next_stop()
    chip.boot()
    assert chip.board_error == 0
    assert chip.board == default
    put_drawing(chip, "#####")
    assert answer(chip) == 0
