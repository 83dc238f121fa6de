# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentavr.errors import UnusableInput
from pentavr.tromino import Tile, colour, number, recursion, tile_at
from tromino_oracle import Square, is_l_tromino, squares_of


def laid_by_descent(n: int, hole: Square, square: Square) -> set[Square] | None:
    """Return the squares of the tile over a square as the proof by induction lays it, None for the hole."""
    left, top = 0, 0
    for half in (2**j for j in reversed(range(n))):
        middle = {
            (right, down): (left + half - 1 + right, top + half - 1 + down) for right, down in product((0, 1), repeat=2)
        }
        with_hole = int(hole[0] >= left + half), int(hole[1] >= top + half)
        tile = {place for quadrant, place in middle.items() if quadrant != with_hole}
        if square in tile:
            return tile
        quadrant = int(square[0] >= left + half), int(square[1] >= top + half)
        if quadrant != with_hole:
            hole = middle[quadrant]
        left, top = left + half * quadrant[0], top + half * quadrant[1]
    return None


@st.composite
def boards(draw: st.DrawFn, largest: int) -> tuple[int, Square, Square]:
    n = draw(st.integers(0, largest))
    places = st.integers(0, 2**n - 1)
    return n, draw(st.tuples(places, places)), draw(st.tuples(places, places))


@given(boards(200))
def test_the_tile_is_the_one_that_the_induction_lays(board: tuple[int, Square, Square]) -> None:
    n, hole, square = board
    tile = tile_at(n, hole, *square)
    assert (set(tile.squares) if tile else None) == laid_by_descent(n, hole, square)
    assert tile is None or is_l_tromino(tile.squares)
    assert (tile is None) == (square == hole)


@pytest.mark.parametrize("n", range(5))
def test_tiles_and_numbers_are_those_of_the_recursion_for_every_hole(n: int) -> None:
    for hole in squares_of(n):
        for y, row in enumerate(recursion.tiling(n, hole)):
            for x, expected in enumerate(row):
                tile = tile_at(n, hole, x, y)
                assert (number(n, tile) if tile else 0) == expected


def test_numbers_follow_the_order_of_laying() -> None:
    # The middle of 8x8 first, then the middle of its upper left quadrant, then that quadrant's own four.
    assert [number(3, Tile(x, y, 0)) for x, y in ((3, 3), (1, 1), (0, 0), (2, 0), (0, 2), (2, 2), (5, 1))] == [
        1,
        2,
        3,
        4,
        5,
        6,
        7,
    ]
    assert number(3, Tile(6, 6, 0)) == 21


def test_a_board_of_a_thousand_doublings() -> None:
    far = 2**1000 - 1
    tile = tile_at(1000, (0, 0), far, far)
    assert tile is not None
    assert set(tile.squares) == {(far, far), (far - 1, far), (far, far - 1)}
    assert number(1000, tile) == (4**1000 - 1) // 3
    middle = tile_at(1000, (far, 0), 2**999, 2**999)
    assert middle == Tile(2**999 - 1, 2**999 - 1, missing=1)
    assert number(1000, middle) == 1


def test_the_largest_numbers_cost_no_more_than_their_digits() -> None:
    tile = tile_at(10**18, (0, 0), 5, 7)
    assert tile is not None
    assert set(tile.squares) == {(4, 6), (4, 7), (5, 7)}
    assert number(10**18, tile) == 10**18 + 17


def test_numbers_of_numpy_are_taken() -> None:
    x, y = np.argwhere(np.eye(4) > 0)[2]
    assert tile_at(np.int64(2), (x, y), x + 1, y) == tile_at(2, (2, 2), 3, 2)  # type: ignore[arg-type]


def test_three_colours_are_told_from_the_tile_alone() -> None:
    # A 4x4 board: chessboard colours around one tile of the third.
    assert [colour(Tile(x, y, 0)) for x, y in ((0, 0), (2, 0), (0, 2), (2, 2), (1, 1))] == [1, 2, 2, 1, 3]
    assert colour(Tile(3, 3, 0)) == colour(Tile(7, 7, 1)) == 3


@pytest.mark.parametrize(
    ("n", "hole", "square", "words"),
    [
        (-1, (0, 0), (0, 0), "n is -1: expected a whole number from 0"),
        (2.0, (0, 0), (0, 0), "n is 2.0: expected a whole number from 0"),
        (True, (0, 0), (0, 0), "n is True: expected a whole number from 0"),
        ("3", (0, 0), (0, 0), "n is '3': expected a whole number from 0"),
        (3, (8, 0), (0, 0), "the hole 8,0 is off the board of n = 3: columns and rows go from 0 to 7"),
        (3, (0, -1), (0, 0), "the hole 0,-1 is off the board"),
        (3, (0, 0), (0, 8), "the square 0,8 is off the board"),
        (100, (0, 0), (2**100, 0), "go from 0 to 2^100 - 1"),
    ],
)
def test_what_is_off_the_board_is_refused(n: int, hole: Square, square: Square, words: str) -> None:
    with pytest.raises(UnusableInput, match=words.replace("^", r"\^")):
        tile_at(n, hole, *square)
