# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr build`: the firmware assembled, and its generated includes written or compared."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from pentavr.cli import build_options

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    build_options.add_arguments(parser, output="build")
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
    built = build_options.build_firmware(arguments)
    part = build_options.chosen_part(arguments)
    used = len(built.image.flash)
    left = part.flash_size - used
    if arguments.json:
        print(
            json.dumps(
                {
                    "image": str(built.path),
                    "mcu": part.name,
                    "board": arguments.board,
                    "flash_bytes_used": used,
                    "flash_bytes_left": left,
                    "assembled": built.assembled,
                }
            )
        )
    else:
        state = "" if built.assembled else ", up to date"
        print(f"{built.path}: {part.name}, board {arguments.board}, {used} bytes of Flash used, {left} left{state}")
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
