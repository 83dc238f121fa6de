# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest

from exact_cover_reference import count_by_exact_cover, solve_by_exact_cover, unique_solutions
from pentavr.pentomino.board import Board
from pentavr.pentomino.catalogue import find, named
from pentavr.pentomino.checker import violations
from pentavr.pentomino.solution import Solution, classes

SMALL = ["1x5", "plus", "anvil", "3x5", "4x5", "5x5", "3x10", "5x6", "3x15", "5x7", "4x10"]
FULL = ["3x20", "6x5+6x5", "8x8-center-hole", "cross5", "holey-oval", "skewed20x3"]


@pytest.mark.parametrize("name", [*SMALL, *FULL, pytest.param("4x15", marks=pytest.mark.slow)])
def test_domain_checker_and_exact_cover_agree_on_solutions_and_classes(name: str) -> None:
    entry = named()[name]
    board = entry.board
    solved = solve_by_exact_cover(board, fewer_than=entry.all_solutions + 1)
    assert len(solved) == entry.all_solutions
    assert unique_solutions(board, solved) == entry.unique_solutions
    assert all(not violations(board.width, board.height, board.cells, cells) for cells in solved)

    solutions = {Solution(board, cells) for cells in solved}
    orbits = classes(solutions)
    assert len(orbits) == entry.unique_solutions
    assert set().union(*orbits) == solutions
    assert len({solution.canonical() for solution in solutions}) == entry.unique_solutions


@pytest.mark.slow
@pytest.mark.parametrize("name", ["5x8", "5x9", "5x10"])
def test_counts_of_the_larger_rectangles_for_some_of_the_pieces(name: str) -> None:
    # Seven pieces or more leave no symmetrical solution, so each class has four members.
    assert count_by_exact_cover(find(name)) == named()[name].all_solutions == 4 * named()[name].unique_solutions


@pytest.mark.parametrize("name", ["3x5", "4x5", "3x10", "3x20"])
def test_both_orientations_of_a_board_have_the_same_solutions(name: str) -> None:
    board = find(name)
    turned = board.image(4)
    assert (turned.width, turned.height) == (board.height, board.width)
    straight = {Solution(board, cells) for cells in solve_by_exact_cover(board)}
    assert {Solution(turned, cells).image(4) for cells in solve_by_exact_cover(turned)} == straight


def test_a_board_with_a_figure_laid_has_the_solutions_that_hold_it() -> None:
    laid = Board.parse("VVV\nV##\nV##" + "\n###" * 7)
    number = laid.cells[0]
    expected = {
        cells
        for cells in solve_by_exact_cover(find("3x10"))
        if [place for place, byte in enumerate(cells) if byte == number] == [0, 1, 2, 3, 6]
    }
    assert len(expected) > 1
    assert solve_by_exact_cover(laid) == expected


def test_a_board_that_is_wholly_laid_is_its_one_solution() -> None:
    board = Board.parse("IPP\nIPP\nIP.\nI..\nI..")
    assert solve_by_exact_cover(board) == {board.cells}
    assert count_by_exact_cover(board) == 1


def test_a_part_that_is_no_multiple_of_five_leaves_no_solution() -> None:
    assert solve_by_exact_cover(Board.parse("####.######")) == set()
    assert count_by_exact_cover(Board.parse("####.######")) == 0
