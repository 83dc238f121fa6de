# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a source line can be left, read off its instructions; a call counts as passed when it has returned.

Opcodes after the AVR Instruction Set Manual.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Ways", "ways_out"]

TWO_WORDS = ((0xFC0F, 0x9000), (0xFE0C, 0x940C))
"""Mask and value of lds and sts; of jmp and call."""
CALLS = ((0xF000, 0xD000), (0xFE0E, 0x940E), (0xFFEF, 0x9509))
"""Of rcall; of call; of icall and eicall."""
RETURNS = ((0xFFEF, 0x9508),)
INDIRECT_JUMPS = ((0xFFEF, 0x9409),)
SKIPS = ((0xFC00, 0x1000), (0xFC08, 0xFC00), (0xFD00, 0x9900))
"""Of cpse; of sbrc and sbrs; of sbic and sbis."""
BRANCH = (0xF800, 0xF000)
RELATIVE_JUMP = (0xF000, 0xC000)
JUMP = (0xFE0E, 0x940C)
PUSH = (0xFE0F, 0x920F)


@dataclass(frozen=True, slots=True)
class Ways:
    """The byte addresses at which the line is left, whether it can return, and how many bytes it may push."""

    addresses: frozenset[int]
    returns: bool
    jumps_through_z: bool
    pushed: int


def ways_out(start: int, opcode: Callable[[int], int], is_in_line: Callable[[int], bool]) -> Ways:
    """Follow a line's instructions from an address on; coming back to it is leaving the line, too."""
    waiting, seen, out = [start], set[int](), set[int]()
    returns = jumps_through_z = False
    pushed = 0
    while waiting:
        address = waiting.pop()
        if address in seen:
            continue
        seen.add(address)
        word = opcode(address)
        returns |= _is(word, RETURNS)
        jumps_through_z |= _is(word, INDIRECT_JUMPS)
        pushed += _is(word, (PUSH,))
        for successor in _successors(address, word, opcode):
            if successor != start and is_in_line(successor):
                waiting.append(successor)
            else:
                out.add(successor)
    return Ways(frozenset(out), returns, jumps_through_z, pushed)


def _successors(address: int, word: int, opcode: Callable[[int], int]) -> tuple[int, ...]:
    following = address + _size(word)
    if _is(word, (*RETURNS, *INDIRECT_JUMPS)):
        return ()
    if _is(word, (RELATIVE_JUMP,)):
        return (following + 2 * _signed(word & 0x0FFF, 12),)
    if _is(word, (JUMP,)):
        return (2 * ((word >> 4 & 0x1F | word & 1) << 16 | opcode(address + 2)),)
    if _is(word, (BRANCH,)):
        return (following, following + 2 * _signed(word >> 3 & 0x7F, 7))
    if _is(word, SKIPS):
        return (following, following + _size(opcode(following)))
    return (following,)


def _size(word: int) -> int:
    return 4 if _is(word, TWO_WORDS) else 2


def _is(word: int, patterns: tuple[tuple[int, int], ...]) -> bool:
    return any(word & mask == value for mask, value in patterns)


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> bits - 1 else value
