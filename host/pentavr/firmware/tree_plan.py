# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the plan of the decision tree, `tree_plan.txt`: a figure a line, with the questions before it.

    F1  P? 1 14 !(15 -29 -31) 30  | 1 15

The questions, in their order: `14` the square at offset 14 must be free, `14+15` both at once; `F?` the piece must
still be there; `P3?` P must be there and allowed in orientation 3; `!(15 -29)` not with 15 free and 29 full, that
would close in a hole. A `~` before a square or piece says that mostly it is not so. Behind the bar: whose answers are
remembered. A line that begins with `ask` has questions but no figure.
"""

from __future__ import annotations

import re
from importlib.resources import files

from pentavr.errors import UnusableInput
from pentavr.firmware.tree_model import Clause, Item, Kind, Role, Test
from pentavr.pentomino.figures import FIGURES

__all__ = ["parse", "plan"]

TOKEN = re.compile(r"!\(([^)]*)\)|(\S+)")


def plan() -> list[Clause]:
    """Return the plan that comes with the package."""
    return parse((files("pentavr.firmware") / "tree_plan.txt").read_text(encoding="utf-8"))


def parse(text: str) -> list[Clause]:
    """Read a plan; UnusableInput names the line that cannot be read."""
    clauses = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            try:
                clauses.append(_clause(line))
            except (KeyError, ValueError) as fault:
                raise UnusableInput(f"tree plan, line {number}: cannot be read: {line.strip()} ({fault})") from fault
    return clauses


def _clause(line: str) -> Clause:
    questions, _, remembered = line.partition("|")
    name, *_ = questions.split()
    figure = None if name == "ask" else {each.name: each for each in FIGURES}[name]
    role = Role.ASK if figure is None else Role.NEED
    items = []
    for hole, need in TOKEN.findall(questions.split(maxsplit=1)[1]):
        words = hole.split() if hole else need.split("+")
        answers = tuple((_test(word.lstrip("~-")), "-" not in word) for word in words)
        unlikely = frozenset(number for number, word in enumerate(words) if word[0] == "~")
        items.append(Item(Role.HOLE if hole else role, answers, unlikely))
    return Clause(figure, tuple(items), frozenset(map(_test, remembered.split())))


def _test(word: str) -> Test:
    if not word.endswith("?"):
        return Test(Kind.SQUARE, int(word))
    if len(word) == 3:
        return Test(Kind.P_FIGURE, int(word[1]))
    return Test(Kind.PIECE, word[0])
