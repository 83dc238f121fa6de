# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr flash`: the firmware built and written to a real chip, or compared with what is on it."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pentavr.cli import build_options, programmer_options

if TYPE_CHECKING:
    from pentavr.firmware.parts import Part

__all__ = ["add_arguments", "run"]

ALL_OPTIONS = 0b111
"""Alone on a board, the chip streams its solutions and keeps its progress."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "image", nargs="?", type=Path, metavar="FILE.hex", help="an image that is built already (default: build one)"
    )
    build_options.add_arguments(parser, output="build/flash", default_options=ALL_OPTIONS)
    programmer_options.add_arguments(parser)
    parser.add_argument("--verify", action="store_true", help="write nothing: compare the chip with the image")
    parser.add_argument("--json", action="store_true", help="tell the outcome as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Build, write and verify; an error leaves by an exception."""
    from pentavr.firmware.avrdude import verify_flash, write_flash

    part = build_options.chosen_part(arguments)
    path = arguments.image or build_options.build_firmware(arguments).path
    size = _checked_size(path, part)
    way = programmer_options.connect(arguments, part)
    what = "comparing with" if arguments.verify else "writing"
    print(f"{what} {path}, {size} bytes: {part.name} through {way}", file=sys.stderr)
    work = verify_flash if arguments.verify else write_flash
    work(way, path, echo=partial(programmer_options.echo, arguments))
    if arguments.json:
        print(json.dumps({"image": str(path), "mcu": part.name, "bytes": size, "written": not arguments.verify}))
    else:
        done = "verified" if arguments.verify else "written and verified"
        print(f"{part.name}: {size} bytes {done}")
    return 0


def _checked_size(path: Path, part: Part) -> int:
    """Give the size of an image, once it is known to be for this chip as far as its files tell."""
    from pentavr.errors import UnusableInput
    from pentavr.firmware.hexfile import read_hex
    from pentavr.firmware.images import load_image
    from pentavr.firmware.parts import part_of

    if path.with_suffix(".map").is_file() and path.with_suffix(".lst").is_file():
        built_for = part_of(load_image(path))
        if built_for.core != part.core:
            raise UnusableInput(f"{path} is built for the {built_for.name}, not for the {part.name}: build it for that")
    return len(read_hex(path, size=part.flash_size))
