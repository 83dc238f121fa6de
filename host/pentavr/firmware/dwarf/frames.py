# SPDX-License-Identifier: GPL-3.0-or-later
"""How to get from a routine to its caller, .debug_frame: DWARF 4 section 6.4.

Registers are numbered as the AVR compilers do: 0 to 31 themselves, 32 the stack pointer, 36 the return address. The
canonical frame address, CFA, is the stack pointer as it was before the call; it points to a free byte, so the last
byte of the return address lies at the CFA itself, the others and then what the routine pushes below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from pentavr.firmware.dwarf.encoding import address, offset, signed, unsigned, with_length
from pentavr.firmware.image import WordAddress
from pentavr.firmware.program import Program
from pentavr.firmware.unwind import Routine, StackState, instruction_words

__all__ = ["frames"]

STACK_POINTER, RETURN_ADDRESS = 32, 36
VERSION = 1
CIE_MARK = b"\xff\xff\xff\xff"
LARGEST_SHORT_ADVANCE = 0x3F

DEFINE_CFA, DEFINE_CFA_OFFSET, UNDEFINED, SAME_VALUE, NOTHING = b"\x0c", b"\x0e", b"\x07", b"\x08", b"\0"
ADVANCE_ONE_BYTE, ADVANCE_TWO_BYTES, ADVANCE_FOUR_BYTES = b"\x02", b"\x03", b"\x04"
ADVANCE, AT_OFFSET = 0x40, 0x80

Frame = tuple[WordAddress, StackState]
UNKNOWN = StackState(outermost=True)


def frames(program: Program, routines: Iterable[Routine], states: Mapping[WordAddress, StackState | None]) -> bytes:
    """Write what is known of the stack, a description a routine; where nothing is, there is no caller either."""
    call_size = 3 if program.flash_words > 1 << 16 else 2
    rules = DEFINE_CFA + unsigned(STACK_POINTER) + unsigned(call_size) + _saved_at(RETURN_ADDRESS, call_size - 1)
    # Code counts in words, the stack downwards in bytes.
    common = CIE_MARK + bytes([VERSION]) + b"\0" + unsigned(2) + signed(-1) + unsigned(RETURN_ADDRESS) + rules
    out = bytearray(_padded(common))
    for run in _runs(program, {routine.start for routine in routines}, states):
        first, state = run[0]
        last, _ = run[-1]
        length = 2 * (last + instruction_words(program.words[last]) - first)
        rows = _rows(run, call_size)
        if state.outermost:
            rows = UNDEFINED + unsigned(RETURN_ADDRESS) + rows
        out += _padded(offset(0) + address(2 * first) + address(length) + rows)
    return bytes(out)


def _padded(content: bytes) -> bytes:
    return with_length(content + NOTHING * (-len(content) % 4))


def _runs(
    program: Program, starts: Set[WordAddress], states: Mapping[WordAddress, StackState | None]
) -> list[list[Frame]]:
    """Part the code at routines, where it has a gap and where the code that nothing called begins or ends."""
    runs: list[list[Frame]] = []
    expected = None
    for word in sorted(states):
        state = states[word] or UNKNOWN
        if word != expected or word in starts or runs[-1][-1][1].outermost != state.outermost:
            runs.append([])
        runs[-1].append((word, state))
        expected = word + instruction_words(program.words[word])
    return runs


def _rows(run: Sequence[Frame], call_size: int) -> bytes:
    """Write what changes from instruction to instruction."""
    out = bytearray()
    at, below = run[0][0], call_size
    saved: Mapping[int, int] = {}
    for word, state in run:
        return_address = 0 if state.outermost else call_size
        changes = b""
        if return_address + len(state.pushed) != below:
            below = return_address + len(state.pushed)
            changes += DEFINE_CFA_OFFSET + unsigned(below)
        now = _saved(state, return_address)
        for register in sorted(saved.keys() | now.keys()):
            if register not in now:
                changes += SAME_VALUE + unsigned(register)
            elif now[register] != saved.get(register):
                changes += _saved_at(register, now[register])
        saved = now
        if changes:
            out += _advance(word - at) + changes
            at = word
    return bytes(out)


def _saved(state: StackState, return_address: int) -> dict[int, int]:
    """Give how far below the CFA the caller's value of each saved register lies; of two copies the older counts."""
    places: dict[int, int] = {}
    for index, register in enumerate(state.pushed):
        if register is not None:
            places.setdefault(register, return_address + index)
    return places


def _advance(words: int) -> bytes:
    if words == 0:
        return b""
    if words <= LARGEST_SHORT_ADVANCE:
        return bytes([ADVANCE | words])
    if words <= 0xFF:
        return ADVANCE_ONE_BYTE + words.to_bytes(1, "little")
    if words <= 0xFFFF:
        return ADVANCE_TWO_BYTES + words.to_bytes(2, "little")
    return ADVANCE_FOUR_BYTES + words.to_bytes(4, "little")


def _saved_at(register: int, below_cfa: int) -> bytes:
    return bytes([AT_OFFSET | register]) + unsigned(below_cfa)
