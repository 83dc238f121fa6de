# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the firmware lies, as sources and as built image: in a checkout, or within the installed package."""

from __future__ import annotations

from pathlib import Path

from pentavr.errors import UnusableInput
from pentavr.firmware.hexfile import read_hex
from pentavr.firmware.image import Image
from pentavr.firmware.listing import read_listing
from pentavr.firmware.mapfile import flash_bytes_of, read_map
from pentavr.firmware.objfile import read_object

__all__ = [
    "ATMEGA88_FLASH",
    "IMAGE_NAME",
    "built_image",
    "built_path",
    "checkout",
    "load_image",
    "source_folder",
    "written_files",
]

IMAGE_NAME = "pentavr"
ATMEGA88_FLASH = 8192

PACKAGED = Path(__file__).with_name("packaged")
"""What the wheel carries: `source/` and `built/`; absent in a checkout."""


def checkout() -> Path | None:
    """Find the root of the checkout that this package runs from; None for an installed wheel."""
    root = Path(__file__).parents[3]
    return root if (root / "firmware" / "main.asm").is_file() and (root / "pyproject.toml").is_file() else None


def source_folder() -> Path:
    """Find the folder of the firmware's sources; raise UnusableInput where there is none."""
    root = checkout()
    folder = root / "firmware" if root else PACKAGED / "source"
    if not (folder / "main.asm").is_file():
        raise UnusableInput(f"{folder}: the firmware's sources are not here; install pentavr again")
    return folder


def built_path() -> Path:
    """Find the built image's .hex; raise UnusableInput where nothing was built yet."""
    root = checkout()
    folder = root / "build" if root else PACKAGED / "built"
    path = folder / f"{IMAGE_NAME}.hex"
    if not path.is_file():
        raise UnusableInput(
            f"{path}: the firmware is not built yet; " + ("run make" if root else "install pentavr again")
        )
    return path


def built_image() -> Image:
    """Load the built image of the firmware; the assembler is not needed."""
    return load_image(built_path())


def written_files(path: Path) -> list[Path]:
    """Give what the assembler wrote beside a .hex: .obj, .map, .lst and, where there are EEPROM contents, .eep.hex."""
    eeprom = path.with_suffix(".eep.hex")
    return [*(path.with_suffix(suffix) for suffix in (".obj", ".map", ".lst")), *([eeprom] if eeprom.exists() else [])]


def load_image(path: Path) -> Image:
    """Load an image from its .hex, with the .map and .lst beside it and, where there is one, the .obj.

    Raise UnusableInput for files that are missing or damaged, or too large for the chip they name.
    """
    symbols = read_map(path.with_suffix(".map"), read_listing(path.with_suffix(".lst")).labels)
    flash = read_hex(path, size=flash_bytes_of(symbols) or ATMEGA88_FLASH)
    object_path = path.with_suffix(".obj")
    lines = tuple(word.source for word in read_object(object_path).words) if object_path.exists() else ()
    return Image(flash, symbols, lines)
