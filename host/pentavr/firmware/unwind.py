# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies on the stack at each instruction, found by following the code from where it is entered.

Nothing in an assembled program says where a routine begins or what it has pushed. But an AVR program keeps its stack
in a few ways only: a call pushes the return address, `push` one byte, `pop` takes one off. So from each place that
is called the code is followed along all its branches, and the bytes on the stack are counted. Where two ways meet
with different counts, or the stack pointer is written, nothing can be said, and nothing is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import pairwise

from pentavr.firmware.image import Segment, WordAddress
from pentavr.firmware.program import Program

__all__ = ["Routine", "StackState", "follow", "instruction_words", "main_routine", "routines"]

SP_LOW, SP_HIGH = 0x3D, 0x3E


@dataclass(frozen=True, slots=True)
class StackState:
    """What the routine has pushed since it was entered, the oldest byte first.

    An entry is the number of the register whose value at entry lies there, None where it is anything else. The
    outermost code, which nothing called, has no return address below.
    """

    outermost: bool
    pushed: tuple[int | None, ...] = ()
    entering: bool = True
    """Nothing but pushes has run yet: what is pushed is the caller's value."""


@dataclass(frozen=True, slots=True)
class Routine:
    """A run of instructions under one name, words from `start` to before `end`."""

    name: str
    start: WordAddress
    end: WordAddress


@dataclass(frozen=True, slots=True)
class Step:
    """What an instruction does to the flow: where it may go on, what it calls, whether the path ends here."""

    successors: tuple[WordAddress, ...]
    called: WordAddress | None = None


def follow(program: Program) -> dict[WordAddress, StackState | None]:
    """Give the state before each instruction, by address; None where it depends on the way taken."""
    states: dict[WordAddress, StackState | None] = {}
    _spread(program, states, program.start, StackState(outermost=True))
    # What no call or jump from the start reaches is entered by an interrupt or through a pointer: called, as it were.
    labelled = {WordAddress(label.address) for label in program.labelled(Segment.CODE)}
    for address in (*sorted(labelled & program.instructions), *sorted(program.instructions)):
        if address not in states:
            _spread(program, states, address, StackState(outermost=False))
    return states


def _spread(
    program: Program, states: dict[WordAddress, StackState | None], entry: WordAddress, state: StackState
) -> None:
    waiting: list[tuple[WordAddress, StackState | None]] = [(entry, state)]
    while waiting:
        address, arriving = waiting.pop()
        if address not in program.instructions:
            continue
        if address in states:
            met = _meet(states[address], arriving)
            if met == states[address]:
                continue
            states[address] = met
        else:
            states[address] = arriving
        step = _step(program, address)
        if step.called is not None:
            waiting.append((step.called, StackState(outermost=False)))
        leaving = _after(program, address, states[address])
        waiting.extend((successor, leaving) for successor in step.successors)


def _meet(one: StackState | None, other: StackState | None) -> StackState | None:
    if one is None or other is None or one.outermost != other.outermost or len(one.pushed) != len(other.pushed):
        return None
    pushed = tuple(a if a == b else None for a, b in zip(one.pushed, other.pushed, strict=True))
    return StackState(one.outermost, pushed, one.entering and other.entering)


def _after(program: Program, address: WordAddress, state: StackState | None) -> StackState | None:
    word = program.words[address]
    register = word >> 4 & 0x1F
    writes_pointer = word & 0xF800 == 0xB800 and (word >> 5 & 0x30 | word & 0x0F) in {SP_LOW, SP_HIGH}  # out
    if writes_pointer and _is_constant(program, address, register):
        # The stack begins anew, whatever was on it: a reset, be it jumped to from anywhere.
        return StackState(outermost=True, entering=False)
    if state is None:
        return None
    if word & 0xFE0F == 0x920F:  # push
        return StackState(state.outermost, (*state.pushed, register if state.entering else None), state.entering)
    if word == 0xD000:  # rcall to the next word only makes room
        return StackState(state.outermost, (*state.pushed, None, None), entering=False)
    if word & 0xFE0F == 0x900F:  # pop; one more than was pushed takes the return address apart
        return StackState(state.outermost, state.pushed[:-1], entering=False) if state.pushed else None
    if writes_pointer:
        return StackState(state.outermost, entering=False) if state.outermost and not state.pushed else None
    return StackState(state.outermost, state.pushed, entering=False)


def _is_constant(program: Program, address: WordAddress, register: int) -> bool:
    """Tell whether the instruction before has loaded the register with a constant."""
    word = program.words.get(WordAddress(address - 1), 0)
    return word & 0xF000 == 0xE000 and 16 + (word >> 4 & 0x0F) == register  # ldi


def _step(program: Program, address: WordAddress) -> Step:
    word = program.words[address]
    following = address + instruction_words(word)
    if word in {0x9508, 0x9518, 0x9409, 0x9419}:  # ret, reti, ijmp, eijmp
        return Step(())
    if word & 0xF000 == 0xC000:  # rjmp
        return Step((_relative(program, address, word & 0x0FFF, 12),))
    if word & 0xF000 == 0xD000 and word != 0xD000:  # rcall
        return Step((WordAddress(following),), _relative(program, address, word & 0x0FFF, 12))
    if word & 0xFE0C == 0x940C:  # jmp, call
        target = WordAddress((word >> 4 & 0x1F | word & 1) << 16 | program.words.get(WordAddress(address + 1), 0))
        return Step((WordAddress(following),), target) if word & 2 else Step((target,))
    if word & 0xF800 == 0xF000:  # a branch
        return Step((WordAddress(following), _relative(program, address, word >> 3 & 0x7F, 7)))
    if _skips(word):
        beyond = following + instruction_words(program.words.get(WordAddress(following), 0))
        return Step((WordAddress(following), WordAddress(beyond)))
    return Step((WordAddress(following),))


def instruction_words(word: int) -> int:
    """Give the words of an instruction: lds, sts, jmp and call have two."""
    return 2 if word & 0xFC0F == 0x9000 or word & 0xFE0C == 0x940C else 1


def _skips(word: int) -> bool:
    """Tell cpse, sbrc, sbrs, sbic and sbis."""
    return word & 0xFC00 == 0x1000 or word & 0xFC08 == 0xFC00 or word & 0xFD00 == 0x9900


def _relative(program: Program, address: WordAddress, offset: int, bits: int) -> WordAddress:
    if offset >> bits - 1:
        offset -= 1 << bits
    return WordAddress((address + 1 + offset) % program.flash_words)


def routines(program: Program) -> list[Routine]:
    """Part the code into routines, each under the name of its label.

    A routine begins where the program starts, at a label that is called, and at a label that the routine before
    neither runs into nor jumps past (that may be jumped past where it is the first label of a file).
    """
    names = {WordAddress(label.address): label.name for label in program.labelled(Segment.CODE)}
    starts = _starts(program, names.keys() & program.instructions)
    found = []
    for start, limit in pairwise((*starts, program.end)):
        end = start
        while end < limit and end in program.instructions:
            end = WordAddress(end + instruction_words(program.words[end]))
        found.append(Routine(names.get(start, f"code_{start:04x}"), start, end))
    return found


def main_routine(
    program: Program, parts: Iterable[Routine], states: Mapping[WordAddress, StackState | None]
) -> Routine | None:
    """Find the outermost routine that calls others, where a walk up the stack ends."""
    return next((part for part in parts if _calls_from_outermost(program, part, states)), None)


def _calls_from_outermost(program: Program, routine: Routine, states: Mapping[WordAddress, StackState | None]) -> bool:
    for address in map(WordAddress, range(routine.start, routine.end)):
        state = states.get(address)
        if state is not None and state.outermost and _step(program, address).called is not None:
            return True
    return False


def _starts(program: Program, labels: Set[WordAddress]) -> Iterator[WordAddress]:
    steps = {address: _step(program, address) for address in sorted(program.instructions)}
    called = {step.called for step in steps.values()} & labels
    files = {line.address: line.file for line in program.lines}
    file = None
    farthest = following = -1
    runs_on = False
    for address, step in steps.items():
        is_run_into = runs_on and following == address
        is_apart = farthest < address or files[address] != file
        if address == program.start or address in called or (address in labels and is_apart and not is_run_into):
            farthest = -1
            yield address
        if address in labels:
            file = files[address]
        following = address + instruction_words(program.words[address])
        runs_on = following in step.successors
        farthest = max([farthest, *(each for each in step.successors if each != following)])
