# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import numpy as np
import pytest

from pentavr.errors import UnusableInput
from pentavr.tromino import NoTiling, Region, RegionTiling, Tile, quarters
from pentavr.tromino.colouring import coloured
from tromino_oracle import Square, alike_neighbours, chance, full, touching


def colourable(numbers: list[list[int]], limit: int) -> bool:
    """Say whether so many colours do, trying all ways tile by tile."""
    edges = {(numbers[y][x], numbers[down][right]) for (x, y), (right, down) in touching(numbers)}
    neighbours = {(a, b) for a, b in edges | {(b, a) for a, b in edges} if a != b and a and b}

    def rest(given: list[int]) -> bool:
        tile = len(given) + 1
        if tile > max(map(max, numbers)):
            return True
        barred = {given[other - 1] for other in range(1, tile) if (tile, other) in neighbours}
        return any(rest([*given, colour]) for colour in range(limit) if colour not in barred)

    return rest([])


def some_tilings() -> list[RegionTiling]:
    """Return tilings of 6x6 less three squares or six."""
    found = []
    for seed in range(200):
        drawn = chance(seed)
        holes: set[Square] = set()
        while len(holes) < (3, 6)[seed % 2]:
            holes.add((drawn.randrange(6), drawn.randrange(6)))
        try:
            found.append(Region.rectangle(6, 6).less(holes).tiling())
        except NoTiling:
            continue
    return found


def test_colours_are_proper_and_the_fewest() -> None:
    most = set()
    for tiling in some_tilings():
        numbers, colours = quarters.numbers(tiling.quarters).tolist(), coloured(tiling.quarters)
        assert alike_neighbours(numbers, colours.tolist()) == []
        assert ((colours == 0) == (tiling.quarters == quarters.HOLE)).all()
        count = int(colours.max())
        assert set(np.unique(colours)) - {0} == set(range(1, count + 1))
        assert colourable(numbers, count)
        assert not colourable(numbers, count - 1)
        most.add(count)
    assert most == {3, 4}


def test_a_tiling_of_7x7_less_a_square_that_three_colours_do_not_do_for() -> None:
    tiling = Region(7, 7, frozenset(full(7, 7, [(0, 2)]))).tiling()
    numbers = quarters.numbers(tiling.quarters).tolist()
    assert not colourable(numbers, 3)
    colours = coloured(tiling.quarters)
    assert int(colours.max()) == 4
    assert alike_neighbours(numbers, colours.tolist()) == []


def test_one_tile_has_the_first_colour() -> None:
    assert coloured(quarters.from_tiles(2, 2, [Tile(0, 0, 2)])).tolist() == [[1, 1], [0, 1]]


def test_boards_too_large_are_refused() -> None:
    with pytest.raises(UnusableInput, match="colours for a board of 513x512 would take too long to find: they go to"):
        coloured(np.zeros((512, 513), np.uint8))
