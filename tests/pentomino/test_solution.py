# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest

from pentavr.errors import MachineFault, UnusableInput
from pentavr.pentomino.board import Board
from pentavr.pentomino.solution import Solution, classes

GIVEN = Board.rectangle(3, 5)

# One solution of 3x5 and its images, with the figures' numbers as the numbering gives them: L1 P1 V4 and so on.
DRAWN = {
    0: ("LPP/LPP/LPV/LLV/VVV", {"L": 11, "P": 27, "V": 46}),
    1: ("PPL/PPL/VPL/VLL/VVV", {"L": 15, "P": 31, "V": 43}),
    2: ("VVV/LLV/LPV/LPP/LPP", {"L": 17, "P": 33, "V": 45}),
    3: ("VVV/VLL/VPL/PPL/PPL", {"L": 13, "P": 29, "V": 44}),
}


def solved(k: int, index: int = 0) -> Solution:
    letters, numbers = DRAWN[k]
    return Solution(GIVEN, bytes(numbers[letter] for letter in letters.replace("/", "")), index)


@pytest.mark.parametrize("k", range(4))
def test_a_solution_reads_as_letters_that_are_a_board_again(k: int) -> None:
    assert solved(k).text() == DRAWN[k][0].replace("/", "\n")
    assert Board.parse(solved(k).text()) == solved(k).board


@pytest.mark.parametrize("k", range(4))
def test_images_move_squares_and_renumber_figures(k: int) -> None:
    assert solved(0).image(k) == solved(k)


def test_the_transposed_solution_is_one_of_the_transposed_board() -> None:
    transposed = solved(0).image(4)
    assert transposed.given == Board.rectangle(5, 3)
    assert transposed.text() == "LLLLV\nPPPLV\nPPVVV"


def test_the_least_image_is_the_same_for_the_whole_class() -> None:
    assert {solved(k).canonical() for k in range(4)} == {solved(0)}


def test_a_laid_figure_keeps_images_out_of_its_class() -> None:
    given = Board.parse("L##\nL##\nL##\nLL#\n###")
    alone = Solution(given, solved(0).cells)
    assert alone.canonical() == alone
    assert classes([alone]) == [{alone}]


def test_classes_are_whole_and_in_the_order_of_appearance() -> None:
    assert classes([solved(2), solved(1)]) == [{solved(0), solved(1), solved(2), solved(3)}]
    assert classes([]) == []


def test_solutions_of_the_same_board_compare_by_their_squares_not_their_index() -> None:
    assert solved(0, index=1) == solved(0, index=7)
    assert len({solved(0, index=1), solved(0, index=7), solved(1)}) == 2


def test_a_solution_is_read_from_the_bytes_of_the_chip() -> None:
    data = solved(0).cells + bytes([3, 5])
    solution = Solution.from_sram(GIVEN, data, index=4)
    assert solution == solved(0)
    assert solution.index == 4
    assert solution.board.to_sram() == data


@pytest.mark.parametrize("tail", [b"\x05\x03", b"\x03\x04", b"\x03", b""])
def test_other_sides_than_the_given_ones_are_a_fault_of_the_machine(tail: bytes) -> None:
    with pytest.raises(MachineFault, match=r"expected \(3, 5\) as given"):
        Solution.from_sram(GIVEN, solved(0).cells + tail)


def test_a_solution_has_as_many_squares_as_the_board() -> None:
    with pytest.raises(UnusableInput, match="15 squares, got 14"):
        Solution(GIVEN, solved(0).cells[:-1])
