# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a search is, read from the chip while it runs."""

from __future__ import annotations

from itertools import islice

from pentavr.firmware.image import SramAddress
from pentavr.firmware.tree_plan import plan
from pentavr.machine.chip import Chip
from pentavr.pentomino import symmetry
from pentavr.pentomino.board import Board
from pentavr.pentomino.figures import figure

__all__ = ["Progress"]

GRID_STRIDE = 15
COVERED, WALL = 0x40, 0xC0
"""Of a square in the chip's working grid: bit 6 with a figure's number below it, bits 6 and 7 for what is no square."""
GROUP, COLUMNS, ROWS, CROSS_ROW, CROSS_COLUMN = (SramAddress(register) for register in (3, 4, 5, 14, 15))
"""The registers that firmware/registers.inc gives these roles."""
DEPTH = 3

Square = tuple[int, int]


class Progress:
    """The share of a search that is done, as the positions of X and the first figures after it tell.

    The chip tries X in its positions from first to last, and on each first free square the figures in the order of
    the decision tree. So what lies there now tells what has been tried, if not how long the rest will take: the share
    never falls, but it grows unevenly. Make it for a chip that has left `board_ready` for the given board.
    """

    def __init__(self, chip: Chip, given: Board) -> None:
        self._chip = chip
        self._laid = {figure(number).piece for number in given.laid()}
        order = [clause.figure.number for clause in plan() if clause.figure is not None]
        self._rank = {number: rank / len(order) for rank, number in enumerate(order)}
        self._step = 1 / len(order)
        self._positions: list[Square] = []

    def share(self) -> float:
        """Return the share, from 0 to 1."""
        columns, rows, cross = self._register(COLUMNS), self._register(ROWS), self._cross()
        grid = self._grid(columns, rows)
        if "X" in self._laid:
            return self._tried(grid)
        if not self._positions:
            self._positions = self._positions_of_cross(grid, columns, rows)
        passes = len(self._positions) + (self._chip.read("must_lay_all") == b"\0")
        before = sum(position < cross for position in self._positions)
        return min((before + self._tried(grid)) / max(passes, 1), 1.0)

    def _tried(self, grid: dict[Square, int]) -> float:
        """Return the share of what there is to try beside X that has been tried, from its first few figures."""
        share, step = 0.0, 1.0
        seen = {figure_number for figure_number in grid.values() if figure_number and self._stays(figure_number)}
        lying = dict.fromkeys(number for number in grid.values() if number not in seen)
        for number in islice(lying, DEPTH):
            if not number:
                break
            share += step * self._rank[number]
            step *= self._step
        return share

    def _positions_of_cross(self, grid: dict[Square, int], columns: int, rows: int) -> list[Square]:
        """Give the centres of X, row first, that come first in their orbits."""
        free = {square for square, number in grid.items() if not (number and figure(number).piece in self._laid)}
        group = [k for k in symmetry.SYMMETRIES if self._register(GROUP) >> k & 1]
        positions = []
        for row, column in sorted(free):
            if {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)} <= free:
                images = (symmetry.transform(k, column, row, columns, rows) for k in group)
                if all((row, column) <= (y, x) for x, y in images):
                    positions.append((row, column))
        return positions

    def _stays(self, number: int) -> bool:
        piece = figure(number).piece
        return piece == "X" or piece in self._laid

    def _grid(self, columns: int, rows: int) -> dict[Square, int]:
        """Give the figure on each square of the grid, 0 for none, by row and column; blocked squares left out."""
        start = int.from_bytes(self._chip.read("grid_start", 2), "little")
        content = self._chip.machine.read_data(SramAddress(start), GRID_STRIDE * rows)
        squares = ((row, column) for row in range(rows) for column in range(columns))
        return {
            (row, column): byte & ~COVERED
            for row, column in squares
            if (byte := content[GRID_STRIDE * row + column]) < WALL
        }

    def _cross(self) -> Square:
        return self._register(CROSS_ROW), self._register(CROSS_COLUMN)

    def _register(self, register: SramAddress) -> int:
        return self._chip.machine.read_data(register, 1)[0]
