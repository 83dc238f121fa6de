# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr fuses`: the fuses of a real chip, read and explained bit by bit, or written."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from typing import TYPE_CHECKING

from pentavr.cli import build_options, programmer_options

if TYPE_CHECKING:
    from pentavr.firmware.fuses import Fuses
    from pentavr.firmware.parts import Part

__all__ = ["add_arguments", "run"]

DEFAULT_BROWN_OUT = {"crystal": "4.3", "rc": "2.7"}
"""The highest level that leaves room below 5 V, where 20 MHz needs 4.5 V; what 8 MHz needs."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    build_options.add_mcu(parser)
    programmer_options.add_arguments(parser)
    parser.add_argument("--write", action="store_true", help="write the fuses; without it they are read")
    parser.add_argument(
        "--clock",
        choices=("crystal", "rc"),
        default="crystal",
        help="crystal, up to 20 MHz, at XTAL1 and XTAL2, or rc, the chip's own 8 MHz oscillator (default: %(default)s)",
    )
    parser.add_argument(
        "--brown-out",
        choices=("4.3", "2.7", "1.8", "off"),
        help="volts below which the chip is held in reset (default: 4.3 with a crystal, 2.7 with rc)",
    )
    parser.add_argument(
        "--eeprom",
        choices=("erase", "keep"),
        default="erase",
        help="what flashing does to the EEPROM and the progress in it (default: %(default)s)",
    )
    parser.add_argument("--confirm", metavar="yes", help="without `--confirm yes` nothing is written")
    parser.add_argument("--json", action="store_true", help="tell the fuses as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Read, or write if confirmed."""
    from pentavr.firmware.avrdude import read_fuses, write_fuses
    from pentavr.firmware.fuses import layout, require_protected

    part = build_options.chosen_part(arguments)
    echo = partial(programmer_options.echo, arguments)
    if not arguments.write:
        fuses = read_fuses(programmer_options.connect(arguments, part), echo=echo)
        require_protected(part, fuses)
        _show(part, fuses, arguments)
        return 0
    wanted = _wanted(part, arguments)
    _show(part, wanted, arguments)
    _require_confirmation(arguments)
    way = programmer_options.connect(arguments, part)
    found = read_fuses(way, echo=echo)
    require_protected(part, found)
    changed = [each.name for each in layout(part) if (found[each.name] ^ wanted[each.name]) & each.mask()]
    if not changed:
        print(f"{part.name}: the fuses are so already", file=sys.stderr)
        return 0
    changes = (f"{name} 0x{found[name]:02x} -> 0x{wanted[name]:02x}" for name in changed)
    print(f"{part.name}: writing {', '.join(changes)}", file=sys.stderr)
    write_fuses(way, {name: wanted[name] for name in changed}, echo=echo)
    print(f"{part.name}: fuses written and verified", file=sys.stderr)
    return 0


def _wanted(part: Part, arguments: argparse.Namespace) -> dict[str, int]:
    from pentavr.firmware.fuses import BrownOut, Clock, plan

    return plan(
        part,
        clock=Clock(arguments.clock),
        brown_out=BrownOut(arguments.brown_out or DEFAULT_BROWN_OUT[arguments.clock]),
        keep_eeprom=arguments.eeprom == "keep",
    )


def _require_confirmation(arguments: argparse.Namespace) -> None:
    from pentavr.errors import UnusableInput

    if arguments.confirm != "yes":
        raise UnusableInput(
            "nothing is written yet: without the clock that its fuses ask for, a chip neither runs nor is programmed. "
            "To write the fuses above say --confirm yes, or CONFIRM=yes with make"
        )


def _show(part: Part, fuses: Fuses, arguments: argparse.Namespace) -> None:
    from pentavr.firmware.fuses import diagram, layout

    if arguments.json:
        bits = {name: value for each in layout(part) for name, value in each.values(fuses[each.name]).items() if name}
        print(json.dumps({"mcu": part.name, **fuses, "fields": bits}))
    else:
        print(f"{part.name}; 0 is programmed\n\n{diagram(part, fuses)}", end="", flush=True)
