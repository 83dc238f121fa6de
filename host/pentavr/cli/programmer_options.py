# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that lead to a real chip, which several commands share."""

from __future__ import annotations

import argparse
import math
import sys
from typing import TYPE_CHECKING

from pentavr.cli import build_options

if TYPE_CHECKING:
    from pentavr.firmware.parts import Part
    from pentavr.firmware.programmers import Connection

__all__ = ["add_arguments", "connect", "echo"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--programmer",
        default="usbasp",
        metavar="NAME",
        help="usbasp, usbtiny, arduino (a boot loader; with an ATmega88 the sketch ArduinoISP), arduino_as_isp (this "
        "sketch with any chip), or any other that avrdude knows (default: %(default)s)",
    )
    parser.add_argument("--port", metavar="DEVICE", help="the programmer's serial port, such as /dev/ttyUSB0")
    parser.add_argument(
        "--programmer-baud",
        type=build_options.number,
        metavar="BAUD",
        help="its speed (default: what is usual for the programmer)",
    )
    parser.add_argument(
        "--bit-clock",
        type=_positive,
        metavar="US",
        help="microseconds a bit at the ISP pins, over four clocks of the chip (default for usbasp and usbtiny: 10)",
    )
    parser.add_argument(
        "--timeout", type=_positive, metavar="S", default=120.0, help="give up after so long (default: %(default)g)"
    )
    parser.add_argument("--quiet", action="store_true", help="do not show what avrdude says as it works")


def connect(arguments: argparse.Namespace, part: Part) -> Connection:
    """Work out the way to the chip; raise UnusableInput where it cannot be."""
    from pentavr.firmware.programmers import connection

    return connection(
        part,
        arguments.programmer,
        port=arguments.port,
        baud=arguments.programmer_baud,
        bit_clock_us=arguments.bit_clock,
        time_limit_s=arguments.timeout,
    )


def echo(arguments: argparse.Namespace, piece: str) -> None:
    """Show what avrdude says, unless it shall be quiet."""
    if not arguments.quiet:
        sys.stderr.write(piece)
        sys.stderr.flush()


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number over 0")
    return value
