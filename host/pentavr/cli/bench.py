# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr bench`: every measurement of the project, side by side in one run."""

from __future__ import annotations

import argparse
import json
from importlib import import_module

from pentavr.cli.benchmarks.table import Table, Value

__all__ = ["add_arguments", "run"]

SUBJECTS: tuple[str, ...] = ("firmware", "emulator", "tromino")
"""Each names a module `pentavr.cli.benchmarks.NAME` with `measure() -> Iterator[Table]`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=f"one of {', '.join(SUBJECTS)}; all without one")
    parser.add_argument("--json", action="store_true", help="one JSON object a table instead of drawn tables")


def run(arguments: argparse.Namespace) -> int:
    """Measure the chosen subjects and print each table as soon as it is there."""
    for subject in arguments.subjects or SUBJECTS:
        for table in import_module(f"pentavr.cli.benchmarks.{subject}").measure():
            if arguments.json:
                rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
                print(json.dumps({"subject": subject, "title": table.title, "rows": rows}), flush=True)
            else:
                _print(table)
    return 0


def _print(table: Table) -> None:
    from rich.console import Console
    from rich.table import Table as RichTable

    drawn = RichTable(title=table.title, caption=table.note or None, title_justify="left", caption_justify="left")
    for index, column in enumerate(table.columns):
        drawn.add_column(column, justify="left" if index == 0 else "right")
    for row in table.rows:
        drawn.add_row(*map(_text, row))
    Console().print(drawn)


def _text(value: Value) -> str:
    match value:
        case None:
            return "-"
        case float():
            return f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"
        case int():
            return f"{value:,}"
        case _:
            return str(value)
