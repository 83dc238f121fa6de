# SPDX-License-Identifier: GPL-3.0-or-later
"""What every emulated AVR offers, whichever simulator stands behind it."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Collection
from enum import Enum
from types import TracebackType
from typing import Self

from pentavr.errors import LimitReached, MachineFault, UnusableInput
from pentavr.firmware.image import ByteAddress, Image, Segment, SramAddress
from pentavr.firmware.parts import ATMEGA88, SRAM_START, Part

__all__ = ["Emulator", "Halt", "Reset"]

REGISTERS = 32
SKIPS = ((0xFC00, 0x1000), (0xFC08, 0xFC00), (0xFD00, 0x9900))
"""Mask and value of the opcodes that may skip the next instruction: cpse; sbrc and sbrs; sbic and sbis."""
TWO_WORDS = ((0xFC0F, 0x9000), (0xFE0C, 0x940C))
"""Mask and value of the opcodes that take two words: lds and sts; jmp and call."""


class Halt(Enum):
    """Why a run ended; a fault of the chip and Ctrl-C are exceptions instead."""

    STOP = "stop"
    CYCLES = "cycles"
    TIME = "time"


class Reset(Enum):
    """What resets the chip; MCUSR tells the firmware which of them it was."""

    POWER_ON = "power-on"
    EXTERNAL = "external"

    @property
    def flag(self) -> int:
        """Give the bit that it sets in MCUSR: PORF or EXTRF."""
        return {Reset.POWER_ON: 0x01, Reset.EXTERNAL: 0x02}[self]


class Emulator(ABC):
    """An emulated AVR with a program in its Flash, powered on and standing at its reset vector.

    Addresses in Flash count bytes. The data space holds the 32 registers at 0, the I/O registers from $20 and the
    SRAM from $100. Use it as a context manager or close it: a simulator's memory is not Python's to collect.
    Nothing of it may be used by two threads at a time; several machines may be used side by side.
    """

    def __init__(self, image: Image, *, part: Part = ATMEGA88, clock_hz: int = 20_000_000) -> None:
        if len(image.flash) > part.flash_size:
            raise UnusableInput(
                f"the program takes {len(image.flash)} bytes, the Flash of the {part.name} has {part.flash_size}: "
                "choose a larger part"
            )
        self.image = image
        self.part = part
        self.clock_hz = clock_hz
        self._closed = False
        self._fault: MachineFault | None = None
        self._stops: Collection[ByteAddress] = ()
        self._stops_patchable = True
        self._reported: tuple[ByteAddress, int] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give back the simulator's memory; a second call does nothing, any other use afterwards raises ValueError."""
        if not self._closed:
            self._closed = True
            self._close()

    # --- running -----------------------------------------------------------------------------------------------

    def reset(self, cause: Reset = Reset.POWER_ON) -> None:
        """Bring the chip to its reset vector.

        Power-on clears the registers and the SRAM and sets `cycles` to 0; an external reset keeps all three. The
        EEPROM outlives both. Serial bytes still on their way to the chip are lost. A chip that had faulted runs again.
        """
        self._check_open()
        self._fault = None
        self._reported = None
        self._reset(cause)

    def run(
        self,
        stops: Collection[ByteAddress] = (),
        *,
        max_cycles: int | None = None,
        timeout_s: float | None = None,
    ) -> Halt:
        """Run until the next instruction is at one of the stops, or a limit is reached.

        Each arrival at a stop is reported once: standing at a stop that was reported, the chip goes on; at one that it
        has come to by a reset, a limit, Ctrl-C or `pc`, it stays. A cycle limit ends the run at the first instruction
        that would begin at or after it, a stop there counting as one. A limit of None is none. Hand in the same
        collection again and again rather than an equal one: it is examined only when it changes. While the run lasts,
        the program would read other opcodes than its own at the stops.

        Raises MachineFault if the chip leaves its program, its memory, or sleeps for ever; KeyboardInterrupt on
        Ctrl-C, within a tenth of a second and with the chip between two instructions, so that it can go on.
        """
        self._check_running()
        if stops is not self._stops:
            self._stops_patchable = self._examine(stops)
            self._stops = stops
        end = math.inf if max_cycles is None else self._cycles() + max_cycles
        deadline = math.inf if timeout_s is None else time.monotonic() + timeout_s
        if self._cycles() >= end:
            return Halt.CYCLES
        if self._reported == (self._get_pc(), self._cycles()):
            self._step()
        halt = Halt.STOP
        if not self._is_at(stops):
            halt = self._run(stops, end, deadline) if self._stops_patchable else self._walk(stops, end, deadline)
        if self._is_at(stops):
            halt = Halt.STOP
            self._reported = self._get_pc(), self._cycles()
        return halt

    def step(self) -> None:
        """Execute one instruction; simavr enters an interrupt that is due after it, yasimavr before it."""
        self._check_running()
        self._step()

    def call(self, routine: ByteAddress, *, max_cycles: int = 1_000_000) -> int:
        """Call a routine as `rcall` would and return the cycles it took, its `ret` included, the call not.

        The return address lies in the last word of Flash, which is not executed. Raises LimitReached at the limit.
        """
        back = ByteAddress(self.part.flash_size - 2)
        before, stack = self.cycles, self.sp
        self.write_data(SramAddress(stack - 1), (back // 2).to_bytes(2, "big"))
        self.sp = SramAddress(stack - 2)
        self.pc = routine
        if self.run((back,), max_cycles=max_cycles) is not Halt.STOP:
            raise LimitReached(
                f"the routine at {self.where(routine)} did not return within {max_cycles:,} cycles; "
                f"it is at {self.where(self.pc)}"
            )
        return self.cycles - before

    # --- state -------------------------------------------------------------------------------------------------

    @property
    def cycles(self) -> int:
        """Count the clock cycles since power-on."""
        self._check_open()
        return self._cycles()

    @property
    def pc(self) -> ByteAddress:
        """The address of the next instruction; a sleeping chip wakes up where it is set."""
        self._check_open()
        return self._get_pc()

    @pc.setter
    def pc(self, address: ByteAddress) -> None:
        self._check_flash(address, 2)
        self._set_pc(address)

    @property
    def sp(self) -> SramAddress:
        """The stack pointer: where the next byte is pushed."""
        self._check_open()
        return self._get_sp()

    @sp.setter
    def sp(self, address: SramAddress) -> None:
        self._check_open()
        self._set_sp(address)

    @property
    def sreg(self) -> int:
        """The status register, I in bit 7 to C in bit 0."""
        self._check_open()
        return self._get_sreg()

    @sreg.setter
    def sreg(self, value: int) -> None:
        self._check_open()
        self._set_sreg(value)

    # --- memories ----------------------------------------------------------------------------------------------

    def read_data(self, address: SramAddress, size: int = 1) -> bytes:
        """Read registers, I/O registers and SRAM, without what reading does to an I/O register."""
        self._check_open()
        if address < 0 or size < 0 or address + size > self.part.ramend + 1:
            raise self._outside("data space", address, size, self.part.ramend + 1)
        return self._read_data(address, size)

    def write_data(self, address: SramAddress, content: bytes) -> None:
        """Write registers or SRAM; an I/O register is for the firmware to write, so that is refused."""
        self._check_open()
        end = address + len(content)
        if address < 0 or end > self.part.ramend + 1:
            raise self._outside("data space", address, len(content), self.part.ramend + 1)
        if end > REGISTERS and address < SRAM_START:
            raise UnusableInput(f"${address:04x} to ${end - 1:04x} has I/O registers in it: only the chip writes those")
        self._write_data(address, content)

    def read_flash(self, address: ByteAddress, size: int) -> bytes:
        """Read the program memory; erased bytes are 255."""
        self._check_flash(address, size)
        return self._read_flash(address, size)

    def write_flash(self, address: ByteAddress, content: bytes) -> None:
        """Write the program memory, as a programmer does."""
        self._check_flash(address, len(content))
        self._stops, self._stops_patchable = (), True
        self._write_flash(address, content)

    def read_eeprom(self, address: int, size: int) -> bytes:
        """Read the EEPROM; erased bytes are 255."""
        self._check_eeprom(address, size)
        return self._read_eeprom(address, size)

    def write_eeprom(self, address: int, content: bytes) -> None:
        """Write the EEPROM, as a programmer does."""
        self._check_eeprom(address, len(content))
        self._write_eeprom(address, content)

    # --- the serial line ---------------------------------------------------------------------------------------

    def take_serial(self) -> bytes:
        """Take the bytes that the chip has sent since the last call."""
        self._check_open()
        return self._take_serial()

    def feed_serial(self, content: bytes) -> None:
        """Put bytes on the line to the chip, which they reach one a frame at the rate that it has set, as it runs.

        As on a real line, what the chip does not read in time, or with its receiver off, is lost.
        """
        self._check_open()
        self._feed_serial(content)

    # --- helpers -----------------------------------------------------------------------------------------------

    def where(self, address: ByteAddress) -> str:
        """Name a place in the program: the nearest label before it, the distance in bytes and the address."""
        labels = [
            (2 * symbol.value, name)
            for name, symbol in self.image.symbols.items()
            if symbol.segment is Segment.CODE and 2 * symbol.value <= address
        ]
        if not labels:
            return f"${address:04x}"
        start, name = max(labels)
        return f"{name} (${address:04x})" if start == address else f"{name} + {address - start} (${address:04x})"

    def _check_open(self) -> None:
        if self._closed:
            raise ValueError("this emulator is closed")

    def _check_running(self) -> None:
        self._check_open()
        if self._fault is not None:
            raise MachineFault(f"{self._fault}; reset the chip to go on")

    def _check_flash(self, address: int, size: int) -> None:
        self._check_open()
        if address < 0 or size < 0 or address + size > self.part.flash_size:
            raise self._outside("Flash", address, size, self.part.flash_size)

    def _check_eeprom(self, address: int, size: int) -> None:
        self._check_open()
        if address < 0 or size < 0 or address + size > self.part.eeprom_size:
            raise self._outside("EEPROM", address, size, self.part.eeprom_size)

    def _outside(self, memory: str, address: int, size: int, end: int) -> UnusableInput:
        return UnusableInput(
            f"{size} bytes from ${address:04x} on: the {memory} of the {self.part.name} ends at ${end - 1:04x}"
        )

    def _faulted(self, what: str) -> MachineFault:
        """Note a fault, to be raised now and at every attempt to go on without a reset."""
        self._fault = MachineFault(f"the chip stopped by itself after {self._cycles():,} cycles: {what}")
        return self._fault

    def _examine(self, stops: Collection[ByteAddress]) -> bool:
        """Check the stops and tell whether an opcode of one word can stand in for each of them.

        A skip must see how long the instruction after it is, so two words there cannot be replaced.
        """
        patchable = True
        for stop in stops:
            if stop % 2:
                raise UnusableInput(f"${stop:04x} is no stop: an instruction begins at an even address")
            self._check_flash(stop, 2)
            before, here = (
                int.from_bytes(self._read_flash(ByteAddress(address), 2), "little")
                for address in (max(stop - 2, 0), stop)
            )
            after_skip = stop > 0 and any(before & mask == value for mask, value in SKIPS)
            if after_skip and any(here & mask == value for mask, value in TWO_WORDS):
                patchable = False
        return patchable

    def _is_at(self, stops: Collection[ByteAddress]) -> bool:
        """Tell whether the next instruction is at a stop; where the chip sleeps, that is the one to wake up to."""
        return self._get_pc() in stops and not self._is_asleep()

    def _walk(self, stops: Collection[ByteAddress], end: float, deadline: float) -> Halt:
        """Run as `run` does, looking at the program counter after each instruction."""
        while self._cycles() < end:
            self._step()
            if self._is_at(stops):
                return Halt.STOP
            if time.monotonic() >= deadline:
                return Halt.TIME
        return Halt.CYCLES

    # --- what a simulator has to provide -----------------------------------------------------------------------

    @abstractmethod
    def _close(self) -> None: ...

    @abstractmethod
    def _reset(self, cause: Reset) -> None: ...

    @abstractmethod
    def _run(self, stops: Collection[ByteAddress], end: float, deadline: float) -> Halt:
        """Run to a stop, a cycle count or a time of the monotonic clock, either of them maybe infinite.

        The chip does not stand at a stop, and need not notice one that it reaches together with a limit.
        """

    @abstractmethod
    def _step(self) -> None: ...

    @abstractmethod
    def _is_asleep(self) -> bool: ...

    @abstractmethod
    def _cycles(self) -> int: ...

    @abstractmethod
    def _get_pc(self) -> ByteAddress: ...

    @abstractmethod
    def _set_pc(self, address: ByteAddress) -> None: ...

    @abstractmethod
    def _get_sp(self) -> SramAddress: ...

    @abstractmethod
    def _set_sp(self, address: SramAddress) -> None: ...

    @abstractmethod
    def _get_sreg(self) -> int: ...

    @abstractmethod
    def _set_sreg(self, value: int) -> None: ...

    @abstractmethod
    def _read_data(self, address: SramAddress, size: int) -> bytes: ...

    @abstractmethod
    def _write_data(self, address: SramAddress, content: bytes) -> None: ...

    @abstractmethod
    def _read_flash(self, address: ByteAddress, size: int) -> bytes: ...

    @abstractmethod
    def _write_flash(self, address: ByteAddress, content: bytes) -> None: ...

    @abstractmethod
    def _read_eeprom(self, address: int, size: int) -> bytes: ...

    @abstractmethod
    def _write_eeprom(self, address: int, content: bytes) -> None: ...

    @abstractmethod
    def _take_serial(self) -> bytes: ...

    @abstractmethod
    def _feed_serial(self, content: bytes) -> None: ...
