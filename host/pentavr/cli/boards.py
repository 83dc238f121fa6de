# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr boards`: the named boards with their known counts, or the drawing of one board."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from typing import Any

from pentavr.pentomino.board import Board
from pentavr.pentomino.catalogue import NamedBoard, find, known, named

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "board",
        nargs="?",
        metavar="BOARD",
        help="draw this one: a name, WxH, or a text file; `pentavr boards 6x10 > mine.txt` starts a board of your own",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a board")


def run(arguments: argparse.Namespace) -> int:
    """Print the table of named boards, or one board's drawing with what is known of it on stderr."""
    if arguments.board is None:
        if arguments.json:
            for entry in named().values():
                print(json.dumps(_record(entry.board, entry)))
        else:
            _print_table(named().values())
        return 0
    board = find(arguments.board)
    known_as = known(board)
    if arguments.json:
        print(json.dumps(_record(board, known_as)))
        return 0
    print(board.text())
    print(_summary(board, known_as), file=sys.stderr)
    for fault in board.faults():
        print(f"the chip rejects this board (board_error {fault.error}): {fault}", file=sys.stderr)
    return 0


def _record(board: Board, entry: NamedBoard | None) -> dict[str, Any]:
    return {
        "name": entry.name if entry else None,
        "width": board.width,
        "height": board.height,
        "squares": board.free_squares,
        "all": entry.all_solutions if entry else None,
        "unique": entry.unique_solutions if entry else None,
        "symmetries": len(board.symmetries()),
        "source": entry.source if entry else None,
        "rows": board.text().splitlines(),
    }


def _summary(board: Board, entry: NamedBoard | None) -> str:
    facts = [f"{board.free_squares} free squares", f"symmetry group of order {len(board.symmetries())}"]
    if entry:
        facts.insert(0, entry.name)
        facts.append(f"solutions: {entry.all_solutions} in all, {entry.unique_solutions} unique ({entry.source})")
    return "; ".join(facts)


def _print_table(entries: Iterable[NamedBoard]) -> None:
    from rich import box
    from rich.console import Console, JustifyMethod
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in ("board", "size", "squares", "all", "unique", "symmetries", "counted by"):
        justify: JustifyMethod = "right" if heading in ("squares", "all", "unique", "symmetries") else "left"
        table.add_column(heading, justify=justify, no_wrap=True)
    for entry in entries:
        numbers = (entry.board.free_squares, entry.all_solutions, entry.unique_solutions, entry.symmetries)
        table.add_row(entry.name, f"{entry.board.width}x{entry.board.height}", *map(str, numbers), entry.source)
    # What reads from a pipe has no window to fit into.
    Console(width=None if sys.stdout.isatty() else 200).print(table)
