# SPDX-License-Identifier: GPL-3.0-or-later
"""A board: a field of squares that are free, blocked, or covered by a figure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache

from pentavr.errors import UnusableInput
from pentavr.pentomino import notation, symmetry
from pentavr.pentomino.faults import BoardError, Fault, faults
from pentavr.pentomino.figures import image_table
from pentavr.pentomino.notation import LONGEST_SIDE
from pentavr.pentomino.square import BLOCKED, FREE, is_figure

__all__ = ["BLOCKED", "FREE", "Board", "BoardError", "Fault"]


@dataclass(frozen=True, slots=True)
class Board:
    """A board of `width` squares a row and `height` rows, `cells` its bytes row by row as the chip has them.

    A byte is 0 for a free square, 1 to 63 for the figure that covers it, 255 for a blocked one. Boards that the chip
    would reject can be made, too: see `faults`. UnusableInput where the sides and the number of bytes do not fit.
    """

    width: int
    height: int
    cells: bytes

    def __post_init__(self) -> None:
        if not (0 <= self.width <= LONGEST_SIDE and 0 <= self.height <= LONGEST_SIDE):
            raise UnusableInput(f"a board of {self.width}x{self.height}: a side has {LONGEST_SIDE} squares at most")
        if len(self.cells) != self.width * self.height:
            raise UnusableInput(
                f"a board of {self.width}x{self.height} has {self.width * self.height} squares, got {len(self.cells)}"
            )

    @classmethod
    def parse(cls, text: str, *, source: str = "board") -> Board:
        """Read a drawing: `#` free, `.` no square, a piece's letter on its five squares where it is laid.

        UnusableInput names `source`, line and column.
        """
        return cls(*notation.read(text, source))

    @classmethod
    def rectangle(cls, width: int, height: int) -> Board:
        """Return a board of free squares, `width` a row and `height` rows."""
        if max(width, height) > LONGEST_SIDE:
            raise UnusableInput(f"a board of {width}x{height}: a side has {LONGEST_SIDE} squares at most")
        return cls(width, height, bytes([FREE]) * (width * height))

    @classmethod
    def from_sram(cls, data: bytes) -> Board:
        """Read what the chip has at `board`: the squares row by row, then the squares per row and the rows."""
        if len(data) < 2:
            raise UnusableInput(f"a board ends in the bytes of its two sides, got {len(data)} bytes in all")
        return cls(data[-2], data[-1], bytes(data[:-2]))

    def to_sram(self) -> bytes:
        """Return what the chip has at `board`: width * height + 2 bytes, the last two the sides."""
        return self.cells + bytes((self.width, self.height))

    def text(self) -> str:
        """Draw the board so that `parse` reads it back."""
        return notation.draw(self.width, self.height, self.cells)

    def __str__(self) -> str:
        return self.text()

    def __getitem__(self, square: tuple[int, int]) -> int:
        """Return the byte of the square (x, y)."""
        x, y = square
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IndexError(f"({x}, {y}) is off a board of {self.width}x{self.height}")
        return self.cells[y * self.width + x]

    @property
    def free_squares(self) -> int:
        """How many squares are free."""
        return self.cells.count(FREE)

    def laid(self) -> dict[int, tuple[tuple[int, int], ...]]:
        """Return the squares (x, y) of each figure on the board, by its number, in reading order."""
        squares: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for place, byte in enumerate(self.cells):
            if is_figure(byte):
                squares[byte].append((place % self.width, place // self.width))
        return {number: tuple(squares[number]) for number in sorted(squares)}

    def image(self, k: int) -> Board:
        """Return the board under symmetry `k`: its squares moved, each figure replaced by its image."""
        width, height = symmetry.size(k, self.width, self.height)
        moved = symmetry.rearrange(k, self.cells, self.width, self.height)
        return Board(width, height, moved.translate(image_table(k)))

    def symmetries(self) -> tuple[int, ...]:
        """Return the group of the symmetries that keep the blocked squares and each laid figure in place."""
        return _symmetries(self)

    def faults(self) -> list[Fault]:
        """List every reason for which the chip would reject the board, by code; its `board_error` is the first."""
        return faults(self.width, self.height, self.cells)

    def require_searchable(self) -> None:
        """Raise UnusableInput that lists all faults, if there are any."""
        found = self.faults()
        if found:
            raise UnusableInput("the board cannot be searched: " + "; ".join(map(str, found)))


@lru_cache(maxsize=64)
def _symmetries(board: Board) -> tuple[int, ...]:
    return tuple(k for k in symmetry.SYMMETRIES if board.image(k) == board)
