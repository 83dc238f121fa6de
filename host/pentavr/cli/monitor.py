# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr monitor`: follow a chip on a serial port, draw what it finds, check it and save it."""

from __future__ import annotations

import argparse
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

from pentavr.cli.target import add_baud_argument
from pentavr.cli.words import many
from pentavr.errors import MachineFault, UnusableInput

if TYPE_CHECKING:
    from pentavr.cli.live_view import LiveView
    from pentavr.cli.solution_file import SolutionFile
    from pentavr.machine.line import Boot, Found, Message, Noise, Status
    from pentavr.machine.serial_chip import SerialChip

__all__ = ["add_arguments", "run"]

TICK_S = 0.1
SILENCE_S = 5.0
"""After so long without a line the chip is asked how it is."""
ABSENCE_S = 600.0
"""So long the chip, or the port, may be gone: somebody may have pulled the plug."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--port", metavar="PORT", help="the serial port, as in /dev/ttyUSB0; without it they are listed"
    )
    add_baud_argument(parser)
    parser.add_argument("--reset", action="store_true", help="reset the chip first")
    parser.add_argument(
        "--json",
        metavar="FILE",
        help="save the solutions as `solve --json` writes them, -: to standard output; with a file of the same search "
        "that is there already it goes on",
    )


def run(arguments: argparse.Namespace) -> int:
    """Follow the chip to the end of its search; return 1 if it has no solution."""
    from pentavr.cli.live_view import LiveView
    from pentavr.cli.solution_file import SolutionFile
    from pentavr.firmware.serial_ports import listed
    from pentavr.machine.serial_chip import SerialChip

    if arguments.port is None:
        raise UnusableInput(f"which port is the chip on? Name it by --port; {listed()}")
    with ExitStack() as stack:
        chip = stack.enter_context(SerialChip.open(arguments.port, baud=arguments.baud))
        view = LiveView(only_data=arguments.json == "-")
        stack.callback(view.close)
        saved = None if arguments.json is None else SolutionFile(arguments.json)
        return _Monitor(chip, view, saved).run(reset=arguments.reset)


class _Monitor:
    """One chip followed."""

    def __init__(self, chip: SerialChip, view: LiveView, saved: SolutionFile | None) -> None:
        from pentavr.machine.line import Found
        from pentavr.machine.solution_log import SolutionLog

        self._chip = chip
        self._view = view
        self._saved = saved
        self._log = SolutionLog()
        self._seen: set[bytes] = set()
        self._heard_at = time.monotonic()
        self._is_absent = False
        for solution in saved.kept if saved is not None else ():
            given = solution.given
            letters = solution.text().replace("\n", "")
            self._log.take(Found(solution.index, given.width, given.height, letters))
            self._seen.add(solution.cells)

    def run(self, *, reset: bool) -> int:
        solutions = None
        try:
            if reset:
                self._tell_boot(self._chip.reset())
            solutions = self._set_going(self._chip.status())
            while solutions is None:
                solutions = self._follow()
        finally:
            if self._saved is not None:
                self._saved.end(done=solutions == len(self._log))
        return self._conclude(solutions)

    def _follow(self) -> int | None:
        """Take one line, or none for a while; give the number of solutions at the end of the search."""
        from pentavr.machine.serial_chip import NoAnswer
        from pentavr.machine.serial_port import PortLost

        try:
            message = self._chip.wait(TICK_S)
            if message is not None:
                return self._take(message)
            self._view.refresh()
            if time.monotonic() - self._heard_at > SILENCE_S:
                return self._ask()
        except NoAnswer as error:
            self._bear_absence(error)
        except PortLost as error:
            self._bear_absence(error)
            self._chip.reconnect(ABSENCE_S)
        return None

    def _take(self, message: Message | Noise) -> int | None:
        from pentavr.machine.line import Boot, Done, Found, Noise, Rejected

        self._heard()
        match message:
            case Found():
                self._take_solution(message)
            case Done(solutions=solutions):
                return solutions
            case Boot():
                self._tell_boot(message)
                self._chip.go()
            case Rejected(error=error):
                raise UnusableInput(f"the chip rejects its board: {error.meaning}")
            case Noise():
                self._view.say(f"noise on the line: {message}")
        return None

    def _take_solution(self, found: Found) -> None:
        from pentavr.cli.search import check
        from pentavr.machine.line import solution
        from pentavr.machine.solution_log import AnotherSearch, SolutionLog

        last = self._log.last
        try:
            is_new = self._log.take(found)
        except AnotherSearch as error:
            if self._saved is not None:
                raise
            self._view.say(str(error).splitlines()[0])
            self._log, self._seen, last, is_new = SolutionLog(), set(), 0, True
            self._log.take(found)
        if last and found.number > last + 1:
            lost = f"solution {last + 1}" if found.number == last + 2 else f"solutions {last + 1} to {found.number - 1}"
            self._view.say(f"{lost} did not come through")
        if is_new:
            new = solution(found)
            check(new, self._seen)
            if self._saved is not None:
                self._saved.add(new)
            self._view.show(new, f"solution {found.number:,} of {found.width}x{found.height}")

    def _ask(self) -> int | None:
        """After a silence see whether the chip is still at it; give the number of solutions if it is not."""
        status = self._chip.status()
        if self._chip.has_more:
            return None
        self._heard()
        return self._set_going(status)

    def _set_going(self, status: Status) -> int | None:
        from pentavr.machine.line import State

        match status.state:
            case State.READY | State.WAITING:
                self._view.say(f"{status.state.meaning}: it is told to go on")
                self._chip.go()
            case State.DONE:
                return status.solutions
            case State.REJECTED:
                raise UnusableInput("the chip has rejected its board; --reset has it say why")
        return None

    def _tell_boot(self, boot: Boot) -> None:
        self._view.say(f"the chip was reset: {boot.cause.meaning}")

    def _heard(self) -> None:
        self._heard_at = time.monotonic()
        if self._is_absent:
            self._is_absent = False
            self._view.say("the chip is back")

    def _bear_absence(self, error: MachineFault) -> None:
        if time.monotonic() - self._heard_at > ABSENCE_S:
            raise error
        if not self._is_absent:
            self._is_absent = True
            self._view.say(f"{error}; waiting for it")

    def _conclude(self, solutions: int) -> int:
        log = self._log
        lost = [*log.missing(), *range(log.last + 1, solutions + 1)] if log.last else []
        found = many(solutions, "solution")
        late = f", followed from number {log.first} on" if log.first > 1 else ""
        again = "; --reset begins it again" if solutions and not log.last else ""
        self._view.close()
        self._view.say(f"the search is over: {found}{late}, {len(log):,} received and checked{again}")
        if lost:
            raise MachineFault(f"these solutions did not come through: {', '.join(map(str, lost))}")
        return 0 if solutions else 1
