# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr elf`: what a debugger reads, made from what the assembler wrote of any program."""

from __future__ import annotations

import argparse
from pathlib import Path

__all__ = ["add_arguments", "run"]

SUFFIXES = (".obj", ".map", ".lst")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="FILE.obj, FILE.map and FILE.lst as avra wrote them (options -d, -m and -l) for any program; "
        "without files, those of the built firmware",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE.elf",
        help="where to write (default: beside the .obj, ending in .elf)",
    )
    parser.add_argument(
        "--source-folder",
        type=Path,
        metavar="FOLDER",
        help="the folder that avra ran in, where the debugger shall look for the sources (default: here)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the ELF file and print its path."""
    from pentavr.firmware.elf import write_elf

    if arguments.files:
        object_path, map_path, listing_path = _sorted_by_kind(arguments.files)
        folder = arguments.source_folder or Path.cwd()
    else:
        object_path, map_path, listing_path = _built()
        folder = arguments.source_folder or _firmware_folder()
    output = arguments.output or object_path.with_suffix(".elf")
    write_elf(object_path, map_path, listing_path, output, source_folder=folder)
    print(output)
    return 0


def _sorted_by_kind(files: list[Path]) -> list[Path]:
    from pentavr.errors import UnusableInput

    by_suffix = {path.suffix.lower(): path for path in files}
    if len(files) != len(SUFFIXES) or by_suffix.keys() != set(SUFFIXES):
        raise UnusableInput(
            f"expected one .obj, one .map and one .lst file, got {' '.join(map(str, files))}; "
            "assemble with avra -d FILE.obj -m FILE.map -l FILE.lst"
        )
    return [by_suffix[suffix] for suffix in SUFFIXES]


def _built() -> list[Path]:
    from pentavr.firmware.images import built_path

    path = built_path()
    return [path.with_suffix(suffix) for suffix in SUFFIXES]


def _firmware_folder() -> Path:
    from pentavr.firmware.images import source_folder

    return source_folder()
