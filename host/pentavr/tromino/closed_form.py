# SPDX-License-Identifier: GPL-3.0-or-later
"""The tile that covers a square of a 2^n x 2^n board less one, straight from the bits of the coordinates."""

from __future__ import annotations

from operator import index
from typing import SupportsIndex

from pentavr.errors import UnusableInput
from pentavr.tromino.tile import Square, Tile

__all__ = ["colour", "level", "number", "require_hole", "require_size", "tile_at"]


def tile_at(n: int, hole: Square, x: int, y: int) -> Tile | None:
    """Return the tile that covers (x, y), None for the hole; any n will do, the work grows with its digits only.

    Raise UnusableInput if n is negative or a square is off the board.
    """
    require_hole(n, hole)
    require_on_board(n, (x, y), "the square")
    (x, y), hole = (index(x), index(y)), (index(hole[0]), index(hole[1]))
    if (x, y) == hole:
        return None
    height = _level_at(hole, x, y)
    left, top = (_box_start(place, height) for place in (x, y))
    for missing in range(4):
        square = left + missing % 2, top + missing // 2
        if square == hole or _level_at(hole, *square) != height:
            return Tile(left, top, missing)
    raise AssertionError("a tile covers three squares of its box")


def level(tile: Tile) -> int:
    """Return a tile's level: it lies at the centre of an aligned block of 2^(level+1) squares a side."""
    return (~tile.x & tile.x + 1).bit_length() - 1


def number(n: int, tile: Tile) -> int:
    """Return a tile's number on the 2^n board, 1 to (4^n - 1) / 3, in the order in which divide and conquer lays them.

    A block's own tile comes first, then its quadrants in reading order; the number does not depend on the hole.
    """
    below = level(tile) + 1
    before = n - below  # the tiles of the blocks around it
    for j in range(below, max(tile.x.bit_length(), tile.y.bit_length())):
        quadrant = (tile.x >> j & 1) + 2 * (tile.y >> j & 1)
        before += quadrant * ((4**j - 1) // 3)
    return before + 1


def colour(tile: Tile) -> int:
    """Return a tile's colour on a 2^n board, 1 to 3: no two tiles that share an edge have the same.

    Tiles of level 0 take turns like the squares of a chessboard, all larger ones are of the third colour.
    """
    return 3 if level(tile) else 1 + (tile.x // 2 + tile.y // 2) % 2


def require_size(n: int) -> None:
    """Raise UnusableInput unless n is a whole number from 0."""
    if isinstance(n, bool) or not isinstance(n, SupportsIndex) or index(n) < 0:
        raise UnusableInput(f"n is {n!r}: expected a whole number from 0, for a board of 2^n x 2^n squares")


def require_hole(n: int, hole: Square) -> None:
    """Raise UnusableInput unless n is a size and the hole on the board."""
    require_size(n)
    require_on_board(n, hole, "the hole")


def require_on_board(n: int, square: Square, what: str) -> None:
    """Raise UnusableInput that speaks of `what` unless the square is on the board of 2^n x 2^n."""
    x, y = square
    if x < 0 or y < 0 or x >> n or y >> n:
        last = f"{2**n - 1}" if n <= 64 else f"2^{n} - 1"
        raise UnusableInput(f"{what} {x},{y} is off the board of n = {n}: columns and rows go from 0 to {last}")


def _level_at(hole: Square, x: int, y: int) -> int:
    """Return the level of the tile over a square.

    Descend from the smallest aligned block that holds square and hole: its tile covers a corner of the square's
    quadrant. In a block less that corner, the quadrant at the corner keeps it, the others get the block's own tile at
    theirs: the last tile met is the one. After a block's own tile the next quadrant keeps the corner if both
    coordinates turn (Gray code bits 1, 1), and keeps on keeping it while both go on (0, 0). So at the lowest place
    where the Gray codes differ a tile is met for certain, and below it the bits in common tell the rest by parity.
    """
    hole_x, hole_y = hole
    meeting = ((x ^ hole_x) | (y ^ hole_y)).bit_length() - 1
    gray_x, gray_y = x ^ x >> 1, y ^ y >> 1
    differing = (gray_x ^ gray_y) & (1 << meeting) - 1
    below = (differing & -differing if differing else 1 << meeting) - 1
    turns = gray_x & gray_y & below
    if turns.bit_count() % 2 == 0:
        return 0
    return (turns & -turns).bit_length()


def _box_start(place: int, height: int) -> int:
    return (place >> height + 1 << height + 1) + (1 << height) - 1
