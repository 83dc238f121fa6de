# SPDX-License-Identifier: GPL-3.0-or-later
"""Solutions as JSON lines, one object each and a last one that counts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pentavr.pentomino.solution import Solution

__all__ = ["end_line", "solution_line"]


def solution_line(solution: Solution, cycles: int | None) -> str:
    """Write a solution, with the cycles that the search has taken so far."""
    fields = {"index": solution.index, "width": solution.given.width, "height": solution.given.height}
    return json.dumps({**fields, "cells": list(solution.cells), "cycles": cycles})


def end_line(*, done: bool, solutions: int, cycles: int | None) -> str:
    """Write the last line; `done` says that the search is over, and these are all."""
    return json.dumps({"done": done, "solutions": solutions, "cycles": cycles})
