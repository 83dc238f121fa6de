# SPDX-License-Identifier: GPL-3.0-or-later
"""What a board is searched on: the emulated chip, or a real one on a serial port."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pentavr.errors import UnusableInput

if TYPE_CHECKING:
    from pentavr.pentomino.board import Board
    from pentavr.pentomino.solution import Solution

__all__ = ["Target", "add_arguments", "add_baud_argument", "open_target"]

EMULATOR = "emulator"
SERIAL = "serial:"


class Target(Protocol):
    """A chip with a board to search; its limits are its own matter."""

    watch: Callable[[Any], None] | None
    """Called about ten times a second while the chip searches."""

    @property
    def solution_count(self) -> int:
        """Count the solutions so far."""

    @property
    def cycles(self) -> int | None:
        """Count the cycles of the search so far; None where nobody counts them."""

    def solutions(self) -> Iterator[Solution]:
        """Search, and yield the solutions as they are found."""

    def close(self) -> None:
        """Give the chip back."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the choice, and what each kind of chip is limited and set up by."""
    parser.add_argument(
        "--target",
        type=_target,
        default=EMULATOR,
        metavar="TARGET",
        help=f"{EMULATOR}, or {SERIAL}PORT: a chip that runs what `make flash` writes ({EMULATOR})",
    )
    add_baud_argument(parser)
    parser.add_argument("--timeout", type=_seconds, metavar="SECONDS", help="give up after this time")
    parser.add_argument(
        "--max-cycles", type=_cycles, metavar="N", help="give up after N cycles of the emulated chip (100,000,000,000)"
    )
    parser.add_argument(
        "--firmware",
        type=Path,
        metavar="HEX",
        help="a build of the firmware for the emulated chip, its .map and .lst beside it",
    )


def add_baud_argument(parser: argparse.ArgumentParser) -> None:
    """Declare the rate of the serial line."""
    # pentavr.machine.line.BAUD, which `--help` has no need to import.
    parser.add_argument("--baud", type=_baud, default=38_400, metavar="N", help="rate of the serial line (%(default)s)")


def open_target(board: Board, arguments: argparse.Namespace, *, every: bool, limit: int | None = None) -> Target:
    """Get the chip that the arguments ask for and give it the board.

    `every` asks for turned and mirrored solutions; with a `limit` to their number, a real chip does not run ahead.
    """
    if arguments.target == EMULATOR:
        return _emulated(board, arguments, every)
    for option in ("max_cycles", "firmware"):
        if getattr(arguments, option) is not None:
            raise UnusableInput(f"--{option.replace('_', '-')} is for the emulated chip; a real one takes --timeout")
    from pentavr.machine.serial_chip import SerialChip
    from pentavr.machine.serial_search import SerialSearch

    chip = SerialChip.open(arguments.target.removeprefix(SERIAL), baud=arguments.baud)
    return SerialSearch(chip, board, every=every, stream=limit is None, timeout_s=arguments.timeout)


def _emulated(board: Board, arguments: argparse.Namespace, every: bool) -> Target:
    from pentavr.firmware.images import load_image
    from pentavr.machine.chip import MAX_CYCLES, Chip, Option

    return Chip.emulated(
        board,
        options=Option.ALL_SOLUTIONS if every else Option(0),
        image=load_image(arguments.firmware) if arguments.firmware else None,
        max_cycles=arguments.max_cycles or MAX_CYCLES,
        timeout_s=arguments.timeout,
    )


def _target(text: str) -> str:
    if text != EMULATOR and not re.fullmatch(f"{SERIAL}.+", text):
        raise argparse.ArgumentTypeError(
            f"{text} is no target: give {EMULATOR}, or {SERIAL}PORT as in {SERIAL}/dev/ttyUSB0"
        )
    return text


def _baud(text: str) -> int:
    baud = int(text)
    if baud <= 0:
        raise argparse.ArgumentTypeError(f"{text} is no rate: give bits a second, as in 38400")
    return baud


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is no time limit: give a positive number of seconds")
    return seconds


def _cycles(text: str) -> int:
    cycles = int(text.replace(",", "").replace("_", ""))
    if cycles <= 0:
        raise argparse.ArgumentTypeError(f"{text} is no cycle limit: give a positive number")
    return cycles
