# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr bench`: every measurement of the project, side by side in one run."""

from __future__ import annotations

import argparse
import json
import textwrap
from importlib import import_module

from pentavr.cli.benchmarks.table import Table, Value
from pentavr.errors import UnusableInput

__all__ = ["add_arguments", "run"]

SUBJECTS: tuple[str, ...] = ("firmware", "emulator", "tromino", "tangram")
"""Each names a module `pentavr.cli.benchmarks.NAME` with `measure() -> Iterator[Table]`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=f"one of {', '.join(SUBJECTS)}; all without one")
    parser.add_argument("--json", action="store_true", help="one JSON object a table instead of drawn tables")


def run(arguments: argparse.Namespace) -> int:
    """Measure the chosen subjects and print each table as soon as it is there."""
    unknown = [subject for subject in arguments.subjects if subject not in SUBJECTS]
    if unknown:
        raise UnusableInput(f"{unknown[0]} is nothing that is measured: choose from {', '.join(SUBJECTS)}")
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
    rows = [[_text(value) for value in row] for row in table.rows]
    for index, column in enumerate(table.columns):
        # Headings wider than what stands below them are wrapped here: rich would rather cut numbers.
        heading = textwrap.fill(column, max(1, *(len(row[index]) for row in rows)), break_long_words=False)
        drawn.add_column(heading, justify="left" if index == 0 else "right", overflow="fold")
    for row in rows:
        drawn.add_row(*row)
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
