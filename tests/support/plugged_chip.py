# SPDX-License-Identifier: GPL-3.0-or-later
"""A chip whose plug can be pulled at any moment, and a listener who writes down each solution at its stop."""

from __future__ import annotations

import random
from typing import Self

from pentavr.firmware.image import Image
from pentavr.machine.chip import Option
from pentavr.machine.emulator import Halt, Reset
from pentavr.machine.pty_line import flashed
from pentavr.pentomino.board import Board

__all__ = ["KEEPING", "TICK", "PluggedChip", "seeded"]

BOOT_CYCLES = 10_000_000
BYTE_CYCLES = 80_000
"""Four milliseconds, more than a byte of EEPROM takes to be written."""
TICK = 65_536 * 64
"""Cycles from one tick of the firmware to the next."""
KEEPING = Option.ALL_SOLUTIONS | Option.KEEP_PROGRESS


def seeded(seed: int) -> random.Random:
    """Give the same chances each time."""
    return random.Random(seed)  # noqa: S311 - nothing to keep secret


class PluggedChip:
    """A chip that keeps its progress, a record at each tick, its serial line off so that it is quick.

    `heard` has the squares of each solution by its number; a number that comes again with other squares, or out of
    turn, fails the test. `recorded` is the number of solutions in the last whole record. A `board` is put in place at
    each power-on, as a debugger does; without it the chip has that of its build or of its EEPROM.
    """

    def __init__(self, image: Image, *, options: Option = KEEPING, board: Board | None = None) -> None:
        self.image = image
        self.board = board
        self.machine = flashed(image, options)
        self.heard: dict[int, bytes] = {}
        self.recorded = 0
        self.records = 0
        self._recorded_before = 0
        self._recorded_at = -BYTE_CYCLES
        self._may_be_lost = False
        self.writes: dict[int, int] = {}
        self.cuts = 0
        names = ("board_ready", "solution_found", "no_more_solutions", "board_rejected", "write_record", "write_eeprom")
        self._stops = {image.code(name): name for name in names}
        self._addresses = tuple(self._stops)
        self._record_size = image.symbols["RECORD_SIZE"].value
        self.power_on()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.machine.close()

    def power_on(self) -> None:
        """Switch the power on, off before if need be, and let the chip come to `board_ready`."""
        if self.machine.cycles < self._recorded_at + BYTE_CYCLES:
            self._may_be_lost = True
        self.machine.reset(Reset.POWER_ON)
        assert self._go(BOOT_CYCLES) == "board_ready"
        self.wake_up()

    def wake_up(self) -> None:
        """Set the chip up at `board_ready`."""
        self._record_bytes = self._record_size
        self._last = 0
        if self.board is not None:
            self.machine.write_data(self.image.sram("board_width"), bytes((self.board.width, self.board.height)))
            self.machine.write_data(self.image.sram("board"), self.board.to_sram())
        self.machine.write_data(self.image.sram("record_ticks"), b"\1")

    def cut(self) -> None:
        """Pull the plug, and put it in again."""
        self.cuts += 1
        self.power_on()

    def run(self, cycles: int, *, eeprom_bytes: int | None = None) -> bool:
        """Run for so many cycles, or to just before so many bytes are written; tell whether the search is over."""
        end = self.machine.cycles + cycles
        while (place := self._go(end - self.machine.cycles)) is not None:
            match place:
                case "solution_found":
                    self._hear()
                case "write_record":
                    self._record_bytes = 0
                    self._record_count = self.count
                case "write_eeprom":
                    if eeprom_bytes == 0:
                        return False
                    eeprom_bytes = None if eeprom_bytes is None else eeprom_bytes - 1
                    self._write()
                case "no_more_solutions":
                    return True
                case _:
                    raise AssertionError(f"the chip came to {place}")
        return False

    @property
    def count(self) -> int:
        """What the chip counts."""
        return int.from_bytes(self.machine.read_data(self.image.sram("solution_count"), 4), "little")

    @property
    def eeprom_address(self) -> int:
        """Of the byte that is written next, where the chip stands before that."""
        return int.from_bytes(self.machine.read_data(24, 2), "little")  # type: ignore[arg-type]

    def leave_half_written(self, chance: random.Random) -> None:
        """Have the byte that is about to be written come out in some other way, as cells do that lose their supply."""
        self.machine.write_eeprom(self.eeprom_address, bytes((chance.choice((0xFF, chance.randrange(256))),)))

    def _go(self, cycles: int) -> str | None:
        halt = self.machine.run(self._addresses, max_cycles=max(cycles, 0))
        return self._stops[self.machine.pc] if halt is Halt.STOP else None

    def _hear(self) -> None:
        number = self.count
        size = 0
        for name in ("board_width", "board_height"):
            size = (size or 1) * self.machine.read_data(self.image.sram(name))[0]
        cells = self.machine.read_data(self.image.sram("board"), size)
        assert number == self._last + 1 or not self._last, f"solution {number} after {self._last}"
        if not self._last:
            # A cut may have come while the last byte of the newest record was being written.
            if self._may_be_lost and number == self._recorded_before + 1:
                self.recorded = self._recorded_before
            assert number == self.recorded + 1, "the chip goes on from the newest record"
            self._may_be_lost = False
        self._last = number
        assert self.heard.setdefault(number, cells) == cells, f"solution {number} was another one before"

    def _write(self) -> None:
        self.writes[self.eeprom_address] = self.writes.get(self.eeprom_address, 0) + 1
        self._record_bytes += 1
        if self._record_bytes == self._record_size:
            self._recorded_before, self.recorded = self.recorded, self._record_count
            self._recorded_at = self.machine.cycles
            self._may_be_lost = False
            self.records += 1
