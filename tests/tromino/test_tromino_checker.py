# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import re

import numpy as np
import pytest
from numpy.typing import ArrayLike

from pentavr.errors import CheckFailed
from pentavr.tromino import check, tiling

GOOD = [[0, 2, 3, 3], [2, 2, 1, 3], [4, 1, 1, 5], [4, 4, 5, 5]]


def changed(*changes: tuple[int, int, int]) -> list[list[int]]:
    board = [list(row) for row in GOOD]
    for x, y, number in changes:
        board[y][x] = number
    return board


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64])
def test_a_tiling_passes_in_any_type(dtype: type[np.integer]) -> None:
    check(np.array(GOOD, dtype))


def test_numbers_need_no_order() -> None:
    check([[10**12, 10**12, 7], [10**12, 7, 7]], holes=0)
    check([[0, -3], [-3, -3]])
    check([[0]])


@pytest.mark.parametrize("n", [6, 9])
def test_what_divide_and_conquer_makes_passes(n: int) -> None:
    check(tiling(n, (3, 40)))


@pytest.mark.parametrize(
    ("board", "fault"),
    [
        (changed((0, 0, 2)), "0 stands on 0 squares, expected it on 1"),
        (changed((1, 0, 0)), "0 stands on 2 squares, expected it on 1"),
        (changed((0, 0, 9), (1, 0, 0)), "tile 9 stands on 0,0: expected three squares of a box of 2x2"),
        (changed((1, 0, 3)), "tile 3 stands on 1,0 2,0 3,0 3,1: expected"),
        (changed((0, 1, 9)), "tile 2 stands on 1,0 1,1: expected"),
        ([[1, 1, 1], [2, 2, 0], [2, 3, 3], [4, 4, 3], [4, 5, 5], [6, 6, 5], [6, 7, 7]], "tile 1 stands on 0,0 1,0 2,0"),
        ([[1, 1, 0, 1, 1], [1, 2, 2, 1, 3], [4, 4, 2, 3, 3]], "tile 1 stands on 0,0 1,0 3,0 4,0 0,1 3,1: expected"),
        ([[1, 1, 1, 1, 1, 1, 1, 0]], "tile 1 stands on 0,0 1,0 2,0 3,0 4,0 5,0 ...: expected"),
        ([[1, 1], [1, 1], [0, 2], [2, 2]], "tile 1 stands on 0,0 1,0 0,1 1,1: expected"),
        ([[-1, 0]], "tile -1 stands on 0,0: expected"),
        ([[0.0, 1.0], [1.0, 1.0]], "expected whole numbers in rows and columns, got float64 in the shape (2, 2)"),
        ([0, 1, 1, 1], "got int64 in the shape (4,)"),
        ([[]], "in the shape (1, 0)"),
    ],
)
def test_the_first_fault_is_named(board: ArrayLike, fault: str) -> None:
    with pytest.raises(CheckFailed, match=re.escape(fault)):
        check(board)


def test_the_number_of_holes_can_be_left_open() -> None:
    check([[0, 1, 0], [1, 1, 0]], holes=None)
    check([[0, 1, 0], [1, 1, 0]], holes=3)
    with pytest.raises(CheckFailed, match="0 stands on 3 squares, expected it on 2"):
        check([[0, 1, 0], [1, 1, 0]], holes=2)
