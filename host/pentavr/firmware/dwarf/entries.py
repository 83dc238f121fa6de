# SPDX-License-Identifier: GPL-3.0-or-later
"""The entries for routines, labels and data: .debug_info, .debug_abbrev, .debug_aranges; DWARF 4 sections 3 and 7.5."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from pentavr.firmware.dwarf.encoding import (
    ADDRESS_SIZE,
    VERSION,
    address,
    block,
    offset,
    runs,
    string,
    unsigned,
    with_length,
)
from pentavr.firmware.image import Segment, SourceLine, WordAddress
from pentavr.firmware.program import Label, Program
from pentavr.firmware.unwind import Routine

__all__ = ["abbreviations", "information", "ranges"]

PRODUCER = "pentavr"
LANGUAGE_ASSEMBLER = 0x8001
"""The vendors' number that GNU tools know. It makes a debugger stop at a label itself, not past some prologue."""

DATA_OFFSETS = {Segment.CODE: 0, Segment.SRAM: 0x800000, Segment.EEPROM: 0x810000}

OP_ADDRESS, OP_CALL_FRAME = 0x03, 0x9C
ENCODING_UNSIGNED = 0x07


class Form(IntEnum):
    """How a value is encoded."""

    ADDRESS = 0x01
    TWO_BYTES = 0x05
    STRING = 0x08
    ONE_BYTE = 0x0B
    UNSIGNED = 0x0F
    REFERENCE = 0x13
    SECTION_OFFSET = 0x17
    EXPRESSION = 0x18
    PRESENT = 0x19


class Attribute(IntEnum):
    """What a value says."""

    LOCATION = 0x02
    NAME = 0x03
    BYTE_SIZE = 0x0B
    LINE_TABLE = 0x10
    LOW_PC = 0x11
    HIGH_PC = 0x12
    LANGUAGE = 0x13
    FOLDER = 0x1B
    PRODUCER = 0x25
    COUNT = 0x37
    FILE = 0x3A
    LINE = 0x3B
    ENCODING = 0x3E
    EXTERNAL = 0x3F
    FRAME_BASE = 0x40
    TYPE = 0x49
    MAIN_ROUTINE = 0x6A


@dataclass(frozen=True, slots=True)
class Kind:
    """One sort of entry: its number here, its tag, whether others lie below it, and what it says."""

    number: int
    tag: int
    has_children: bool
    attributes: tuple[tuple[Attribute, Form], ...]


PLACE = ((Attribute.FILE, Form.UNSIGNED), (Attribute.LINE, Form.UNSIGNED), (Attribute.LOW_PC, Form.ADDRESS))

UNIT = Kind(
    1,
    0x11,
    True,
    (
        (Attribute.PRODUCER, Form.STRING),
        (Attribute.LANGUAGE, Form.TWO_BYTES),
        (Attribute.NAME, Form.STRING),
        (Attribute.FOLDER, Form.STRING),
        (Attribute.LOW_PC, Form.ADDRESS),
        (Attribute.HIGH_PC, Form.UNSIGNED),
        (Attribute.LINE_TABLE, Form.SECTION_OFFSET),
    ),
)
NUMBER = Kind(
    2,
    0x24,
    False,
    ((Attribute.NAME, Form.STRING), (Attribute.BYTE_SIZE, Form.ONE_BYTE), (Attribute.ENCODING, Form.ONE_BYTE)),
)
ARRAY = Kind(3, 0x01, True, ((Attribute.TYPE, Form.REFERENCE),))
RANGE = Kind(4, 0x21, False, ((Attribute.TYPE, Form.REFERENCE), (Attribute.COUNT, Form.UNSIGNED)))
DATA = Kind(
    5,
    0x34,
    False,
    (
        (Attribute.NAME, Form.STRING),
        (Attribute.TYPE, Form.REFERENCE),
        (Attribute.EXTERNAL, Form.PRESENT),
        (Attribute.LOCATION, Form.EXPRESSION),
    ),
)
ROUTINE = Kind(
    6,
    0x2E,
    True,
    (
        (Attribute.NAME, Form.STRING),
        (Attribute.EXTERNAL, Form.PRESENT),
        *PLACE,
        (Attribute.HIGH_PC, Form.UNSIGNED),
        (Attribute.FRAME_BASE, Form.EXPRESSION),
    ),
)
MAIN_ROUTINE = Kind(7, ROUTINE.tag, True, (*ROUTINE.attributes, (Attribute.MAIN_ROUTINE, Form.PRESENT)))
CODE_LABEL = Kind(8, 0x0A, False, ((Attribute.NAME, Form.STRING), *PLACE))
BYTE = Kind(
    9,
    0x21,
    False,
    (
        (Attribute.NAME, Form.STRING),
        (Attribute.BYTE_SIZE, Form.ONE_BYTE),
        (Attribute.TYPE, Form.REFERENCE),
        (Attribute.COUNT, Form.UNSIGNED),
    ),
)
"""A subrange of a number: gdb prints one-byte numbers as characters, but not those of a subrange."""

KINDS = (UNIT, NUMBER, ARRAY, RANGE, DATA, ROUTINE, MAIN_ROUTINE, CODE_LABEL, BYTE)
END_OF_CHILDREN = b"\0"


def abbreviations() -> bytes:
    """Write the table of kinds."""
    out = bytearray()
    for kind in KINDS:
        out += unsigned(kind.number) + unsigned(kind.tag) + bytes([kind.has_children])
        for attribute, form in kind.attributes:
            out += unsigned(attribute) + unsigned(form)
        out += b"\0\0"
    return bytes(out) + b"\0"


def ranges(program: Program) -> bytes:
    """Write which addresses the unit covers."""
    head = struct.pack("<HIBB", 2, 0, ADDRESS_SIZE, 0)
    # The pairs begin at a multiple of their size, the four bytes of the length counted in.
    head += bytes(-(4 + len(head)) % (2 * ADDRESS_SIZE))
    pairs = b"".join(address(2 * first) + address(2 * (last + 1 - first)) for first, last in runs(program.words))
    return with_length(head + pairs + bytes(2 * ADDRESS_SIZE))


def information(program: Program, routines: Sequence[Routine], main: Routine | None, source_folder: str) -> bytes:
    """Write the entries of the one unit that a program is; nothing calls the routine `main`."""
    return with_length(bytes(_Entries(program, main, source_folder).all(routines)))


class _Entries:
    """The unit as it grows; entries refer to others by their place."""

    def __init__(self, program: Program, main: Routine | None, source_folder: str) -> None:
        self.program = program
        self.main = main
        self.source_folder = source_folder
        self.out = bytearray(struct.pack("<HIB", VERSION, 0, ADDRESS_SIZE))
        self.lines = {line.address: line for line in program.lines}
        self.files = {file: number for number, file in reversed(list(enumerate(program.files, start=1)))}

    def all(self, routines: Sequence[Routine]) -> bytearray:
        program = self.program
        self.add(
            UNIT,
            string(PRODUCER),
            struct.pack("<H", LANGUAGE_ASSEMBLER),
            string(program.files[0]),
            string(self.source_folder),
            address(2 * program.start),
            unsigned(2 * (program.end - program.start)),
            offset(0),
        )
        self.add_data([label for label in program.labels if self.is_data(label)])
        for routine in routines:
            self.add_routine(routine)
        return self.out + END_OF_CHILDREN

    def add(self, kind: Kind, *values: bytes) -> bytes:
        """Add an entry and give the reference to it: its place counted from the length before the unit."""
        place = 4 + len(self.out)
        self.out += unsigned(kind.number) + b"".join(values)
        return offset(place)

    def is_data(self, label: Label) -> bool:
        is_code = label.segment is Segment.CODE and label.address in self.program.instructions
        return label.size > 0 and not is_code

    def add_data(self, labels: Sequence[Label]) -> None:
        number = self.add(NUMBER, string("uint8_t"), bytes([1]), bytes([ENCODING_UNSIGNED]))
        byte = self.add(BYTE, string("byte"), bytes([1]), number, unsigned(0x100))
        types = {1: byte}
        for label in labels:
            scale = 2 if label.segment is Segment.CODE else 1
            size = scale * label.size
            if size not in types:
                types[size] = self.add(ARRAY, byte)
                self.add(RANGE, number, unsigned(size))
                self.out += END_OF_CHILDREN
            where = address(DATA_OFFSETS[label.segment] + scale * label.address)
            self.add(DATA, string(label.name), types[size], block(bytes([OP_ADDRESS]) + where))

    def add_routine(self, routine: Routine) -> None:
        length = unsigned(2 * (routine.end - routine.start))
        kind = MAIN_ROUTINE if routine == self.main else ROUTINE
        self.add(kind, string(routine.name), *self.place(routine.start), length, block(bytes([OP_CALL_FRAME])))
        for label in self.program.labelled(Segment.CODE):
            if routine.start <= label.address < routine.end and label.name != routine.name:
                self.add(CODE_LABEL, string(label.name), *self.place(WordAddress(label.address)))
        self.out += END_OF_CHILDREN

    def place(self, word: WordAddress) -> tuple[bytes, bytes, bytes]:
        line: SourceLine = self.lines[word]
        return unsigned(self.files[line.file]), unsigned(line.line), address(2 * word)
