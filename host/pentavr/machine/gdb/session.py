# SPDX-License-Identifier: GPL-3.0-or-later
"""What gdb asks of a chip, packet by packet.

gdb sees one address space: Flash from 0, the data space from 0x800000, the EEPROM from 0x810000. Registers are
numbered r0 to r31, SREG, SP, PC; a number of more than one byte goes low byte first.
"""

from __future__ import annotations

from collections.abc import Callable

from pentavr.errors import MachineFault, PentavrError
from pentavr.firmware.image import ByteAddress, SramAddress
from pentavr.machine.emulator import Emulator, Halt
from pentavr.machine.gdb.watch import KINDS, Watchpoint, Watchpoints
from pentavr.machine.gdb.wire import PACKET_SIZE, Closed, Wire

__all__ = ["DATA_OFFSET", "EEPROM_OFFSET", "Session"]

DATA_OFFSET = 0x800000
EEPROM_OFFSET = 0x810000
STACK_SLACK = 4
"""Bytes past the SRAM that read as 0: gdb looks for a return address above an empty stack."""

SREG, SP, PC = 32, 33, 34
SIZES = {**dict.fromkeys(range(33), 1), SP: 2, PC: 4}

SIGINT, SIGTRAP, SIGSEGV = 2, 5, 11
OK, ERROR, UNKNOWN = b"OK", b"E01", b""

GLANCE_S = 0.05
"""How often a running chip is left for a look at the line."""
STEPS_A_GLANCE = 5_000

MONITOR_HELP = """\
monitor cycles   count the clock cycles since power-on
monitor reset    switch the chip off and on: it stands at its reset vector
"""


class Session:
    """One gdb on one chip, from connecting to detaching; Closed ends it."""

    def __init__(self, machine: Emulator, wire: Wire) -> None:
        self._machine = machine
        self._wire = wire
        self._stops: set[ByteAddress] = set()
        self._watched = Watchpoints(machine)
        self._stop_reply = b"S%02x" % SIGTRAP
        self._commands: dict[bytes, Callable[[bytes], bytes]] = {
            b"?": lambda _: self._stop_reply,
            b"g": self._read_registers,
            b"G": self._write_registers,
            b"p": self._read_register,
            b"P": self._write_register,
            b"m": self._read_memory,
            b"M": self._write_memory_in_hex,
            b"X": self._write_memory,
            b"c": self._continue,
            b"C": self._continue,
            b"s": self._step,
            b"S": self._step,
            b"Z": self._insert,
            b"z": self._remove,
            b"q": self._query,
            b"Q": self._set,
            b"H": lambda _: OK,
            b"T": lambda _: OK,
            b"D": self._detach,
            b"k": self._kill,
        }

    def run(self) -> None:
        """Answer until the session is closed."""
        while True:
            self._wire.send(self._answer(self._wire.receive()))

    def _answer(self, packet: bytes) -> bytes:
        command = self._commands.get(packet[:1])
        if command is None:
            return UNKNOWN
        try:
            return command(packet[1:])
        except (PentavrError, ValueError):
            # ValueError: arguments that are no numbers.
            return ERROR

    # --- running -----------------------------------------------------------------------------------------------

    def _continue(self, _: bytes) -> bytes:
        return self._stopped(self._walk if self._watched else self._go)

    def _step(self, _: bytes) -> bytes:
        def step() -> bytes:
            self._machine.step()
            return b"S%02x" % SIGTRAP

        return self._stopped(step)

    def _stopped(self, move: Callable[[], bytes]) -> bytes:
        """Move the chip and report why it stopped; a fault is told in words as well."""
        try:
            self._stop_reply = move()
        except MachineFault as fault:
            self._say(f"{fault}\n")
            self._stop_reply = b"S%02x" % SIGSEGV
        return self._stop_reply

    def _go(self) -> bytes:
        stops = tuple(self._stops)
        while self._machine.run(stops, timeout_s=GLANCE_S) is not Halt.STOP:
            if self._wire.is_interrupted():
                return b"S%02x" % SIGINT
        return b"S%02x" % SIGTRAP

    def _walk(self) -> bytes:
        """Run step by step, looking at what is watched."""
        machine, watched = self._machine, self._watched
        watched.remember()
        while not self._wire.is_interrupted():
            for _ in range(STEPS_A_GLANCE):
                if hit := watched.step():
                    return b"T%02x%s:%x;" % (SIGTRAP, hit.kind.value.encode(), DATA_OFFSET + hit.address)
                if machine.pc in self._stops:
                    return b"S%02x" % SIGTRAP
        return b"S%02x" % SIGINT

    def _insert(self, arguments: bytes) -> bytes:
        number, address, size = _breakpoint(arguments)
        if number in (0, 1):
            if address % 2 or address >= self._machine.part.flash_size:
                return ERROR
            self._stops.add(ByteAddress(address))
        elif watchpoint := _watchpoint(number, address, size):
            self._watched.insert(watchpoint)
        else:
            return UNKNOWN
        return OK

    def _remove(self, arguments: bytes) -> bytes:
        number, address, size = _breakpoint(arguments)
        if number in (0, 1):
            self._stops.discard(ByteAddress(address))
        elif watchpoint := _watchpoint(number, address, size):
            self._watched.remove(watchpoint)
        else:
            return UNKNOWN
        return OK

    # --- registers ---------------------------------------------------------------------------------------------

    def _read_registers(self, _: bytes) -> bytes:
        return b"".join(self._register(number) for number in SIZES).hex().encode()

    def _write_registers(self, arguments: bytes) -> bytes:
        content = bytes.fromhex(arguments.decode())
        at = 0
        for number, size in SIZES.items():
            if len(content) >= at + size:
                self._set_register(number, content[at : at + size])
            at += size
        return OK

    def _read_register(self, arguments: bytes) -> bytes:
        number = int(arguments, 16)
        return self._register(number).hex().encode() if number in SIZES else ERROR

    def _write_register(self, arguments: bytes) -> bytes:
        name, _, value = arguments.partition(b"=")
        number = int(name, 16)
        if number not in SIZES:
            return ERROR
        self._set_register(number, bytes.fromhex(value.decode()))
        return OK

    def _register(self, number: int) -> bytes:
        machine = self._machine
        if number < SREG:
            return machine.read_data(SramAddress(number))
        value = {SREG: machine.sreg, SP: machine.sp, PC: machine.pc}[number]
        return value.to_bytes(SIZES[number], "little")

    def _set_register(self, number: int, content: bytes) -> None:
        machine, value = self._machine, int.from_bytes(content, "little")
        if number < SREG:
            machine.write_data(SramAddress(number), content)
        elif number == SREG:
            machine.sreg = value
        elif number == SP:
            machine.sp = SramAddress(value)
        elif value != machine.pc:
            machine.pc = ByteAddress(value)

    # --- memories ----------------------------------------------------------------------------------------------

    def _read_memory(self, arguments: bytes) -> bytes:
        address, size = (int(number, 16) for number in arguments.split(b","))
        return self._read(address, min(size, PACKET_SIZE // 2)).hex().encode()

    def _read(self, address: int, size: int) -> bytes:
        machine = self._machine
        if address < DATA_OFFSET:
            return machine.read_flash(ByteAddress(address), size)
        if address < EEPROM_OFFSET:
            data = SramAddress(address - DATA_OFFSET)
            beyond = max(data + size - machine.part.ramend - 1, 0)
            if beyond > STACK_SLACK:
                beyond = 0
            return machine.read_data(data, max(size - beyond, 0)) + bytes(min(beyond, size))
        return machine.read_eeprom(address - EEPROM_OFFSET, size)

    def _write_memory_in_hex(self, arguments: bytes) -> bytes:
        where, _, content = arguments.partition(b":")
        return self._write(where, bytes.fromhex(content.decode()))

    def _write_memory(self, arguments: bytes) -> bytes:
        where, _, content = arguments.partition(b":")
        return self._write(where, content)

    def _write(self, where: bytes, content: bytes) -> bytes:
        address = int(where.split(b",")[0], 16)
        machine = self._machine
        if address < DATA_OFFSET:
            machine.write_flash(ByteAddress(address), content)
        elif address < EEPROM_OFFSET:
            machine.write_data(SramAddress(address - DATA_OFFSET), content)
        else:
            machine.write_eeprom(address - EEPROM_OFFSET, content)
        return OK

    # --- the rest ----------------------------------------------------------------------------------------------

    def _query(self, arguments: bytes) -> bytes:
        if arguments.startswith(b"Supported"):
            return b"PacketSize=%x;QStartNoAckMode+" % PACKET_SIZE
        if arguments == b"Attached":
            return b"1"
        if arguments.startswith(b"Rcmd,"):
            return self._monitor(bytes.fromhex(arguments[5:].decode()).decode(errors="replace").strip())
        return UNKNOWN

    def _set(self, arguments: bytes) -> bytes:
        if arguments != b"StartNoAckMode":
            return UNKNOWN
        self._wire.acknowledges = False
        return OK

    def _monitor(self, command: str) -> bytes:
        """Answer what stands behind gdb's `monitor`."""
        if command == "cycles":
            text = f"{self._machine.cycles:,} cycles since power-on\n"
        elif command == "reset":
            self._machine.reset()
            text = "the chip stands at its reset vector; have gdb look anew: maintenance flush register-cache\n"
        else:
            text = MONITOR_HELP
        return text.encode().hex().encode()

    def _say(self, text: str) -> None:
        self._wire.send(b"O" + text.encode().hex().encode())

    def _detach(self, _: bytes) -> bytes:
        self._wire.send(OK)
        raise Closed("gdb has detached")

    def _kill(self, _: bytes) -> bytes:
        raise Closed("gdb has ended the session")


def _breakpoint(arguments: bytes) -> tuple[int, int, int]:
    number, address, size = arguments.split(b";")[0].split(b",")
    return int(number, 16), int(address, 16), int(size, 16)


def _watchpoint(number: int, address: int, size: int) -> Watchpoint | None:
    if number not in KINDS or not DATA_OFFSET <= address < EEPROM_OFFSET:
        return None
    return Watchpoint(KINDS[number], SramAddress(address - DATA_OFFSET), size)
