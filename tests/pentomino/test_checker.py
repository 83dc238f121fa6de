# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest

from pentavr.pentomino.checker import class_key, figure_shapes, violations

WIDTH, HEIGHT = 10, 7
LETTERS = """
.LLLLTTTF.
VVVULUTFFF
VZZUUUTWWF
VZ......WW
ZZYYYYNNXW
PPPYNNNXXX
.PPIIIIIX.
"""
# The numbers that the published numbering gives the figures as they lie above: F2 I2 L8 N8 P2 T1 U1 V2 W3 X1 Y4 Z3.
NUMBERS = {"F": 2, "I": 10, "L": 18, "N": 26, "P": 28, "T": 35, "U": 39, "V": 44, "W": 49, "X": 51, "Y": 55, "Z": 62}
FREE, BLOCKED = 0, 255
SOLUTION = [NUMBERS.get(letter, BLOCKED) for letter in LETTERS.replace("\n", "")]
GIVEN = [BLOCKED if number == BLOCKED else FREE for number in SOLUTION]


def place(x: int, y: int) -> int:
    return y * WIDTH + x


def changed(*changes: tuple[int, int, int], cells: list[int] = SOLUTION) -> list[int]:
    copy = list(cells)
    for x, y, number in changes:
        copy[place(x, y)] = number
    return copy


def found(cells: list[int], given: list[int] = GIVEN) -> list[str]:
    return violations(WIDTH, HEIGHT, given, cells)


def test_a_solution_has_no_violation() -> None:
    assert found(SOLUTION) == []


def test_every_change_of_a_single_byte_is_caught() -> None:
    for at, right in enumerate(SOLUTION):
        for wrong in range(256):
            if wrong != right:
                assert found([*SOLUTION[:at], wrong, *SOLUTION[at + 1 :]])


def test_every_figure_under_another_number_is_caught() -> None:
    for right in NUMBERS.values():
        for wrong in range(1, 64):
            if wrong != right:
                assert found([wrong if number == right else number for number in SOLUTION])


def test_two_figures_that_change_their_numbers_are_caught() -> None:
    swapped = {10: 51, 51: 10}
    assert found([swapped.get(number, number) for number in SOLUTION]) == [
        "figure 10 (piece I) does not have its shape: it covers (8, 4) (7, 5) (8, 5) (9, 5) (8, 6)",
        "figure 51 (piece X) does not have its shape: it covers (3, 6) (4, 6) (5, 6) (6, 6) (7, 6)",
    ]


def test_an_uncovered_square() -> None:
    assert found(changed((1, 0, FREE))) == [
        "square (1, 0) is not covered",
        "figure 18 (piece L) does not have its shape: it covers (2, 0) (3, 0) (4, 0) (4, 1)",
    ]


def test_a_board_as_it_was_given_lacks_every_square() -> None:
    assert found(GIVEN) == [f"square {at % WIDTH, at // WIDTH} is not covered" for at in range(70) if GIVEN[at] == FREE]


@pytest.mark.parametrize("number", [64, 100, 254, 256, 1000, -1])
def test_numbers_that_no_figure_has(number: int) -> None:
    assert f"square (3, 6) holds {number}, which is no figure number" in found(changed((3, 6, number)))


def test_a_blocked_square_covered_and_a_free_one_blocked() -> None:
    assert found(changed((9, 0, 2)))[0] == "the blocked square (9, 0) has changed to 2"
    assert found(changed((9, 6, FREE))) == ["the blocked square (9, 6) has changed to 0"]
    assert found(changed((3, 6, BLOCKED)))[0] == "square (3, 6) is blocked, and was given free"


def test_a_laid_figure_that_is_not_where_it_was() -> None:
    laid = changed(*((x, 6, 10) for x in range(3, 8)), cells=GIVEN)
    assert found(SOLUTION, laid) == []
    elsewhere = changed(*((x, 3, 10) for x in range(2, 7)), cells=GIVEN)
    assert found(SOLUTION, elsewhere) == [
        f"the laid figure 10 on square ({x}, 3) has changed to 255" for x in range(2, 7)
    ]
    other_number = changed((0, 1, 43), cells=GIVEN)
    assert found(SOLUTION, other_number) == ["the laid figure 43 on square (0, 1) has changed to 44"]


def test_a_given_board_with_a_byte_that_is_no_square() -> None:
    assert found(SOLUTION, changed((1, 0, 99), cells=GIVEN)) == ["square (1, 0) was given as 99, which is no square"]


def test_a_piece_used_twice() -> None:
    # Two of I: as figures 9 and 10, and as the same figure, which then covers too many squares.
    crossed = [9, 10, 10, 10, 10, 10, 9, 1, 1, 1, 1, 1, 9, 1, 1, 1, 1, 1, 9, 1, 1, 1, 1, 1, 9, 1, 1, 1, 1, 1]
    assert "piece I is used 2 times: figures 9, 10" in violations(6, 5, [FREE] * 30, crossed)
    assert violations(5, 2, [FREE] * 10, [10] * 10) == [
        "figure 10 (piece I) does not have its shape: it covers"
        " (0, 0) (1, 0) (2, 0) (3, 0) (4, 0) (0, 1) (1, 1) (2, 1) (3, 1) (4, 1)"
    ]


def test_a_figure_that_wraps_round_the_edge_is_caught() -> None:
    # The five squares lie one after the other in memory, but not in a row.
    given = [BLOCKED] * 2 + [FREE] * 5 + [BLOCKED] * 5
    wrapped = [BLOCKED] * 2 + [10] * 5 + [BLOCKED] * 5
    assert violations(4, 3, given, wrapped) == [
        "figure 10 (piece I) does not have its shape: it covers (2, 0) (3, 0) (0, 1) (1, 1) (2, 1)"
    ]


def test_wrong_numbers_of_squares() -> None:
    assert violations(5, 1, [FREE] * 4, [10] * 6) == [
        "the given board has 4 squares, expected 5 x 1 = 5",
        "the solution has 6 squares, expected 5 x 1 = 5",
    ]


def test_the_numbering_has_the_published_groups() -> None:
    groups = "F" * 8 + "I" * 2 + "L" * 8 + "N" * 8 + "P" * 8 + "T" * 4 + "U" * 4 + "V" * 4 + "W" * 4 + "X" + "Y" * 8
    shapes = figure_shapes()
    assert "".join(shapes[number][0] for number in range(1, 64)) == groups + "Z" * 4
    assert len({shape for _, shape in shapes.values()}) == 63
    assert all(len(shape) == 5 for _, shape in shapes.values())


def test_turned_and_mirrored_solutions_share_a_key_where_the_board_allows_it() -> None:
    # 3x5: L1 P1 V4 as drawn, its image left to right, and the same upside down.
    first = [11, 27, 27, 11, 27, 27, 11, 27, 46, 11, 11, 46, 46, 46, 46]
    mirrored = [31, 31, 15, 31, 31, 15, 43, 31, 15, 43, 15, 15, 43, 43, 43]
    turned = [45, 45, 45, 17, 17, 45, 17, 33, 45, 17, 33, 33, 17, 33, 33]
    other = [41, 41, 41, 41, 29, 41, 29, 29, 46, 29, 29, 46, 46, 46, 46]
    given = [FREE] * 15
    keys = [class_key(3, 5, given, cells) for cells in (first, mirrored, turned, other)]
    assert keys[0] == keys[1] == keys[2] != keys[3]
    laid = [11, 0, 0, 11, 0, 0, 11, 0, 0, 11, 11, 0, 0, 0, 0]
    assert class_key(3, 5, laid, first) == tuple(tuple(row) for row in ["LPP", "LPP", "LPV", "LLV", "VVV"])
