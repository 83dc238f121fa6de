# SPDX-License-Identifier: GPL-3.0-or-later
"""A board searched on a real chip: each solution once and in order, whatever happens to the chip and to the line.

    with SerialSearch(SerialChip.open("/dev/ttyUSB0"), Board.rectangle(6, 10)) as search:
        for solution in search.solutions():
            print(solution)

What was lost is asked for again, and the numbers of the solutions tell what was there before.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Self

from pentavr.errors import LimitReached, MachineFault, UnusableInput
from pentavr.machine import line
from pentavr.machine.line import Boot, Done, Found, Rejected, State
from pentavr.machine.serial_chip import CommandRefused, SerialChip
from pentavr.machine.serial_port import PortLost
from pentavr.machine.solution_log import AnotherSearch, SolutionLog
from pentavr.pentomino.board import Board, BoardError
from pentavr.pentomino.solution import Solution

__all__ = ["SerialSearch"]

SILENCE_S = 3.0
"""After so long without a line the chip is asked how it is."""
ABSENCE_S = 60.0
"""So long a port may be gone."""
ATTEMPTS = 5
"""How often in a row a search is taken up again without one new solution."""


class _Torn(MachineFault):
    """The thread is lost: the chip was reset, or lines of it did not come through."""


class SerialSearch:
    """A search of a board on a chip that was opened for it, and is closed with it; use it as a context manager.

    `every` asks for turned and mirrored solutions, too. With `stream` the chip does not wait while a solution is looked
    at; without, it searches on when the next one is asked for. `timeout_s` is the limit for the whole search, None is
    no limit. `watch`, if set, is called with the search about ten times a second while the chip is waited for.
    """

    def __init__(
        self,
        chip: SerialChip,
        board: Board,
        *,
        every: bool = True,
        stream: bool = True,
        timeout_s: float | None = None,
    ) -> None:
        self.chip = chip
        self.board = board
        self.timeout_s = timeout_s
        self.watch: Callable[[SerialSearch], None] | None = None
        self._every = every
        self._stream = stream
        self._log = SolutionLog()
        self._deadline = math.inf
        self._is_running = False
        self._is_waiting = False
        self._took_up_kept = False
        self._stamp = secrets.randbelow(line.STAMPS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the port; if the search is not over, the chip waits after its next solution."""
        try:
            if self._is_running and not self._is_waiting:
                self.chip.let_go()
        except PortLost:
            pass
        finally:
            self.chip.close()

    @property
    def solution_count(self) -> int:
        """Count the solutions so far."""
        return len(self._log)

    @property
    def cycles(self) -> int | None:
        """Give None: nobody counts the cycles of a real chip."""
        return None

    def solutions(self) -> Iterator[Solution]:
        """Reset the chip, give it the board, and yield the solutions as they come.

        Resets in between, lost lines, and a port that goes and comes back leave no trace in what is yielded. Raises
        UnusableInput for a board that the chip rejects, LimitReached at the time limit, MachineFault where there is no
        going on.
        """
        self._log = SolutionLog()
        self._deadline = math.inf if self.timeout_s is None else time.monotonic() + self.timeout_s
        self.chip.watch = self._look
        self._start_afresh()
        while (found := self._next_new()) is not None:
            yield line.solution(found, self.board)

    # -----------------------------------------------------------------------------------------------------------

    def _next_new(self) -> Found | None:
        """Give the next solution that was not there before; None at the end."""
        torn: MachineFault | None = None
        for attempt in range(ATTEMPTS + 1):
            try:
                if torn is not None:
                    self._take_up(afresh=attempt > 1)
                elif self._is_waiting:
                    self._let_it_search(self.chip.next)
                return self._follow()
            except (_Torn, AnotherSearch, CommandRefused) as error:
                torn = error
            except PortLost as error:
                torn = error
                self.chip.reconnect(ABSENCE_S)
        raise MachineFault(
            f"{self.chip.name}: solution {self._log.last + 1} has not come through in {ATTEMPTS} attempts: {torn}"
        )

    def _follow(self) -> Found | None:
        log = self._log
        while True:
            message = self._wait()
            match message:
                case Found(number=number):
                    self._is_waiting = not self._stream
                    if number > log.last + 1:
                        raise _Torn(f"solution {number} came after solution {log.last}")
                    if self._took_up_kept and number == 1:
                        raise _Torn("the chip has not kept the board, or no progress on it")
                    self._took_up_kept = False
                    if log.take(message):
                        return message
                    if self._is_waiting:
                        self._let_it_search(self.chip.next)
                case Done(solutions=solutions):
                    self._end(solutions)
                    return None
                case Rejected(error=error):
                    self._is_running = False
                    raise UnusableInput(f"the chip rejects the board: {self._rejection(error)}")
                case Boot(cause=cause):
                    raise _Torn(f"the chip was reset ({cause.meaning})")
                case None:
                    if self._is_over():
                        return None

    def _wait(self) -> line.Message | line.Noise | None:
        left = self._deadline - time.monotonic()
        message = self.chip.wait(min(left, SILENCE_S)) if left > 0 else None
        if message is None and time.monotonic() >= self._deadline:
            raise LimitReached(
                f"no end within the limit of {self.timeout_s:g} s, solutions so far: {len(self._log):,}; "
                "raise the limit"
            )
        return message

    def _is_over(self) -> bool:
        """After a silence see whether the chip is where it should be, and whether that is the end."""
        status = self.chip.status()
        if self.chip.has_more:
            return False
        if status.state is State.REJECTED:
            self._is_running = False
            raise UnusableInput("the chip rejects the board; its line with the reason did not come through")
        if status.solutions > self._log.last or status.state not in (State.SEARCHING, State.DONE):
            raise _Torn(
                f"{status.state.meaning} and counts {status.solutions} solutions; {self._log.last} came through"
            )
        if status.state is State.DONE:
            self._end(status.solutions)
        return status.state is State.DONE

    def _end(self, solutions: int) -> None:
        if solutions != self._log.last:
            raise _Torn(f"the chip has found {solutions} solutions, of which {self._log.last} came through")
        self._is_running = False

    def _start_afresh(self) -> None:
        self.chip.reset()
        # Records of an earlier search of this board are not to be gone on with.
        self._stamp = (self._stamp + 1) % line.STAMPS
        self.chip.load(self.board, every=self._every, stamp=self._stamp)
        self._took_up_kept = False
        self._start()

    def _take_up(self, *, afresh: bool) -> None:
        """Go on with a chip that was reset, or reset it for that, from its record if it has one, or from the start."""
        status = self.chip.greet()
        sides = self.board.width, self.board.height
        if afresh or not self._log.last or (status.width, status.height) != sides:
            self._start_afresh()
            return
        if status.state is not State.READY:
            self.chip.reset()
        self._took_up_kept = True
        self._start()

    def _start(self) -> None:
        self._is_running = True
        self._let_it_search(self.chip.go if self._stream else self.chip.one)

    def _let_it_search(self, command: Callable[[], None]) -> None:
        self._is_waiting = False
        command()

    def _rejection(self, error: BoardError) -> str:
        return next((fault.message for fault in self.board.faults() if fault.error == error), error.meaning)

    def _look(self) -> None:
        if self.watch is not None:
            self.watch(self)
