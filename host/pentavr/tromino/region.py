# SPDX-License-Identifier: GPL-3.0-or-later
"""Regions of any shape: read from a drawing, and tiled by exact cover."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pentavr.errors import UnusableInput
from pentavr.tromino import colouring, exact_cover, quarters
from pentavr.tromino.marks import Mark, Marks
from pentavr.tromino.quarters import HOLE, Quarters
from pentavr.tromino.tile import Square, Tile

__all__ = ["LARGEST_REGION", "Region", "RegionTiling"]

LARGEST_REGION = 1 << 16
"""The most squares of the field that a region lies on."""


@dataclass(frozen=True, slots=True)
class Region:
    """The squares (column, row) to be covered on a field of `width` squares a row and `height` rows.

    Raise UnusableInput if a square is off the field, or the field larger than LARGEST_REGION.
    """

    width: int
    height: int
    squares: frozenset[Square]

    def __post_init__(self) -> None:
        if min(self.width, self.height) < 1 or self.width * self.height > LARGEST_REGION:
            raise UnusableInput(
                f"a field of {self.width}x{self.height}: expected sides of 1 or more and at most "
                f"{LARGEST_REGION:,} squares"
            )
        for square in self.squares:
            self._require(square, "the square")

    @classmethod
    def parse(cls, text: str, *, source: str = "region") -> Region:
        """Read a drawing: `#` is a square to be covered, `.`, `*` or a space is none; rows may differ in length.

        Raise UnusableInput that names `source`, line and column.
        """
        lines = [line.rstrip() for line in text.rstrip().splitlines()]
        squares = set()
        for row, line in enumerate(lines):
            for column, letter in enumerate(line):
                if letter == "#":
                    squares.add((column, row))
                elif letter not in ".* ":
                    raise UnusableInput(
                        f"{source}, line {row + 1}, column {column + 1}: {letter!r} is no square; "
                        "expected # for one to be covered, . or * or a space for none"
                    )
        if not squares:
            raise UnusableInput(f"{source}: there is no square to be covered; draw each as #")
        return cls(max(map(len, lines)), len(lines), frozenset(squares))

    @classmethod
    def rectangle(cls, width: int, height: int) -> Region:
        """Return all squares of a field."""
        if width * height > LARGEST_REGION:
            return cls(width, height, frozenset())
        return cls(width, height, frozenset(product(range(width), range(height))))

    def less(self, holes: Collection[Square]) -> Region:
        """Return the region without some squares; UnusableInput if one is not on the field."""
        for hole in holes:
            self._require(hole, "the hole")
        return Region(self.width, self.height, self.squares.difference(holes))

    def tiling(self, *, time_limit: float = 60.0) -> RegionTiling:
        """Return a tiling; NoTiling if there is none, LimitReached if the time was not enough to tell."""
        tiles = exact_cover.cover(self.squares, time_limit=time_limit)
        return RegionTiling(quarters.from_tiles(self.width, self.height, tiles))

    def _require(self, square: Square, what: str) -> None:
        x, y = square
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise UnusableInput(
                f"{what} {x},{y} is off the field of {self.width}x{self.height}: columns go from 0 to "
                f"{self.width - 1}, rows from 0 to {self.height - 1}"
            )


@dataclass(frozen=True, slots=True, eq=False)
class RegionTiling:
    """A tiling that is held as an array."""

    quarters: Quarters

    @property
    def width(self) -> int:
        """Squares a row."""
        return int(self.quarters.shape[1])

    @property
    def height(self) -> int:
        """Number of rows."""
        return int(self.quarters.shape[0])

    @property
    def holes(self) -> tuple[Square, ...]:
        """The squares that no tile covers, in reading order."""
        return tuple((x, y) for y, x in np.argwhere(self.quarters == HOLE).tolist())

    def tile_at(self, x: int, y: int) -> Tile | None:
        """Return the tile that covers (x, y), None for a hole."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise UnusableInput(f"the square {x},{y} is off the field of {self.width}x{self.height}")
        return quarters.tile_at(self.quarters, x, y)

    def number(self, tile: Tile) -> int:
        """Return a tile's number."""
        x, y = tile.squares[0]
        return int(quarters.numbers(self.quarters)[y, x])

    def dtype(self, mark: Mark) -> np.dtype[np.integer]:
        """Return the type that holds the marks: uint8 for letters and colours, int32 for numbers."""
        return np.dtype(np.int32) if mark is Mark.NUMBERS else np.dtype(np.uint8)

    def require_rows(self) -> None:
        """Accept every region."""

    def fill(self, mark: Mark, top: int, out: Marks) -> None:
        """Write the marks of the rows from `top` on into `out`."""
        rows = np.s_[top : top + len(out)]
        match mark:
            case Mark.LETTERS:
                out[...] = quarters.letters(self.quarters[rows], top)
            case Mark.COLOURS:
                out[...] = _colours(self)[rows]
            case Mark.NUMBERS:
                out[...] = quarters.numbers(self.quarters)[rows]


@lru_cache(maxsize=1)
def _colours(tiling: RegionTiling) -> NDArray[np.uint8]:
    return colouring.coloured(tiling.quarters)
