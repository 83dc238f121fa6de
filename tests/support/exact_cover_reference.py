# SPDX-License-Identifier: GPL-3.0-or-later
"""The second opinion on sets of solutions: any board solved by an exact-cover library.

The figures come from the checker's own list, which shares nothing with the table that the firmware is made from.
"""

from __future__ import annotations

from collections.abc import Iterator

import exact_cover
import numpy as np
from numpy.typing import NDArray

from pentavr.pentomino.board import Board
from pentavr.pentomino.checker import class_key, figure_shapes

__all__ = ["count_by_exact_cover", "solve_by_exact_cover", "unique_solutions"]

PIECES = "FILNPTUVWXYZ"


def solve_by_exact_cover(board: Board, *, fewer_than: int | None = None) -> set[bytes]:
    """Return the squares of every solution of the board, each as width * height bytes.

    Figures on the board stay where they are, and pieces may stay unused. `fewer_than`, a number of solutions that is
    surely not reached, saves the library a search that only counts. Takes 8 s for 4x15 without it.
    """
    matrix, choices = _exact_cover_problem(board)
    if not matrix.size:
        return {board.cells} if matrix.shape[1] == 0 else set()
    if (matrix.sum(axis=0) == 1).all():
        # With nothing to choose the library says that there is a cover, but not which one.
        covers = {tuple(range(len(choices)))}
    else:
        try:
            covers = exact_cover.get_all_solutions(matrix, max_count=fewer_than)
        except exact_cover.error.NoSolution:
            return set()
    if fewer_than is not None:
        assert len(covers) < fewer_than, "there may be more solutions than were asked for"
    solved = set()
    for cover in covers:
        cells = bytearray(board.cells)
        for row in cover:
            number, places = choices[row]
            for place in places:
                cells[place] = number
        assert 0 not in cells
        solved.add(bytes(cells))
    assert len(solved) == len(covers)
    return solved


def count_by_exact_cover(board: Board) -> int:
    """Return the number of all solutions."""
    matrix, _ = _exact_cover_problem(board)
    if not matrix.size:
        return int(matrix.shape[1] == 0)
    return int(exact_cover.get_solution_count(matrix))


def unique_solutions(board: Board, solved: set[bytes]) -> int:
    """Return the number of symmetry classes among the solutions of the board."""
    return len({class_key(board.width, board.height, board.cells, cells) for cells in solved})


def _exact_cover_problem(board: Board) -> tuple[NDArray[np.int32], list[tuple[int, tuple[int, ...]]]]:
    """Return a row a choice and a column a free square or unused piece, and what each row chooses."""
    figures = figure_shapes()
    laid = {figures[byte][0] for byte in board.cells if byte in figures}
    free = [place for place, byte in enumerate(board.cells) if byte == 0]
    unused = [piece for piece in PIECES if piece not in laid]
    columns = {key: column for column, key in enumerate([*free, *unused])}
    choices = [
        (number, places)
        for number, (piece, _) in figures.items()
        if piece in columns
        for places in _placements(board, number)
        if columns.keys() >= set(places)
    ]
    if len(free) < 5 * len(unused):
        # One more row a piece says that it stays in the box; where every piece is needed it could never be chosen.
        choices += [(next(n for n in figures if figures[n][0] == piece), ()) for piece in unused]
    matrix = np.zeros((len(choices), len(columns)), dtype=np.int32)
    for row, (number, places) in enumerate(choices):
        matrix[row, [columns[place] for place in places] + [columns[figures[number][0]]]] = 1
    return matrix, choices


def _placements(board: Board, number: int) -> Iterator[tuple[int, ...]]:
    _, shape = figure_shapes()[number]
    for top in range(board.height - max(row for _, row in shape)):
        for left in range(board.width - max(column for column, _ in shape)):
            yield tuple(sorted((top + row) * board.width + left + column for column, row in shape))
