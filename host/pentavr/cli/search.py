# SPDX-License-Identifier: GPL-3.0-or-later
"""What the commands that search a board have in common: their options, the chip, the checker, the progress bar."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

from pentavr.errors import CheckFailed

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from pentavr.machine.chip import Chip
    from pentavr.machine.progress import Progress
    from pentavr.pentomino.board import Board
    from pentavr.pentomino.solution import Solution

__all__ = ["Search", "add_arguments", "at_20_mhz"]

CLOCK_HZ = 20_000_000
REDRAW_S = 0.1


def add_arguments(parser: argparse.ArgumentParser, *, default: str | None = None) -> None:
    """Declare the board and the limits."""
    parser.add_argument(
        "board",
        metavar="BOARD",
        nargs="?" if default else None,
        default=default,
        help="a name that `pentavr boards` lists, WxH, or a text file: # free, . no square, a piece's letter where it "
        "is laid" + (f" ({default})" if default else ""),
    )
    parser.add_argument("--timeout", type=_seconds, metavar="SECONDS", help="give up after this time")
    parser.add_argument(
        "--max-cycles", type=_cycles, metavar="N", help="give up after N cycles of the chip (100,000,000,000)"
    )
    parser.add_argument(
        "--firmware", type=Path, metavar="HEX", help="a build of the firmware, its .map and .lst beside it"
    )


def at_20_mhz(cycles: int) -> str:
    """Say how long a chip with a 20 MHz crystal takes for these cycles."""
    seconds = cycles / CLOCK_HZ
    return f"{seconds * 1000:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


class Search:
    """A board on an emulated chip, every solution checked, with a progress bar where somebody sits and watches.

    Use it as a context manager: the chip is gone after it. Raises UnusableInput for a board that cannot be searched.
    """

    def __init__(self, board: Board, arguments: argparse.Namespace, *, every: bool) -> None:
        from pentavr.firmware.images import load_image
        from pentavr.machine.chip import MAX_CYCLES, Chip, Option

        board.require_searchable()
        self.board = board
        self.chip = Chip.emulated(
            board,
            options=Option.ALL_SOLUTIONS if every else Option(0),
            image=load_image(arguments.firmware) if arguments.firmware else None,
            max_cycles=arguments.max_cycles or MAX_CYCLES,
            timeout_s=arguments.timeout,
        )
        self._bar: Bar | None = None
        self._progress: Progress | None = None
        self._redraw_at = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.chip.close()

    def solutions(self) -> Iterator[Solution]:
        """Yield the solutions; raise CheckFailed at one that is wrong, or that was there before."""
        from pentavr.machine.chip import Stop
        from pentavr.pentomino.checker import violations

        seen: set[bytes] = set()
        board = self.board
        chip = self.chip
        with self._watched():
            while chip.next_stop() is Stop.SOLUTION_FOUND:
                solution = chip.solution()
                faults = violations(board.width, board.height, board.cells, solution.cells)
                if solution.cells in seen:
                    faults.append("it was there before")
                if faults:
                    what = f"solution {solution.index} of the chip is wrong"
                    raise CheckFailed(f"{what}: {'; '.join(faults)}\n{solution}")
                seen.add(solution.cells)
                self._show_progress(chip)
                yield solution

    @property
    def found(self) -> int:
        """Count the solutions so far."""
        return self.chip.solution_count

    @property
    def cycles(self) -> int:
        """Count the cycles of the search so far."""
        return self.chip.cycles

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

        console = Console(stderr=True)
        if not console.is_terminal:
            yield
            return
        self._progress = progress.Progress(self.chip, self.board)
        self._bar = Progress(
            TextColumn("searched"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[found]:,} found"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            auto_refresh=False,
        )
        self._bar.add_task("", total=1.0, found=0)
        self._redraw_at = time.monotonic() + 5 * REDRAW_S
        self.chip.watch = self._show_progress
        try:
            yield
        finally:
            self._bar.stop()

    def _show_progress(self, chip: Chip) -> None:
        if self._bar is None or self._progress is None or time.monotonic() < self._redraw_at:
            return
        self._redraw_at = time.monotonic() + REDRAW_S
        self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=self._progress.share(), found=chip.solution_count)
        self._bar.refresh()


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is no time limit: give a positive number of seconds")
    return seconds


def _cycles(text: str) -> int:
    cycles = int(text.replace(",", "").replace("_", ""))
    if cycles <= 0:
        raise argparse.ArgumentTypeError(f"{text} is no cycle limit: give a positive number")
    return cycles
