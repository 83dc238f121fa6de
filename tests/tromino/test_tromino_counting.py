# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentavr.errors import LimitReached
from pentavr.tromino import count, counting
from tromino_oracle import Square, count_by_exact_cover, full


def test_8x8_less_a_corner() -> None:
    assert count(full(8, 8, [(0, 0)])) == 30355
    assert count(full(8, 8, [(7, 0)])) == 30355


@pytest.mark.parametrize("hole", sorted(full(4, 4)))
def test_4x4_less_a_square_has_one_tiling(hole: Square) -> None:
    # Known since the puzzle was set, and told by the exact-cover library once more.
    assert count(full(4, 4, [hole])) == count_by_exact_cover(full(4, 4, [hole])) == 1


@pytest.mark.parametrize(
    ("height", "step", "published"),
    [
        (2, 3, [1, 2, 4, 8, 16]),  # Mathar, comment on OEIS A046984
        (3, 2, [1, 2, 4, 8, 16]),
        (4, 3, [1, 4, 18, 88, 468, 2672, 16072, 100064, 636368, 4097984]),  # OEIS A046984
        (5, 3, [1, 0, 72, 384]),  # OEIS A084479; shorter than 12 no tiling of these has a fault
        (3, 1, [1, 0, 2, 0, 4, 0, 8, 0]),
    ],
)
def test_whole_rectangles(height: int, step: int, published: list[int]) -> None:
    for copies, expected in enumerate(published):
        assert count(full(copies * step, height)) == expected
        assert count(full(height, copies * step)) == expected


@pytest.mark.parametrize(
    ("width", "height", "published"), [(2, 2, 5), (3, 3, 39), (2, 7, 655), (3, 4, 195), (4, 4, 2023)]
)
def test_the_tilings_of_all_parts_of_a_rectangle_together(width: int, height: int, published: int) -> None:
    # OEIS A220054: tilings with trominoes and single squares.
    squares = sorted(full(width, height))
    parts = (part for size in range(0, len(squares) + 1, 3) for part in combinations(squares, size))
    assert sum(map(count, parts)) == published


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 6)), max_size=33))
@settings(deadline=None)
def test_any_region_has_as_many_as_exact_cover_finds(holes: set[Square]) -> None:
    squares = full(6, 7, holes)
    assert count(squares) == count_by_exact_cover(squares)


def test_a_long_strip_has_its_power_of_two() -> None:
    assert count(full(2, 3000)) == 2**1000


def test_no_squares_are_covered_in_one_way() -> None:
    assert count([]) == 1


def test_time_runs_out() -> None:
    with pytest.raises(LimitReached, match=r"counting 9x9, 0 rows of 9 done: 1e-09 s are over; give it more time"):
        count(full(9, 9), time_limit=1e-9)


def test_profiles_are_kept_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MOST_PROFILES", 1000)
    with pytest.raises(LimitReached, match=r"counting 12x12, \d rows of 12 done: over 1,000 profiles to keep"):
        count(full(12, 12))
