# SPDX-License-Identifier: GPL-3.0-or-later
"""The plain C program that the firmware is measured against, compiled when it is asked for."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

from pentavr.errors import LimitReached, ToolMissing, UnusableInput
from pentavr.firmware.hexfile import read_hex
from pentavr.firmware.image import Image, Segment, Symbol
from pentavr.firmware.images import ATMEGA88_FLASH

__all__ = ["SOURCE", "compiled"]

SOURCE = Path("tests", "baseline", "pentomino.c")
"""Where it lies in a checkout."""
FLAGS = ("-mmcu=atmega88", "-O3", "-std=gnu11", "-Wall", "-Wextra", "-Werror")
TIME_LIMIT_S = 60
DATA_SPACE, EEPROM_SPACE = 0x800000, 0x810000
"""Where the GNU tools place the data space and the EEPROM, for want of address spaces."""


def compiled(source: Path, *, output: Path) -> Image:
    """Compile the program into the folder `output`, which is made where it is missing, and load it.

    The image has the names of the firmware's contract, `solve`, called once and then for each figure laid, and `_end`,
    the first byte behind the variables. Raise ToolMissing without avr-gcc, UnusableInput for a source that does not
    compile.
    """
    output.mkdir(parents=True, exist_ok=True)
    elf, hexfile = (output / source.with_suffix(suffix).name for suffix in (".elf", ".hex"))
    _run("avr-gcc", *FLAGS, "-o", str(elf), str(source))
    _run("avr-objcopy", "-O", "ihex", "-R", ".eeprom", str(elf), str(hexfile))
    return Image(read_hex(hexfile, size=ATMEGA88_FLASH), {symbol.name: symbol for symbol in _symbols(elf)})


def _symbols(elf: Path) -> Iterator[Symbol]:
    for line in _run("avr-nm", "--defined-only", str(elf)).splitlines():
        address, kind, name = line.split()
        value = int(address, 16)
        if DATA_SPACE <= value < EEPROM_SPACE:
            yield Symbol(name, value - DATA_SPACE, Segment.SRAM)
        elif kind in "Tt":
            yield Symbol(name, value // 2, Segment.CODE)


def _run(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)
    except FileNotFoundError:
        raise ToolMissing(
            f"the compiler's {command[0]} is missing; install gcc-avr and avr-libc: apt-get install gcc-avr avr-libc"
        ) from None
    except subprocess.TimeoutExpired:
        raise LimitReached(f"{command[0]} did not end within {TIME_LIMIT_S} s") from None
    if done.returncode != 0:
        raise UnusableInput(f"{command[0]} fails on {command[-1]}:\n{done.stderr.strip()}")
    return done.stdout
