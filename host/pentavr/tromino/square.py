# SPDX-License-Identifier: GPL-3.0-or-later
"""Tilings of 2^n x 2^n boards as arrays, whole or in strips, at about the speed of memory.

A tiling becomes one of twice the size by substitution: each square turns into four, of which the one at the middle of
the square's box keeps the quarter, and the three others are a tile of their own. So a block of 128x128 squares without
the hole is one of four, by the quarter of the square that it came from, and a strip is put together from blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pentavr.errors import UnusableInput
from pentavr.tromino import closed_form, quarters
from pentavr.tromino.marks import Mark, Marks
from pentavr.tromino.memory import require_memory
from pentavr.tromino.quarters import HOLE, Quarters
from pentavr.tromino.tile import Square, Tile

__all__ = ["LARGEST_ROWS", "SquareTiling", "rows", "tiling"]

LARGEST_ROWS = 24
"""The largest n of which rows are made; they have 16,777,216 squares each."""

_BLOCK_LEVELS = 7  # a block of 128x128: runs long enough to copy fast, blocks small enough for the cache
_PIECE_BYTES = 1 << 19  # made at a time, so that it is still in the cache when it is worked on again
_STRIP_BYTES = 1 << 22

_CHILDREN = np.array([[0, 1, 2, 0], [0, 1, 1, 3], [0, 2, 2, 3], [3, 1, 2, 3], [0, 1, 2, 3]], np.uint8)
"""The quarters of the four squares that one of each quarter turns into; HOLE, the last, keeps one of them itself."""


def tiling(n: int, hole: Square) -> Marks:
    """Return the 2^n x 2^n board less the hole (column, row) as an array [row, column] of tile numbers, 0 at the hole.

    The numbers are those of `closed_form.number`, int32 up to n = 16 and int64 beyond. Raise UnusableInput, before
    anything is allocated, if memory cannot hold the array.
    """
    board = SquareTiling(n, hole)
    dtype = board.dtype(Mark.NUMBERS)
    require_memory(4**n * dtype.itemsize, f"the tile numbers of n = {n}")
    numbers = np.empty((board.height, board.width), dtype)
    board.fill(Mark.NUMBERS, 0, numbers)
    return numbers


def rows(n: int, hole: Square, start: int = 0, stop: int | None = None) -> Iterator[Marks]:
    """Return the rows of `tiling` from `start` up to `stop`, the last without it; a few megabytes exist at a time."""
    board = SquareTiling(n, hole)
    board.require_rows()
    stop = board.height if stop is None else stop
    if not 0 <= start <= stop <= board.height:
        raise UnusableInput(f"rows from {start} up to {stop}: expected 0 <= start <= stop <= {board.height}")
    return _rows(board, start, stop)


def _rows(board: SquareTiling, start: int, stop: int) -> Iterator[Marks]:
    dtype = board.dtype(Mark.NUMBERS)
    step = max(1, _STRIP_BYTES // (board.width * dtype.itemsize))
    for top in range(start, stop, step):
        strip = np.empty((min(step, stop - top), board.width), dtype)
        board.fill(Mark.NUMBERS, top, strip)
        yield from strip


@dataclass(frozen=True, slots=True)
class SquareTiling:
    """The tiling by divide and conquer of the 2^n x 2^n board less the square (column, row) `hole`."""

    n: int
    hole: Square

    def __post_init__(self) -> None:
        closed_form.require_hole(self.n, self.hole)

    @property
    def width(self) -> int:
        """Squares a row."""
        return 1 << self.n

    @property
    def height(self) -> int:
        """Number of rows."""
        return 1 << self.n

    @property
    def holes(self) -> tuple[Square, ...]:
        """The hole."""
        return (self.hole,)

    def tile_at(self, x: int, y: int) -> Tile | None:
        """Return the tile that covers (x, y), None for the hole."""
        return closed_form.tile_at(self.n, self.hole, x, y)

    def number(self, tile: Tile) -> int:
        """Return a tile's number."""
        return closed_form.number(self.n, tile)

    def dtype(self, mark: Mark) -> np.dtype[np.integer]:
        """Return the type that holds the marks: uint8 for letters and colours, int32 or int64 for numbers."""
        if mark is not Mark.NUMBERS:
            return np.dtype(np.uint8)
        return np.dtype(np.int32) if self.n <= 16 else np.dtype(np.int64)

    def require_rows(self) -> None:
        """Raise UnusableInput if the rows are too long to be made."""
        if self.n > LARGEST_ROWS:
            raise UnusableInput(
                f"a row of n = {self.n} has 2^{self.n} squares: rows go to n = {LARGEST_ROWS}; ask for a single square"
            )

    def fill(self, mark: Mark, top: int, out: Marks) -> None:
        """Write the marks of the rows from `top` on into `out`, an array of rows that each lie in one piece."""
        self.require_rows()
        levels = min(self.n, _BLOCK_LEVELS)
        y, end = top, top + len(out)
        while y < end:
            row = y >> levels
            row_end = min(end, row + 1 << levels)
            self._fill_row_of_blocks(mark, levels, row, y, out[y - top : row_end - top])
            y = row_end

    def _fill_row_of_blocks(self, mark: Mark, levels: int, row: int, top: int, out: Marks) -> None:
        size = 1 << levels
        blocks = _blocks(mark, levels, (self.hole[0] % size, self.hole[1] % size)).astype(out.dtype, copy=False)
        squares = _quarters(self.n - levels, (self.hole[0] >> levels, self.hole[1] >> levels), row)
        before = self._numbers_before(levels, row).astype(out.dtype) if mark is Mark.NUMBERS else None
        step = max(1, _PIECE_BYTES // (self.width * out.itemsize)) if out.flags.c_contiguous else 1
        for at in range(0, len(out), step):
            piece = out[at : at + step]
            first = top % size + at
            runs = piece.reshape(len(piece), -1, size)
            np.take(blocks[first : first + len(piece)], squares, axis=1, out=runs, mode="clip")
            if before is not None:
                runs += before
        if mark is Mark.NUMBERS:
            self._number_large_tiles(levels, row, squares, top, out)

    def _numbers_before(self, levels: int, row: int) -> NDArray[np.int64]:
        """Return how many tiles come before those of each block in the row, as a column."""
        weights = _weights(levels, self.n)
        before: NDArray[np.int64] = self.n - levels + weights + 2 * weights[row]
        return before[:, np.newaxis]

    def _number_large_tiles(self, levels: int, row: int, squares: Quarters, top: int, strip: Marks) -> None:
        """Write the numbers of the tiles that lie in three blocks, one square in each, and the hole."""
        size = 1 << levels
        x = np.flatnonzero(squares != HOLE)
        quarter = squares[x].astype(np.int64)
        right, lower = quarter & 1, quarter >> 1
        numbers = _numbers(self.n - levels, _weights(levels, self.n), x - right, row - lower)
        corner_x = x * size + (1 - right) * (size - 1)
        corner_y = row * size + (1 - lower) * (size - 1) - top
        inside = (corner_y >= 0) & (corner_y < len(strip))
        strip[corner_y[inside], corner_x[inside]] = numbers[inside]
        if 0 <= self.hole[1] - top < len(strip):
            strip[self.hole[1] - top, self.hole[0]] = 0


@lru_cache(maxsize=8)
def _blocks(mark: Mark, levels: int, hole: Square) -> Marks:
    """Return the marks of the four blocks that lack a corner and of the one with the hole, as [row, block, column]."""
    whole = [_block(levels, quarter) for quarter in range(4)] + [_block(levels, HOLE, hole)]
    return np.stack([_paint(mark, levels, block) for block in whole], axis=1)


def _block(levels: int, quarter: int, hole: Square | None = None) -> Quarters:
    block = np.full((1, 1), quarter, np.uint8)
    for level in reversed(range(levels)):
        size = 2 * len(block)
        block = _CHILDREN.reshape(5, 2, 2)[block].transpose(0, 2, 1, 3).reshape(size, size)
        if hole:
            block[hole[1] >> level, hole[0] >> level] = HOLE
    return block


def _quarters(n: int, hole: Square, y: int) -> Quarters:
    """Return the quarters of row y of a board of 2^n squares a side."""
    squares = np.full(1, HOLE, np.uint8)
    for level in reversed(range(n)):
        lower = y >> level & 1
        squares = _CHILDREN[squares, 2 * lower : 2 * lower + 2].ravel()
        if y >> level == hole[1] >> level:
            squares[hole[0] >> level] = HOLE
    return squares


def _paint(mark: Mark, levels: int, block: Quarters) -> Marks:
    if mark is Mark.LETTERS:
        return quarters.letters(block)
    x, y = quarters.boxes(block)
    if mark is Mark.COLOURS:
        # As closed_form.colour has it: tiles of level 0, and they alone, lie in boxes that start at even places.
        return np.where(block == HOLE, 0, np.where(x % 2, 3, 1 + (x // 2 + y // 2) % 2)).astype(np.uint8)
    # The box at a corner that the block lacks starts outside; its number is put in when the blocks are together.
    return np.where(block == HOLE, 0, _numbers(levels, _weights(0, levels), np.maximum(x, 0), np.maximum(y, 0)))


def _weights(low: int, high: int) -> NDArray[np.int64]:
    """Return for each column of blocks of 2^low squares how many tiles come before it for its binary digits.

    A digit at 2^j skips a quadrant of that size, with its (4^j - 1) / 3 tiles; a digit of the row skips two.
    """
    weights = np.zeros(1, np.int64)
    for j in range(low, high):
        weights = np.concatenate((weights, weights + (4**j - 1) // 3))
    return weights


def _numbers(levels: int, weights: NDArray[np.int64], x: Marks, y: Marks) -> NDArray[np.int64]:
    """Return the numbers of the tiles in the boxes at (x, y), as `closed_form.number` has them."""
    level = np.log2((x ^ x + 1) + 1).astype(np.int64) - 1
    numbers: NDArray[np.int64] = levels - level + weights[x & x + 1] + 2 * weights[y & y + 1]
    return numbers
