# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether an array of tile numbers is a tiling, told without knowing how it was made."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pentavr.errors import CheckFailed

__all__ = ["check"]


def check(board: ArrayLike, *, holes: int | None = 1) -> None:
    """Raise CheckFailed, naming the first fault in reading order, unless the board is tiled with L-trominoes.

    `board` holds whole numbers [row, column]: each number but 0 stands on three squares of a box of 2x2, and 0 on
    as many squares as there are holes (any number of them, if `holes` is None).
    """
    numbers = np.asarray(board)
    if numbers.ndim != 2 or numbers.size == 0 or numbers.dtype.kind not in "iu":
        raise CheckFailed(
            f"no board: expected whole numbers in rows and columns, got {numbers.dtype} in the shape {numbers.shape}"
        )
    found = numbers.size - int(np.count_nonzero(numbers))
    if holes is not None and found != holes:
        raise CheckFailed(f"0 stands on {found} squares, expected it on {holes}")
    faulty = (numbers != 0) & ~(_in_an_l(numbers) & _on_three_squares(numbers))
    if faulty.any():
        y, x = np.argwhere(faulty)[0].tolist()
        number = int(numbers[y, x])
        squares = [f"{column},{row}" for row, column in np.argwhere(numbers == number).tolist()]
        shown = " ".join(squares[:6]) + (" ..." if len(squares) > 6 else "")
        raise CheckFailed(f"tile {number} stands on {shown}: expected three squares of a box of 2x2")


def _in_an_l(numbers: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Mark the squares that lie in a box of 2x2 with exactly three equal numbers, and are one of the three."""
    marked = np.zeros(numbers.shape, np.bool_)
    height, width = numbers.shape
    corners = [np.s_[y : height - 1 + y, x : width - 1 + x] for y in (0, 1) for x in (0, 1)]
    for missing in range(4):
        first, second, third = (corner for place, corner in enumerate(corners) if place != missing)
        equal = (numbers[first] == numbers[second]) & (numbers[second] == numbers[third])
        equal &= numbers[corners[missing]] != numbers[first]
        for corner in (first, second, third):
            marked[corner] |= equal
    return marked


def _on_three_squares(numbers: NDArray[np.integer]) -> NDArray[np.bool_]:
    if numbers.min() >= 0 and numbers.max() <= numbers.size:
        three: NDArray[np.bool_] = (np.bincount(numbers.ravel()) == 3)[numbers]
        return three
    _, which, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    rare: NDArray[np.bool_] = (counts == 3)[which].reshape(numbers.shape)
    return rare
