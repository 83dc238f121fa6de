# SPDX-License-Identifier: GPL-3.0-or-later
"""A call of a routine: what it does to registers, memory and stack, seen in the emulator.

A routine is run three times to its return: as it is, and twice with all registers that it does not take, and all the
stack below, filled with other bytes. What it changes shows in one of the two at least; whatever of its results differs,
it took from where it should not. Then everything is put back.

What the hardware hands over once cannot be put back. So an interrupt runs once, with all registers filled with other
bytes, and a host speaks on the serial line only where it can say the same again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise

from pentavr.errors import MachineFault
from pentavr.firmware.image import ByteAddress, Image, Segment, SramAddress
from pentavr.machine.emulator import Emulator, Halt, Reset
from routine_headers import Header, T

__all__ = [
    "COMMAND_READY",
    "MAX_CYCLES",
    "Call",
    "Ending",
    "Interrupt",
    "Outcome",
    "State",
    "may_speak",
    "observe",
    "places_of_rest",
    "run_to_return",
    "shared_flags",
]

SRAM = SramAddress(0x100)
ARITHMETIC_FLAGS = 0b0011_1111
T_FLAG = 0b0100_0000
ZERO = 2
"""The register that is always 0."""
POISONS = 0x00, 0xFF
"""What the filling is combined with by exclusive or, so that no bit is the same in both."""
PAINT = 0xA5
CALL_CYCLES = 3
RETURN_ADDRESS_BYTES = 2
MAX_CYCLES = 300_000_000
WAIT_CYCLES = 60_000_000
"""More than the chip waits for a host."""

FLAGS = SramAddress(0x3E)
"""GPIOR0; its bits follow below."""
SETTINGS = tuple(SramAddress(address) for address in (0xC5, 0xC4, 0xC0, 0xC1, 0x81, 0x6F))
"""UBRR0H, UBRR0L, UCSR0A, UCSR0B, TCCR1B, TIMSK1: what a reset undoes."""
STS_R16 = 0x9300
TCNT1H, TCNT1L = SramAddress(0x85), SramAddress(0x84)
SOON = 0x10000 - 4
"""For TCNT1: the next tick comes in 4 times 64 clocks."""
LINE_ON, ALERT, SEARCHES, COMMAND_READY = 1 << 0, 1 << 1, 1 << 2, 1 << 4
SEARCHING = 1
"""The state of the line in which a host that waits for the chip to rest says nothing."""
CYCLES_A_CHARACTER = 16 * 65 * 11 + 100
"""On the serial line: what the emulator takes at most."""


@dataclass(frozen=True, slots=True)
class State:
    """The registers, T last, and the SRAM."""

    registers: bytes
    sram: bytes
    sreg: int = 0


class Ending(Enum):
    """How a routine's run ended; astray is what its poison led into a fault or an endless loop."""

    RETURNED = "returned"
    REJECTED = "rejected the board"
    RESET = "reset the chip"
    ASTRAY = "went astray"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A routine's run: how it ended, and what it left."""

    ending: Ending
    before: State
    after: State
    sreg: int
    stack_bytes: int
    cycles: int
    lasting: tuple[int, bytes, bytes] = (0, b"", b"")
    """The flags that interrupts and program share, the EEPROM, and what was sent."""
    ticks: bool = False
    """Whether the clock ticked meanwhile, so that another run may take another course."""

    def changed(self) -> set[int]:
        """Give the registers that have another value than before."""
        pairs = zip(self.before.registers, self.after.registers, strict=True)
        return {number for number, (before, after) in enumerate(pairs) if before != after}


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a routine, run three times.

    `free_squares` counts those of the grid when it began; `secretly_taken` are the registers that it does not say that
    it takes, and yet whose values make a difference.
    """

    routine: str
    board: str
    free_squares: int
    plain: Outcome
    poisoned: tuple[Outcome, ...]
    secretly_taken: frozenset[int]
    alert: bool
    """Whether interrupts are used."""
    variables: Mapping[str, range] = field(repr=False)

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Give all three."""
        return self.plain, *self.poisoned

    def registers_changed(self) -> set[int]:
        """Give the registers that changed in any of the three runs."""
        return set().union(*(outcome.changed() for outcome in self.outcomes if outcome.ending is Ending.RETURNED))

    def variables_changed(self) -> set[str]:
        """Name the variables whose bytes changed; a byte in none is named by its address."""
        places = {
            SRAM + place
            for outcome in self.outcomes
            if outcome.ending is Ending.RETURNED
            for place, (before, after) in enumerate(zip(outcome.before.sram, outcome.after.sram, strict=True))
            if before != after
        }
        names = set()
        for place in places:
            names.add(next((name for name, span in self.variables.items() if place in span), f"${place:04x}"))
        return names


class Interrupt:
    """An interrupt routine that is being run, all registers filled with other bytes than the program's."""

    def __init__(self, machine: Emulator, header: Header) -> None:
        image = machine.image
        self.header = header
        self.registers, self.sreg, self.sp = machine.read_data(SramAddress(0), 32), machine.sreg, machine.sp
        self.back = ByteAddress(2 * int.from_bytes(machine.read_data(SramAddress(self.sp + 1), 2), "big"))
        self.start = image.sram("stack_limit")
        flags = self.sreg ^ (ARITHMETIC_FLAGS | T_FLAG)
        values = bytearray(byte ^ 0xFF for byte in self.registers)
        values[ZERO] = self.registers[ZERO]
        sram = bytearray(machine.read_data(SRAM, machine.part.sram_size))
        sram[self.start - SRAM : self.sp + 1 - SRAM] = bytes((PAINT,)) * (self.sp + 1 - self.start)
        self.before = _state(bytes(values), flags, bytes(sram))
        machine.write_data(SramAddress(0), bytes(values))
        machine.write_data(SRAM, bytes(sram))
        machine.sreg = flags

    def is_over(self, machine: Emulator) -> bool:
        """Tell whether it has returned."""
        return machine.pc == self.back and machine.sp == self.sp + RETURN_ADDRESS_BYTES

    def call(self, machine: Emulator, name: str) -> Call:
        """Give the program its registers back, and tell what became of the others."""
        image, sreg = machine.image, machine.sreg
        sram = bytearray(machine.read_data(SRAM, machine.part.sram_size))
        stack = slice(self.start - SRAM, self.sp + 1 - SRAM)
        used = len(sram[stack].lstrip(bytes((PAINT,)))) + RETURN_ADDRESS_BYTES
        sram[stack] = self.before.sram[stack]
        after = _state(machine.read_data(SramAddress(0), 32), sreg, bytes(sram))
        assert (sreg ^ self.before.sreg) & ARITHMETIC_FLAGS == 0, f"{self.header.place}: changes flags"
        outcome = Outcome(Ending.RETURNED, self.before, after, sreg, used, 0)
        if self.header.name == "tick" and shared_flags(machine) & SEARCHES:
            _set_timer(machine, SOON)
            machine.pc = self.back
        machine.write_data(SramAddress(0), self.registers)
        machine.sreg = self.sreg | 1 << 7
        return Call(self.header.name, name, 0, outcome, (), frozenset(), True, _places(image, outcome))


def observe(machine: Emulator, header: Header, board: str, host: list[bytes]) -> Call:
    """Run a routine that is about to begin three times, and leave the chip as it was."""
    image = machine.image
    pc, sp, sreg = machine.pc, machine.sp, machine.sreg
    registers, sram = machine.read_data(SramAddress(0), 32), machine.read_data(SRAM, machine.part.sram_size)
    flags, eeprom = shared_flags(machine), machine.read_eeprom(0, machine.part.eeprom_size)
    end = image.sram("board_width")
    ticks = slice(image.sram("tick_count") - SRAM, image.sram("tick_count") + 4 - SRAM)
    start = int.from_bytes(machine.read_data(image.sram("grid_start"), 2), "little")
    squares = sram[start - SRAM : end - SRAM] if start else b""
    stack = slice(image.sram("stack_limit") - SRAM, sp + 1 - SRAM)

    def run(poison: int, poisoned: Iterable[int] = (), max_cycles: int = MAX_CYCLES) -> Outcome:
        values, memory, status = bytearray(registers), bytearray(sram), sreg
        paint = PAINT ^ poison
        for number in poisoned:
            if number == T:
                status = status & ~T_FLAG | T_FLAG & poison
            else:
                values[number] = (37 * number + 11) & 0xFF ^ poison
        if poisoned:
            status = status & ~ARITHMETIC_FLAGS | ARITHMETIC_FLAGS & poison
        memory[stack] = bytes((paint,)) * len(memory[stack])
        machine.take_serial()
        machine.write_eeprom(0, eeprom)
        _set_timer(machine, 0)
        _set(machine, pc, sp, flags, _state(bytes(values), status, bytes(memory)))
        began = machine.cycles
        ending = run_to_return(machine, header, max_cycles, list(host))
        took = machine.cycles - began
        after = bytearray(machine.read_data(SRAM, machine.part.sram_size))
        used = len(after[stack].lstrip(bytes((paint,))))
        # What a routine leaves behind on the stack is nobody's.
        after[stack] = memory[stack] = bytes(len(memory[stack]))
        called = header.jumps_to is None
        return Outcome(
            ending,
            _state(bytes(values), status, bytes(memory)),
            _state(machine.read_data(SramAddress(0), 32), machine.sreg, bytes(after)),
            machine.sreg,
            stack_bytes=used + (RETURN_ADDRESS_BYTES if called else 0),
            cycles=took + (CALL_CYCLES if called else 0),
            lasting=(shared_flags(machine), machine.read_eeprom(0, len(eeprom)), machine.take_serial()),
            ticks=after[ticks] != memory[ticks],
        )

    plain = run(0x00)
    assert plain.ending is not Ending.ASTRAY, f"{header.place}: {header.name} does not come back"
    limit = 2 * plain.cycles + 1000
    if flags & ALERT:
        limit += WAIT_CYCLES
    not_taken = set(range(T + 1)) - header.takes
    poisoned = tuple(run(poison, not_taken, limit) for poison in POISONS)
    guilty = frozenset[int]()
    if any(_differ(plain, outcome, header) for outcome in poisoned):
        alone = ((number, run(poison, (number,), limit)) for number in not_taken for poison in POISONS)
        guilty = frozenset(number for number, outcome in alone if _differ(plain, outcome, header))
        guilty = guilty or frozenset(not_taken)
    machine.take_serial()
    machine.write_eeprom(0, eeprom)
    if flags & SEARCHES:
        _set_timer(machine, SOON)
    _set(machine, pc, sp, flags, State(registers, sram, sreg))
    alert = bool((flags | plain.lasting[0]) & ALERT)
    return Call(header.name, board, squares.count(0), plain, poisoned, guilty, alert, _places(image, plain))


def _differ(one: Outcome, other: Outcome, header: Header) -> bool:
    """Compare what may not depend on registers that the routine does not take."""
    if one.ending is not other.ending:
        return True
    if one.ticks or other.ticks:
        return False

    def results(outcome: Outcome) -> tuple[object, ...]:
        if outcome.ending is not Ending.RETURNED:
            return outcome.after.sram, outcome.lasting
        registers = bytes(outcome.after.registers[number] for number in sorted(header.gives))
        cycles = 0 if outcome.lasting[0] & ALERT else outcome.cycles
        return outcome.after.sram, outcome.lasting, cycles, registers, outcome.sreg & header.gives_flags

    return results(one) != results(other)


def run_to_return(machine: Emulator, header: Header, max_cycles: int, host: list[bytes]) -> Ending:
    """Run until the routine returns to its caller, be it called by itself on the way, or does not.

    Where the chip rests, deeper in it, the host says a line.
    """
    image, sp = machine.image, machine.sp
    began = sp
    if header.jumps_to is None:
        back = ByteAddress(2 * int.from_bytes(machine.read_data(SramAddress(sp + 1), 2), "big"))
        sp = SramAddress(sp + RETURN_ADDRESS_BYTES)
    elif image.symbols[header.jumps_to].segment is Segment.SRAM:
        word = machine.read_data(image.sram(header.jumps_to), 2)
        back = ByteAddress(2 * int.from_bytes(word, "little"))
    else:
        back = image.code(header.jumps_to)
    rejected, reset, resting = image.code("board_rejected"), image.code("reset_with_cause"), places_of_rest(image)
    stops = back, rejected, reset
    attentive = *stops, *resting
    end = machine.cycles + max_cycles
    quiet_until = 0
    settings = [(address, machine.read_data(address)[0]) for address in SETTINGS]
    try:
        while machine.cycles < end:
            listens = bool(host) and machine.cycles >= quiet_until
            until = min(end, quiet_until) if host and not listens else end
            if machine.run(attentive if listens else stops, max_cycles=until - machine.cycles) is not Halt.STOP:
                continue
            if machine.pc == back and machine.sp == sp:
                return Ending.RETURNED
            if machine.pc == rejected:
                return Ending.REJECTED
            if machine.pc == reset:
                return Ending.RESET
            deeper = machine.pc in resting and machine.sp < began
            if deeper and may_speak(machine, host):
                quiet_until = machine.cycles + CYCLES_A_CHARACTER * (len(host[0]) + 4)
                machine.feed_serial(host.pop(0))
    except MachineFault:
        machine.reset(Reset.EXTERNAL)
        for address, value in settings:
            _store(machine, address, value)
    return Ending.ASTRAY


def places_of_rest(image: Image) -> tuple[ByteAddress, ...]:
    """Give where the chip sleeps, or looks after its line without sleep."""
    return image.code("nap"), image.code("rest")


def may_speak(machine: Emulator, host: list[bytes]) -> bool:
    """Tell whether a host that waits for answers has something to say, and the chip attends to nothing else."""
    state = machine.read_data(machine.image.sram("line_state"))[0]
    return bool(host) and shared_flags(machine) & (LINE_ON | COMMAND_READY) == LINE_ON and state != SEARCHING


def shared_flags(machine: Emulator) -> int:
    return machine.read_data(FLAGS)[0]


def _state(registers: bytes, sreg: int, sram: bytes) -> State:
    return State(registers + bytes((bool(sreg & T_FLAG),)), sram, sreg)


def _set(machine: Emulator, pc: ByteAddress, sp: SramAddress, flags: int, state: State) -> None:
    _store(machine, FLAGS, flags)
    machine.write_data(SramAddress(0), state.registers[:32])
    machine.write_data(SRAM, state.sram)
    machine.sp, machine.sreg, machine.pc = sp, state.sreg, pc


def _set_timer(machine: Emulator, count: int) -> None:
    _store(machine, TCNT1H, count >> 8)
    _store(machine, TCNT1L, count & 0xFF)


def _store(machine: Emulator, address: SramAddress, value: int) -> None:
    """Have the chip itself write an I/O register, by an instruction that stands in for its reset vector."""
    start, behind = ByteAddress(0), ByteAddress(4)
    program = machine.read_flash(start, behind)
    machine.sreg = 0
    machine.write_data(SramAddress(16), bytes((value,)))
    machine.write_flash(start, STS_R16.to_bytes(2, "little") + address.to_bytes(2, "little"))
    machine.pc = start
    assert machine.run((behind,), max_cycles=10) is Halt.STOP
    machine.write_flash(start, program)


def _places(image: Image, outcome: Outcome) -> dict[str, range]:
    """Give the bytes of what has a name: the variables, the board before them and the stack behind."""
    end, limit = image.sram("board_width"), image.sram("stack_limit")
    width, height = outcome.after.sram[end - SRAM :][:2]
    behind = SRAM + width * height + len((width, height))
    sram = range(SRAM, SRAM + len(outcome.after.sram))
    return {
        "board": range(SRAM, behind),
        "the grid": range(behind, end),
        "the record": range(image.sram("record"), image.sram("record_end")),
        **_variables(image),
        "the stack": range(limit, sram.stop),
    }


def _variables(image: Image) -> dict[str, range]:
    """Give the bytes of each variable behind the grid: up to where the next one begins."""
    first, last = image.sram("board_width"), image.sram("stack_limit")
    found = sorted(
        (symbol.value, name)
        for name, symbol in image.symbols.items()
        if symbol.segment is Segment.SRAM and first <= symbol.value <= last
    )
    return {name: range(start, end) for (start, name), (end, _) in pairwise(found)}
