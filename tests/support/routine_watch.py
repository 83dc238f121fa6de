# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of the firmware in the emulator, halted wherever a routine begins, to see what it does.

After each look all goes on as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from pentavr.firmware.image import ByteAddress, Image
from pentavr.machine.backends import emulate
from pentavr.machine.emulator import Emulator, Halt, Reset
from pentavr.pentomino.board import Board
from routine_call import (
    COMMAND_READY,
    MAX_CYCLES,
    Call,
    Interrupt,
    may_speak,
    observe,
    places_of_rest,
    run_to_return,
    shared_flags,
)
from routine_headers import Header

__all__ = ["Run", "watch"]

CALLS_WATCHED = 24
INTERRUPTS_WATCHED = 400
"""Of each routine and run, the first ones; there can be thousands."""
STREAM = 1 << 1
TEN_DIGITS = 0xB2D0_5E00
"""A number of ticks whose lowest byte, by which the chip waits for a host, is 0."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run of the firmware: the board, the options it is built with, and what befalls it.

    A board that is bytes is one that a Board could not be: squares, then width and height. None is what the firmware
    begins with, the board in its EEPROM. The host says a line whenever the chip rests, and those of `in_search` each
    as a search begins; the power fails after as many records as `cut_after` says. With the line on, the numbers that
    the chip counts have ten digits from the beginning on.
    """

    board: Board | bytes | None
    options: int = 1
    host: tuple[bytes, ...] = ()
    in_search: tuple[bytes, ...] = ()
    cut_after: int | None = None
    record_ticks: int = 1


def watch(image: Image, headers: Mapping[str, Header], name: str, run: Run) -> Iterator[Call]:
    """Run the firmware from its reset to its end, and yield the calls of all routines on the way."""
    options = image.code("options_at_reset")
    flash = image.flash[:options] + bytes((run.options,)) + image.flash[options + 1 :]
    with emulate(replace(image, flash=flash)) as machine:
        yield from _Watch(machine, headers, name, run).calls()


class _Watch:
    """A run that is being watched."""

    def __init__(self, machine: Emulator, headers: Mapping[str, Header], name: str, run: Run) -> None:
        image = machine.image
        self.machine, self.name, self.run = machine, name, run
        self.entries = {
            image.code(entry): header
            for header in headers.values()
            if not header.never_returns
            for entry in header.entries
        }
        self.left = {
            entry: INTERRUPTS_WATCHED if header.interrupt else CALLS_WATCHED for entry, header in self.entries.items()
        }
        self.host, self.in_search = list(run.host), list(run.in_search)
        self.records = 0
        self.hearing = False
        self.interrupt: Interrupt | None = None

    def calls(self) -> Iterator[Call]:
        """Run to the end; while a line comes in, only interrupts are looked at."""
        machine, image, run = self.machine, self.machine.image, self.run
        ready, ends = image.code("board_ready"), {image.code("no_more_solutions"), image.code("board_rejected")}
        resting, search, heard = places_of_rest(image), image.code("search"), image.code("receive_end")
        record = image.code("write_record")
        stops = frozenset[ByteAddress]()
        while True:
            if self.hearing:
                wanted = frozenset((image.code("receive"), heard))
            else:
                seen = (entry for entry, count in self.left.items() if count)
                spoken = (*resting, *ends) if self.host else ends
                wanted = frozenset((ready, search, record, *spoken, *seen))
            if self.interrupt:
                wanted |= {self.interrupt.back}
            if wanted != stops:
                stops = wanted
            halt = machine.run(stops, max_cycles=MAX_CYCLES)
            pc = machine.pc
            assert halt is Halt.STOP, f"{self.name}: no stop, at {machine.where(pc)}"
            if self.interrupt and self.interrupt.is_over(machine):
                yield self.interrupt.call(machine, self.name)
                self.interrupt = None
                if self.hearing:
                    continue
            if pc == heard:
                self.hearing = False
            if pc in ends and not self.host and not shared_flags(machine) & COMMAND_READY:
                return
            if pc == ready:
                self._make_ready()
            header = self.entries.get(pc)
            if header is None:
                continue
            if header.interrupt:
                if self.left[pc] > 0:
                    self.interrupt = Interrupt(machine, header)
                    self.left[pc] -= 1
                continue
            if self.left[pc] > 0 and not self.hearing:
                yield observe(machine, header, self.name, self.host)
                self.left[pc] -= 1
            if pc == record:
                self.records += 1
                if self.records == run.cut_after:
                    run_to_return(machine, header, MAX_CYCLES, [])
                    machine.reset(Reset.EXTERNAL)
                    continue
            if pc in resting and may_speak(machine, self.host):
                machine.feed_serial(self.host.pop(0))
                self.hearing = True
            elif pc == search and self.in_search:
                machine.feed_serial(self.in_search.pop(0))
                self.hearing = True
            machine.step()

    def _make_ready(self) -> None:
        machine, image, board = self.machine, self.machine.image, self.run.board
        machine.write_data(image.sram("record_ticks"), bytes((self.run.record_ticks,)))
        if self.run.options & STREAM:
            for counter in ("tick_count", "solution_count"):
                machine.write_data(image.sram(counter), TEN_DIGITS.to_bytes(4, "little"))
        if board is not None:
            content = board.to_sram() if isinstance(board, Board) else board
            machine.write_data(image.sram("board"), content)
            machine.write_data(image.sram("board_width"), content[-2:])
