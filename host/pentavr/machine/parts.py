# SPDX-License-Identifier: GPL-3.0-or-later
"""The AVR parts that the firmware runs on: their memories, from the ATmega48/88/168/328 data sheet, section 8."""

from __future__ import annotations

from dataclasses import dataclass

from pentavr.errors import UnusableInput
from pentavr.firmware.image import SramAddress

__all__ = ["ATMEGA88", "PARTS", "SRAM_START", "Part", "part"]

SRAM_START = SramAddress(0x100)
"""The first byte of SRAM; below it in the data space lie 32 registers and 224 I/O addresses."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part by its name in lower case, with the sizes of its memories in bytes."""

    name: str
    flash_size: int
    sram_size: int
    eeprom_size: int

    @property
    def ramend(self) -> SramAddress:
        """Give the address of the last byte of SRAM, where the stack begins."""
        return SramAddress(SRAM_START + self.sram_size - 1)


ATMEGA88 = Part("atmega88", flash_size=0x2000, sram_size=0x400, eeprom_size=0x200)

PARTS = (
    ATMEGA88,
    Part("atmega168", flash_size=0x4000, sram_size=0x400, eeprom_size=0x200),
    Part("atmega328p", flash_size=0x8000, sram_size=0x800, eeprom_size=0x400),
)


def part(name: str) -> Part:
    """Find a part by its name, whatever its case; raise UnusableInput if it is not one of PARTS."""
    for candidate in PARTS:
        if candidate.name == name.lower():
            return candidate
    names = ", ".join(candidate.name for candidate in PARTS)
    raise UnusableInput(f"there is no part {name!r}: choose one of {names}")
