# SPDX-License-Identifier: GPL-3.0-or-later
"""Say what is wrong with a solution, by knowledge of its own.

This module shares nothing with the rest of the project, on purpose: a wrong table of figures is the commonest fault
of programs for this puzzle, and whoever derives the check from the same table never sees it. So it imports nothing
of ours, and the 63 figures below were typed by hand, each for itself, as squares instead of drawings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

__all__ = ["class_key", "figure_shapes", "violations"]

Square = tuple[int, int]
Shape = frozenset[Square]
Letters = tuple[tuple[str, ...], ...]

FREE = 0
BLOCKED = 255

# A line a figure, in the order of their numbers from 1 on: its five squares, each as column and row.
FIGURE_LIST = """
F  10 20 01 11 12
F  21 22 10 11 01
F  12 02 21 11 10
F  01 00 12 11 21
F  10 00 21 11 12
F  21 20 12 11 01
F  12 22 01 11 10
F  01 02 10 11 21
I  00 01 02 03 04
I  00 10 20 30 40
L  00 01 02 03 13
L  30 20 10 00 01
L  13 12 11 10 00
L  01 11 21 31 30
L  10 11 12 13 03
L  31 21 11 01 00
L  03 02 01 00 10
L  00 10 20 30 31
N  10 11 12 02 03
N  31 21 11 10 00
N  03 02 01 11 10
N  00 10 20 21 31
N  00 01 02 12 13
N  30 20 10 11 01
N  13 12 11 01 00
N  01 11 21 20 30
P  00 10 01 11 02
P  20 21 10 11 00
P  12 02 11 01 10
P  01 00 11 10 21
P  10 00 11 01 12
P  21 20 11 10 01
P  02 12 01 11 00
P  00 01 10 11 20
T  00 10 20 11 12
T  20 21 22 11 01
T  22 12 02 11 10
T  02 01 00 11 21
U  00 20 01 11 21
U  10 12 00 01 02
U  21 01 20 10 00
U  02 00 12 11 10
V  00 01 02 12 22
V  20 10 00 01 02
V  22 21 20 10 00
V  02 12 22 21 20
W  00 01 11 12 22
W  20 10 11 01 02
W  22 21 11 10 00
W  02 12 11 21 20
X  10 01 11 21 12
Y  10 01 11 12 13
Y  31 20 21 11 01
Y  03 12 02 01 00
Y  00 11 10 20 30
Y  00 11 01 02 03
Y  30 21 20 10 00
Y  13 02 12 11 10
Y  01 10 11 21 31
Z  00 10 11 12 22
Z  20 21 11 01 02
Z  20 10 11 12 02
Z  22 21 11 01 00
"""


@cache
def figure_shapes() -> dict[int, tuple[str, Shape]]:
    """Return the piece and the squares (column, row) of each figure number, 1 to 63."""
    shapes = {}
    for number, line in enumerate(FIGURE_LIST.split("\n")[1:-1], 1):
        piece, *squares = line.split()
        shapes[number] = piece, frozenset((int(square[0]), int(square[1])) for square in squares)
    return shapes


def violations(width: int, height: int, given: Sequence[int], cells: Sequence[int]) -> list[str]:
    """List all that is wrong with `cells` as a solution of the board `given`; an empty list means that it is one.

    Both have a number a square, row by row: 0 free, 1 to 63 the figure that covers it, 255 blocked.
    """
    squares = width * height
    wrong_sizes = [
        f"the {name} has {len(numbers)} squares, expected {width} x {height} = {squares}"
        for name, numbers in (("given board", given), ("solution", cells))
        if len(numbers) != squares
    ]
    if wrong_sizes:
        return wrong_sizes
    places = [(place % width, place // width) for place in range(squares)]
    covered: dict[int, set[Square]] = defaultdict(set)
    for square, number in zip(places, cells, strict=True):
        if number in figure_shapes():
            covered[number].add(square)
    return [
        *_wrong_squares(places, given, cells),
        *_wrong_shapes(covered),
        *_pieces_used_twice(covered),
    ]


def _wrong_squares(places: list[Square], given: Sequence[int], cells: Sequence[int]) -> Iterator[str]:
    figures = figure_shapes()
    for square, before, after in zip(places, given, cells, strict=True):
        if before == FREE:
            if after == FREE:
                yield f"square {square} is not covered"
            elif after == BLOCKED:
                yield f"square {square} is blocked, and was given free"
            elif after not in figures:
                yield f"square {square} holds {after}, which is no figure number"
        elif before != BLOCKED and before not in figures:
            yield f"square {square} was given as {before}, which is no square"
        elif after != before:
            what = "blocked square" if before == BLOCKED else f"laid figure {before} on square"
            yield f"the {what} {square} has changed to {after}"


def _wrong_shapes(covered: dict[int, set[Square]]) -> Iterator[str]:
    for number, squares in sorted(covered.items()):
        piece, shape = figure_shapes()[number]
        if _to_the_corner(squares) != shape:
            listed = " ".join(map(str, sorted(squares, key=lambda square: (square[1], square[0]))))
            yield f"figure {number} (piece {piece}) does not have its shape: it covers {listed}"


def _pieces_used_twice(covered: dict[int, set[Square]]) -> Iterator[str]:
    uses = Counter(figure_shapes()[number][0] for number in covered)
    for piece, times in sorted(uses.items()):
        if times > 1:
            numbers = [number for number in sorted(covered) if figure_shapes()[number][0] == piece]
            yield f"piece {piece} is used {times} times: figures {', '.join(map(str, numbers))}"


def _to_the_corner(squares: Iterable[Square]) -> Shape:
    columns, rows = zip(*squares, strict=True)
    left, top = min(columns), min(rows)
    return frozenset((column - left, row - top) for column, row in zip(columns, rows, strict=True))


def class_key(width: int, height: int, given: Sequence[int], cells: Sequence[int]) -> Letters:
    """Return what solutions of one board share if and only if they turn or mirror into each other.

    Only turnings and mirrorings count that leave the given board, laid figures included, as it is.
    """
    board, solution = _letters(width, height, given), _letters(width, height, cells)
    kept = (image for before, image in zip(_images(board), _images(solution), strict=True) if before == board)
    return min(kept)


def _letters(width: int, height: int, numbers: Sequence[int]) -> Letters:
    # A piece's squares tell its orientation, so letters are enough, and they need no table to be turned.
    marks = [figure_shapes()[number][0] if number in figure_shapes() else str(number) for number in numbers]
    return tuple(tuple(marks[row * width : (row + 1) * width]) for row in range(height))


def _images(grid: Letters) -> Iterator[Letters]:
    for rows in (grid, tuple(zip(*grid, strict=True))):
        for flipped in (rows, rows[::-1]):
            yield flipped
            yield tuple(row[::-1] for row in flipped)
