# SPDX-License-Identifier: GPL-3.0-or-later
"""Solutions saved as they come, in the form of `pentavr solve --json`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TextIO

from pentavr.cli.solution_json import end_line, solution_line
from pentavr.errors import UnusableInput
from pentavr.firmware.outfile import write_whole
from pentavr.pentomino.board import Board
from pentavr.pentomino.solution import Solution

__all__ = ["SolutionFile"]


class SolutionFile:
    """A file of solutions that grows line by line, so that what is written stays, whatever happens.

    `-` is standard output. A file that is there already is gone on with: `kept` has the solutions in it. Raises
    UnusableInput where it is something else, or cannot be written.
    """

    def __init__(self, path: str) -> None:
        target = Path(path)
        # A device or a pipe has nothing to be kept, and must not be replaced.
        self._path = None if path == "-" or (target.exists() and not target.is_file()) else target
        self.kept: list[Solution] = []
        self._lines: dict[int, str] = {}
        self._file: TextIO = sys.stdout
        if self._path is not None:
            self.kept = _read(self._path)
            self._lines = {each.index: solution_line(each, None) for each in self.kept}
            self._write_sorted(self._path)
        if path != "-":
            try:
                self._file = target.open("a", encoding="utf-8")
            except OSError as error:
                raise UnusableInput(f"{path}: cannot be written: {error.strerror}") from error

    def add(self, solution: Solution) -> None:
        """Write a solution."""
        line = solution_line(solution, None)
        self._lines[solution.index] = line
        print(line, file=self._file, flush=True)

    def end(self, *, done: bool) -> None:
        """Write the last line, see to the order of the others, and close the file; call it once."""
        last = end_line(done=done, solutions=len(self._lines), cycles=None)
        print(last, file=self._file, flush=True)
        if self._file is not sys.stdout:
            self._file.close()
        if self._path is not None and list(self._lines) != sorted(self._lines):
            self._write_sorted(self._path, last)

    def _write_sorted(self, path: Path, *last: str) -> None:
        lines = [*(line for _, line in sorted(self._lines.items())), *last]
        write_whole(path, "".join(f"{line}\n" for line in lines).encode())


def _read(path: Path) -> list[Solution]:
    """Read the solutions of a file, all but a last line that was cut off; none if there is no file."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise UnusableInput(f"{path}: cannot be read: {error}") from error
    solutions = []
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        try:
            record = json.loads(line)
            if "done" not in record:
                board = Board(record["width"], record["height"], bytes(record["cells"]))
                given = Board(board.width, board.height, bytes(0xFF if cell == 0xFF else 0 for cell in board.cells))
                solutions.append(Solution(given, board.cells, int(record["index"])))
        except (ValueError, KeyError, TypeError, UnusableInput) as error:
            if line.endswith("\n"):
                raise UnusableInput(
                    f"{path}, line {number}: no solution as `pentavr solve --json` writes it ({error}); "
                    "name another file for the solutions"
                ) from None
    return solutions
