# SPDX-License-Identifier: GPL-3.0-or-later
"""What the byte of a square says, on the chip and on the host."""

from __future__ import annotations

__all__ = ["BLOCKED", "FREE", "is_figure", "is_square"]

FREE = 0
BLOCKED = 0xFF


def is_figure(byte: int) -> bool:
    """Tell whether the byte is the number of a figure that covers the square."""
    return 1 <= byte <= 63


def is_square(byte: int) -> bool:
    """Tell whether the byte says anything of a square at all."""
    return byte in (FREE, BLOCKED) or is_figure(byte)
