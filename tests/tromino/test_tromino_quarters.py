# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from pentavr.tromino import Tile, quarters
from pentavr.tromino.tile import LETTERS

LAID = [Tile(0, 0, 3), Tile(1, 1, 0), Tile(3, 0, 1)]
BOARD = np.array([[0, 1, 4, 0, 4], [2, 4, 1, 2, 3], [4, 2, 3, 4, 4]])


def test_tiles_and_quarters_tell_the_same() -> None:
    found = quarters.from_tiles(5, 3, LAID)
    assert np.array_equal(found, BOARD)
    assert np.argwhere(quarters.first_squares(found)).tolist() == [[0, 0], [0, 3], [1, 2]]
    for tile in LAID:
        assert all(quarters.tile_at(found, x, y) == tile for x, y in tile.squares)
    assert quarters.tile_at(found, 4, 2) is None


def test_numbers_go_by_the_first_square_in_reading() -> None:
    found = quarters.from_tiles(5, 3, LAID)
    assert quarters.numbers(found).tolist() == [[1, 1, 0, 2, 0], [1, 0, 3, 2, 2], [0, 3, 3, 0, 0]]


def test_letters_are_those_of_the_tiles_wherever_the_strip_starts() -> None:
    found = quarters.from_tiles(5, 3, LAID)
    written = quarters.letters(found)
    for tile in LAID:
        assert all(chr(written[y, x]) == tile.letter for x, y in tile.squares)
    assert np.array_equal(quarters.letters(found[1:], top=1), written[1:])
    assert np.array_equal(quarters.letters(found, top=10**9 + 16), quarters.letters(found, top=10**9))


@pytest.mark.parametrize("missing", range(4))
def test_squares_of_a_tile_come_in_reading_order(missing: int) -> None:
    box = [(6, 9), (7, 9), (6, 10), (7, 10)]
    assert list(Tile(6, 9, missing).squares) == box[:missing] + box[missing + 1 :]


def test_tiles_that_can_share_an_edge_have_different_letters() -> None:
    # All pairs of tiles near each other that do not overlap and touch, at every place that counts.
    near = [Tile(x, y, missing) for x, y, missing in product(range(-2, 3), range(-2, 3), range(4))]
    for own in (Tile(0, 0, missing) for missing in range(4)):
        for other in near:
            touch = any(abs(x - right) + abs(y - down) == 1 for x, y in own.squares for right, down in other.squares)
            if touch and not set(own.squares) & set(other.squares):
                for x, y in product(range(len(LETTERS)), repeat=2):
                    assert Tile(x, y, 0).letter != Tile(x + other.x, y + other.y, 0).letter
