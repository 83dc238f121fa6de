# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr build`: the firmware assembled, and its generated includes written or compared."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--board", default="4x15", help="default board of the build: a name, WxH or a text file (default: %(default)s)"
    )
    parser.add_argument(
        "--output", type=Path, default=Path("build"), metavar="FOLDER", help="where to write (default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="tell the size as one JSON object")
    generated = parser.add_mutually_exclusive_group()
    generated.add_argument(
        "--generate", action="store_true", help="do not assemble: write the generated includes of the firmware anew"
    )
    generated.add_argument(
        "--check", action="store_true", help="do not assemble: compare the generated includes with the committed ones"
    )


def run(arguments: argparse.Namespace) -> int:
    """Assemble the firmware, or see to its generated includes."""
    if arguments.generate:
        return _generate()
    if arguments.check:
        return _check()
    return _build(arguments)


def _build(arguments: argparse.Namespace) -> int:
    from pentavr.firmware.build import build
    from pentavr.firmware.images import ATMEGA88_FLASH
    from pentavr.firmware.mapfile import flash_bytes_of
    from pentavr.pentomino import catalogue

    built = build(catalogue.find(arguments.board), output=arguments.output)
    used = 2 * len(built.image.lines)
    size = flash_bytes_of(built.image.symbols) or ATMEGA88_FLASH
    if arguments.json:
        print(
            json.dumps(
                {
                    "image": str(built.path),
                    "board": arguments.board,
                    "flash_bytes_used": used,
                    "flash_bytes_left": size - used,
                    "assembled": built.assembled,
                }
            )
        )
    else:
        state = "" if built.assembled else ", up to date"
        print(f"{built.path}: board {arguments.board}, {used} bytes of Flash used, {size - used} left{state}")
    return 0


def _generate() -> int:
    from pentavr.firmware.generated import generate

    for path in generate(_checkout_folder()):
        print(path)
    return 0


def _check() -> int:
    from pentavr.errors import CheckFailed
    from pentavr.firmware.generated import stale

    differences = list(stale(_checkout_folder()))
    if differences:
        print("\n".join(differences))
        raise CheckFailed("generated includes are not up to date; run pentavr build --generate")
    return 0


def _checkout_folder() -> Path:
    from pentavr.errors import UnusableInput
    from pentavr.firmware.images import checkout

    root = checkout()
    if root is None:
        raise UnusableInput("generated includes are seen to in a checkout of pentavr; this is an installed package")
    return root / "firmware"
