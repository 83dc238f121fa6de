# SPDX-License-Identifier: GPL-3.0-or-later
"""An emulated chip whose serial line is a pseudo-terminal, so that any program for serial ports can talk to it.

    with flashed(built_image()) as machine, PtyLine(machine) as line:
        print("connect to", line.port)
        line.join()

The chip runs in a thread of its own, for a limited time. It differs from a real line in that nothing is lost where
the host is slow: a chip that sends what nobody takes stands still until somebody does.
"""

from __future__ import annotations

import os
import select
import threading
import time
import tty
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Self, TypeVar

from pentavr.errors import MachineFault
from pentavr.firmware.image import Image
from pentavr.machine.backends import emulate
from pentavr.machine.chip import Option
from pentavr.machine.emulator import Emulator

__all__ = ["PtyLine", "flashed"]

Result = TypeVar("Result")

ALONE = Option.ALL_SOLUTIONS | Option.STREAM | Option.KEEP_PROGRESS
SLICE_CYCLES = 20_000
LONGEST_WAIT_S = 0.02


def flashed(
    image: Image, options: Option | None = None, *, clock_hz: int = 20_000_000, backend: str | None = None
) -> Emulator:
    """Emulate a chip with an image as `make flash` writes it: with the options of a chip that works alone, or these."""
    machine = emulate(image, clock_hz=clock_hz, backend=backend)
    machine.write_flash(image.code("options_at_reset"), bytes((ALONE if options is None else options,)))
    return machine


class PtyLine:
    """The line of a machine, which nobody else may use meanwhile; use it as a context manager, or close it.

    `speed` is how much faster than a real chip it may run, None as fast as it goes; after `limit_s` seconds it stops.
    """

    def __init__(self, machine: Emulator, *, speed: float | None = 1.0, limit_s: float = 3600.0) -> None:
        self._machine = machine
        self._speed = speed
        self._deadline = time.monotonic() + limit_s
        # Our own hold on the far end keeps it raw, and this end working, whoever comes and goes there.
        self._near, self._far = os.openpty()
        tty.setraw(self._far)
        os.set_blocking(self._near, False)
        self.port = os.ttyname(self._far)
        self._unsent = b""
        self._is_closing = False
        self._fault: MachineFault | None = None
        self._actions: SimpleQueue[tuple[Callable[[Emulator], Any], Future[Any]]] = SimpleQueue()
        self._thread = threading.Thread(target=self._live, name="emulated chip", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop the chip and unplug the line; raise what has stopped the chip before, if anything has."""
        self._is_closing = True
        self._thread.join()
        for end in (self._near, self._far):
            if end >= 0:
                os.close(end)
        self._near = self._far = -1
        fault, self._fault = self._fault, None
        if fault is not None:
            raise fault

    def join(self) -> None:
        """Wait until the chip stops by itself or its time is over."""
        while self._thread.is_alive():
            self._thread.join(LONGEST_WAIT_S)

    def do(self, action: Callable[[Emulator], Result]) -> Result:
        """Have something done to the machine between two instructions, and return its result."""
        result: Future[Result] = Future()
        self._actions.put((action, result))
        while self._thread.is_alive():
            try:
                return result.result(timeout=LONGEST_WAIT_S)
            except TimeoutError:
                continue
        raise self._fault or MachineFault("the emulated chip does not run any more")

    # -----------------------------------------------------------------------------------------------------------

    def _live(self) -> None:
        begun, cycles = time.monotonic(), 0
        try:
            while not self._is_closing and time.monotonic() < self._deadline:
                self._act()
                lead_s = 0.0
                if self._speed is not None:
                    lead_s = cycles / (self._machine.clock_hz * self._speed) - (time.monotonic() - begun)
                    if lead_s < -LONGEST_WAIT_S:
                        # What this computer was too slow for is not made up for.
                        begun, cycles = time.monotonic(), 0
                self._exchange(LONGEST_WAIT_S if self._unsent else min(max(lead_s, 0.0), LONGEST_WAIT_S))
                if lead_s <= 0 and not self._unsent:
                    self._machine.run((), max_cycles=SLICE_CYCLES)
                    cycles += SLICE_CYCLES
                    self._unsent = self._machine.take_serial()
        except MachineFault as fault:
            self._fault = fault

    def _act(self) -> None:
        while True:
            try:
                action, result = self._actions.get_nowait()
            except Empty:
                return
            try:
                result.set_result(action(self._machine))
            except Exception as error:  # whoever asked for the action gets it
                result.set_exception(error)

    def _exchange(self, wait_s: float) -> None:
        """Hand over what there is in both directions, waiting a while if there is nothing."""
        readable, writable, _ = select.select([self._near], [self._near] if self._unsent else [], [], wait_s)
        if readable:
            self._machine.feed_serial(os.read(self._near, 4096))
        if writable:
            self._unsent = self._unsent[os.write(self._near, self._unsent) :]
