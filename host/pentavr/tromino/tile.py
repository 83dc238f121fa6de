# SPDX-License-Identifier: GPL-3.0-or-later
"""An L-tromino, known by the box of 2x2 squares that it lies in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from pentavr.errors import PentavrError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LETTERS", "NoTiling", "Square", "Tile", "letter_index"]

Square = tuple[int, int]
"""Column and row, from 0 at the upper left."""

LETTERS = "ABCDEFGHIJKLMNOP"

_Place = TypeVar("_Place", int, "NDArray[np.uint8]")


class NoTiling(PentavrError):
    """The board has no tiling; the message gives the reason."""


def letter_index(x: _Place, y: _Place) -> _Place:
    """Return which of LETTERS the tile in the box at (x, y) gets.

    Boxes of tiles that share an edge are at most two columns and one row apart, or one column and two rows: none of
    these steps is a multiple of 16 in x + 6 y, so no two neighbours share a letter, whatever the tiling.
    """
    return (x + 6 * y) % len(LETTERS)


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """Three squares of the 2x2 box whose upper left square is (x, y); `missing` is the fourth, 0 to 3 as one reads."""

    x: int
    y: int
    missing: int

    @property
    def squares(self) -> tuple[Square, Square, Square]:
        """The three squares in reading order."""
        box = ((self.x, self.y), (self.x + 1, self.y), (self.x, self.y + 1), (self.x + 1, self.y + 1))
        first, second, third = (square for place, square in enumerate(box) if place != self.missing)
        return first, second, third

    @property
    def letter(self) -> str:
        """Its letter in print."""
        return LETTERS[letter_index(self.x, self.y)]
