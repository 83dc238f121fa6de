# SPDX-License-Identifier: GPL-3.0-or-later
"""What a tiling by L-trominoes is, told square by square, and an exact-cover library's opinion on regions."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

import exact_cover
import numpy as np

Square = tuple[int, int]
Grid = Sequence[Sequence[int | str]]


def chance(seed: int) -> random.Random:
    """Return a source of the same random numbers in every run."""
    return random.Random(seed)  # noqa: S311  tests keep no secrets


def full(width: int, height: int, holes: Collection[Square] = ()) -> set[Square]:
    """Return the squares of a rectangle less the holes."""
    return {(x, y) for x in range(width) for y in range(height)} - set(holes)


def squares_of(n: int) -> list[Square]:
    """Return the squares of the 2^n x 2^n board."""
    return sorted(full(2**n, 2**n))


def is_l_tromino(squares: Collection[Square]) -> bool:
    """Say whether these are three different squares of a box of 2x2."""
    if len(squares) != 3 or len(set(squares)) != 3:
        return False
    return all(max(axis) - min(axis) == 1 for axis in zip(*squares, strict=True))


def faults(board: Grid, holes: Collection[Square]) -> list[str]:
    """List what keeps a grid of numbers, 0 at the holes, from being a tiling."""
    places: dict[int | str, set[Square]] = defaultdict(set)
    for y, row in enumerate(board):
        for x, number in enumerate(row):
            places[number].add((x, y))
    found = [] if places.pop(0, set()) == set(holes) else ["holes"]
    return found + [f"{number} on {sorted(squares)}" for number, squares in places.items() if not is_l_tromino(squares)]


def touching(board: Grid) -> Iterator[tuple[Square, Square]]:
    """Return the pairs of squares that share an edge."""
    for y, row in enumerate(board):
        for x in range(len(row)):
            if x:
                yield (x - 1, y), (x, y)
            if y:
                yield (x, y - 1), (x, y)


def alike_neighbours(board: Grid, marks: Grid) -> list[tuple[Square, Square]]:
    """List the squares side by side that belong to different tiles and carry the same mark."""
    return [
        (one, other)
        for one, other in touching(board)
        if board[one[1]][one[0]] != board[other[1]][other[0]] and marks[one[1]][one[0]] == marks[other[1]][other[0]]
    ]


def placements(squares: Collection[Square]) -> list[tuple[Square, ...]]:
    """Return every L-tromino that lies on the squares."""
    boxes = {(x - right, y - down) for x, y in squares for right in (0, 1) for down in (0, 1)}
    return [
        three
        for x, y in sorted(boxes)
        for three in combinations([(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)], 3)
        if set(three) <= set(squares)
    ]


def count_by_exact_cover(squares: Collection[Square]) -> int:
    """Return the number of tilings."""
    return int(exact_cover.get_solution_count(_matrix(squares))) if placements(squares) else int(not squares)


def has_tiling(squares: Collection[Square]) -> bool:
    """Say whether there is a tiling."""
    if not placements(squares):
        return not squares
    try:
        exact_cover.get_exact_cover(_matrix(squares))
    except exact_cover.error.NoSolution:
        return False
    return True


def _matrix(squares: Collection[Square]) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    order = {square: place for place, square in enumerate(sorted(squares))}
    tiles = placements(squares)
    matrix = np.zeros((len(tiles), len(order)), dtype=np.int32)
    for row, tile in enumerate(tiles):
        for square in tile:
            matrix[row, order[square]] = 1
    return matrix
