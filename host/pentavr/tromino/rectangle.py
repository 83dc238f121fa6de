# SPDX-License-Identifier: GPL-3.0-or-later
"""Tilings of rectangles less one square: which there are, and how they are made.

The theorem is Ash and Golomb's (Tiling deficient rectangles with trominoes, Mathematics Magazine 77, 2004): if an m x n
rectangle has 3k + 1 squares and no side of 1, 2 or 5, any one square can go. The sides that are left out have the
exceptions that `obstacle` explains.

Strips of 2x3 bricks are cut off until a core around the hole is left that is at most 11 squares a side; exact cover
tiles the core. Any row or column of the board, however large it is, follows from that plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pentavr.errors import UnusableInput
from pentavr.tromino import colouring, exact_cover, quarters
from pentavr.tromino.marks import Mark, Marks
from pentavr.tromino.quarters import Quarters
from pentavr.tromino.tile import NoTiling, Square, Tile
from pentavr.tromino.zone import Zone, bricks, in_order

__all__ = ["LONGEST_ROW", "RectangleTiling", "obstacle"]

LONGEST_ROW = 1 << 24
"""The most squares of a row that is made."""

_MOST_SQUARES = 1 << 62
_SQUARES_AT_ONCE = 1 << 18


def obstacle(width: int, height: int, hole: Square) -> str:
    """Say why the width x height rectangle less the hole has no tiling, or nothing if it has one."""
    x, y = hole
    if (width, height) == (1, 1):
        return ""
    if width * height % 3 != 1:
        return f"{width}x{height} less one square leaves {width * height - 1} squares, which is no multiple of three"
    if 1 in (width, height):
        return "a tile needs two rows and two columns"
    if 2 in (width, height):
        along = x if height == 2 else y
        if along % 3 == 2:
            return (
                f"the tile over the square next to the hole cuts off a piece that is 2 wide and {along - 1} or {along} "
                "long, and three divides neither"
            )
        return ""
    if (width, height) == (5, 5):
        if x % 2 or y % 2:
            return (
                "no tile covers two of the nine squares in even columns and even rows, and there are eight tiles, "
                "so the hole must be one of the nine"
            )
        return ""
    across, length, side = (x, height, y) if width == 5 else (y, width, x)
    if 5 in (width, height) and across == 2 and side in (1, length - 2):
        return (
            "the tile over the middle square of the short side, which is next to the hole, "
            "leaves a corner square that no other tile can cover"
        )
    return ""


@dataclass(frozen=True, slots=True)
class RectangleTiling:
    """A tiling of the width x height rectangle less the square (column, row) `hole`.

    Raise NoTiling with the reason if there is none.
    """

    width: int
    height: int
    hole: Square
    zones: tuple[Zone, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if min(self.width, self.height) < 1:
            raise UnusableInput(f"a rectangle of {self.width}x{self.height}: expected sides of 1 or more")
        self._require_square(self.hole, "the hole")
        object.__setattr__(self, "zones", tuple(in_order(_zones(self.width, self.height, self.hole))))

    @property
    def holes(self) -> tuple[Square, ...]:
        """The hole."""
        return (self.hole,)

    def tile_at(self, x: int, y: int) -> Tile | None:
        """Return the tile that covers (x, y), None for the hole."""
        return self._zone(x, y).tile_at(x, y)

    def number(self, tile: Tile) -> int:
        """Return a tile's number."""
        x, y = tile.squares[0]
        return self._zone(x, y).number_at(x, y)

    def dtype(self, mark: Mark) -> np.dtype[np.integer]:
        """Return the type that holds the marks: uint8 for letters and colours, int32 or int64 for numbers."""
        if mark is not Mark.NUMBERS:
            return np.dtype(np.uint8)
        return np.dtype(np.int32) if self.width * self.height < 1 << 32 else np.dtype(np.int64)

    def require_rows(self) -> None:
        """Raise UnusableInput if the rows are too long to be made."""
        if self.width > LONGEST_ROW or self.width * self.height > _MOST_SQUARES:
            raise UnusableInput(
                f"the rows of {self.width}x{self.height} are too long to be made: they go to {LONGEST_ROW:,} squares; "
                "ask for a single square"
            )

    def fill(self, mark: Mark, top: int, out: Marks) -> None:
        """Write the marks of the rows from `top` on into `out`."""
        self.require_rows()
        step = max(1, _SQUARES_AT_ONCE // self.width)
        for at in range(0, len(out), step):
            self._fill(mark, top + at, out[at : at + step])

    def _fill(self, mark: Mark, top: int, out: Marks) -> None:
        match mark:
            case Mark.LETTERS:
                out[...] = quarters.letters(self._quarters(top, len(out)), top)
            case Mark.COLOURS:
                out[...] = _colours(self)[top : top + len(out)]
            case Mark.NUMBERS:
                for zone in self.zones:
                    zone.fill_numbers(top, out)

    def _quarters(self, top: int, rows: int) -> Quarters:
        strip = np.empty((rows, self.width), np.uint8)
        for zone in self.zones:
            zone.fill_quarters(top, strip)
        return strip

    def _zone(self, x: int, y: int) -> Zone:
        self._require_square((x, y), "the square")
        return next(zone for zone in self.zones if zone.has(x, y))

    def _require_square(self, square: Square, what: str) -> None:
        x, y = square
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise UnusableInput(
                f"{what} {x},{y} is off the board of {self.width}x{self.height}: columns go from 0 to "
                f"{self.width - 1}, rows from 0 to {self.height - 1}"
            )


@lru_cache(maxsize=1)
def _colours(board: RectangleTiling) -> NDArray[np.uint8]:
    colouring.require_colourable(board.width, board.height)
    return colouring.coloured(board._quarters(0, board.height))


def _zones(width: int, height: int, hole: Square) -> Iterator[Zone]:
    if reason := obstacle(width, height, hole):
        raise NoTiling(f"{width}x{height} less {hole[0]},{hole[1]} has no tiling: {reason}")
    (left, core_width), (top, core_height) = next(
        (across, down)
        for across, down in product(_windows(width, height, hole[0]), _windows(height, width, hole[1]))
        if not obstacle(across[1], down[1], (hole[0] - across[0], hole[1] - down[0]))
    )
    core_hole = hole[0] - left, hole[1] - top
    squares = set(product(range(core_width), range(core_height))) - {core_hole}
    core = quarters.from_tiles(core_width, core_height, exact_cover.cover(squares))
    yield Zone(left, top, core_width, core_height, core)
    right, bottom = left + core_width, top + core_height
    yield from bricks(0, 0, left, height)
    yield from bricks(right, 0, width - right, height)
    yield from bricks(left, 0, core_width, top)
    yield from bricks(left, bottom, core_width, height - bottom)


def _windows(side: int, other: int, place: int) -> Iterator[tuple[int, int]]:
    """Return where a core may lie along one side, as (start, length), so that bricks fill what is left."""
    lengths: tuple[int, ...]
    if other == 2:
        step, lengths = 3, (2,)
    else:
        # A strip three wide needs an even length; six wide, any length from 2.
        step, lengths = 6, (side,) if side < 6 else {1: (7,), 2: (8,), 4: (4, 10), 5: (11,)}[side % 6]
    for length in lengths:
        last = place // step * step
        for start in range(last, max(-1, place - length), -step):
            if start + length <= side:
                yield start, length
