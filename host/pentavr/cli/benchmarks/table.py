# SPDX-License-Identifier: GPL-3.0-or-later
"""What a benchmark hands over: a titled table, the same for the terminal and for JSON."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Table", "Value"]

Value = int | float | str | None


@dataclass(frozen=True, slots=True)
class Table:
    """A title, the column names (with units) and rows of as many values; None is shown as a dash."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    note: str = ""
