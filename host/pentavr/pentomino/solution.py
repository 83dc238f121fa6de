# SPDX-License-Identifier: GPL-3.0-or-later
"""A solution: the board as it was given, and its squares as the chip leaves them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pentavr.errors import MachineFault, UnusableInput
from pentavr.pentomino import symmetry
from pentavr.pentomino.board import Board

__all__ = ["Solution", "classes"]


@dataclass(frozen=True, slots=True)
class Solution:
    """A board with figures on all its free squares, `cells` the bytes row by row as the chip has them.

    Two solutions are equal when the given board and the squares are; `index`, the place in the order of the search
    counted from 1, does not matter. Whether the squares are right is for the checker to say.
    """

    given: Board
    cells: bytes
    index: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        if len(self.cells) != len(self.given.cells):
            raise UnusableInput(
                f"a solution of a board of {self.given.width}x{self.given.height} has {len(self.given.cells)} squares,"
                f" got {len(self.cells)}"
            )

    @classmethod
    def from_sram(cls, given: Board, data: bytes, index: int = 0) -> Solution:
        """Read what the chip has at `board`: the squares row by row, then the two sides.

        MachineFault if these are not the sides of the given board.
        """
        sides = bytes((given.width, given.height))
        if data[-2:] != sides:
            raise MachineFault(
                f"the chip's board ends in the sides {tuple(data[-2:])}, expected {tuple(sides)} as given"
            )
        return cls(given, bytes(data[:-2]), index)

    @property
    def board(self) -> Board:
        """The board with everything laid."""
        return Board(self.given.width, self.given.height, self.cells)

    def text(self) -> str:
        """Draw the solution in the letters of its pieces, readable back as a board."""
        return self.board.text()

    def __str__(self) -> str:
        return self.text()

    def image(self, k: int) -> Solution:
        """Return the solution, and the board it was given for, under symmetry `k`."""
        return Solution(self.given.image(k), self.board.image(k).cells, self.index)

    def canonical(self) -> Solution:
        """Return the least, by its bytes, of the images under the symmetries of the given board."""
        return min((self.image(k) for k in self.given.symmetries()), key=lambda each: each.cells)


def classes(solutions: Iterable[Solution]) -> list[frozenset[Solution]]:
    """Sort solutions of one board into its symmetry classes, in the order of appearance; each class is whole."""
    every = list(solutions)
    return symmetry.orbits(every, every[0].given.symmetries(), Solution.image) if every else []
