# SPDX-License-Identifier: GPL-3.0-or-later
"""Divide and conquer as the puzzle's proof tells it: slow, plain, and what the fast ways are tested against."""

from __future__ import annotations

from itertools import count, product

from pentavr.tromino.closed_form import require_hole
from pentavr.tromino.tile import Square

__all__ = ["tiling"]


def tiling(n: int, hole: Square) -> list[list[int]]:
    """Return the rows of the 2^n x 2^n board with each tile's number, from 1 as they are laid, on its squares."""
    require_hole(n, hole)
    board = [[0] * 2**n for _ in range(2**n)]
    numbers = count(1)

    def cover(left: int, top: int, size: int, hole: Square) -> None:
        if size == 1:
            return
        half, tile = size // 2, next(numbers)
        for down, right in product((0, 1), repeat=2):
            x, y = left + right * half, top + down * half
            if x <= hole[0] < x + half and y <= hole[1] < y + half:
                cover(x, y, half, hole)
            else:
                centre = left + half - 1 + right, top + half - 1 + down
                board[centre[1]][centre[0]] = tile
                cover(x, y, half, centre)

    cover(0, 0, 2**n, hole)
    return board
