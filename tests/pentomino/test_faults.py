# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest

from pentavr.errors import UnusableInput
from pentavr.pentomino.board import Board
from pentavr.pentomino.catalogue import named
from pentavr.pentomino.faults import BoardError, sram_needed


def codes(board: Board) -> list[int]:
    return [int(fault.error) for fault in board.faults()]


def squares(width: int, height: int, free: int, *laid: int) -> Board:
    """Lay single bytes first, then free squares, and block the rest."""
    return Board(width, height, bytes([*laid, *[0] * free]).ljust(width * height, b"\xff"))


@pytest.mark.parametrize("name", sorted(named()))
def test_named_boards_have_none(name: str) -> None:
    assert named()[name].board.faults() == []


@pytest.mark.parametrize(
    ("width", "height", "code"),
    [
        (0, 0, 1),
        (0, 5, 1),
        (5, 0, 1),
        (15, 15, 1),
        (15, 16, 1),
        (16, 15, 1),
        # The published limit: 14x21, 4x33 and 3x34 fit, one row more does not.
        (14, 21, None),
        (21, 14, None),
        (14, 22, 2),
        (4, 33, None),
        (4, 34, 2),
        (3, 34, None),
        (34, 3, None),
        (3, 35, 2),
        (1, 255, 2),
        (255, 255, 1),
    ],
)
def test_size(width: int, height: int, code: int | None) -> None:
    board = squares(width, height, min(60, width * height // 5 * 5))
    assert next(iter(codes(board)), None) == code


def test_a_board_can_be_too_broad_and_too_large_at_once() -> None:
    assert codes(squares(20, 20, 60)) == [1, 2]


def test_sram_of_the_largest_boards() -> None:
    # 294 + 2 + 15 * 26 and 132 + 2 + 15 * 38; there are 704 bytes from $0100 to $03BF.
    assert sram_needed(14, 21) == sram_needed(21, 14) == 686
    assert sram_needed(4, 33) == 704 == 0x3C0 - 0x100


@pytest.mark.parametrize("byte", [64, 100, 254])
def test_bytes_that_no_square_has(byte: int) -> None:
    board = squares(3, 4, 5, byte)
    assert codes(board) == [3]
    assert f"square (0, 0) holds {byte}" in str(board.faults()[0])


def test_every_bad_byte_is_listed_with_its_place() -> None:
    board = Board(3, 3, bytes([0, 0, 70, 0, 0, 0, 71, 255, 255]))
    assert [str(fault).split(" holds")[0] for fault in board.faults()] == ["square (2, 0)", "square (0, 2)"]


# Figures by their number, whatever squares they are put on: F1, I1, I2, P1, P5, X1.
BYTES = {"f": 1, "i": 9, "h": 10, "p": 27, "q": 31, "x": 51, "#": 0, ".": 255}


def by_number(*rows: str) -> Board:
    return Board(len(rows[0]), len(rows), bytes(BYTES[mark] for row in rows for mark in row))


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        (by_number("#x#", "xxx", "#x#", "#.."), []),
        (by_number("i##", "i##", "i##", "i##", "i##"), []),
        (by_number("pp.", "pp#", "pqq", ".qq", "##q", "##."), [5]),
        # One square missing, one of another number, one elsewhere, one too many, another orientation.
        (by_number("#x#", "x#x", "#x#", "..."), [4]),
        (by_number("#x#", "xfx", "#x#", "#.."), [4, 4]),
        (by_number("x.#", "xxx", "#x#", "##."), [4]),
        (by_number("#x#", "xxx", "#x#", "#x."), [4]),
        (by_number("h##", "h##", "h##", "h##", "h##"), [4]),
        (by_number("iiiii"), [4]),
        (by_number("#...#", "iiii.", "..###"), [4]),
        # The same figure twice or more: apart, side by side, interlocked; ten squares that are no two figures.
        (by_number("i#i", "i#i", "i#i", "i#i", "i#i"), [5]),
        (by_number("iii", "iii", "iii", "iii", "iii"), [5]),
        (by_number("pp#", "pp#", "ppp", "#pp", "#p#"), [5]),
        (by_number("pppp", "pppp", "p#p#", "...#", "##.."), [5]),
        (by_number("pp#", "pp#", "p##", "pp#", "pp#", "#p."), [4]),
        (by_number("ppp", "ppp", "ppp", "#p.", "##."), [4]),
        # Both at once: a whole and a broken figure of one piece.
        (by_number("pp#", "pp#", "pq#", "#q#", "###", "##."), [4, 5]),
    ],
)
def test_laid_figures(board: Board, expected: list[int]) -> None:
    assert [code for code in codes(board) if code in (4, 5)] == expected


def test_a_fault_tells_figure_and_place() -> None:
    (broken,) = by_number("#####", "#iiii").faults()[:1]
    assert str(broken) == ("figure 9 (I1) is laid incompletely or in the wrong shape: 4 squares from (1, 1) on")
    (twice,) = by_number("pp.", "pp#", "pqq", ".qq", "##q", "##.").faults()
    assert str(twice) == "piece P is laid 2 times: P1 at (0, 0), P5 at (1, 2)"


@pytest.mark.parametrize(
    ("free", "expected"), [(0, [6]), (1, [6]), (4, [6]), (5, []), (59, [6]), (60, []), (61, [6, 7]), (65, [7])]
)
def test_free_squares(free: int, expected: list[int]) -> None:
    assert codes(squares(10, 10, free)) == expected


def test_laid_pieces_cover_their_own_squares_only() -> None:
    board = Board.parse("IIIII" + "\n#####" * 11)
    assert codes(board) == []
    assert codes(Board.parse("IIIII" + "\n#####" * 12)) == [7]


def test_a_board_that_is_wholly_laid_is_accepted() -> None:
    assert codes(Board.parse("IIIII")) == []


def test_the_codes_are_those_of_the_chip_and_each_has_a_meaning() -> None:
    assert [(error.value, error.name) for error in BoardError] == [
        (1, "SIDES"),
        (2, "TOO_LARGE"),
        (3, "NO_SQUARE"),
        (4, "FIGURE_BROKEN"),
        (5, "PIECE_TWICE"),
        (6, "FREE_SQUARES"),
        (7, "TOO_FEW_PIECES"),
    ]
    assert len({error.meaning for error in BoardError}) == 7


def test_requiring_a_searchable_board_names_every_fault() -> None:
    Board.rectangle(6, 10).require_searchable()
    with pytest.raises(UnusableInput, match=r"61 free squares; expected a multiple of five; .* cover 60"):
        squares(10, 10, 61).require_searchable()
