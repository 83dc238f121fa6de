# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr check`: read what `pentavr solve --json` wrote and list all that is wrong with it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from pentavr.cli.words import many
from pentavr.errors import UnusableInput
from pentavr.pentomino.board import Board
from pentavr.pentomino.catalogue import find, known
from pentavr.pentomino.checker import class_key, violations
from pentavr.pentomino.square import BLOCKED, FREE

__all__ = ["Check", "add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="what `pentavr solve --json` wrote; -: standard input"
    )
    parser.add_argument(
        "--board",
        metavar="BOARD",
        help="the board that was to be solved: a name, WxH, or a text file (else the first solution's squares)",
    )
    parser.add_argument("--unique", action="store_true", help="let no solution be another one turned or mirrored")
    parser.add_argument("--json", action="store_true", help="one JSON object a violation, and a last one that counts")


def run(arguments: argparse.Namespace) -> int:
    """Print each violation with its line as it is found; return 1 if there is any."""
    board = find(arguments.board) if arguments.board is not None else None
    check = Check("standard input" if arguments.file == "-" else arguments.file, board, unique=arguments.unique)
    found = 0
    for line, violation in check.violations(_lines(arguments.file)):
        found += 1
        print(json.dumps({"line": line, "violation": violation}) if arguments.json else f"line {line}: {violation}")
    if arguments.json:
        print(json.dumps({"solutions": check.solutions, "violations": found, "done": check.done}))
    else:
        print(f"{many(check.solutions, 'solution')}, {many(found, 'violation')}{'' if check.done else ', not all'}")
    return 1 if found else 0


def _lines(file: str) -> Iterator[bytes]:
    try:
        with nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as lines:
            yield from lines
    except OSError as error:
        raise UnusableInput(f"{file}: cannot be read: {error.strerror}") from error


class Check:
    """The check of one output of `pentavr solve --json`.

    `board` is the one that was to be solved; None takes the blocked squares from the first solution, and the others as
    given free. With `unique`, solutions that turn or mirror into each other count as one too many.
    """

    def __init__(self, source: str, board: Board | None = None, *, unique: bool = False) -> None:
        self.source = source
        self.unique = unique
        self.solutions = 0
        self.done = False
        self._board = board
        self._last_index = 0
        self._last_cycles = 0
        self._line_of_solution: dict[tuple[int, ...], int] = {}
        self._line_of_class: dict[object, int] = {}

    def violations(self, lines: Iterable[bytes]) -> Iterator[tuple[int, str]]:
        """Yield the number, from 1, of each line that is wrong and what is wrong there; one line may have several.

        UnusableInput where a line is not JSON, or not of the form that `solve` writes.
        """
        number = 0
        ended = False
        for number, line in enumerate(lines, 1):
            record = self._record(number, line)
            if ended:
                found = iter(["a line after the one that ends the output"])
            elif "done" in record:
                ended = True
                found = self._end_violations(record)
            else:
                found = self._solution_violations(number, record)
            for violation in found:
                yield number, violation
        if not ended:
            yield (
                number + 1,
                'the line that ends the output, {"done": ..., "solutions": ..., "cycles": ...}, is missing',
            )

    def _solution_violations(self, line: int, record: dict[str, Any]) -> Iterator[str]:
        self.solutions += 1
        if record["index"] != self._last_index + 1:
            yield f"index {record['index']}, expected {self._last_index + 1}"
        self._last_index = record["index"]
        if record["cycles"] is not None:
            if record["cycles"] <= self._last_cycles:
                yield f"{record['cycles']} cycles, expected more than the {self._last_cycles} before"
            self._last_cycles = record["cycles"]

        width, height, cells = record["width"], record["height"], record["cells"]
        if self._board is None and len(cells) == width * height:
            given = (BLOCKED if cell == BLOCKED else FREE for cell in cells)
            self._board = Board(width, height, bytes(given))
        if self._board is None:
            yield f"the solution has {len(cells)} squares, expected {width} x {height} = {width * height}"
            return
        if (width, height) != (self._board.width, self._board.height):
            yield f"the board is {width}x{height}, expected {self._board.width}x{self._board.height}"
            return
        found = violations(width, height, self._board.cells, cells)
        yield from found

        earlier = self._line_of_solution.setdefault(tuple(cells), line)
        if earlier != line:
            yield f"the same solution as in line {earlier}"
        elif self.unique and not found:
            key = class_key(width, height, self._board.cells, cells)
            earlier = self._line_of_class.setdefault(key, line)
            if earlier != line:
                yield f"the solution in line {earlier}, turned or mirrored"

    def _end_violations(self, record: dict[str, Any]) -> Iterator[str]:
        self.done = record["done"]
        if record["solutions"] != self.solutions:
            yield f"{record['solutions']} solutions are said to be there, {self.solutions} are"
        if record["cycles"] is not None and record["cycles"] < self._last_cycles:
            yield f"{record['cycles']} cycles in all, fewer than the {self._last_cycles} of the last solution"
        entry = known(self._board) if self._board else None
        if entry and self.done:
            expected = {entry.unique_solutions} if self.unique else {entry.all_solutions, entry.unique_solutions}
            if self.solutions not in expected:
                yield (
                    f"{self.solutions} solutions, but {entry.name} has {entry.all_solutions},"
                    f" {entry.unique_solutions} of them unique"
                )

    def _record(self, line: int, text: bytes) -> dict[str, Any]:
        where = f"{self.source}, line {line}"
        try:
            record = json.loads(text.decode("utf-8"))
        except json.JSONDecodeError as error:
            raise UnusableInput(f"{where}, column {error.colno}: not JSON: {error.msg}") from error
        except (ValueError, RecursionError) as error:
            raise UnusableInput(f"{where}: not JSON: {error}") from error
        if not isinstance(record, dict):
            raise UnusableInput(f"{where}: expected an object as `pentavr solve --json` writes it, got {record!r:.40}")
        form = END_FORM if "done" in record else SOLUTION_FORM
        for key, (meaning, fits) in form.items():
            if key not in record:
                raise UnusableInput(f'{where}: "{key}" is missing; `pentavr solve --json` writes {", ".join(form)}')
            if not fits(record[key]):
                raise UnusableInput(f'{where}: "{key}" is {record[key]!r:.40}, expected {meaning}')
        return record


def _is_number(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_side(value: object) -> bool:
    return type(value) is int and 1 <= value <= 255


def _is_list_of_integers(value: object) -> bool:
    return isinstance(value, list) and all(type(each) is int for each in value)


def _is_number_or_null(value: object) -> bool:
    return value is None or _is_number(value)


SOLUTION_FORM = {
    "index": ("a number", _is_number),
    "width": ("a number from 1 to 255", _is_side),
    "height": ("a number from 1 to 255", _is_side),
    "cells": ("a list of integers", _is_list_of_integers),
    "cycles": ("a number or null", _is_number_or_null),
}
END_FORM = {
    "done": ("true or false", lambda value: isinstance(value, bool)),
    "solutions": ("a number", _is_number),
    "cycles": ("a number or null", _is_number_or_null),
}
