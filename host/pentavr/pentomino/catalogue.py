# SPDX-License-Identifier: GPL-3.0-or-later
"""The boards that have a name, with how many solutions each is known to have, and the way from a word to a board."""

from __future__ import annotations

import difflib
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from pentavr.errors import UnusableInput
from pentavr.pentomino.board import Board

__all__ = ["NamedBoard", "find", "known", "named"]

LARGEST_DRAWING_BYTES = 1 << 17
"""Room for the largest field that two bytes of sides can tell, with line ends; more is no drawing of a board."""


@dataclass(frozen=True, slots=True)
class NamedBoard:
    """A board with a name and the published numbers of its solutions.

    `all_solutions` counts turned and mirrored ones, `unique_solutions` one of each symmetry class, `symmetries` is the
    order of the board's group, `source` who counted.
    """

    name: str
    board: Board
    all_solutions: int
    unique_solutions: int
    symmetries: int
    source: str


@cache
def named() -> dict[str, NamedBoard]:
    """Return the named boards in the order of the list, by name."""
    text = resources.files("pentavr.pentomino").joinpath("boards.toml").read_text("utf-8")
    return {
        entry["name"]: NamedBoard(
            name=entry["name"],
            board=Board.parse(entry["drawing"], source=entry["name"]),
            all_solutions=entry["all"],
            unique_solutions=entry["unique"],
            symmetries=entry["symmetries"],
            source=entry["source"],
        )
        for entry in tomllib.loads(text)["board"]
    }


def known(board: Board) -> NamedBoard | None:
    """Return the named board that this one is, in whatever orientation, or None where it has no name."""
    images = {board.image(k) for k in range(8)}
    return next((entry for entry in named().values() if entry.board in images), None)


def find(text: str) -> Board:
    """Return the board that `text` means: a name, `WxH`, or the path of a text file that draws it.

    UnusableInput where it is none of them; for a drawing with a fault it says file, line and column.
    """
    entry = named().get(text)
    if entry:
        return entry.board
    sides = re.fullmatch(r"([0-9]{1,9})x([0-9]{1,9})", text)
    if sides:
        return Board.rectangle(*map(int, sides.groups()))
    path = Path(text)
    try:
        is_there = bool(text) and path.exists()
    except (OSError, ValueError):  # too long for a file name, or a NUL in it
        is_there = False
    if is_there:
        return Board.parse(_drawing(path), source=text)
    near = difflib.get_close_matches(text, named(), n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else "`pentavr boards` lists the names"
    raise UnusableInput(f"no board {text!r}: neither a name, nor WxH as in 4x15, nor a file with a drawing; {hint}")


def _drawing(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_DRAWING_BYTES + 1)
    except OSError as error:
        raise UnusableInput(f"{path}: the drawing cannot be read: {error.strerror}") from error
    if len(data) > LARGEST_DRAWING_BYTES:
        raise UnusableInput(f"{path}: over {LARGEST_DRAWING_BYTES} bytes; that is no drawing of a board")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnusableInput(f"{path}: not a text file; expected a drawing of '#', '.' and letters") from error
