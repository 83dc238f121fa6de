# SPDX-License-Identifier: GPL-3.0-or-later
"""An assembled firmware: the bytes of its Flash, its symbols and the source line of each word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NewType

from pentavr.errors import UnusableInput

__all__ = ["ByteAddress", "Image", "Segment", "SourceLine", "SramAddress", "Symbol", "WordAddress"]

ByteAddress = NewType("ByteAddress", int)
"""An address in Flash, counted in bytes, as the emulator and gdb count."""

WordAddress = NewType("WordAddress", int)
"""An address in Flash, counted in 16-bit words, as the assembler's map counts."""

SramAddress = NewType("SramAddress", int)
"""An address in the data space; SRAM begins at 0x100."""


class Segment(Enum):
    """Where the value of a symbol lies."""

    CODE = "code"
    SRAM = "sram"
    EEPROM = "eeprom"
    CONSTANT = "constant"


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name of the source; the value of a code label is a word address, of the others a byte address or a number."""

    name: str
    value: int
    segment: Segment


@dataclass(frozen=True, slots=True)
class SourceLine:
    """The line of source that a word of Flash comes from; a macro's words come from the line of its call."""

    address: WordAddress
    file: str
    line: int
    in_macro: bool


@dataclass(frozen=True, slots=True)
class Image:
    """Flash contents from address 0 without gaps, with the names that belong to them."""

    flash: bytes
    symbols: Mapping[str, Symbol]
    lines: tuple[SourceLine, ...] = ()

    def code(self, name: str) -> ByteAddress:
        """Give the byte address of a code label; raise UnusableInput if the image has none of that name."""
        return ByteAddress(2 * self._value(name, Segment.CODE))

    def sram(self, name: str) -> SramAddress:
        """Give the address of an SRAM symbol; raise UnusableInput if the image has none of that name."""
        return SramAddress(self._value(name, Segment.SRAM))

    def _value(self, name: str, segment: Segment) -> int:
        symbol = self.symbols.get(name)
        if symbol is None or symbol.segment is not segment:
            raise UnusableInput(
                f"the firmware has no {segment.value} symbol {name!r}: its map belongs to another program or version; "
                "build it again"
            )
        return symbol.value
