# SPDX-License-Identifier: GPL-3.0-or-later
"""The chip that solves pentomino boards, run from stop to stop.

    with Chip.emulated("4x15") as chip:
        for solution in chip.solutions():
            print(solution, chip.cycles)

Whoever wants the firmware stepped, its registers or its EEPROM has the emulator itself in `chip.machine`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from enum import Enum, IntFlag
from types import TracebackType
from typing import Self

from pentavr.errors import LimitReached, MachineFault, UnusableInput
from pentavr.firmware.image import Image, SramAddress
from pentavr.firmware.images import built_image
from pentavr.firmware.parts import Part
from pentavr.machine.backends import emulate
from pentavr.machine.emulator import Emulator, Halt, Reset
from pentavr.pentomino import catalogue
from pentavr.pentomino.board import Board, BoardError
from pentavr.pentomino.faults import SRAM_LIMIT
from pentavr.pentomino.solution import Solution

__all__ = ["MAX_CYCLES", "Chip", "Option", "Stop"]

MAX_CYCLES = 100_000_000_000
"""The limit for a search unless another is given: 83 minutes of a chip at 20 MHz."""
BOOT_CYCLES = 10_000_000
"""More than any firmware takes from its reset to `board_ready`."""
WATCH_S = 0.1
"""How often `Chip.watch` is called while a search runs on between two stops."""
STACK_PAINT = 0xA5


class Stop(Enum):
    """Where the firmware can be stopped, by the label in its source."""

    BOARD_READY = "board_ready"
    SOLUTION_FOUND = "solution_found"
    NO_MORE_SOLUTIONS = "no_more_solutions"
    BOARD_REJECTED = "board_rejected"


class Option(IntFlag):
    """The bits of `board_options`."""

    ALL_SOLUTIONS = 1
    STREAM = 2
    KEEP_PROGRESS = 4


class Chip:
    """A chip with the pentomino firmware, taken from its reset to `board_ready` and stopped there.

    It works with any program that has the labels of `Stop` and the SRAM symbols board, board_width, board_height,
    board_options, board_error and solution_count; UnusableInput names the one that is missing. The limits hold for the
    search, from leaving `board_ready` on, its cycles and the time on the wall; None is no limit. `watch`, if set, is
    called with the chip about ten times a second while it runs, for whoever wants to show how far it is.
    """

    def __init__(
        self, machine: Emulator, *, max_cycles: int | None = MAX_CYCLES, timeout_s: float | None = None
    ) -> None:
        image = machine.image
        self.machine = machine
        self.max_cycles = max_cycles
        self.timeout_s = timeout_s
        self.watch: Callable[[Chip], None] | None = None
        self._stops = {image.code(stop.value): stop for stop in Stop}
        self._addresses = tuple(self._stops)
        self._board = image.sram("board")
        self._solution_count = image.sram("solution_count")
        self.boot()

    @classmethod
    def emulated(
        cls,
        board: Board | str | None = None,
        *,
        options: Option | None = None,
        image: Image | None = None,
        part: Part | None = None,
        clock_hz: int = 20_000_000,
        backend: str | None = None,
        max_cycles: int | None = MAX_CYCLES,
        timeout_s: float | None = None,
    ) -> Self:
        """Emulate a chip with the built firmware, or another image, and give it a board to search.

        A board is a Board, or a name, `WxH` or a path as `pentavr solve` takes them; without one, and without options,
        the chip keeps those of its build. Use it as a context manager, or close it.
        """
        given = catalogue.find(board) if isinstance(board, str) else board
        machine = emulate(image or built_image(), part=part, clock_hz=clock_hz, backend=backend)
        try:
            chip = cls(machine, max_cycles=max_cycles, timeout_s=timeout_s)
            if given is not None:
                chip.load(given)
            if options is not None:
                chip.options = options
        except BaseException:
            machine.close()
            raise
        return chip

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the machine."""
        self.machine.close()

    # --- running -----------------------------------------------------------------------------------------------

    def boot(self, cause: Reset = Reset.POWER_ON) -> None:
        """Reset the chip and run it to `board_ready`, where its default board is in place."""
        self.machine.reset(cause)
        self._given: Board | None = None
        self._started = self.machine.cycles
        self._deadline = math.inf
        halt = self.machine.run(self._addresses, max_cycles=BOOT_CYCLES)
        self.stop = self._stops[self.machine.pc] if halt is Halt.STOP else None
        if self.stop is not Stop.BOARD_READY:
            raise LimitReached(
                f"the firmware did not come to {Stop.BOARD_READY.value} within {BOOT_CYCLES:,} cycles of its reset; "
                f"it is at {self.machine.where(self.machine.pc)}"
            )
        self._started = self.machine.cycles

    def load(self, board: Board) -> None:
        """Put a board in place of the default one; it is read when the chip leaves `board_ready`.

        Whether it can be searched is for the chip to say. Raises UnusableInput for a board that does not even fit into
        the chip's SRAM, and where the chip has left `board_ready`.
        """
        self._require_ready("a board")
        content = board.to_sram()
        if len(content) > SRAM_LIMIT:
            board.require_searchable()
        self.machine.write_data(self._board, content)
        self.write("board_width", bytes((board.width,)))
        self.write("board_height", bytes((board.height,)))

    @property
    def options(self) -> Option:
        """What the chip is to do; can be set as long as it stands at `board_ready`."""
        return Option(self.read("board_options")[0])

    @options.setter
    def options(self, options: Option) -> None:
        self._require_ready("options")
        self.write("board_options", bytes((options,)))

    def next_stop(self) -> Stop:
        """Run on to the next stop and tell which one it is; at the last one the chip stays.

        Raises UnusableInput at `board_rejected`, with what is wrong with the board; LimitReached where a limit comes
        first, after which the chip can go on with other limits.
        """
        if self.stop is Stop.BOARD_READY:
            self._given = self.board if self._board_end() <= self.machine.part.ramend + 1 else None
            self._started = self.machine.cycles
            self._deadline = math.inf if self.timeout_s is None else time.monotonic() + self.timeout_s
        cycles_left = None if self.max_cycles is None else max(self.max_cycles - self.cycles, 0)
        seconds_left = None if self._deadline == math.inf else self._deadline - time.monotonic()
        halt = self._run(cycles_left, seconds_left)
        if halt is not Halt.STOP:
            self.stop = None
            raise self._limit_reached(halt)
        self.stop = stop = self._stops[self.machine.pc]
        if stop is Stop.BOARD_REJECTED:
            raise UnusableInput(f"the chip rejects the board: {self._rejection()}")
        if stop is Stop.BOARD_READY:
            raise MachineFault(
                f"the chip came back to {stop.value} after {self.cycles:,} cycles: something has reset it in its search"
            )
        return stop

    def solutions(self) -> Iterator[Solution]:
        """Yield the solutions as the chip finds them, from where it stands to `no_more_solutions`."""
        while self.next_stop() is Stop.SOLUTION_FOUND:
            yield self.solution()

    # --- reading -----------------------------------------------------------------------------------------------

    def solution(self) -> Solution:
        """Read the solution that the chip stands at; raises UnusableInput elsewhere."""
        if self.stop is not Stop.SOLUTION_FOUND or self._given is None:
            raise UnusableInput(f"the chip does not stand at {Stop.SOLUTION_FOUND.value}: it has no solution to read")
        size = len(self._given.cells) + 2
        return Solution.from_sram(self._given, self.machine.read_data(self._board, size), self.solution_count)

    @property
    def board(self) -> Board:
        """What is in `board` now: the board to be searched, a solution, or the search in between."""
        width, height = self._sides()
        if self._board_end() > self.machine.part.ramend + 1:
            raise MachineFault(f"a board of {width}x{height}, as board_width and board_height say, is not in the SRAM")
        return Board(width, height, self.machine.read_data(self._board, width * height))

    @property
    def cycles(self) -> int:
        """Count the clock cycles since the chip left `board_ready`."""
        return self.machine.cycles - self._started

    @property
    def solution_count(self) -> int:
        """Count the solutions, the one at hand included, as the chip does."""
        return int.from_bytes(self.machine.read_data(self._solution_count, 4), "little")

    @property
    def board_error(self) -> int:
        """Why the chip rejects the board, one of BoardError; 0 where it does not."""
        return self.read("board_error")[0]

    @property
    def stack_depth(self) -> int:
        """Count the bytes of stack used since the reset, at their most, by the paint that is left.

        All of `stack_room` is to be read as: that much, or more.
        """
        floor = self.machine.image.sram("stack_limit")
        painted = self.machine.read_data(floor, self.stack_room)
        return len(painted.lstrip(bytes((STACK_PAINT,))))

    @property
    def stack_room(self) -> int:
        """Count the bytes that the variables leave to the stack."""
        return self.machine.part.ramend + 1 - self.machine.image.sram("stack_limit")

    def read(self, symbol: str, size: int = 1) -> bytes:
        """Read SRAM at a symbol of the firmware; UnusableInput if it has none of that name."""
        return self.machine.read_data(self.machine.image.sram(symbol), size)

    def write(self, symbol: str, content: bytes) -> None:
        """Write SRAM at a symbol of the firmware; UnusableInput if it has none of that name."""
        self.machine.write_data(SramAddress(self.machine.image.sram(symbol)), content)

    # -----------------------------------------------------------------------------------------------------------

    def _run(self, cycles: int | None, seconds: float | None) -> Halt:
        if self.watch is None:
            return self.machine.run(self._addresses, max_cycles=cycles, timeout_s=seconds)
        end = None if cycles is None else self.machine.cycles + cycles
        while True:
            left = None if end is None else end - self.machine.cycles
            is_last = seconds is not None and seconds <= WATCH_S
            halt = self.machine.run(self._addresses, max_cycles=left, timeout_s=seconds if is_last else WATCH_S)
            if halt is not Halt.TIME or is_last:
                return halt
            seconds = None if seconds is None else self._deadline - time.monotonic()
            self.watch(self)

    def _sides(self) -> tuple[int, int]:
        return self.read("board_width")[0], self.read("board_height")[0]

    def _board_end(self) -> int:
        width, height = self._sides()
        return self._board + width * height

    def _require_ready(self, what: str) -> None:
        if self.stop is not Stop.BOARD_READY:
            raise UnusableInput(f"the chip takes {what} at {Stop.BOARD_READY.value} only: reset it first, with boot()")

    def _limit_reached(self, halt: Halt) -> LimitReached:
        limit = f"{self.max_cycles:,} cycles" if halt is Halt.CYCLES else f"{self.timeout_s:g} s"
        return LimitReached(
            f"no stop within the limit of {limit}: after {self.cycles:,} cycles the search is at "
            f"{self.machine.where(self.machine.pc)}, solutions so far: {self.solution_count:,}; raise the limit"
        )

    def _rejection(self) -> str:
        code, given = self.board_error, self._given
        if given is None:
            width, height = self._sides()
            return f"it is {width}x{height} by its sides, which no SRAM of a chip holds"
        for fault in given.faults():
            if fault.error == code:
                return fault.message
        known = code in BoardError.__members__.values()
        return BoardError(code).meaning if known else f"for a reason that has no name here, board_error {code}"
