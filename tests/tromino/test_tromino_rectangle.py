# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentavr.errors import UnusableInput
from pentavr.tromino import NoTiling, RectangleTiling, obstacle
from pentavr.tromino.marks import Mark, Marks
from tromino_oracle import Square, alike_neighbours, faults, full, has_tiling


def marks(board: RectangleTiling, mark: Mark, start: int = 0, stop: int | None = None) -> Marks:
    found: Marks = np.full(((stop or board.height) - start, board.width), 99, board.dtype(mark))
    board.fill(mark, start, found)
    return found


def tileable(width: int, height: int) -> set[Square]:
    """Return the holes that leave a tiling; each tiling is made and looked at."""
    found = set()
    for hole in product(range(width), range(height)):
        try:
            board = RectangleTiling(width, height, hole)
        except NoTiling:
            continue
        assert faults(marks(board, Mark.NUMBERS).tolist(), [hole]) == []
        found.add(hole)
    return found


@pytest.mark.parametrize(
    ("width", "height", "count"), [(2, 5, 8), (2, 8, 12), (2, 11, 16), (5, 5, 9), (5, 8, 38), (5, 11, 53), (5, 14, 68)]
)
def test_the_exceptions_are_those_that_an_exhaustive_search_leaves(width: int, height: int, count: int) -> None:
    holes = tileable(width, height)
    assert len(holes) == count
    assert {(y, x) for x, y in holes} == tileable(height, width)
    for hole in full(width, height) - holes:
        assert not has_tiling(full(width, height, [hole]))


def test_every_other_rectangle_of_3k_plus_1_squares_can_lose_any_square() -> None:
    # Ash and Golomb: 3 divides mn - 1, no side is 1 or 5, and none is 2 but in 2x2.
    sides = [(m, n) for m, n in product(range(2, 15), repeat=2) if m * n % 3 == 1 and 5 not in (m, n)]
    for m, n in sides:
        if 2 not in (m, n) or m == n:
            assert tileable(m, n) == full(m, n)


def test_no_other_number_of_squares_will_do() -> None:
    for m, n in product(range(1, 9), repeat=2):
        if m * n % 3 != 1:
            for hole in full(m, n):
                assert "no multiple of three" in obstacle(m, n, hole)


@given(st.data())
@settings(deadline=None)
def test_rectangles_are_tiled_or_refused_with_a_reason(data: st.DataObject) -> None:
    width, height = data.draw(st.integers(1, 60)), data.draw(st.integers(1, 60))
    hole = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    if reason := obstacle(width, height, hole):
        with pytest.raises(NoTiling, match=f"^{width}x{height} less {hole[0]},{hole[1]} has no tiling: "):
            RectangleTiling(width, height, hole)
        assert width * height % 3 != 1 or {1, 2, 5} & {width, height}, reason
        return
    board = RectangleTiling(width, height, hole)
    numbers = marks(board, Mark.NUMBERS).tolist()
    assert faults(numbers, [hole]) == []
    assert {number for row in numbers for number in row} == set(range(1 + (width * height - 1) // 3))
    letters, colours = marks(board, Mark.LETTERS).tolist(), marks(board, Mark.COLOURS).tolist()
    assert alike_neighbours(numbers, letters) == []
    assert alike_neighbours(numbers, colours) == []
    assert letters[hole[1]][hole[0]] == ord("*")
    assert colours[hole[1]][hole[0]] == 0
    assert max(map(max, colours)) <= 4
    start = data.draw(st.integers(0, height - 1))
    stop = data.draw(st.integers(start + 1, height))
    assert marks(board, Mark.NUMBERS, start, stop).tolist() == numbers[start:stop]
    assert marks(board, Mark.LETTERS, start, stop).tolist() == letters[start:stop]
    x, y = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    tile = board.tile_at(x, y)
    assert (tile is None) == ((x, y) == hole)
    if tile:
        assert (x, y) in tile.squares
        assert {numbers[down][right] for right, down in tile.squares} == {board.number(tile)}
        assert {letters[down][right] for right, down in tile.squares} == {ord(tile.letter)}


def test_a_square_of_a_rectangle_of_any_size_is_found_at_once() -> None:
    width, height = 10**40, 5 + 6 * 10**30
    assert width * height % 3 == 2
    board = RectangleTiling(width + 1, height, (10**39, 17))
    middle = board.tile_at(10**39, 18)
    assert middle is not None
    for x, y in middle.squares:
        assert board.tile_at(x, y) == middle
    assert board.tile_at(10**39, 17) is None


def test_rows_that_are_too_long_are_refused() -> None:
    board = RectangleTiling(2**24 + 6, 4, (0, 0))
    with pytest.raises(UnusableInput, match="the rows of 16777222x4 are too long to be made: they go to 16,777,216"):
        board.fill(Mark.LETTERS, 0, np.empty((1, 1), np.uint8))


def test_colours_are_looked_for_on_boards_of_some_size_only() -> None:
    with pytest.raises(UnusableInput, match="colours for a board of 700x700 would take too long"):
        marks(RectangleTiling(700, 700, (3, 3)), Mark.COLOURS, 0, 1)


@pytest.mark.parametrize(
    ("width", "height", "hole", "words"),
    [
        (0, 4, (0, 0), "a rectangle of 0x4: expected sides of 1 or more"),
        (4, -1, (0, 0), "a rectangle of 4x-1"),
        (4, 7, (4, 0), "the hole 4,0 is off the board of 4x7: columns go from 0 to 3, rows from 0 to 6"),
        (4, 7, (0, -1), "the hole 0,-1 is off the board"),
    ],
)
def test_what_is_no_rectangle_is_refused(width: int, height: int, hole: Square, words: str) -> None:
    with pytest.raises(UnusableInput, match=words):
        RectangleTiling(width, height, hole)
