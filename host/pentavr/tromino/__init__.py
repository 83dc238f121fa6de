# SPDX-License-Identifier: GPL-3.0-or-later
"""Tilings of deficient boards by L-trominoes.

    >>> from pentavr import tromino
    >>> tromino.tiling(2, (1, 2))
    array([[2, 2, 3, 3],
           [2, 1, 1, 3],
           [4, 0, 1, 5],
           [4, 4, 5, 5]], dtype=int32)
    >>> tromino.tile_at(1000, (0, 0), 2**999, 5).squares[0] == (2**999, 4)
    True

Squares are (column, row) from 0 at the upper left; arrays are [row, column].
"""

from pentavr.tromino.checker import check
from pentavr.tromino.closed_form import colour, number, tile_at
from pentavr.tromino.counting import count
from pentavr.tromino.rectangle import RectangleTiling, obstacle
from pentavr.tromino.region import Region, RegionTiling
from pentavr.tromino.square import SquareTiling, rows, tiling
from pentavr.tromino.tile import NoTiling, Tile

__all__ = [
    "NoTiling",
    "RectangleTiling",
    "Region",
    "RegionTiling",
    "SquareTiling",
    "Tile",
    "check",
    "colour",
    "count",
    "number",
    "obstacle",
    "rows",
    "tile_at",
    "tiling",
]
