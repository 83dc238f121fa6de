# SPDX-License-Identifier: GPL-3.0-or-later
"""The emulated chip on simavr, through the C module that pysimavr wraps around it (Python 3.11).

Only that module is used, by SWIG where it has a function and by ctypes where SWIG has none; pysimavr's Python classes
start a thread, shell out and sleep. What simavr does not do by itself is done here:

- Stops. simavr checks breakpoints only in its gdb mode, after every instruction. Here the opcode at a stop is replaced
  while the chip runs by `out 0x00, r0`, a write to an I/O address that no part has, and the write handler of that
  address is simavr's own `avr_sadly_crashed`, which ends the run. Opcode, program counter and cycle count are then put
  back. It costs nothing on the way, and holds with interrupts on, where the usual SLEEP would be slept through.
- Control. `avr_run` returns when the next cycle timer is due, and a program that sets a timer anew all the time (`wdr`
  does) never lets that moment come. So a timer of our own is set before each call; it also ends a run at the exact
  cycle. Its handler must be a C function that returns 0 and touches nothing: `avr_cycle_timer_status`.
- Memory. simavr lets a program write past its SRAM and read past its Flash, in this process. Both are allocated for
  all addresses that a 16-bit pointer can name. (Past the EEPROM nothing helps.)
- Ctrl-C. Python runs signal handlers between bytecodes and loses what they raise in a callback, so no callback is
  written in Python.

It differs from a chip in this: entering an interrupt takes no cycles, an EEPROM write is there at once, a byte is sent
as it is written, U2X is ignored, and a watchdog reset clears the SRAM.
"""

from __future__ import annotations

import ctypes
import math
import struct
import time
from collections.abc import Collection
from typing import Any

from pentavr.errors import ToolMissing, UnusableInput
from pentavr.firmware.image import ByteAddress, Image, SramAddress
from pentavr.firmware.parts import ATMEGA88, SRAM_START, Part
from pentavr.machine.emulator import Emulator, Halt, Reset

__all__ = ["Simavr"]

TRAP = 0xB800
"""The opcode of `out 0x00, r0`; I/O address $00 is $20 in the data space."""
TRAP_REGISTER = 0x20
SLICE_CYCLES = 20_000
"""How long simavr runs before Python looks around: some 80 microseconds."""
UNBOUND = 1 << 62
ADDRESSABLE = 0xFFFF

RUNNING, SLEEPING, DONE, CRASHED = 2, 3, 6, 7
"""Of simavr's core states, those that its run mode without gdb can be in."""

SPL = 0x5D
SREG = 0x5F
MCUSR = 0x54
UBRR0L = 0xC4
UART_OUTPUT = 1
UART_INPUT = 0
FRAME_BITS = 11
"""simavr counts a start, eight data, a parity and a stop bit, whatever the frame has."""


class _EepromDescription(ctypes.Structure):
    """simavr's `avr_eeprom_desc_t`."""

    _fields_ = (("bytes", ctypes.c_void_p), ("offset", ctypes.c_uint16), ("size", ctypes.c_uint32))


_SerialNotify = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32)


class Simavr(Emulator):
    """An AVR emulated by simavr, at 250 to 400 million cycles a second."""

    def __init__(self, image: Image, *, part: Part = ATMEGA88, clock_hz: int = 20_000_000) -> None:
        super().__init__(image, part=part, clock_hz=clock_hz)
        self._swig, self._lib = _load()
        swig, lib = self._swig, self._lib
        avr = swig.avr_make_mcu_by_name(part.core)
        if avr is None:
            raise UnusableInput(f"simavr does not know the part {part.name!r}")
        self._avr = avr
        self._address = int(avr)
        if swig.avr_t_flashend_get(avr) != part.flash_size - 1 or swig.avr_t_ramend_get(avr) != part.ramend:
            raise UnusableInput(f"simavr gives the {part.name} other memories than the data sheet does")
        swig.avr_t_flashend_set(avr, ADDRESSABLE)
        swig.avr_t_ramend_set(avr, ADDRESSABLE)
        swig.avr_init(avr)
        swig.avr_t_flashend_set(avr, part.flash_size - 1)
        swig.avr_t_ramend_set(avr, part.ramend)
        swig.avr_t_log_set(avr, 0)
        swig.avr_t_frequency_set(avr, clock_hz)
        swig.avr_t_vcc_set(avr, 5000)
        swig.avr_t_avcc_set(avr, 5000)
        self._sleep_in_no_time()

        self._data = _view(int(swig.avr_t_data_get(avr)), part.ramend + 1)
        self._flash = _view(int(swig.avr_t_flash_get(avr)), part.flash_size)
        self._words = self._flash.cast("H")
        description = _EepromDescription(None, 0, part.eeprom_size)
        lib.avr_ioctl(self._address, _code("eegp"), ctypes.byref(description))
        self._eeprom = _view(description.bytes or 0, part.eeprom_size)

        lib.avr_register_io_write(self._address, TRAP_REGISTER, _pointer(lib.avr_sadly_crashed), None)
        self._pulse = _pointer(lib.avr_cycle_timer_status)
        self._armed: dict[int, int] = {}
        self._trapped: tuple[int, int] | None = None

        self._sent = bytearray()
        # Called with an address and a byte, `insert` appends the byte, as the address lies beyond the end. A built-in
        # runs no signal handler: see above.
        self._notify = _SerialNotify(self._sent.insert)
        lib.avr_irq_register_notify(self._uart(UART_OUTPUT), self._notify, None)
        lib.avr_ioctl(self._address, _code("uas0"), ctypes.byref(ctypes.c_uint32(0)))
        self._line = bytearray()
        self._line_free = 0

        self._origin = 0
        self._flash[: len(image.flash)] = image.flash
        self.reset()

    def _close(self) -> None:
        for view in (self._words, self._flash, self._data, self._eeprom):
            view.release()
        self._swig.avr_terminate(self._avr)
        # avr_terminate leaves the structure itself to its maker, which took it from malloc.
        self._lib.free(self._address)
        del self._avr

    def _reset(self, cause: Reset) -> None:
        self._settle()
        registers, sram = bytes(self._data[:32]), bytes(self._data[SRAM_START:])
        causes = self._data[MCUSR] | cause.flag
        # Twice, for a watchdog that has just bitten would have the first one taken for its own.
        self._swig.avr_reset(self._avr)
        self._swig.avr_reset(self._avr)
        if cause is Reset.POWER_ON:
            registers, sram, causes = bytes(len(registers)), bytes(len(sram)), cause.flag
            self._origin = self._swig.avr_t_cycle_get(self._avr)
        self._data[:32], self._data[SRAM_START:], self._data[MCUSR] = registers, sram, causes
        self._line.clear()

    # --- running -----------------------------------------------------------------------------------------------

    def _run(self, stops: Collection[ByteAddress], end: float, deadline: float) -> Halt:
        swig, avr, address = self._swig, self._avr, self._address
        run, set_timer, cycle = swig.avr_run, self._lib.avr_cycle_timer_register, swig.avr_t_cycle_get
        end += self._origin
        self._arm(stops)
        try:
            while (left := end - cycle(avr)) > 0:
                if self._line:
                    left = min(left, self._feed_line())
                swig.avr_t_run_cycle_limit_set(avr, UNBOUND)
                set_timer(address, int(min(left, SLICE_CYCLES)), self._pulse, None)
                state = run(avr)
                if state not in (RUNNING, SLEEPING):
                    if self._settle():
                        return Halt.STOP
                    self._raise_fault(state)
                if deadline != math.inf and time.monotonic() >= deadline:
                    return Halt.TIME
            return Halt.CYCLES
        finally:
            self._settle()

    def _step(self) -> None:
        swig = self._swig
        self._settle()
        if self._line:
            self._feed_line()
        swig.avr_t_run_cycle_count_set(self._avr, 1)
        state = swig.avr_run(self._avr)
        if state not in (RUNNING, SLEEPING):
            self._raise_fault(state)

    def _arm(self, stops: Collection[ByteAddress]) -> None:
        words = self._words
        self._armed = {stop >> 1: words[stop >> 1] for stop in stops}
        for word in self._armed:
            words[word] = TRAP

    def _settle(self) -> bool:
        """Take the traps out again and step back from the one that was hit; tell whether there was one.

        A Ctrl-C may come between any two lines of it, so that it must be able to start over at the next call.
        """
        if not self._armed:
            return False
        swig, avr = self._swig, self._avr
        if self._trapped is None and swig.avr_t_state_get(avr) == CRASHED:
            stop = swig.avr_t_pc_get(avr) - 2
            if stop >> 1 in self._armed:
                self._trapped = stop, swig.avr_t_cycle_get(avr) - 1
        hit = self._trapped is not None
        if self._trapped is not None:
            swig.avr_t_pc_set(avr, self._trapped[0])
            swig.avr_t_cycle_set(avr, self._trapped[1])
            swig.avr_t_state_set(avr, RUNNING)
            self._trapped = None
        for word, opcode in self._armed.items():
            if self._words[word] == TRAP:
                self._words[word] = opcode
        self._armed = {}
        return hit

    def _raise_fault(self, state: int) -> None:
        self._settle()
        pc = ByteAddress(self._swig.avr_t_pc_get(self._avr))
        if state == DONE:
            raise self._faulted(f"it sleeps with interrupts off before {self.where(pc)}")
        if pc == 0:
            raise self._faulted(f"it ran past the end of its Flash, ${self.part.flash_size - 1:04x}")
        raise self._faulted(
            f"before {self.where(pc)} it used an address above its SRAM, which ends at ${self.part.ramend:04x}, "
            f"or wrote the reserved I/O register ${TRAP_REGISTER:02x}"
        )

    def _sleep_in_no_time(self) -> None:
        """Have a sleeping chip pass its cycles without waiting for the clock on the wall.

        The two handlers stand side by side in simavr's structure: `run`, then `sleep`. The one of its gdb mode waits
        for gdb alone.
        """
        swig, avr = self._swig, self._avr
        handlers = struct.pack("PP", int(swig.avr_t_run_get(avr)), int(swig.avr_t_sleep_get(avr)))
        place = ctypes.string_at(self._address, 1024).index(handlers) + struct.calcsize("P")
        waits_for_gdb = _pointer(self._lib.avr_callback_sleep_gdb)
        ctypes.c_void_p.from_address(self._address + place).value = waits_for_gdb

    # --- the serial line ---------------------------------------------------------------------------------------

    def _uart(self, direction: int) -> int:
        return int(self._swig.avr_io_getirq(self._avr, _code("uar0"), direction))

    def _take_serial(self) -> bytes:
        taken = bytes(self._sent)
        del self._sent[: len(taken)]
        return taken

    def _feed_serial(self, content: bytes) -> None:
        self._line += content

    def _feed_line(self) -> int:
        """Hand over the next byte if the one before has passed, and tell in how many cycles this one will have.

        simavr drops what its queue cannot hold, so it is not fed faster than it lets the program read.
        """
        cycle = self._swig.avr_t_cycle_get(self._avr)
        if cycle >= self._line_free:
            divisor = 1 + int.from_bytes(self._data[UBRR0L : UBRR0L + 2], "little")
            microsecond = self.clock_hz // 1_000_000 + 1
            self._line_free = cycle + 16 * divisor * FRAME_BITS + microsecond
            self._lib.avr_raise_irq(self._uart(UART_INPUT), self._line.pop(0))
        return int(self._line_free - cycle)

    # --- state -------------------------------------------------------------------------------------------------

    def _is_asleep(self) -> bool:
        return bool(self._swig.avr_t_state_get(self._avr) == SLEEPING)

    def _cycles(self) -> int:
        self._settle()
        return int(self._swig.avr_t_cycle_get(self._avr)) - self._origin

    def _get_pc(self) -> ByteAddress:
        self._settle()
        return ByteAddress(self._swig.avr_t_pc_get(self._avr))

    def _set_pc(self, address: ByteAddress) -> None:
        self._settle()
        self._swig.avr_t_pc_set(self._avr, address)
        if self._is_asleep():
            self._swig.avr_t_state_set(self._avr, RUNNING)

    def _get_sp(self) -> SramAddress:
        return SramAddress(int.from_bytes(self._data[SPL : SPL + 2], "little"))

    def _set_sp(self, address: SramAddress) -> None:
        self._data[SPL : SPL + 2] = address.to_bytes(2, "little")

    def _get_sreg(self) -> int:
        return sum(1 << bit for bit, flag in enumerate(self._swig.avr_t_sreg_get(self._avr)) if flag)

    def _set_sreg(self, value: int) -> None:
        # simavr keeps a byte a flag, and SWIG sets them from a pointer to eight: lend it the first registers.
        registers = bytes(self._data[:8])
        self._data[:8] = bytes(value >> bit & 1 for bit in range(8))
        self._swig.avr_t_sreg_set(self._avr, self._swig.avr_t_data_get(self._avr))
        self._data[:8] = registers
        self._data[SREG] = value

    def _read_data(self, address: SramAddress, size: int) -> bytes:
        if address <= SREG < address + size:
            self._data[SREG] = self._get_sreg()
        return bytes(self._data[address : address + size])

    def _write_data(self, address: SramAddress, content: bytes) -> None:
        self._data[address : address + len(content)] = content

    def _read_flash(self, address: ByteAddress, size: int) -> bytes:
        self._settle()
        return bytes(self._flash[address : address + size])

    def _write_flash(self, address: ByteAddress, content: bytes) -> None:
        self._settle()
        self._flash[address : address + len(content)] = content

    def _read_eeprom(self, address: int, size: int) -> bytes:
        return bytes(self._eeprom[address : address + size])

    def _write_eeprom(self, address: int, content: bytes) -> None:
        self._eeprom[address : address + len(content)] = content


def _load() -> tuple[Any, Any]:
    """Give the C module as SWIG sees it and as ctypes does."""
    try:
        from pysimavr.swig import _simavr as swig
    except ImportError as error:
        raise ToolMissing(
            f"the emulator simavr needs the Python package pysimavr, and Python 3.11 ({error}): "
            "run `make setup`, or use yasimavr on a later Python"
        ) from None
    library = ctypes.PyDLL(swig.__file__)
    pointer, word, cycles = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64
    for name, arguments in {
        "avr_cycle_timer_register": (pointer, cycles, pointer, pointer),
        "avr_register_io_write": (pointer, ctypes.c_uint16, pointer, pointer),
        "avr_irq_register_notify": (pointer, _SerialNotify, pointer),
        "avr_raise_irq": (pointer, word),
        "avr_ioctl": (pointer, word, pointer),
        "free": (pointer,),
    }.items():
        function = getattr(library, name)
        function.argtypes, function.restype = arguments, None
    return swig, library


def _pointer(function: Any) -> int:
    """Give the address of a C function."""
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _view(address: int, size: int) -> memoryview:
    """Look at simavr's own memory as bytes."""
    return memoryview((ctypes.c_ubyte * size).from_address(address)).cast("B")


def _code(name: str) -> int:
    """Give the number of one of simavr's requests, four characters in C."""
    return int.from_bytes(name.encode(), "big")
