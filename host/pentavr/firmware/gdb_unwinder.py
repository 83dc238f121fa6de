# SPDX-License-Identifier: GPL-3.0-or-later
"""Unwind the stack in avr-gdb by the program's own call-frame information.

avr-gdb does not read .debug_frame: it guesses from the pushes that a routine begins with, which tells nothing of
hand-written code. This runs inside gdb, from the ELF file that it is part of, and imports nothing but gdb.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from pathlib import Path

import gdb
import gdb.unwinder

SRAM_OFFSET = 0x800000
RETURN_ADDRESS = 36


class Reader:
    """Bytes taken off one after the other."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.at = 0

    def number(self, size: int) -> int:
        """Take a little-endian number."""
        self.at += size
        return int.from_bytes(self.content[self.at - size : self.at], "little")

    def leb(self) -> int:
        """Take an unsigned LEB128 number; of a negative one the caller wants nothing."""
        value = shift = 0
        while True:
            byte = self.number(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def more(self) -> bool:
        """Tell whether anything is left."""
        return self.at < len(self.content)


class Row:
    """The rules from one address on: the CFA above the stack pointer, what is saved how far below the CFA."""

    def __init__(self, address: int, cfa: int, saved: dict[int, int]) -> None:
        self.address = address
        self.cfa = cfa
        self.saved = saved


def section(path: str, wanted: bytes) -> bytes:
    """Read a section of an ELF file, empty where there is none."""
    content = Path(path).read_bytes()
    (table,) = struct.unpack_from("<I", content, 32)
    size, count, names_index = struct.unpack_from("<HHH", content, 46)
    sections = [struct.unpack_from("<IIIIII", content, table + size * index) for index in range(count)]
    names_at = sections[names_index][4]
    for name, _, _, _, at, length in sections:
        start = names_at + name
        if content[start : content.index(b"\0", start)] == wanted:
            return content[at : at + length]
    return b""


def rows_of(frame_section: bytes) -> tuple[list[Row], int]:
    """Give all rows by address, one without rules where a description ends, and the bytes that a call pushes."""
    rows: list[Row] = []
    first_rows = Row(0, 0, {})
    entries = Reader(frame_section)
    while entries.more():
        entry = Reader(entries.content[entries.at + 4 :][: entries.number(4)])
        entries.at += len(entry.content)
        if entry.number(4) == 0xFFFFFFFF:
            entry.at += 5  # version, augmentation, factors, return address
            first_rows = run(entry, 0, Row(0, 0, {}))[-1]
        else:
            start, length = entry.number(4), entry.number(4)
            rows += run(entry, start, first_rows)
            rows.append(Row(start + length, -1, {}))
    rows.sort(key=lambda row: (row.address, row.cfa >= 0))
    return rows, first_rows.cfa


def run(entry: Reader, start: int, first: Row) -> list[Row]:
    """Carry out the instructions of one description."""
    rows = [Row(start, first.cfa, dict(first.saved))]
    while entry.more():
        operation = entry.number(1)
        row = rows[-1]
        high, low = operation & 0xC0, operation & 0x3F
        if high == 0x40 or operation in {2, 3, 4}:  # advance
            steps = low if high else entry.number({2: 1, 3: 2, 4: 4}[operation])
            rows.append(Row(row.address + 2 * steps, row.cfa, dict(row.saved)))
        elif high == 0x80:  # saved
            row.saved[low] = entry.leb()
        elif operation == 0x0C:  # CFA by register, the stack pointer, and offset
            entry.leb()
            row.cfa = entry.leb()
        elif operation == 0x0E:  # CFA by offset
            row.cfa = entry.leb()
        elif operation in {7, 8}:  # undefined, same value
            row.saved.pop(entry.leb(), None)
    return rows


class StackUnwinder:
    """Find the caller of a frame by the rows of one ELF file."""

    name = "pentavr"
    enabled = True

    def __init__(self, path: str) -> None:
        self.rows, self.call_size = rows_of(section(path, b".debug_frame"))
        self.addresses = [row.address for row in self.rows]

    def __call__(self, frame: gdb.PendingFrame) -> gdb.UnwindInfo | None:
        """Describe the frame; None leaves it to gdb's guess."""
        pc, stack = frame.read_register("PC2"), frame.read_register("SP")
        # A return address is past its call; the rules of the call itself hold there.
        place = int(pc) - (1 if frame.level() > 0 else 0)
        index = bisect_right(self.addresses, place) - 1
        if index < 0 or self.rows[index].cfa < 0:
            return None
        row = self.rows[index]
        cfa = (int(stack) & 0xFFFF) + row.cfa
        info = frame.create_unwind_info(FrameId(gdb.Value(SRAM_OFFSET + cfa), gdb.Value(routine_start(place))))
        info.add_saved_register("SP", gdb.Value(cfa).cast(stack.type))
        # Without a return address it is the outermost code; gdb ends at a caller at 0, where the reset enters.
        word = 0
        if RETURN_ADDRESS in row.saved:
            word = int.from_bytes(memory(cfa - row.saved[RETURN_ADDRESS], self.call_size), "big")
        info.add_saved_register("PC2", gdb.Value(2 * word).cast(pc.type))
        info.add_saved_register("pc", gdb.Value(2 * word).cast(frame.read_register("pc").type))
        for register in range(32):
            name = f"r{register}"
            value = frame.read_register(name)
            if register in row.saved:
                value = gdb.Value(memory(cfa - row.saved[register], 1)[0]).cast(value.type)
            info.add_saved_register(name, value)
        return info


class FrameId:
    """What tells one call from another."""

    def __init__(self, sp: gdb.Value, pc: gdb.Value) -> None:
        self.sp = sp
        self.pc = pc


def routine_start(place: int) -> int:
    """Give the address of the routine around."""
    block = gdb.block_for_pc(place)
    while block is not None and block.function is None:
        block = block.superblock
    return place if block is None else int(block.start)


def memory(address: int, size: int) -> bytes:
    """Read SRAM."""
    return bytes(gdb.selected_inferior().read_memory(SRAM_OFFSET + address, size))


gdb.unwinder.register_unwinder(gdb.current_objfile(), StackUnwinder(gdb.current_objfile().filename), replace=True)
