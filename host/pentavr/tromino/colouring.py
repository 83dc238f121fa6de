# SPDX-License-Identifier: GPL-3.0-or-later
"""Few colours for any tiling, so that no two tiles that share an edge have the same.

Boards of 2^n x 2^n need no search (see `closed_form.colour`). Elsewhere three may not be enough; four always are, by
the four colour theorem.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from pentavr.errors import UnusableInput
from pentavr.tromino.quarters import Quarters, numbers

__all__ = ["LARGEST_COLOURED", "coloured", "require_colourable"]

LARGEST_COLOURED = 1 << 18
"""The most squares of a board that is coloured by search."""

_TRIES_EACH = 4  # colours laid for each tile before the search is given up
_STARTS = 20  # with four colours, from different tiles; one in twenty or so is given up


def coloured(quarters: Quarters) -> NDArray[np.uint8]:
    """Return each square's colour, from 1, 0 at a hole: three colours if the search finds them, else four.

    Raise UnusableInput if the board has more than LARGEST_COLOURED squares.
    """
    require_colourable(*reversed(quarters.shape))
    tile_numbers = numbers(quarters)
    table = np.array([0, *_colours(_neighbours(tile_numbers))], np.uint8)
    marks: NDArray[np.uint8] = table[tile_numbers]
    return marks


def require_colourable(width: int, height: int) -> None:
    """Raise UnusableInput if the board has more squares than LARGEST_COLOURED."""
    if width * height > LARGEST_COLOURED:
        raise UnusableInput(
            f"colours for a board of {width}x{height} would take too long to find: they go to {LARGEST_COLOURED:,} "
            "squares, except that boards of 2^n x 2^n have theirs at any size"
        )


def _neighbours(tile_numbers: NDArray[np.int64]) -> list[list[int]]:
    """Return for each tile, from 0, those that share an edge with it."""
    beside = np.stack((tile_numbers[:, 1:].ravel(), tile_numbers[:, :-1].ravel()), axis=1)
    below = np.stack((tile_numbers[1:].ravel(), tile_numbers[:-1].ravel()), axis=1)
    pairs = np.concatenate((beside, below))
    pairs = np.unique(np.sort(pairs[(pairs[:, 0] != pairs[:, 1]) & (pairs > 0).all(axis=1)], axis=1), axis=0)
    neighbours: list[list[int]] = [[] for _ in range(int(tile_numbers.max(initial=0)))]
    for one, other in (pairs - 1).tolist():
        neighbours[one].append(other)
        neighbours[other].append(one)
    return neighbours


def _colours(neighbours: Sequence[Sequence[int]]) -> list[int]:
    order = list(range(len(neighbours)))
    for limit in (1, 2, 3, *[4] * _STARTS, *range(5, 10)):  # no tile has more than eight neighbours
        found = _search(neighbours, limit, order)
        if found is not None:
            return found
        Random(limit).shuffle(order)  # noqa: S311  no secret, and the same each time
    raise AssertionError("nine colours do if no tile has more than eight neighbours")


def _search(neighbours: Sequence[Sequence[int]], limit: int, order: Sequence[int]) -> list[int] | None:
    """Colour the tile with the fewest colours left first; None if `limit` colours do not do, or not soon enough.

    Among equals the order decides.
    """
    colours = [0] * len(neighbours)
    # How many neighbours have each colour; tiles without a colour, by how many colours their neighbours have.
    counts = [[0] * (limit + 1) for _ in neighbours]
    waiting: list[dict[int, None]] = [dict.fromkeys(order), *({} for _ in range(limit))]
    barred = [0] * len(neighbours)

    def change(tile: int, colour: int, by: int) -> None:
        for other in neighbours[tile]:
            counts[other][colour] += by
            if counts[other][colour] == (1 if by > 0 else 0):
                if not colours[other]:
                    del waiting[barred[other]][other]
                    waiting[barred[other] + by][other] = None
                barred[other] += by

    laid: list[tuple[int, Iterator[int]]] = []
    for _ in range(_TRIES_EACH * len(neighbours) + 1000):
        tile = next((next(iter(tiles)) for tiles in reversed(waiting) if tiles), None)
        if tile is None:
            return colours
        del waiting[barred[tile]][tile]
        # Colours are alike until they are used: so many tiles have used no more than so many.
        choice = range(1, min(limit, len(laid) + 1) + 1)
        laid.append((tile, iter([colour for colour in choice if not counts[tile][colour]])))
        while laid:
            tile, options = laid[-1]
            if colours[tile]:
                change(tile, colours[tile], -1)
            colours[tile] = next(options, 0)
            if colours[tile]:
                change(tile, colours[tile], 1)
                break
            laid.pop()
            waiting[barred[tile]][tile] = None
        else:
            return None
    return None
