# SPDX-License-Identifier: GPL-3.0-or-later
"""The emulated chip on yasimavr, for Python 3.12 and later, and as a second opinion on 3.11 where it is installed.

yasimavr stops by itself: its debug probe puts BREAK in the place of an opcode. Around that:

- `SimLoop.run(n)` sets the cycle count to n more than before, whatever the last instruction took. So only `run(0)` is
  used, which runs to a BREAK. A cycle timer of our own ends it by one more BREAK, at whatever instruction is next; near
  a limit the last few instructions are executed one by one.
- The timer and the serial line call Python. A Ctrl-C that came in such a callback would be lost with its exception, so
  it is held back while the simulator runs, some tens of milliseconds at most.
- A simulator that has crashed cannot be reset: a new one takes its place, with the memories of the old one.

It differs from a chip in this: `rcall` counts four cycles for three and entering an interrupt none; after a stop with
interrupts on, one may come an instruction early; a program that uses an I/O address that the part has not is stopped.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Collection
from types import FrameType
from typing import Any, Self

from pentavr.errors import ToolMissing, UnusableInput
from pentavr.firmware.image import ByteAddress, Image, SramAddress
from pentavr.firmware.parts import ATMEGA88, SRAM_START, Part
from pentavr.machine.emulator import Emulator, Halt, Reset

__all__ = ["Yasimavr"]

SLICE_CYCLES = 1_000_000
"""How long yasimavr runs before Python looks around: some 15 milliseconds."""
MARGIN_CYCLES = 32
"""More than a BREAK asked for by the timer can come late: a few instructions."""
IO_START = SramAddress(0x20)


class Yasimavr(Emulator):
    """An AVR emulated by yasimavr, at some 70 million cycles a second."""

    def __init__(self, image: Image, *, part: Part = ATMEGA88, clock_hz: int = 20_000_000) -> None:
        super().__init__(image, part=part, clock_hz=clock_hz)
        self._core, self._arch, self._load_device = _load()
        self._sent = bytearray()
        self._armed: set[ByteAddress] = set()
        self._closing: set[ByteAddress] = set()
        self._slept = False
        self._error: BaseException | None = None
        self._origin = 0
        self._build(image.flash)
        self.reset()

    def _build(self, flash: bytes) -> None:
        """Make the simulator with its Flash filled to the end: to it, a byte that was never written is a fault."""
        core = self._core
        try:
            device = self._load_device(self.part.core)
        except Exception as error:
            raise UnusableInput(f"yasimavr does not know the part {self.part.name!r}: {error}") from error
        device.logger().set_level(core.Logger.Level.Silent)
        device.set_option(core.Device.Option.DisablePseudoSleep, True)
        loop = core.SimLoop(device)
        loop.set_fast_mode(True)
        content = flash.ljust(self.part.flash_size, b"\xff")
        block = core.Firmware.block_view_t()
        block.bytes = content
        firmware = core.Firmware()
        firmware.frequency = self.clock_hz
        firmware.vcc = 5.0
        firmware.add_block(core.Firmware.Area.Flash, block)
        device.load_firmware(firmware)
        self._device, self._loop, self._clock = device, loop, loop.cycle_manager()
        self._probe = core.DeviceDebugProbe(device)
        self._timer = core.CallableCycleTimer(self._look_around)
        request = core.ctlreq_data_t()
        request.index = self._arch.ArchAVR_Core.ArchAVR_NVM.EEPROM
        device.ctlreq(core.IOCTL_CORE, core.CTLREQ_CORE_NVM, request)
        self._eeprom = request.data.value(core.NonVolatileMemory)
        self._uart = core.IOCTL_UART("0")
        _, request = device.ctlreq(self._uart, core.CTLREQ_GET_SIGNAL)
        self._hook = core.CallableSignalHook(self._hear)
        request.data.value(core.Signal).connect(self._hook)

    def _close(self) -> None:
        self._probe.detach()
        del self._hook, self._timer, self._eeprom, self._probe, self._clock, self._loop, self._device

    def _reset(self, cause: Reset) -> None:
        core = self._core
        registers, sram = self._read_data(SramAddress(0), IO_START), self._read_data(SRAM_START, self.part.sram_size)
        cycles = self._cycles()
        with _InterruptHeld():
            if self._device.state() in (core.Device.State.Done, core.Device.State.Crashed):
                flash = self._read_flash(ByteAddress(0), self.part.flash_size)
                eeprom = self._read_eeprom(0, self.part.eeprom_size)
                self._close()
                self._build(flash)
                self._write_eeprom(0, eeprom)
            flags = core.Device.ResetFlag
            self._device.reset(flags.PowerOn if cause is Reset.POWER_ON else flags.Ext)
        if cause is Reset.POWER_ON:
            registers, sram, cycles = bytes(len(registers)), bytes(len(sram)), 0
        self._origin = self._clock.cycle() - cycles
        self._write_data(SramAddress(0), registers)
        self._write_data(SRAM_START, sram)

    # --- running -----------------------------------------------------------------------------------------------

    def _run(self, stops: Collection[ByteAddress], end: float, deadline: float) -> Halt:
        with _InterruptHeld() as interrupt:
            self._armed.update(stops)
            for stop in stops:
                self._probe.insert_breakpoint(stop)
            try:
                while (left := end - self._cycles()) > 0:
                    if left <= MARGIN_CYCLES:
                        self._advance()
                    else:
                        self._go(int(min(left - MARGIN_CYCLES, SLICE_CYCLES)))
                    if self._is_at(stops):
                        return Halt.STOP
                    if interrupt.came or time.monotonic() >= deadline:
                        return Halt.TIME
                return Halt.CYCLES
            finally:
                for stop in stops:
                    self._probe.remove_breakpoint(stop)
                self._armed.clear()

    def _step(self) -> None:
        with _InterruptHeld():
            self._advance()

    def _go(self, cycles: int) -> None:
        """Run to a stop, or to an instruction after so many cycles."""
        states = self._core.Device.State
        self._slept = False
        self._clock.schedule(self._timer, self._clock.cycle() + cycles)
        self._loop.run(0)
        self._clock.cancel(self._timer)
        if self._device.state() == states.Break:
            pc = self._get_pc()
            self._probe.set_device_state(states.Sleeping if self._slept else states.Running)
            if not self._slept and pc not in self._armed and pc not in self._closing:
                self._pass_break()
        for address in self._closing:
            self._probe.remove_breakpoint(address)
        self._closing.clear()
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        self._check_state()

    def _look_around(self, when: int) -> int:
        """End the run at the next instruction; called by the simulator after each one once the time has come.

        The instruction that was just executed is not yet in the cycle count, so that it cannot end here. An interrupt
        may come before the BREAK that is laid out, hence once more after the next instruction.
        """
        try:
            if self._device.state() == self._core.Device.State.Sleeping:
                self._slept = True
                self._probe.set_device_state(self._core.Device.State.Break)
                return 0
            pc = ByteAddress(self._probe.read_pc())
            if pc not in self._armed and pc not in self._closing:
                self._closing.add(pc)
                self._probe.insert_breakpoint(pc)
        except BaseException as error:
            # Raised again by `_go`: the simulator would drop it.
            self._error = error
            self._probe.set_device_state(self._core.Device.State.Break)
            return 0
        return when + 1

    def _advance(self) -> None:
        """Execute one instruction, as the simulator's own loop does."""
        spent = self._device.exec_cycle()
        self._clock.process_timers()
        if self._device.state() == self._core.Device.State.Break:
            self._probe.set_device_state(self._core.Device.State.Running)
            self._pass_break()
        else:
            self._clock.increment_cycle(spent)
        self._check_state()

    def _pass_break(self) -> None:
        """Go past a BREAK of the program's own, which is a `nop` on a chip without a debugger."""
        self._probe.write_pc(self._get_pc() + 2)
        self._clock.increment_cycle(1)

    def _check_state(self) -> None:
        states, state = self._core.Device.State, self._device.state()
        if state == states.Done:
            raise self._faulted(f"it sleeps with interrupts off at {self.where(self._get_pc())}")
        if state == states.Crashed:
            raise self._faulted(
                f"at {self.where(self._get_pc())} it ran past the end of its Flash, used an address outside its SRAM, "
                "used an I/O register that it has not, or met a word that is no instruction"
            )

    # --- the serial line ---------------------------------------------------------------------------------------

    def _hear(self, event: Any, _: int) -> None:
        if event.sigid == self._core.UART.SignalId.TX_Data:
            self._sent.append(event.data.value() & 0xFF)

    def _take_serial(self) -> bytes:
        taken = bytes(self._sent)
        self._sent.clear()
        return taken

    def _feed_serial(self, content: bytes) -> None:
        request = self._core.ctlreq_data_t()
        request.data = self._core.vardata_t(content)
        self._device.ctlreq(self._uart, self._core.CTLREQ_USART_BYTES, request)

    # --- state -------------------------------------------------------------------------------------------------

    def _is_asleep(self) -> bool:
        return bool(self._device.state() == self._core.Device.State.Sleeping)

    def _cycles(self) -> int:
        return int(self._clock.cycle()) - self._origin

    def _get_pc(self) -> ByteAddress:
        return ByteAddress(self._probe.read_pc())

    def _set_pc(self, address: ByteAddress) -> None:
        self._probe.write_pc(address)
        if self._is_asleep():
            self._probe.set_device_state(self._core.Device.State.Running)

    def _get_sp(self) -> SramAddress:
        return SramAddress(self._probe.read_sp())

    def _set_sp(self, address: SramAddress) -> None:
        self._probe.write_sp(address)

    def _get_sreg(self) -> int:
        return int(self._probe.read_sreg())

    def _set_sreg(self, value: int) -> None:
        self._probe.write_sreg(value)

    def _read_data(self, address: SramAddress, size: int) -> bytes:
        # The probe reads I/O registers as the program does, and oversteps its buffer where a block spans memories.
        end = address + size
        registers = self._probe.read_data(address, max(min(end, IO_START) - address, 0))
        ports = (
            self._probe.read_ioreg(self._core.reg_addr_t(port - IO_START), False)
            for port in range(max(address, IO_START), min(end, SRAM_START))
        )
        sram = max(address, SRAM_START)
        return bytes(registers) + bytes(ports) + bytes(self._probe.read_data(sram, max(end - sram, 0)))

    def _write_data(self, address: SramAddress, content: bytes) -> None:
        self._probe.write_data(address, content)

    def _read_flash(self, address: ByteAddress, size: int) -> bytes:
        return bytes(self._probe.read_flash(address, size))

    def _write_flash(self, address: ByteAddress, content: bytes) -> None:
        self._probe.write_flash(address, content)

    def _read_eeprom(self, address: int, size: int) -> bytes:
        return bytes(self._eeprom.read(address, size))

    def _write_eeprom(self, address: int, content: bytes) -> None:
        self._eeprom.write(content, address)


class _InterruptHeld:
    """Hold Ctrl-C back within a block: `came` tells of it, and it takes effect at the end of the block."""

    def __init__(self) -> None:
        self.came = False
        self._handler: Callable[[int, FrameType | None], Any] | None = None

    def __enter__(self) -> Self:
        handler = signal.getsignal(signal.SIGINT)
        # Python runs signal handlers in the main thread alone, and lets no other thread set them.
        if callable(handler) and threading.current_thread() is threading.main_thread():
            self._handler = handler
            signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        self.came = True

    def __exit__(self, *_: object) -> None:
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
            if self.came:
                self._handler(signal.SIGINT, None)


def _load() -> tuple[Any, Any, Callable[[str], Any]]:
    """Give the simulator's core, its AVR architecture and the function that makes a part."""
    try:
        from yasimavr.device_library import load_device
        from yasimavr.lib import arch_avr, core
    except ImportError as error:
        raise ToolMissing(
            f"the emulator yasimavr needs the Python package yasimavr ({error}): install it with `pip install yasimavr`"
        ) from None
    return core, arch_avr, load_device
