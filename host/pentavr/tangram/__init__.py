# SPDX-License-Identifier: GPL-3.0-or-later
"""Grid tangrams: a silhouette in, its dissections into the seven pieces out.

>>> from pentavr import tangram
>>> shape = tangram.Silhouette.parse("##/##/##/##")
>>> tangram.count(shape)
Count(solutions=36, unique=9)
>>> [placement.piece.value for placement in next(tangram.solve(shape)).placements][:3]
['big triangle', 'big triangle', 'medium triangle']
"""

from __future__ import annotations

from pentavr.tangram.pieces import SEVEN, Dissection, Orientation, Piece, Placement
from pentavr.tangram.shapes import CONVEX, convex
from pentavr.tangram.silhouette import Silhouette
from pentavr.tangram.solver import Count, count, solve, unique

__all__ = [
    "CONVEX",
    "SEVEN",
    "Count",
    "Dissection",
    "Orientation",
    "Piece",
    "Placement",
    "Silhouette",
    "convex",
    "count",
    "solve",
    "unique",
]
