# SPDX-License-Identifier: GPL-3.0-or-later
"""What routines do to registers, memory and stack, seen in the emulator.

A run of the firmware is halted where a routine begins. From there the routine is run three times to its return: as it
is, and twice with all registers that it does not take, and all the stack below, filled with other bytes. What it
changes shows in one of the two at least; whatever of its results differs, it took from where it should not. Then
everything is put back, and the run goes on as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise

from pentavr.errors import MachineFault
from pentavr.firmware.image import ByteAddress, Image, Segment, SramAddress
from pentavr.machine.backends import emulate
from pentavr.machine.emulator import Emulator, Halt, Reset
from pentavr.pentomino.board import Board
from routine_headers import Header, T

__all__ = ["Call", "watch"]

SRAM = SramAddress(0x100)
ARITHMETIC_FLAGS = 0b0011_1111
T_FLAG = 0b0100_0000
POISONS = 0x00, 0xFF
"""What the filling is combined with by exclusive or, so that no bit is the same in both."""
CALL_CYCLES = 3
RETURN_ADDRESS_BYTES = 2
CALLS_WATCHED = 24
"""Of each routine and board, the first ones; there can be thousands."""
MAX_CYCLES = 300_000_000


@dataclass(frozen=True, slots=True)
class State:
    """The registers, T last, and the SRAM."""

    registers: bytes
    sram: bytes


class Ending(Enum):
    """How a routine's run ended; astray is what its poison led into a fault or an endless loop."""

    RETURNED = "returned"
    REJECTED = "rejected the board"
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


def watch(image: Image, headers: Mapping[str, Header], name: str, board: Board | bytes, options: int) -> Iterator[Call]:
    """Search a board from the reset on, and yield the calls of all routines on the way.

    A board that is bytes is one that a Board could not be: squares, then width and height.
    """
    content = board.to_sram() if isinstance(board, Board) else board
    with emulate(image) as machine:
        entries = {image.code(routine): header for routine, header in headers.items() if not header.never_returns}
        left = dict.fromkeys(entries, CALLS_WATCHED)
        ready, ends = image.code("board_ready"), {image.code("no_more_solutions"), image.code("board_rejected")}
        stops = _stops(left, (ready, *ends))
        while True:
            halt = machine.run(stops, max_cycles=MAX_CYCLES)
            assert halt is Halt.STOP, f"{name}: no stop, at {machine.where(machine.pc)}"
            pc = machine.pc
            if pc in ends:
                break
            if pc == ready:
                machine.write_data(image.sram("board"), content)
                machine.write_data(image.sram("board_width"), content[-2:])
                machine.write_data(image.sram("board_options"), bytes((options,)))
                continue
            yield _observe(machine, entries[pc], name)
            machine.step()
            left[pc] -= 1
            if not left[pc]:
                stops = _stops(left, (ready, *ends))


def _stops(left: Mapping[ByteAddress, int], always: Iterable[ByteAddress]) -> frozenset[ByteAddress]:
    return frozenset((*always, *(entry for entry, count in left.items() if count)))


def _observe(machine: Emulator, header: Header, board: str) -> Call:
    image = machine.image
    pc, sp, sreg = machine.pc, machine.sp, machine.sreg
    registers, sram = machine.read_data(SramAddress(0), 32), machine.read_data(SRAM, machine.part.sram_size)
    end = image.sram("board_width")
    start = int.from_bytes(machine.read_data(image.sram("grid_start"), 2), "little")
    squares = sram[start - SRAM : end - SRAM] if start else b""
    stack = slice(image.sram("stack_limit") - SRAM, sp + 1 - SRAM)

    def run(poison: int, poisoned: Iterable[int] = (), max_cycles: int = MAX_CYCLES) -> Outcome:
        values, memory, flags = bytearray(registers), bytearray(sram), sreg
        paint = 0xA5 ^ poison
        for number in poisoned:
            if number == T:
                flags = flags & ~T_FLAG | T_FLAG & poison
            else:
                values[number] = (37 * number + 11) & 0xFF ^ poison
        if poisoned:
            flags = flags & ~ARITHMETIC_FLAGS | ARITHMETIC_FLAGS & poison
        memory[stack] = bytes((paint,)) * len(memory[stack])
        _set(machine, pc, sp, flags, _state(bytes(values), flags, bytes(memory)))
        began = machine.cycles
        ending = _run_to_return(machine, header, max_cycles)
        took = machine.cycles - began
        after = bytearray(machine.read_data(SRAM, machine.part.sram_size))
        used = len(after[stack].lstrip(bytes((paint,))))
        # What a routine leaves behind on the stack is nobody's.
        after[stack] = memory[stack] = bytes(len(memory[stack]))
        called = header.jumps_to is None
        return Outcome(
            ending,
            _state(bytes(values), flags, bytes(memory)),
            _state(machine.read_data(SramAddress(0), 32), machine.sreg, bytes(after)),
            machine.sreg,
            stack_bytes=used + (RETURN_ADDRESS_BYTES if called else 0),
            cycles=took + (CALL_CYCLES if called else 0),
        )

    plain = run(0x00)
    assert plain.ending is not Ending.ASTRAY, f"{header.place}: {header.name} does not come back"
    limit = 2 * plain.cycles + 1000
    not_taken = set(range(T + 1)) - header.takes
    poisoned = tuple(run(poison, not_taken, limit) for poison in POISONS)
    expected = _results(plain, header)
    guilty = frozenset[int]()
    if any(_results(outcome, header) != expected for outcome in poisoned):
        alone = ((number, run(poison, (number,), limit)) for number in not_taken for poison in POISONS)
        guilty = frozenset(number for number, outcome in alone if _results(outcome, header) != expected)
        guilty = guilty or frozenset(not_taken)
    _set(machine, pc, sp, sreg, State(registers, sram))
    width, height = plain.after.sram[end - SRAM :][:2]
    behind = SRAM + width * height + len((width, height))
    places = {"board": range(SRAM, behind), "the grid": range(behind, end), **_variables(image)}
    return Call(header.name, board, squares.count(0), plain, poisoned, guilty, places)


def _results(outcome: Outcome, header: Header) -> tuple[object, ...]:
    """Give what may not depend on registers that the routine does not take."""
    if outcome.ending is not Ending.RETURNED:
        return outcome.ending, outcome.after.sram
    registers = bytes(outcome.after.registers[number] for number in sorted(header.gives))
    return outcome.ending, outcome.after.sram, outcome.cycles, registers, outcome.sreg & header.gives_flags


def _run_to_return(machine: Emulator, header: Header, max_cycles: int) -> Ending:
    """Run until the routine returns to its caller, be it called by itself on the way, or the board is rejected."""
    image, sp = machine.image, machine.sp
    if header.jumps_to is None:
        back = ByteAddress(2 * int.from_bytes(machine.read_data(SramAddress(sp + 1), 2), "big"))
        sp = SramAddress(sp + RETURN_ADDRESS_BYTES)
    else:
        back = image.code(header.jumps_to)
    rejected = image.code("board_rejected")
    stops = (back, rejected)
    end = machine.cycles + max_cycles
    try:
        while machine.run(stops, max_cycles=end - machine.cycles) is Halt.STOP:
            if machine.pc == rejected:
                return Ending.REJECTED
            if machine.sp == sp:
                return Ending.RETURNED
    except MachineFault:
        machine.reset(Reset.EXTERNAL)
    return Ending.ASTRAY


def _state(registers: bytes, sreg: int, sram: bytes) -> State:
    return State(registers + bytes((bool(sreg & T_FLAG),)), sram)


def _set(machine: Emulator, pc: ByteAddress, sp: SramAddress, sreg: int, state: State) -> None:
    machine.write_data(SramAddress(0), state.registers[:32])
    machine.write_data(SRAM, state.sram)
    machine.sp, machine.sreg, machine.pc = sp, sreg, pc


def _variables(image: Image) -> dict[str, range]:
    """Give the bytes of each variable behind the grid: up to where the next one begins."""
    first, last = image.sram("board_width"), image.sram("stack_limit")
    found = sorted(
        (symbol.value, name)
        for name, symbol in image.symbols.items()
        if symbol.segment is Segment.SRAM and first <= symbol.value <= last
    )
    return {name: range(start, end) for (start, name), (end, _) in pairwise(found)}
