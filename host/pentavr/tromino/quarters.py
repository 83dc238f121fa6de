# SPDX-License-Identifier: GPL-3.0-or-later
"""A tiling as an array of quarters: where in the 2x2 box of its tile each square lies.

0 is the upper left square of the box, 1 the upper right, 2 the lower left, 3 the lower right; HOLE is no tile's square.
The boxes follow from the quarters, and with them all that a tile is known by, so one byte a square tells a tiling.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pentavr.tromino.tile import LETTERS, Tile, letter_index

__all__ = ["HOLE", "HOLE_LETTER", "Quarters", "boxes", "first_squares", "from_tiles", "letters", "numbers", "tile_at"]

Quarters = NDArray[np.uint8]

HOLE = 4
HOLE_LETTER = ord("*")

_INK = np.frombuffer(LETTERS.encode(), np.uint8)


def boxes(quarters: Quarters, top: int = 0) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the column and the row of each square's box, a hole's its own; `top` is the board's row of the first."""
    y, x = np.ogrid[top : top + quarters.shape[0], : quarters.shape[1]]
    return x - (quarters & 1), y - (quarters >> 1 & 1)


def letters(quarters: Quarters, top: int = 0) -> NDArray[np.uint8]:
    """Return the squares' letters in ASCII, `*` for a hole."""
    # The letters' period divides 256, so bytes that wrap around will do.
    y, x = (place.astype(np.uint8) for place in np.ogrid[top : top + quarters.shape[0], : quarters.shape[1]])
    ink: NDArray[np.uint8] = _INK[letter_index(x - (quarters & 1), y - (quarters >> 1 & 1))]
    ink[quarters == HOLE] = HOLE_LETTER
    return ink


def first_squares(quarters: Quarters) -> NDArray[np.bool_]:
    """Mark the square of each tile that one comes upon first in reading."""
    left = np.full_like(quarters, HOLE)
    left[:, 1:] = quarters[:, :-1]
    first: NDArray[np.bool_] = (quarters == 0) | (quarters == 1) & (left != 0)
    return first


def numbers(quarters: Quarters) -> NDArray[np.int64]:
    """Return the tiles' numbers, from 1 in the order in which one comes upon them in reading; 0 is a hole."""
    rank = np.cumsum(first_squares(quarters)).reshape(quarters.shape)
    covered = quarters != HOLE
    left, top = (start[covered] for start in boxes(quarters))
    found = np.zeros(quarters.shape, np.int64)
    found[covered] = rank[top, left + (quarters[top, left] != 0)]
    return found


def tile_at(quarters: Quarters, x: int, y: int) -> Tile | None:
    """Return the tile that covers (x, y), None for a hole."""
    quarter = int(quarters[y, x])
    if quarter == HOLE:
        return None
    left, top = x - (quarter & 1), y - (quarter >> 1)
    box = quarters[top : top + 2, left : left + 2].ravel()
    (missing,) = np.flatnonzero(box != np.arange(4))
    return Tile(left, top, int(missing))


def from_tiles(width: int, height: int, laid: Iterable[Tile]) -> Quarters:
    """Return the quarters of a board on which the tiles are laid, the rest of it holes."""
    quarters = np.full((height, width), HOLE, np.uint8)
    for tile in laid:
        for x, y in tile.squares:
            quarters[y, x] = x - tile.x + 2 * (y - tile.y)
    return quarters
