# SPDX-License-Identifier: GPL-3.0-or-later
"""A part of a board that is filled with copies of one small tiling."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pentavr.tromino import quarters
from pentavr.tromino.marks import Marks
from pentavr.tromino.quarters import Quarters
from pentavr.tromino.tile import Tile

__all__ = ["LYING", "STANDING", "Zone", "bricks", "in_order"]

LYING = np.array([[0, 1, 1], [2, 2, 3]], np.uint8)
"""Two tiles that make a brick three wide and two high."""

STANDING = np.array([[0, 1], [2, 1], [2, 3]], np.uint8)
"""Two tiles that make a brick two wide and three high."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A rectangle of a board, filled with copies of the pattern; `before` tiles of the board have lower numbers."""

    x: int
    y: int
    width: int
    height: int
    pattern: Quarters
    before: int = 0

    @property
    def tiles(self) -> int:
        """How many tiles lie in the zone."""
        rows, columns = self.pattern.shape
        copies: int = (self.height // rows) * (self.width // columns)
        return copies * self._tiles_each

    def has(self, x: int, y: int) -> bool:
        """Say whether the square lies in the zone."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def tile_at(self, x: int, y: int) -> Tile | None:
        """Return the tile that covers a square of the zone, None for a hole."""
        rows, columns = self.pattern.shape
        local_x, local_y = (x - self.x) % columns, (y - self.y) % rows
        tile = quarters.tile_at(self.pattern, local_x, local_y)
        return tile and Tile(tile.x + x - local_x, tile.y + y - local_y, tile.missing)

    def number_at(self, x: int, y: int) -> int:
        """Return the number of the tile that covers a square of the zone, 0 for a hole."""
        rows, columns = self.pattern.shape
        (down, local_y), (across, local_x) = divmod(y - self.y, rows), divmod(x - self.x, columns)
        local = int(quarters.numbers(self.pattern)[local_y, local_x])
        return local and self.before + (down * (self.width // columns) + across) * self._tiles_each + local

    def fill_quarters(self, top: int, out: Quarters) -> None:
        """Write the zone's share into `out`, which holds the board's rows from `top` on."""
        down, across, share = self._share(top, out)
        rows, columns = self.pattern.shape
        share[...] = self.pattern[np.ix_(down % rows, across % columns)]

    def fill_numbers(self, top: int, out: Marks) -> None:
        """Write the zone's share into `out`, which holds the board's rows from `top` on."""
        down, across, share = self._share(top, out)
        rows, columns = self.pattern.shape
        local = quarters.numbers(self.pattern)[np.ix_(down % rows, across % columns)]
        copies = (down // rows)[:, np.newaxis] * (self.width // columns) + across // columns
        share[...] = np.where(local, self.before + copies * self._tiles_each + local, 0)

    def _share(self, top: int, out: Marks) -> tuple[NDArray[np.int64], NDArray[np.int64], Marks]:
        first = max(self.y, top)
        last = max(first, min(self.y + self.height, top + len(out)))
        down = np.arange(first - self.y, last - self.y)
        return down, np.arange(self.width), out[first - top : last - top, self.x : self.x + self.width]

    @property
    def _tiles_each(self) -> int:
        return int(quarters.first_squares(self.pattern).sum())


def bricks(x: int, y: int, width: int, height: int) -> Iterator[Zone]:
    """Fill a rectangle with 2x3 bricks; one side has to be a multiple of three, and of six if the other is odd."""
    if width == 0 or height == 0:
        return
    if width % 3 == 0 and height % 2 == 0:
        yield Zone(x, y, width, height, LYING)
    elif width % 2 == 0 and height % 3 == 0:
        yield Zone(x, y, width, height, STANDING)
    elif width % 3 == 0:
        yield Zone(x, y, width, 3, STANDING)
        yield Zone(x, y + 3, width, height - 3, LYING)
    else:
        yield Zone(x, y, 3, height, LYING)
        yield Zone(x + 3, y, width - 3, height, STANDING)


def in_order(zones: Iterable[Zone]) -> Iterator[Zone]:
    """Let the numbers of each zone's tiles follow those of the zone before."""
    before = 0
    for zone in zones:
        yield replace(zone, before=before)
        before += zone.tiles
