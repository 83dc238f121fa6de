# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr size`: how much Flash and SRAM the firmware takes and leaves."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pentavr.firmware.size import Use

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("image", nargs="?", type=Path, metavar="FILE.hex", help="a built image (default: the firmware)")
    parser.add_argument("--json", action="store_true", help="tell it as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print both memories, part by part."""
    from pentavr.firmware.images import built_path, load_image
    from pentavr.firmware.parts import part_of
    from pentavr.firmware.size import flash_use, sram_use

    path = arguments.image or built_path()
    image = load_image(path)
    part = part_of(image)
    uses = (flash_use(image, part), sram_use(image, part))
    if arguments.json:
        print(json.dumps({"image": str(path), "mcu": part.name, **{use.memory.lower(): _as_json(use) for use in uses}}))
        return 0
    print(f"{path}, {part.name}")
    for use in uses:
        print(f"\n{use.memory:<20}{use.size:>7,} bytes")
        for name, size in use.parts:
            print(f"  {name:<18}{size:>7,}")
        print(f"  {'used':<18}{use.used:>7,}  {use.used / use.size:.1%}")
        print(f"  {'left to the stack' if use.memory == 'SRAM' else 'left':<18}{use.left:>7,}")
    return 0


def _as_json(use: Use) -> dict[str, object]:
    return {"size": use.size, "used": use.used, "left": use.left, "parts": dict(use.parts)}
