# SPDX-License-Identifier: GPL-3.0-or-later
"""The AVR parts that the firmware is built for, from the ATmega48/88/168/328 data sheets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pentavr.errors import UnusableInput
from pentavr.firmware.image import Image, SramAddress
from pentavr.firmware.mapfile import device_of

__all__ = ["ATMEGA88", "PARTS", "SRAM_START", "Part", "part", "part_of", "parts_with"]

SRAM_START = SramAddress(0x100)
"""The first byte of SRAM; below it in the data space lie 32 registers and 224 I/O addresses."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part by its name in lower case: its memories' sizes in bytes and its signature.

    `core` is the part of the same memories, registers and vectors under whose name the assembler's definitions and the
    emulators know it; `avrdude` is its name there.
    """

    name: str
    core: str
    avrdude: str
    signature: int
    flash_size: int
    sram_size: int
    eeprom_size: int

    @property
    def ramend(self) -> SramAddress:
        """Give the address of the last byte of SRAM, where the stack begins."""
        return SramAddress(SRAM_START + self.sram_size - 1)

    @property
    def defines(self) -> Mapping[str, int]:
        """Give what the firmware's chip.inc looks for to choose the part's definitions."""
        return {} if self.core == ATMEGA88.core else {f"MCU_{self.core.upper()}": 1}


def _atmega88(name: str, avrdude: str, signature: int) -> Part:
    return Part(name, "atmega88", avrdude, signature, flash_size=0x2000, sram_size=0x400, eeprom_size=0x200)


ATMEGA88 = _atmega88("atmega88", "m88", 0x1E930A)

PARTS = (
    ATMEGA88,
    _atmega88("atmega88a", "m88a", 0x1E930A),
    _atmega88("atmega88p", "m88p", 0x1E930F),
    _atmega88("atmega88pa", "m88pa", 0x1E930F),
    Part("atmega168", "atmega168", "m168", 0x1E9406, flash_size=0x4000, sram_size=0x400, eeprom_size=0x200),
    Part("atmega328p", "atmega328p", "m328p", 0x1E950F, flash_size=0x8000, sram_size=0x800, eeprom_size=0x400),
)


def part(name: str) -> Part:
    """Find a part by its name, whatever its case; raise UnusableInput if it is not one of PARTS."""
    for candidate in PARTS:
        if candidate.name == name.lower():
            return candidate
    names = ", ".join(candidate.name for candidate in PARTS)
    raise UnusableInput(f"there is no part {name!r}: choose one of {names}")


def part_of(image: Image) -> Part:
    """Find the part that an image was assembled for, the ATmega88 where its source names none.

    Raise UnusableInput where it names one that is not in PARTS.
    """
    device = device_of(image.symbols)
    return ATMEGA88 if device is None else part(device)


def parts_with(signature: int) -> tuple[Part, ...]:
    """Find the parts that have this signature."""
    return tuple(candidate for candidate in PARTS if candidate.signature == signature)
