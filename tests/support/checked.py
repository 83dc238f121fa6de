# SPDX-License-Identifier: GPL-3.0-or-later
"""A chip's search, followed by the checker that knows nothing of it."""

from __future__ import annotations

from pentavr.machine.chip import Chip
from pentavr.pentomino.checker import violations

__all__ = ["checked_solutions"]


def checked_solutions(chip: Chip) -> set[bytes]:
    """Run a chip that stands at `board_ready` to its end and give the squares of its solutions, no fault in any."""
    board = chip.board
    found = []
    for solution in chip.solutions():
        assert violations(board.width, board.height, board.cells, solution.cells) == []
        found.append(solution.cells)
    assert len(found) == len(set(found)) == chip.solution_count
    return set(found)
