# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentavr.errors import LimitReached
from pentavr.tromino import NoTiling
from pentavr.tromino.exact_cover import cover
from tromino_oracle import Square, chance, full, has_tiling, is_l_tromino


def covered(squares: set[Square]) -> bool:
    """Say whether there is a tiling; the one that is found is looked at."""
    try:
        tiles = cover(squares)
    except NoTiling:
        return False
    assert all(is_l_tromino(tile.squares) for tile in tiles)
    assert sorted(square for tile in tiles for square in tile.squares) == sorted(squares)
    return True


@st.composite
def regions(draw: st.DrawFn) -> set[Square]:
    width, height = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    return full(width, height, draw(st.sets(st.sampled_from(sorted(full(width, height))), max_size=12)))


@given(regions())
@settings(deadline=None, max_examples=200)
def test_any_region_is_tiled_just_if_another_program_tiles_it(squares: set[Square]) -> None:
    assert covered(squares) == has_tiling(squares)


def test_every_piece_of_a_4x4_board() -> None:
    squares = sorted(full(4, 4))
    for chosen in range(1 << 16):
        if chosen.bit_count() in (9, 12):
            part = {square for place, square in enumerate(squares) if chosen >> place & 1}
            assert covered(part) == has_tiling(part)


@pytest.mark.parametrize(("side", "count"), [(40, 7), (64, 4), (64, 10), (70, 1)])
def test_large_boards_with_some_holes(side: int, count: int) -> None:
    # Among these are some on which a search that never starts over takes minutes.
    for seed in range(6):
        drawn = chance(seed)
        holes: set[Square] = set()
        while len(holes) < count:
            holes.add((drawn.randrange(side), drawn.randrange(side)))
        assert covered(full(side, side, holes))


@pytest.mark.parametrize(
    ("squares", "words"),
    [
        (full(1, 1), "^the region has no tiling: the number of its squares, 1, is no multiple of three"),
        (full(3, 3), "it takes 3 tiles, and 4 of its squares lie an even number of columns and rows apart"),
        (full(5, 5, [(1, 0)]), "it takes 8 tiles, and 9 of its squares"),
        (full(8, 5, [(1, 2)]), "^the region has no tiling: every way was tried"),
        (full(3, 2) | {(9, 4), (9, 5)}, "the part of the region with the square 9,4 has no tiling: the number"),
    ],
)
def test_reasons(squares: set[Square], words: str) -> None:
    with pytest.raises(NoTiling, match=words):
        cover(squares)


def test_no_squares_need_no_tiles() -> None:
    assert cover([]) == []


def test_time_runs_out() -> None:
    with pytest.raises(LimitReached, match="no tiling found in 1e-09 s, 256 tiles tried, and none ruled out"):
        cover(full(64, 64, [(5, 5)]), time_limit=1e-9)
