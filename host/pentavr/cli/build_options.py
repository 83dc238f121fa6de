# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of a build of the firmware, which several commands share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pentavr.firmware.build import Build
    from pentavr.firmware.parts import Part

__all__ = ["add_arguments", "add_mcu", "build_firmware", "chosen_part", "number"]

DEFINES = {"f_cpu": "F_CPU", "baud": "BAUD", "default_options": "DEFAULT_OPTIONS"}
"""Options that go to the assembler as they are, where they are given; the firmware has its own values for the rest."""


def add_arguments(parser: argparse.ArgumentParser, *, output: str, default_options: int | None = None) -> None:
    """Declare the options of a build into the folder `output`."""
    parser.add_argument(
        "--board", default="4x15", help="default board of the build: a name, WxH or a text file (default: %(default)s)"
    )
    add_mcu(parser)
    parser.add_argument("--f-cpu", type=number, metavar="HZ", help="the chip's clock (default: 20000000)")
    parser.add_argument(
        "--baud", type=number, help="speed of the serial line; over 2 %% off at this clock fails (default: 38400)"
    )
    parser.add_argument(
        "--default-options",
        type=_bits,
        default=default_options,
        metavar="BITS",
        help="what board_options is after a reset: bit 0 all solutions, bit 1 stream them over the serial line, "
        f"bit 2 keep progress in EEPROM (default: {1 if default_options is None else default_options:#05b})",
    )
    parser.add_argument(
        "--output", type=Path, default=Path(output), metavar="FOLDER", help="where to write (default: %(default)s)"
    )


def add_mcu(parser: argparse.ArgumentParser) -> None:
    """Declare the option that chooses the chip."""
    parser.add_argument(
        "--mcu",
        default="atmega88",
        metavar="CHIP",
        help="atmega88, atmega88a, atmega88p, atmega88pa, atmega168 or atmega328p (default: %(default)s)",
    )


def chosen_part(arguments: argparse.Namespace) -> Part:
    """Find the chip of --mcu; raise UnusableInput if it is not one of those."""
    from pentavr.firmware.parts import part

    return part(arguments.mcu)


def build_firmware(arguments: argparse.Namespace) -> Build:
    """Build the firmware as the options say."""
    from pentavr.firmware.build import build
    from pentavr.pentomino import catalogue

    given = {name: getattr(arguments, option) for option, name in DEFINES.items()}
    return build(
        catalogue.find(arguments.board),
        output=arguments.output,
        part=chosen_part(arguments),
        defines={name: value for name, value in given.items() if value is not None},
    )


def number(text: str) -> int:
    """Read a whole number over 0, as a type of argparse."""
    if not text.isdecimal() or not 0 < int(text) < 2**31:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 to {2**31 - 1}")
    return int(text)


def _bits(text: str) -> int:
    try:
        value = int(text, 0)
    except ValueError:
        value = -1
    if not 0 <= value <= 0xFF:
        raise argparse.ArgumentTypeError(f"{text!r} is no byte: 7, 0x07 or 0b111, up to 255")
    return value
