# SPDX-License-Identifier: GPL-3.0-or-later
"""Where symmetry meets laid figures and small boards: the chip finds what an exact-cover library finds.

The search lays X first, in one position of each orbit, and P in one orientation of each orbit of what leaves X in
place. That is right as long as no solution is its own image, so it holds where all pieces are needed; elsewhere all is
searched. Either way every solution must come once, and with bit 0 of board_options off one of each class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exact_cover_reference import solve_by_exact_cover
from pentavr.firmware.image import Image, SramAddress
from pentavr.machine.chip import Chip, Option
from pentavr.pentomino.board import Board
from pentavr.pentomino.checker import class_key, figure_shapes


def board(drawing: str) -> Board:
    return Board.parse("\n".join(drawing.split()))


@pytest.fixture(scope="module")
def solver(built_firmware: Image) -> Iterator[Chip]:
    with Chip.emulated(image=built_firmware) as chip:
        yield chip


def found(chip: Chip, given_board: Board, options: Option) -> set[bytes]:
    chip.boot()
    chip.load(given_board)
    chip.options = options
    solutions = [solution.cells for solution in chip.solutions()]
    assert len(solutions) == len(set(solutions)) == chip.solution_count
    return set(solutions)


def classes(given_board: Board, solutions: Iterable[bytes]) -> list[object]:
    return [class_key(given_board.width, given_board.height, given_board.cells, cells) for cells in solutions]


def check(chip: Chip, given_board: Board, expected: set[bytes]) -> None:
    assert found(chip, given_board, Option.ALL_SOLUTIONS) == expected
    chosen = found(chip, given_board, Option(0))
    assert chosen <= expected
    keys = classes(given_board, chosen)
    assert len(keys) == len(set(keys))
    assert set(keys) == set(classes(given_board, expected))


# How many symmetries leave the board as it is, and the board. In the first four all pieces are needed, so that P is
# laid by the rule for X on an axis; no board of 60 squares has X in a centre of half turns, for without X the squares
# of such a board come in pairs, and 55 are not even.
X_LAID = {
    "across the axis of a rectangle": (2, "##### " * 4 + "##X## #XXX# ##X## " + "##### " * 5),
    "on a diagonal": (2, "..###### ..###### ###X#### ##XXX### ###X#### ######## ######## ########"),
    "on no axis": (1, "###X# ##XXX ###X# " + "##### " * 9),
    "where nothing fits": (2, "### " * 8 + "#X# XXX #X# " + "### " * 9),
    "on an upright axis": (2, "####### ####### ##.X.## ##XXX## ###X### ##.#.## #######"),
    "on a level axis": (2, "####### ###.### ###X.## ##XXX## ###X.## ###.### #######"),
    "on the falling diagonal": (2, "####### ###.#.# ###X### #.XXX## ###X### #.##### #######"),
    "on the rising diagonal": (2, "######. ###.### ###X### ##XXX.# ###X### #.##### #######"),
    "at the centre of half turns": (2, "#.##### ####### ##.X### ##XXX## ###X.## ####### #####.#"),
    "at the centre of a rectangle": (4, "##### ##### ##X## #XXX# ##X## ##### #####"),
    "where two diagonals meet": (4, "####### #####.# ##.X### ##XXX## ###X.## #.##### #######"),
    "at the centre of a square": (8, ".#####. ####### ###X### ##XXX## ###X### ####### .#####."),
    "at the centre of another square": (8, "####### #.###.# ###X### ##XXX## ###X### #.###.# #######"),
}


@pytest.mark.parametrize("where", X_LAID)
def test_x_laid(solver: Chip, where: str) -> None:
    order, drawing = X_LAID[where]
    given_board = board(drawing)
    assert len(given_board.symmetries()) == order
    check(solver, given_board, solve_by_exact_cover(given_board))


P_LAID = [
    "PP# PP# P## " + "### " * 17,
    "PP### PP### P#### " + "##### " * 9,
    "##### ##### #PP## #PP## #P### ##### #####",
    "P## PP# PP# ### ###",
    "#PP# #PP# #P## ###.",
]


@pytest.mark.parametrize("drawing", P_LAID)
def test_p_laid(solver: Chip, drawing: str) -> None:
    given_board = board(drawing)
    check(solver, given_board, solve_by_exact_cover(given_board))


SYMMETRIC = {
    "turns only": (4, ".#####. ##.#### #####.# ###.### #.##### ####.## .#####."),
    "turns only, even": (4, "..#... .####. .##### #####. .####. ...#.."),
    "half turns": (2, "######. #..#..# .######"),
    "half turns in two rows": (2, "#####. .#####"),
    "both diagonals": (4, ".#### #.### ##.## ###.# ####."),
    "all eight": (8, ".###. ##### ##.## ##### .###."),
    # Boards with solutions that are their own image.
    "T on I, upright": (2, ".###. ..#.. .###. .###. #####"),
    "U and V, level": (2, "....# ##..# .#..# ##..# ....#"),
    "W and V, falling": (2, "###. #..# #.## .##."),
    "X and V, rising": (2, "..### ....# ##..# .##.. ..#.."),
    "some of seventeen": (2, "#.... ####. ##### ####. #...."),
    "one of three": (2, ".##. ###. #### ..#."),
    "X on I": (2, "..#.. .###. ..#.. #####"),
}


@pytest.mark.parametrize("name", SYMMETRIC)
def test_boards_with_symmetries(solver: Chip, name: str) -> None:
    order, drawing = SYMMETRIC[name]
    given_board = board(drawing)
    assert len(given_board.symmetries()) == order
    check(solver, given_board, solve_by_exact_cover(given_board))


@pytest.mark.parametrize("number", range(1, 64))
def test_a_board_of_one_piece(solver: Chip, number: int) -> None:
    _, squares = figure_shapes()[number]
    width, height = (1 + max(square[axis] for square in squares) for axis in (0, 1))
    places = [(x, y) in squares for y in range(height) for x in range(width)]
    given_board = Board(width, height, bytes(0 if place else 255 for place in places))
    solution = bytes(number if place else 255 for place in places)
    for options in (Option.ALL_SOLUTIONS, Option(0)):
        assert found(solver, given_board, options) == {solution}


SOLVED = "UUXLLI UXXXLI UUXFLI WFFFLI WWFPPI YWWPPP YYZVVV YTZZZV YTNNZV TTTNNN"


@pytest.mark.parametrize("piece", "FILNPTUVWXYZ")
def test_all_but_one_piece_laid(solver: Chip, piece: str) -> None:
    whole = board(SOLVED)
    given_board = board(SOLVED.replace(piece, "#"))
    for options in (Option.ALL_SOLUTIONS, Option(0)):
        assert found(solver, given_board, options) == {whole.cells}


def test_all_but_two_pieces_laid(solver: Chip) -> None:
    for one, other in combinations("FILNPTUVWXYZ", 2):
        given_board = board(SOLVED.replace(one, "#").replace(other, "#"))
        check(solver, given_board, solve_by_exact_cover(given_board))


def test_all_pieces_laid(solver: Chip) -> None:
    whole = board(SOLVED)
    for options in (Option.ALL_SOLUTIONS, Option(0)):
        assert found(solver, whole, options) == {whole.cells}


def image_of_square(k: int, x: int, y: int, width: int, height: int) -> tuple[int, int]:
    if k & 4:
        x, y, width, height = y, x, height, width
    return (width - 1 - x if k & 1 else x), (height - 1 - y if k & 2 else y)


SUBGROUPS = {
    "none": (0,),
    "left and right": (0, 1),
    "up and down": (0, 2),
    "half turns": (0, 3),
    "falling diagonal": (0, 4),
    "rising diagonal": (0, 7),
    "rectangle": (0, 1, 2, 3),
    "rhombus": (0, 3, 4, 7),
    "turns": (0, 3, 5, 6),
    "square": tuple(range(8)),
}


@st.composite
def boards_with_symmetries(draw: st.DrawFn) -> Board:
    """Draw boards of up to 25 free squares, alike under one of the ten groups at least."""
    group = draw(st.sampled_from(sorted(SUBGROUPS.values())))
    width = draw(st.integers(1, 6))
    height = width if max(group) > 3 else draw(st.integers(1, 6))
    orbits = {
        frozenset(image_of_square(k, x, y, width, height) for k in group) for x in range(width) for y in range(height)
    }
    blocked = set().union(*draw(st.sets(st.sampled_from(sorted(orbits, key=sorted)), max_size=len(orbits) // 2)))
    free = width * height - len(blocked)
    assume(free % 5 == 0 and 0 < free <= 25)
    return Board(width, height, bytes(255 if (x, y) in blocked else 0 for y in range(height) for x in range(width)))


@pytest.mark.slow
@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.data())
def test_any_board_with_symmetries(solver: Chip, data: st.DataObject) -> None:
    given_board = data.draw(boards_with_symmetries())
    solutions = solve_by_exact_cover(given_board)
    check(solver, given_board, solutions)
    if solutions:
        # Some pieces of a solution laid, it must be found again, with whatever else completes the board.
        cells = data.draw(st.sampled_from(sorted(solutions)))
        laid = data.draw(st.sets(st.sampled_from(sorted(set(cells) - {255})), min_size=1))
        rest = Board(given_board.width, given_board.height, bytes(c if c in laid | {255} else 0 for c in cells))
        check(solver, rest, solve_by_exact_cover(rest))


@pytest.mark.parametrize("name", SUBGROUPS)
def test_p_may_be_laid_in_one_figure_of_each_orbit(solver: Chip, name: str) -> None:
    group = SUBGROUPS[name]
    machine = solver.machine
    image = machine.image
    machine.write_data(image.sram("stabiliser"), bytes((sum(1 << k for k in group),)))
    machine.write_data(SramAddress(2), b"\0")
    machine.write_data(PIECES_A, b"\xff")
    machine.call(image.code("allow_p"))
    (allowed,) = machine.read_data(P_ALLOWED)
    shapes = {number: squares for number, (piece, squares) in figure_shapes().items() if piece == "P"}
    numbers = sorted(shapes)
    orbits = {frozenset(turned(shapes, number, k) for k in group) for number in numbers}
    assert len(orbits) == 8 // len(group)
    for orbit in orbits:
        assert sum(allowed >> numbers.index(number) & 1 for number in orbit) == 1


PIECES_A, P_ALLOWED = SramAddress(20), SramAddress(23)
"""Where registers.inc has pieces_a and p_allowed."""


def turned(shapes: dict[int, frozenset[tuple[int, int]]], number: int, k: int) -> int:
    moved = {image_of_square(k, x, y, 3, 3) for x, y in shapes[number]}
    left, top = (min(square[axis] for square in moved) for axis in (0, 1))
    at_corner = frozenset((x - left, y - top) for x, y in moved)
    return next(other for other, squares in shapes.items() if squares == at_corner)
