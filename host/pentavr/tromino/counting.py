# SPDX-License-Identifier: GPL-3.0-or-later
"""How many tilings a set of squares has, by a broken profile that goes over it square by square."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from itertools import product
from time import monotonic

from pentavr.errors import LimitReached
from pentavr.tromino.tile import Square

__all__ = ["MOST_PROFILES", "count"]


MOST_PROFILES = 1 << 22
"""How many profiles are kept at most; they take about half a gigabyte."""


def count(squares: Collection[Square], *, time_limit: float = 60.0) -> int:
    """Return the number of ways to cover each of the squares once and no other; to cover no square there is one.

    Work doubles and more with each square of the shorter side. Raise LimitReached after `time_limit` seconds, or when
    over MOST_PROFILES profiles would have to be kept, which is so from a shorter side of about 23 on.
    """
    if len(squares) % 3:
        return 0
    deadline = monotonic() + time_limit
    width, height = (1 + max((square[axis] for square in squares), default=0) for axis in (0, 1))
    region = set(squares) if width <= height else {(y, x) for x, y in squares}
    width, height = sorted((width, height))
    # Bit i of a profile: square i from the current one on, in reading order, has been covered.
    profiles = {0: 1}
    for y, x in product(range(height), range(width)):
        tiles = _tiles(region, x, y, width)
        after: dict[int, int] = defaultdict(int)
        for profile, ways in profiles.items():
            if profile & 1 or (x, y) not in region:
                after[profile >> 1] += ways
                continue
            for tile in tiles:
                if not profile & tile:
                    after[(profile | tile) >> 1] += ways
        profiles = after
        done = f"counting {width}x{height}, {y} rows of {width} done"
        if len(profiles) > MOST_PROFILES:
            raise LimitReached(
                f"{done}: over {MOST_PROFILES:,} profiles to keep; take a board with a shorter short side"
            )
        if monotonic() > deadline:
            raise LimitReached(f"{done}: {time_limit:g} s are over; give it more time (--time-limit SECONDS)")
    return profiles.get(0, 0)


def _tiles(region: Collection[Square], x: int, y: int, width: int) -> list[int]:
    """Return what the tiles that have (x, y) as their first square cover besides it, as bits of a profile."""
    right, lower = (x + 1, y), (x, y + 1)
    lower_left, lower_right = (x - 1, y + 1), (x + 1, y + 1)
    pairs = ((right, lower), (right, lower_right), (lower, lower_right), (lower, lower_left))
    return [
        sum(1 << (row - y) * width + column - x for column, row in pair)
        for pair in pairs
        if all(square in region for square in pair)
    ]
