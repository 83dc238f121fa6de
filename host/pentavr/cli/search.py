# SPDX-License-Identifier: GPL-3.0-or-later
"""What the commands that search a board have in common: their options, the chip, the checker, the progress bar."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from pentavr.cli import target
from pentavr.errors import CheckFailed

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from pentavr.machine.progress import Progress
    from pentavr.pentomino.board import Board
    from pentavr.pentomino.solution import Solution

__all__ = ["Search", "add_arguments", "at_20_mhz", "check"]

CLOCK_HZ = 20_000_000
REDRAW_S = 0.1


def add_arguments(parser: argparse.ArgumentParser, *, default: str | None = None) -> None:
    """Declare the board, the chip and the limits."""
    parser.add_argument(
        "board",
        metavar="BOARD",
        nargs="?" if default else None,
        default=default,
        help="a name that `pentavr boards` lists, WxH, or a text file: # free, . no square, a piece's letter where it "
        "is laid" + (f" ({default})" if default else ""),
    )
    target.add_arguments(parser)


def at_20_mhz(cycles: int) -> str:
    """Say how long a chip with a 20 MHz crystal takes for these cycles."""
    seconds = cycles / CLOCK_HZ
    return f"{seconds * 1000:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def check(solution: Solution, seen: set[bytes]) -> None:
    """Raise CheckFailed for a solution that is wrong, or among those seen before; add it to them."""
    from pentavr.pentomino.checker import violations

    given = solution.given
    faults = violations(given.width, given.height, given.cells, solution.cells)
    if solution.cells in seen:
        faults.append("it was there before")
    if faults:
        raise CheckFailed(f"solution {solution.index} of the chip is wrong: {'; '.join(faults)}\n{solution}")
    seen.add(solution.cells)


class Search:
    """A board on a chip, every solution checked, with a progress bar where somebody sits and watches.

    Use it as a context manager: the chip is gone after it. Raises UnusableInput for a board that cannot be searched.
    """

    def __init__(self, board: Board, arguments: argparse.Namespace, *, every: bool, limit: int | None = None) -> None:
        board.require_searchable()
        self.board = board
        self._target = target.open_target(board, arguments, every=every, limit=limit)
        self._bar: Bar | None = None
        self._progress: Progress | None = None
        self._redraw_at = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._target.close()

    def solutions(self) -> Iterator[Solution]:
        """Yield the solutions; raise CheckFailed at one that is wrong, or that was there before."""
        seen: set[bytes] = set()
        with self._watched():
            for solution in self._target.solutions():
                check(solution, seen)
                self._show_progress()
                yield solution

    @property
    def found(self) -> int:
        """Count the solutions so far."""
        return self._target.solution_count

    @property
    def cycles(self) -> int | None:
        """Count the cycles of the search so far; None for a real chip."""
        return self._target.cycles

    def hide_progress(self) -> None:
        """Take the progress bar off the terminal, where something else is about to be printed."""
        if self._bar is not None:
            self._bar.stop()
            self._redraw_at = time.monotonic() + 10 * REDRAW_S

    @contextmanager
    def _watched(self) -> Iterator[None]:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

        from pentavr.machine import progress
        from pentavr.machine.chip import Chip

        console = Console(stderr=True)
        if not console.is_terminal:
            yield
            return
        how_far = []
        if isinstance(self._target, Chip):
            self._progress = progress.Progress(self._target, self.board)
            how_far = [TextColumn("searched"), BarColumn(), TaskProgressColumn()]
        self._bar = Progress(
            *how_far,
            TextColumn("{task.fields[found]:,} found"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            auto_refresh=False,
        )
        self._bar.add_task("", total=1.0, found=0)
        self._redraw_at = time.monotonic() + 5 * REDRAW_S
        self._target.watch = self._show_progress
        try:
            yield
        finally:
            self._bar.stop()

    def _show_progress(self, _: object = None) -> None:
        if self._bar is None or time.monotonic() < self._redraw_at:
            return
        self._redraw_at = time.monotonic() + REDRAW_S
        share = 0.0 if self._progress is None else self._progress.share()
        self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=share, found=self.found)
        self._bar.refresh()
