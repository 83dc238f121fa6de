# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr emulate`: an emulated chip to connect to as to a real one, by its serial line."""

from __future__ import annotations

import argparse
from pathlib import Path

__all__ = ["add_arguments", "run"]

DAY_S = 86_400.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--firmware", type=Path, metavar="HEX", help="a build of the firmware, its .map and .lst beside it"
    )
    parser.add_argument(
        "--speed", type=_speed, default=1.0, metavar="N", help="how many times as fast as a real chip (1)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the name of the port, and run the chip until Ctrl-C, or for a day."""
    from pentavr.firmware.images import built_image, load_image
    from pentavr.machine.pty_line import PtyLine, flashed

    image = load_image(arguments.firmware) if arguments.firmware else built_image()
    with flashed(image) as machine, PtyLine(machine, speed=arguments.speed, limit_s=DAY_S) as line:
        print(line.port, flush=True)
        line.join()
    return 0


def _speed(text: str) -> float:
    speed = float(text)
    if not 0 < speed < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is no speed: give a positive number")
    return speed
