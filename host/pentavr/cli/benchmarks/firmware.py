# SPDX-License-Identifier: GPL-3.0-or-later
"""What the chip takes for a board: cycles, placements and memory, beside what a plain C program takes.

All of it is counted, nothing timed, so the boards are searched side by side, a process each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from pentavr.cli.benchmarks import baseline
from pentavr.cli.benchmarks.table import Table, Value
from pentavr.errors import MachineFault
from pentavr.firmware.image import Image
from pentavr.firmware.images import built_image, checkout
from pentavr.firmware.parts import SRAM_START
from pentavr.machine.chip import Chip

__all__ = ["Mark", "Program", "Search", "measure", "search"]

BOARDS = ("3x20", "4x15", "5x12", "6x10", "8x8-center-hole", "aztec-diamond-x", "8x8-hole2x2-r1c0")
COMPARED = ("3x20", "5x12", "6x10", "4x15")
COMPARED_TO_THE_END = ("3x20", "4x15")
"""The C program would need hours to find all solutions of the others."""

MAX_CYCLES = 20_000_000_000
PAINT = b"\x5a"


@dataclass(frozen=True, slots=True)
class Program:
    """A program that solves boards, and where it can be watched.

    It comes to `laid` after each figure that it lays. The C program is also there at its start and where the last
    square is covered; the firmware comes there only with a square still free, which makes the definition of a
    placement: a figure laid, X included, that does not complete a solution.
    """

    image: Image
    laid: str
    memory_end: str
    counts_start_and_end: bool = False

    @property
    def variables_bytes(self) -> int:
        """Count the bytes of SRAM that are not left to the stack."""
        return self.image.sram(self.memory_end) - SRAM_START


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment of a search: cycles since the program left `board_ready`, placements since then."""

    cycles: int
    placements: int


@dataclass(frozen=True, slots=True)
class Search:
    """What a search took: to its first placement (the set-up), to its first solution and to its end."""

    solutions: int
    set_up_cycles: int
    first: Mark | None
    end: Mark | None
    stack_bytes: int


def firmware() -> Program:
    """Give the built firmware."""
    return Program(built_image(), laid="figure_laid", memory_end="stack_limit")


def plain_c(root: Path) -> Program:
    """Give the C program of the checkout at `root`, compiled into its build folder."""
    image = baseline.compiled(root / baseline.SOURCE, output=root / "build" / "baseline")
    return Program(image, laid="solve", memory_end="_end", counts_start_and_end=True)


def search(program: Program, board: str, *, to_the_end: bool) -> Search:
    """Have a program search a board, to the end or to the first solution, and count on the way.

    Stops do not change the count of cycles. Raise MachineFault at MAX_CYCLES.
    """
    image = program.image
    laid, found, over = (image.code(name) for name in (program.laid, "solution_found", "no_more_solutions"))
    stops = (laid, found, over)
    arrivals = solutions = set_up_cycles = 0
    first = end = None
    with Chip.emulated(board, image=image) as chip:
        machine = chip.machine
        run = machine.run
        floor = image.sram(program.memory_end)
        room = machine.sp + 1 - floor
        machine.write_data(floor, PAINT * room)

        def mark() -> Mark:
            return Mark(chip.cycles, arrivals - (1 + solutions if program.counts_start_and_end else 0))

        while end is None and (first is None or to_the_end):
            run(stops, max_cycles=MAX_CYCLES)
            pc = machine.pc
            if pc == laid:
                arrivals += 1
                if arrivals == 1:
                    set_up_cycles = chip.cycles
            elif pc == found:
                solutions += 1
                first = first or mark()
            elif pc == over:
                end = mark()
            else:
                raise MachineFault(f"{board}: no stop within {MAX_CYCLES:,} cycles, at {machine.where(pc)}")
        paint_left = room - len(machine.read_data(floor, room).lstrip(PAINT))
        stack_bytes = machine.part.ramend + 1 - (floor + paint_left)
        return Search(solutions, set_up_cycles, first, end, stack_bytes)


def measure() -> Iterator[Table]:
    """Search each board with the firmware, and the rectangles with the C program, too."""
    ours = firmware()
    # The C program is no part of an installed package.
    root = checkout()
    theirs = plain_c(root) if root else None
    with ProcessPoolExecutor() as pool:
        # In this order, so that those that take longest begin first.
        with_c = {}
        if theirs:
            for board in reversed(COMPARED):
                with_c[board] = pool.submit(search, theirs, board, to_the_end=board in COMPARED_TO_THE_END)
        with_ours = {board: pool.submit(search, ours, board, to_the_end=True) for board in reversed(BOARDS)}
        searches = {board: with_ours[board].result() for board in BOARDS}
        yield _searches(searches)
        compared = {board: searching.result() for board, searching in with_c.items()}
    programs = {"pentavr": (ours, searches)}
    if theirs:
        yield _comparison(searches, compared)
        programs["plain C"] = theirs, compared
    yield _sizes(programs)


def _searches(searches: Mapping[str, Search]) -> Table:
    rows = [
        (board, each.solutions, each.set_up_cycles, _mcycles(each.first), _mcycles(each.end), *_placements(each.end))
        for board, each in searches.items()
    ]
    return Table(
        "The firmware, all solutions",
        ("board", "found", "set-up cycles", "Mcycles first", "Mcycles all", "placements", "cycles each"),
        tuple(rows),
        note="from the first instruction after board_ready to the first solution and to the end of the search; "
        "a placement is a figure laid, X included, that leaves a square free",
    )


def _comparison(searches: Mapping[str, Search], compared: Mapping[str, Search]) -> Table:
    rows = []
    for what in ("first", "all"):
        for board in (board for board in searches if board in compared):
            ours, theirs = (each.first if what == "first" else each.end for each in (searches[board], compared[board]))
            if ours and theirs:
                ratio = theirs.cycles / ours.cycles
                rows.append((f"{board} {what}", _mcycles(theirs), _mcycles(ours), ratio, *_placements(theirs)))
    return Table(
        "Plain C (avr-gcc -O3) and the firmware",
        ("solutions", "Mcycles C", "Mcycles pentavr", "ratio", "placements C", "cycles each, C"),
        tuple(rows),
    )


def _sizes(programs: Mapping[str, tuple[Program, Mapping[str, Search]]]) -> Table:
    rows = [
        (
            name,
            len(program.image.flash),
            program.variables_bytes,
            max(each.stack_bytes for each in searches.values()),
        )
        for name, (program, searches) in programs.items()
    ]
    return Table(
        "Memory",
        ("program", "Flash bytes", "SRAM bytes", "stack bytes"),
        tuple(rows),
        note="SRAM: the board, the variables and, in the firmware, the working grid; stack: the most of all searches",
    )


def _mcycles(mark: Mark | None) -> float | None:
    return mark.cycles / 1e6 if mark else None


def _placements(mark: Mark | None) -> tuple[Value, Value]:
    return (mark.placements, mark.cycles / mark.placements) if mark and mark.placements else (None, None)
