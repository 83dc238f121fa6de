# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr elf`: what a debugger reads, made from what the assembler wrote of any program."""

from __future__ import annotations

import argparse
from pathlib import Path

__all__ = ["add_arguments", "run"]

KINDS = (".obj", ".map", ".lst")

EPILOG = """\
for any program of avra:
  avra -d blink.obj -m blink.map -l blink.lst -o blink.hex -e blink.eep.hex blink.asm
  pentavr elf blink.obj blink.map blink.lst -o blink.elf
  avr-gdb -iex 'add-auto-load-safe-path blink.elf' -ex 'target remote :1234' -ex 'file blink.elf'
The safe path lets gdb run the unwinder that the file carries: avr-gdb needs it to name the callers in hand-written
code. With simavr connect first and name the file then, as above, or gdb looks for all data in the wrong place.
The file tells the lines of the source and of each include (a macro's at its call), labels with their sizes (SRAM at
0x800000, EEPROM at 0x810000), bytes and arrays by name (print board), and what lies on the stack."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EPILOG
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="FILE.obj, FILE.map and FILE.lst as avra wrote them (options -d, -m and -l) for any program; without "
        "files, those of the built firmware",
    )
    parser.add_argument(
        "--eeprom", type=Path, metavar="FILE.eep.hex", help="contents of the EEPROM as avra wrote them (option -e)"
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
    from pentavr.firmware.images import built_path, source_folder, written_files

    if arguments.files:
        files = _in_order(arguments.files)
        if arguments.eeprom:
            files.append(arguments.eeprom)
        folder = arguments.source_folder or Path.cwd()
    else:
        files = written_files(built_path())
        folder = arguments.source_folder or source_folder()
    output = arguments.output or files[0].with_suffix(".elf")
    write_elf(*files, output=output, source_folder=folder)
    print(output)
    return 0


def _in_order(files: list[Path]) -> list[Path]:
    from pentavr.errors import UnusableInput

    by_suffix = {path.suffix.lower(): path for path in files}
    if len(files) != len(KINDS) or by_suffix.keys() != set(KINDS):
        raise UnusableInput(
            f"expected one .obj, one .map and one .lst file, got {' '.join(map(str, files))}; "
            "assemble with avra -d FILE.obj -m FILE.map -l FILE.lst"
        )
    return [by_suffix[suffix] for suffix in KINDS]
