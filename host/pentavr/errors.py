# SPDX-License-Identifier: GPL-3.0-or-later
"""The errors that pentavr raises on purpose, each with the exit code that the command line gives it."""

from __future__ import annotations

__all__ = [
    "CheckFailed",
    "LimitReached",
    "MachineFault",
    "PentavrError",
    "ToolMissing",
    "UnusableInput",
]


class PentavrError(Exception):
    """The root: catch it to catch all that pentavr raises on purpose.

    A message says what, where, what was expected, what was found and what to do.
    """

    exit_code = 1


class CheckFailed(PentavrError):
    """A solution, or a file that is compared, is not what it should be."""


class UnusableInput(PentavrError):
    """A board, picture, image, object file or option that cannot be used."""

    exit_code = 2


class ToolMissing(PentavrError):
    """A program or package that the work needs is not installed; the message names the package."""

    exit_code = 3


class MachineFault(PentavrError):
    """The chip, or the emulator that stands for it, did what it should not."""

    exit_code = 4


class LimitReached(MachineFault):
    """Time or cycles ran out before the work was done."""
