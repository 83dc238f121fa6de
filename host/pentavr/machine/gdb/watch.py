# SPDX-License-Identifier: GPL-3.0-or-later
"""Watchpoints: which bytes an instruction changes, and which it reads or writes.

Opcodes after the AVR Instruction Set Manual.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pentavr.firmware.image import ByteAddress, SramAddress
from pentavr.machine.emulator import Emulator

__all__ = ["KINDS", "Kind", "Watchpoint", "Watchpoints"]

X, Y, Z = 26, 28, 30
"""The low register of each pointer."""
POINTERS = {0x1: (Z, 0), 0x2: (Z, -1), 0x9: (Y, 0), 0xA: (Y, -1), 0xC: (X, 0), 0xD: (X, 0), 0xE: (X, -1)}
"""By the low four bits of ld and st: the pointer, and what is added to it before its use."""
DIRECT, STACK = 0x0, 0xF
STORE = 0x0200


class Kind(Enum):
    """What a watchpoint waits for; the value is its name in a stop reply."""

    WRITE = "watch"
    READ = "rwatch"
    ACCESS = "awatch"


KINDS = {2: Kind.WRITE, 3: Kind.READ, 4: Kind.ACCESS}
"""By their numbers in gdb's packets."""


@dataclass(frozen=True, slots=True)
class Watchpoint:
    """Some bytes of the data space."""

    kind: Kind
    address: SramAddress
    size: int


class Watchpoints:
    """The watchpoints of one session."""

    def __init__(self, machine: Emulator) -> None:
        self._machine = machine
        self._content: dict[Watchpoint, bytes] = {}

    def __bool__(self) -> bool:
        return bool(self._content)

    def insert(self, watchpoint: Watchpoint) -> None:
        """Add one; raises UnusableInput outside the data space."""
        self._content[watchpoint] = self._machine.read_data(watchpoint.address, watchpoint.size)

    def remove(self, watchpoint: Watchpoint) -> None:
        """Take one away again, if it is there."""
        self._content.pop(watchpoint, None)

    def remember(self) -> None:
        """Note what the bytes hold before the chip runs."""
        for watchpoint in self._content:
            self.insert(watchpoint)

    def step(self) -> Watchpoint | None:
        """Execute one instruction; give the watchpoint that it hits, None where it hits none."""
        machine = self._machine
        access = self._access() if any(each.kind is not Kind.WRITE for each in self._content) else None
        machine.step()
        for each, before in self._content.items():
            if each.kind is Kind.WRITE:
                if machine.read_data(each.address, each.size) != before:
                    return each
            elif access is not None:
                address, stores = access
                if each.address <= address < each.address + each.size and (each.kind is Kind.ACCESS or not stores):
                    return each
        return None

    def _access(self) -> tuple[int, bool] | None:
        """Give the address that the next instruction reads or writes by a load or store, and whether it writes."""
        machine = self._machine
        pc = machine.pc
        word = self._word(pc)
        stores = bool(word & STORE)
        if word & 0xD000 == 0x8000:  # ldd and std: a displacement in six scattered bits
            pointer = Y if word & 8 else Z
            return self._pointer(pointer) + (word >> 8 & 0x20 | word >> 7 & 0x18 | word & 7), stores
        if word & 0xFC00 != 0x9000:
            return None
        mode = word & 0xF
        if mode == DIRECT:
            return self._word(ByteAddress(pc + 2)), stores
        if mode == STACK:
            return machine.sp + (0 if stores else 1), stores
        if mode in POINTERS:
            pointer, before = POINTERS[mode]
            return self._pointer(pointer) + before, stores
        return None

    def _word(self, address: ByteAddress) -> int:
        return int.from_bytes(self._machine.read_flash(address, 2), "little")

    def _pointer(self, register: int) -> int:
        return int.from_bytes(self._machine.read_data(SramAddress(register), 2), "little")
