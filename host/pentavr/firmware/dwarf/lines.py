# SPDX-License-Identifier: GPL-3.0-or-later
"""The line table, .debug_line: DWARF 4 section 6.2."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence, Set

from pentavr.firmware.dwarf.encoding import VERSION, address, block, runs, signed, string, unsigned, with_length
from pentavr.firmware.image import SourceLine, WordAddress
from pentavr.firmware.program import Program
from pentavr.firmware.unwind import Routine

__all__ = ["line_program"]

BYTES_A_STEP = 2
"""Addresses advance in words."""

COPY, ADVANCE_PC, ADVANCE_LINE, SET_FILE = b"\x01", b"\x02", b"\x03", b"\x04"
EXTENDED = b"\0"
END_SEQUENCE, SET_ADDRESS = b"\x01", b"\x02"

OPERANDS = bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
"""How many each standard opcode has, from 1 on."""


def line_program(program: Program, routines: Sequence[Routine]) -> bytes:
    """Write the table; each word has its row, data as well, so that none is taken for the line before it.

    Where a routine begins there are two: by this a debugger knows that no compiler's prologue has to be skipped, and
    a breakpoint at the label is at the label.
    """
    files = b"".join(string(file) + b"\0\0\0" for file in program.files)  # folder, time and size left out
    # One operation an instruction, lines begin statements, and the parameters of special opcodes, which we do without.
    parameters = struct.pack("<BBBbBB", BYTES_A_STEP, 1, 1, -5, 14, len(OPERANDS) + 1)
    head = parameters + OPERANDS + b"\0" + files + b"\0"
    lines = {line.address: line for line in program.lines}
    numbers = {file: number for number, file in reversed(list(enumerate(program.files, start=1)))}
    starts = {routine.start for routine in routines}
    sequences = b"".join(_sequence(lines, numbers, starts, first, last) for first, last in runs(lines))
    return with_length(struct.pack("<H", VERSION) + with_length(head) + sequences)


def _sequence(
    lines: Mapping[WordAddress, SourceLine],
    files: Mapping[str, int],
    starts: Set[WordAddress],
    first: WordAddress,
    last: WordAddress,
) -> bytes:
    """Write the rows of a run of words without a gap; a row holds until the next."""
    out = bytearray(EXTENDED + block(SET_ADDRESS + address(2 * first)))
    at: int = first
    file, number = 1, 1
    shown = None
    for word in map(WordAddress, range(first, last + 1)):
        line = lines[word]
        if (line.file, line.line) == shown and word not in starts:
            continue
        shown = (line.file, line.line)
        if files[line.file] != file:
            file = files[line.file]
            out += SET_FILE + unsigned(file)
        out += ADVANCE_PC + unsigned(word - at) + ADVANCE_LINE + signed(line.line - number) + COPY
        if word in starts:
            out += COPY
        at, number = word, line.line
    out += ADVANCE_PC + unsigned(last + 1 - at) + EXTENDED + block(END_SEQUENCE)
    return bytes(out)
