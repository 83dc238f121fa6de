# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import numpy as np
import pytest

from pentavr.errors import UnusableInput
from pentavr.tromino import SquareTiling, memory, recursion, rows, tile_at, tiling
from pentavr.tromino.marks import Mark, Marks
from pentavr.tromino.square import LARGEST_ROWS
from tromino_oracle import Square, alike_neighbours, chance, faults, squares_of


def marks(board: SquareTiling, mark: Mark) -> Marks:
    found: Marks = np.full((board.height, board.width), 99, board.dtype(mark))
    board.fill(mark, 0, found)
    return found


@pytest.mark.parametrize("n", range(6))
def test_the_fast_way_gives_the_numbers_of_the_recursion_for_every_hole(n: int) -> None:
    for hole in squares_of(n):
        found = tiling(n, hole)
        assert found.dtype == np.int32
        assert found.tolist() == recursion.tiling(n, hole)


@pytest.mark.parametrize("n", [*range(5), pytest.param(5, marks=pytest.mark.slow)])
def test_every_hole_leaves_a_tiling_with_proper_letters_and_three_proper_colours(n: int) -> None:
    for hole in squares_of(n):
        board = SquareTiling(n, hole)
        numbers = tiling(n, hole).tolist()
        assert faults(numbers, [hole]) == []
        letters, colours = marks(board, Mark.LETTERS), marks(board, Mark.COLOURS)
        assert alike_neighbours(numbers, letters.tolist()) == []
        assert alike_neighbours(numbers, colours.tolist()) == []
        assert np.argwhere(letters == ord("*")).tolist() == np.argwhere(colours == 0).tolist() == [[hole[1], hole[0]]]
        assert set(np.unique(letters)) - {ord("*")} <= set(b"ABCDEFGHIJKLMNOP")
        assert colours.max(initial=0) <= 3


@pytest.mark.parametrize("n", [7, 8, 9, 10])
def test_boards_of_several_blocks_are_those_of_the_recursion(n: int) -> None:
    drawn = chance(n)
    for hole in [(0, 0), (2**n - 1, 2 ** (n - 1)), (drawn.randrange(2**n), drawn.randrange(2**n))]:
        assert np.array_equal(tiling(n, hole), recursion.tiling(n, hole))


@pytest.mark.parametrize("n", [10, 11, 12])
def test_large_boards_agree_with_the_tile_over_each_of_some_squares(n: int) -> None:
    drawn = chance(n)
    hole = drawn.randrange(2**n), drawn.randrange(2**n)
    board = SquareTiling(n, hole)
    numbers, letters, colours = tiling(n, hole), marks(board, Mark.LETTERS), marks(board, Mark.COLOURS)
    for _ in range(2000):
        x, y = drawn.randrange(2**n), drawn.randrange(2**n)
        tile = board.tile_at(x, y)
        assert tile == tile_at(n, hole, x, y)
        if tile:
            expected = board.number(tile)
            assert {int(numbers[down, right]) for right, down in tile.squares} == {expected}
            assert {chr(letters[down, right]) for right, down in tile.squares} == {tile.letter}
            assert len({int(colours[down, right]) for right, down in tile.squares}) == 1
    counts = np.bincount(numbers.ravel())
    assert counts[0] == 1
    assert len(counts) == 1 + (4**n - 1) // 3
    assert (counts[1:] == 3).all()
    for sides in (np.s_[1:], np.s_[:-1]), (np.s_[:, 1:], np.s_[:, :-1]):
        apart = numbers[sides[0]] != numbers[sides[1]]
        assert (letters[sides[0]] != letters[sides[1]])[apart].all()
        assert (colours[sides[0]] != colours[sides[1]])[apart].all()


@pytest.mark.parametrize(("start", "stop"), [(0, None), (3, 4), (100, 129), (127, 128), (511, None), (7, 7)])
def test_rows_are_those_of_the_whole(start: int, stop: int | None) -> None:
    hole = 77, 128
    whole = tiling(9, hole)
    found = list(rows(9, hole, start, stop))
    assert len(found) == len(whole[start:stop])
    assert all(np.array_equal(one, other) for one, other in zip(found, whole[start:stop], strict=True))


@pytest.mark.parametrize("mark", Mark)
def test_rows_with_room_between_them_are_filled_alike(mark: Mark) -> None:
    board = SquareTiling(9, (300, 200))
    roomy: Marks = np.full((90, board.width + 1), 7, board.dtype(mark))
    board.fill(mark, 150, roomy[:, :-1])
    assert np.array_equal(roomy[:, :-1], marks(board, mark)[150:240])
    assert (roomy[:, -1] == 7).all()


def test_numbers_that_int32_cannot_hold_come_as_int64() -> None:
    assert SquareTiling(16, (0, 0)).dtype(Mark.NUMBERS) == np.int32
    last = next(rows(17, (5, 5), 2**17 - 1))
    assert last.dtype == np.int64
    assert last[-1] == (4**17 - 1) // 3 > 2**31


@pytest.mark.parametrize(("n", "takes"), [(20, "8 TiB"), (30, "8 EiB"), (1000, r"2\^2003 bytes")])
def test_what_memory_cannot_hold_is_refused_before_it_is_asked_for(n: int, takes: str) -> None:
    with pytest.raises(UnusableInput, match=f"the tile numbers of n = {n} would take {takes} of memory"):
        tiling(n, (0, 0))


def test_the_limit_is_what_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 4**5 * 4)
    assert tiling(5, (0, 0)).shape == (32, 32)
    with pytest.raises(UnusableInput, match=r"n = 6 would take 16 KiB of memory, and 4 KiB are free"):
        tiling(6, (0, 0))


def test_rows_too_long_to_be_made_are_refused() -> None:
    with pytest.raises(UnusableInput, match=rf"a row of n = 1000 has 2\^1000 squares: rows go to n = {LARGEST_ROWS}"):
        rows(1000, (0, 0))


@pytest.mark.parametrize(("start", "stop"), [(-1, 3), (3, 2), (0, 9), (9, None)])
def test_rows_that_are_not_there_are_refused(start: int, stop: int | None) -> None:
    with pytest.raises(UnusableInput, match=rf"rows from {start} up to {stop or 8}: expected 0 <= start <= stop <= 8"):
        rows(3, (0, 0), start, stop)


def test_no_rows_are_filled_with_nothing() -> None:
    SquareTiling(3, (0, 0)).fill(Mark.NUMBERS, 5, np.empty((0, 8), np.int32))


@pytest.mark.parametrize(("n", "hole"), [(-1, (0, 0)), (2, (4, 0)), (2, (0, -1)), (2.5, (0, 0))])
def test_what_is_no_board_is_refused(n: int, hole: Square) -> None:
    with pytest.raises(UnusableInput, match=r"expected a whole number|off the board"):
        tiling(n, hole)
