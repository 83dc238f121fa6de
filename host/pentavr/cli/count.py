# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr count`: how many solutions a board has, and how long the chip takes to find them all."""

from __future__ import annotations

import argparse
import json

from pentavr.cli import search
from pentavr.cli.words import many
from pentavr.errors import CheckFailed
from pentavr.pentomino import catalogue

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    search.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a sentence")


def run(arguments: argparse.Namespace) -> int:
    """Print both counts; return 1 if there is no solution."""
    board = catalogue.find(arguments.board)
    with search.Search(board, arguments, every=True) as all_of_them:
        found = sum(1 for _ in all_of_them.solutions())
        cycles = all_of_them.cycles
    with search.Search(board, arguments, every=False) as one_of_each_class:
        classes = sum(1 for _ in one_of_each_class.solutions())
    known = catalogue.known(board)
    if known is not None and (found, classes) != (known.all_solutions, known.unique_solutions):
        raise CheckFailed(
            f"{arguments.board}: the chip finds {found} solutions, {classes} of them unique; "
            f"published are {known.all_solutions} and {known.unique_solutions} ({known.source})"
        )
    if arguments.json:
        seconds = None if cycles is None else cycles / search.CLOCK_HZ
        print(
            json.dumps(
                {"board": arguments.board, "all": found, "unique": classes, "cycles": cycles}
                | {"seconds_at_20mhz": seconds}
            )
        )
    else:
        but_for = f", {classes:,} but for turning and mirroring" if found else ""
        print(f"{arguments.board}: {many(found, 'solution')}{but_for}")
        if cycles is not None:
            print(f"{cycles:,} cycles to find them all, {search.at_20_mhz(cycles)} at 20 MHz")
    return 0 if found else 1
