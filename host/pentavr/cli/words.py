# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers in sentences."""

from __future__ import annotations

__all__ = ["many"]


def many(count: int, what: str) -> str:
    """Put a number before its noun: no solutions, 1 solution, 1,472 solutions."""
    return f"{f'{count:,}' if count else 'no'} {what}{'' if count == 1 else 's'}"
