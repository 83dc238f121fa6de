# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest

from pentavr.errors import UnusableInput
from pentavr.tromino import recursion
from tromino_oracle import faults, squares_of


@pytest.mark.parametrize("n", range(6))
def test_every_hole_leaves_a_tiling(n: int) -> None:
    for hole in squares_of(n):
        assert faults(recursion.tiling(n, hole), [hole]) == []


def test_the_one_tiling_of_4x4_less_a_corner_numbered_as_it_is_laid() -> None:
    assert recursion.tiling(2, (0, 0)) == [[0, 2, 3, 3], [2, 2, 1, 3], [4, 1, 1, 5], [4, 4, 5, 5]]


def test_no_square_is_no_board() -> None:
    with pytest.raises(UnusableInput, match="n is -1"):
        recursion.tiling(-1, (0, 0))
