# SPDX-License-Identifier: GPL-3.0-or-later
"""A second, slow solver to hold the fast one against, in the way of the best-known answer to the code-golf challenge.

Every piece fits into a big triangle, and that is eight quarter squares around the middle of its long side. So eight
cells are probed around each grid point, in each of four quarter turns, and compared with one mask for each piece.
(Level River St, "Solve Grid-Tangram", Code Golf Stack Exchange, question 92889.)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from pentavr.tangram.pieces import SEVEN, Piece
from pentavr.tangram.silhouette import Silhouette

__all__ = ["Cells", "solve"]

Cells = frozenset[tuple[int, int]]
"""Quarter squares, each by a point inside it, in quarters of the unit."""

_QUARTERS = {
    ".": (),
    "#": ((2, 1), (3, 2), (2, 3), (1, 2)),
    "a": ((2, 1), (1, 2)),
    "b": ((2, 1), (3, 2)),
    "c": ((3, 2), (2, 3)),
    "d": ((2, 3), (1, 2)),
}

_PROBES = ((1, 2), (2, 3), (-1, 2), (-2, 3), (-2, 1), (-3, 2), (-2, -1), (-3, -2))
"""From the highest bit down, the near and the far cell of four neighbouring eighths of a full turn."""

_MASKS = {
    Piece.BIG_TRIANGLE: (255,),
    Piece.MEDIUM_TRIANGLE: (15,),
    Piece.SQUARE: (60,),
    Piece.PARALLELOGRAM: (232, 43),
    Piece.SMALL_TRIANGLE: (3,),
}


def solve(silhouette: Silhouette) -> Iterator[tuple[Cells, ...]]:
    """Find every dissection, as the cells of each piece in the order of SEVEN, for the usual reading of area 8.

    Nothing keeps the search from coming upon one dissection several times, equal pieces changed about.
    """
    blank = {
        (4 * column + x, 4 * row + y)
        for row, signs in enumerate(silhouette.rows)
        for column, sign in enumerate(signs)
        for x, y in _QUARTERS[sign]
    }
    rings = []
    for x, y in product(range(silhouette.width + 1), range(silhouette.height + 1)):
        ring: tuple[tuple[int, int], ...] = _PROBES
        for _ in range(4):
            ring = tuple((-dy, dx) for dx, dy in ring)
            rings.append([(4 * x + dx, 4 * y + dy) for dx, dy in ring])
    return _lay_next([], blank, rings)


def _lay_next(
    laid: list[Cells], blank: set[tuple[int, int]], rings: list[list[tuple[int, int]]]
) -> Iterator[tuple[Cells, ...]]:
    if len(laid) == len(SEVEN):
        yield tuple(laid)
        return
    for ring, mask in product(rings, _MASKS[SEVEN[len(laid)]]):
        cells = frozenset(cell for bit, cell in zip(range(7, -1, -1), ring, strict=True) if mask >> bit & 1)
        if cells <= blank:
            laid.append(cells)
            yield from _lay_next(laid, blank - cells, rings)
            laid.pop()
