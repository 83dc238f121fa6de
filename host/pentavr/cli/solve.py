# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr solve`: the solutions of a board, from the chip to the terminal, a pipe, JSON or a sheet of drawings."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pentavr.cli import search
from pentavr.cli.interrupts import held
from pentavr.cli.solution_json import end_line, solution_line
from pentavr.cli.words import many
from pentavr.pentomino import catalogue

if TYPE_CHECKING:
    from pentavr.pentomino.solution import Solution

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    search.add_arguments(parser, default="4x15")
    how_many = parser.add_mutually_exclusive_group()
    how_many.add_argument("--limit", type=_number, metavar="N", help="stop after N solutions (1)")
    how_many.add_argument("--all", action="store_true", help="go on to the last solution")
    parser.add_argument(
        "--unique",
        action="store_true",
        help="of the solutions that turn or mirror into each other only one; all of these unless --limit says less",
    )
    parser.add_argument("--svg", type=_sheet(".svg"), metavar="FILE", help="draw the solutions on one sheet, as SVG")
    parser.add_argument("--png", type=_sheet(".png"), metavar="FILE", help="draw the solutions on one sheet, as PNG")
    parser.add_argument("--json", action="store_true", help="one JSON object a solution, and a last one that counts")


def run(arguments: argparse.Namespace) -> int:
    """Print the solutions as they are found; return 1 if there is none."""
    limit = arguments.limit or (None if arguments.all or arguments.unique else 1)
    board = catalogue.find(arguments.board)
    output = _Output(arguments)
    done = False
    with search.Search(board, arguments, every=not arguments.unique, limit=limit) as searched:
        try:
            for solution in searched.solutions():
                searched.hide_progress()
                with held():
                    output.show(solution, searched.cycles)
                if solution.index == limit:
                    break
            else:
                done = True
        finally:
            output.finish(done=done, found=searched.found, cycles=searched.cycles)
        return 0 if searched.found else 1


class _Output:
    """Where the solutions go: standard output, and at the end the sheets."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._json = arguments.json
        self._board = arguments.board
        self._sheets = [path for path in (arguments.svg, arguments.png) if path]
        self._drawn: list[tuple[Solution, str]] = []
        self._is_terminal = sys.stdout.isatty()
        self._shown = 0

    def show(self, solution: Solution, cycles: int | None) -> None:
        """Print a solution, and keep it for the sheets."""
        caption = f"solution {solution.index:,} of {self._board}"
        if self._sheets:
            self._drawn.append((solution, caption))
        if self._json:
            print(solution_line(solution, cycles), flush=True)
        elif self._is_terminal:
            from pentavr.cli.pentomino_drawing import solution_drawing
            from pentavr.render import terminal

            terminal.show(solution_drawing(solution))
            print(caption if cycles is None else f"{caption}: {_cycles(cycles)}", flush=True)
        else:
            print(f"{chr(10) if self._shown else ''}{solution}", flush=True)
        self._shown += 1

    def finish(self, *, done: bool, found: int, cycles: int | None) -> None:
        """Print what there is to say at the end, and write the sheets."""
        if self._json:
            print(end_line(done=done, solutions=found, cycles=cycles), flush=True)
        elif done:
            took = f"; {_cycles(cycles)} for the whole search" if cycles is not None else ""
            print(f"{self._board}: {many(found, 'solution')}{took}", file=sys.stderr)
        for path in self._sheets if self._drawn else ():
            from pentavr.cli.pentomino_drawing import solution_drawing
            from pentavr.render import files

            files.save(path, [solution_drawing(*each) for each in self._drawn])


def _cycles(cycles: int) -> str:
    return f"{cycles:,} cycles, {search.at_20_mhz(cycles)} at 20 MHz"


def _sheet(ending: str) -> Callable[[str], Path]:
    def path(text: str) -> Path:
        path = Path(text)
        if path.suffix.lower() != ending:
            raise argparse.ArgumentTypeError(f"{text} does not end in {ending}")
        if not path.parent.is_dir():
            raise argparse.ArgumentTypeError(f"{text}: there is no folder {path.parent}")
        return path

    return path


def _number(text: str) -> int:
    number = int(text)
    if number <= 0:
        raise argparse.ArgumentTypeError(f"{text} is no number of solutions: give 1 or more")
    return number
