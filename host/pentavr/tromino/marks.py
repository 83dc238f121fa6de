# SPDX-License-Identifier: GPL-3.0-or-later
"""What a square of a tiling can be marked with, and what every kind of tiling offers."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pentavr.tromino.tile import Square, Tile

__all__ = ["Mark", "Marks", "Tiling"]

Marks = NDArray[np.integer]


class Mark(Enum):
    """What the squares of a tile carry."""

    LETTERS = "letters"  # in ASCII, `*` at a hole
    COLOURS = "colours"  # from 1, 0 at a hole
    NUMBERS = "numbers"  # from 1, 0 at a hole


class Tiling(Protocol):
    """A board covered with tiles, made row by row on demand."""

    @property
    def width(self) -> int:
        """Squares a row."""

    @property
    def height(self) -> int:
        """Number of rows."""

    @property
    def holes(self) -> tuple[Square, ...]:
        """The squares that no tile covers, in reading order."""

    def tile_at(self, x: int, y: int) -> Tile | None:
        """Return the tile that covers (x, y), None for a hole."""

    def number(self, tile: Tile) -> int:
        """Return a tile's number."""

    def dtype(self, mark: Mark) -> np.dtype[np.integer]:
        """Return the type that holds the marks: uint8 for letters and colours, int32 or int64 for numbers."""

    def require_rows(self) -> None:
        """Raise UnusableInput if the rows are too long to be made."""

    def fill(self, mark: Mark, top: int, out: Marks) -> None:
        """Write the marks of the rows from `top` on into `out`, an array of rows that each lie in one piece."""
