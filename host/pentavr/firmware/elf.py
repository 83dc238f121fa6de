# SPDX-License-Identifier: GPL-3.0-or-later
"""A program of the assembler as an ELF file that a debugger understands.

Code lies in .text; SRAM and EEPROM, which the AVR addresses from 0 as well, lie at 0x800000 and 0x810000 as in every
ELF file for this machine. Source: Tool Interface Standard, ELF Specification 1.2; flags as in binutils' elf/avr.h.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from pathlib import Path

from pentavr.firmware import dwarf
from pentavr.firmware.image import Segment, WordAddress
from pentavr.firmware.outfile import write_whole
from pentavr.firmware.program import Label, Program, read_program
from pentavr.firmware.unwind import Routine, routines

__all__ = ["EEPROM_OFFSET", "SRAM_OFFSET", "elf_bytes", "write_elf"]

SRAM_OFFSET = 0x800000
EEPROM_OFFSET = 0x810000
OFFSETS = {Segment.SRAM: SRAM_OFFSET, Segment.EEPROM: EEPROM_OFFSET}

IDENTIFICATION = b"\x7fELF\x01\x01\x01"
"""32 bits, little endian, version 1."""
ET_EXEC = 2
EM_AVR = 83
EV_CURRENT = 1
PT_LOAD = 1
EXECUTABLE, WRITABLE, READABLE = 1, 2, 4
ERASED_WORD = 0xFFFF

FILE_HEADER = struct.Struct("<16sHHIIIIIHHHHHH")
PROGRAM_HEADER = struct.Struct("<IIIIIIII")
SECTION_HEADER = struct.Struct("<IIIIIIIIII")
SYMBOL = struct.Struct("<IIIBBH")


class SectionType(IntEnum):
    """What a section holds."""

    NULL = 0
    PROGBITS = 1
    SYMTAB = 2
    STRTAB = 3
    NOBITS = 8


class Flags(IntFlag):
    """What a section is at run time."""

    NONE = 0
    WRITE = 1
    ALLOC = 2
    EXECINSTR = 4


class SymbolType(IntEnum):
    """What a symbol names."""

    NOTYPE = 0
    OBJECT = 1
    FUNC = 2


GLOBAL = 1 << 4


@dataclass(frozen=True, slots=True)
class Section:
    """One section; `size` counts for those without contents in the file."""

    name: str
    type: SectionType
    flags: Flags = Flags.NONE
    address: int = 0
    content: bytes = b""
    size: int = 0
    link: int = 0
    info: int = 0
    alignment: int = 1
    entry_size: int = 0

    @property
    def length(self) -> int:
        """Bytes in memory."""
        return self.size if self.type is SectionType.NOBITS else len(self.content)


def write_elf(
    object_path: Path,
    map_path: Path,
    listing_path: Path,
    eeprom_path: Path | None = None,
    *,
    output: Path,
    source_folder: Path | None = None,
) -> None:
    """Write the ELF file of a program from what the assembler wrote.

    `source_folder` is where the assembler ran, from which its file names count; by default the working directory.
    Raise UnusableInput for files that are damaged or do not belong together.
    """
    program = read_program(object_path, map_path, listing_path, eeprom_path)
    folder = (source_folder or Path.cwd()).absolute()
    write_whole(output, elf_bytes(program, source_folder=str(folder)))


def elf_bytes(program: Program, *, source_folder: str) -> bytes:
    """Give the whole ELF file; `source_folder` goes into it as the folder that source names count from."""
    parts = routines(program)
    debug = dwarf.sections(program, parts, source_folder=source_folder)
    allocated = [_text(program), *_data(program)]
    sections = [
        Section("", SectionType.NULL),
        *allocated,
        *(Section(name, SectionType.PROGBITS, content=content) for name, content in sorted(debug.items())),
    ]
    names, symbols = _symbols(program, parts, allocated)
    strings_index = len(sections) + 1
    sections += [
        # All symbols are global; only the empty first one is local.
        Section(
            ".symtab",
            SectionType.SYMTAB,
            content=symbols,
            link=strings_index,
            info=1,
            alignment=4,
            entry_size=SYMBOL.size,
        ),
        Section(".strtab", SectionType.STRTAB, content=names),
    ]
    return _file(sections, entry=2 * program.start, flags=_machine_flags(program))


def _text(program: Program) -> Section:
    span = map(WordAddress, range(program.start, program.end))
    words = [program.words.get(address, ERASED_WORD) for address in span]
    content = struct.pack(f"<{len(words)}H", *words)
    flags = Flags.ALLOC | Flags.EXECINSTR
    return Section(".text", SectionType.PROGBITS, flags, 2 * program.start, content, alignment=2)


def _data(program: Program) -> list[Section]:
    flags = Flags.ALLOC | Flags.WRITE
    sections = []
    if sram := program.labelled(Segment.SRAM):
        start = sram[0].address
        size = max(label.address + label.size for label in sram) - start
        sections.append(Section(".bss", SectionType.NOBITS, flags, SRAM_OFFSET + start, size=size))
    # Loaders put .eeprom at the start of the EEPROM, so it begins there.
    size = max((label.address + label.size for label in program.labelled(Segment.EEPROM)), default=0)
    if program.eeprom:
        content = program.eeprom.ljust(size, b"\xff")
        sections.append(Section(".eeprom", SectionType.PROGBITS, flags, EEPROM_OFFSET, content))
    elif program.labelled(Segment.EEPROM):
        sections.append(Section(".eeprom", SectionType.NOBITS, flags, EEPROM_OFFSET, size=size))
    return sections


def _symbols(program: Program, parts: Sequence[Routine], allocated: Sequence[Section]) -> tuple[bytes, bytes]:
    """Give string table and symbol table."""
    numbers = {section.name: number for number, section in enumerate(allocated, start=1)}
    section_of = {Segment.CODE: ".text", Segment.SRAM: ".bss", Segment.EEPROM: ".eeprom"}
    sizes: dict[int, int] = {part.start: part.end - part.start for part in parts}
    names = bytearray(b"\0")
    table = bytearray(SYMBOL.size)
    for label in program.labels:
        kind, value, size = _symbol(program, label, sizes)
        section = numbers[section_of[label.segment]]
        table += SYMBOL.pack(len(names), value, size, GLOBAL | kind, 0, section)
        names += label.name.encode() + b"\0"
    return bytes(names), bytes(table)


def _symbol(program: Program, label: Label, routine_sizes: Mapping[int, int]) -> tuple[SymbolType, int, int]:
    """Give type, address and size in bytes; a label within a routine has no size of its own."""
    if label.segment is not Segment.CODE:
        return SymbolType.OBJECT, OFFSETS[label.segment] + label.address, label.size
    if label.address in routine_sizes:
        return SymbolType.FUNC, 2 * label.address, 2 * routine_sizes[label.address]
    if label.address in program.instructions:
        return SymbolType.NOTYPE, 2 * label.address, 0
    return SymbolType.OBJECT, 2 * label.address, 2 * label.size


def _machine_flags(program: Program) -> int:
    """Give the core's number: what instructions it has, and how many bytes a call pushes."""
    kibibytes = program.flash_words / 512
    device = (program.device or "").upper()
    if kibibytes > 128:
        return 6
    if kibibytes > 64:
        return 51
    if device.startswith("ATTINY"):
        return 25 if kibibytes <= 8 else 35
    if device.startswith("AT90S"):
        return 2
    return 4 if kibibytes <= 8 else 5


def _file(sections: Sequence[Section], *, entry: int, flags: int) -> bytes:
    names = bytearray()
    name_offsets = []
    for name in (*(section.name for section in sections), ".shstrtab"):
        name_offsets.append(len(names))
        names += name.encode() + b"\0"
    sections = [*sections, Section(".shstrtab", SectionType.STRTAB, content=bytes(names))]
    loaded = sum(bool(section.flags & Flags.ALLOC) for section in sections)
    body = bytearray(FILE_HEADER.size + loaded * PROGRAM_HEADER.size)
    section_table, program_table = bytearray(), bytearray()
    for section, name_offset in zip(sections, name_offsets, strict=True):
        if section.type is SectionType.NULL:
            section_table += bytes(SECTION_HEADER.size)
            continue
        body += bytes(-len(body) % section.alignment)
        at = len(body)
        section_table += SECTION_HEADER.pack(
            name_offset, section.type, section.flags, section.address, at, section.length,
            section.link, section.info, section.alignment, section.entry_size,
        )  # fmt: skip
        if section.flags & Flags.ALLOC:
            rights = READABLE | (EXECUTABLE if section.flags & Flags.EXECINSTR else WRITABLE)
            program_table += PROGRAM_HEADER.pack(
                PT_LOAD, at, section.address, section.address,
                len(section.content), section.length, rights, section.alignment,
            )  # fmt: skip
        body += section.content
    body += bytes(-len(body) % 4)
    head = FILE_HEADER.pack(
        IDENTIFICATION, ET_EXEC, EM_AVR, EV_CURRENT, entry, FILE_HEADER.size, len(body), flags,
        FILE_HEADER.size, PROGRAM_HEADER.size, loaded, SECTION_HEADER.size, len(sections), len(sections) - 1,
    )  # fmt: skip
    body[: FILE_HEADER.size + len(program_table)] = head + program_table
    return bytes(body + section_table)
