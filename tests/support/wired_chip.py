# SPDX-License-Identifier: GPL-3.0-or-later
"""The emulated chip and its serial line, byte by byte and cycle by cycle."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Self

from pentavr.firmware.image import ByteAddress, Image
from pentavr.machine.chip import Option
from pentavr.machine.emulator import Halt, Reset
from pentavr.machine.pty_line import flashed
from played_chip import line

SLICE_CYCLES = 50_000
SECOND = 20_000_000
"""Cycles of a chip at 20 MHz."""


class WiredChip:
    """A chip whose every line is checked as it comes in: form, checksum, line end."""

    def __init__(self, image: Image, options: Option, *, clock_hz: int = SECOND, backend: str | None = None) -> None:
        self.machine = flashed(image, options, clock_hz=clock_hz, backend=backend)
        self.bodies: list[str] = []
        self._begun = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.machine.close()

    def power_cut(self) -> None:
        """Cut the power, and with it the line at hand."""
        self.listen()
        self._begun = b""
        self.machine.reset(Reset.POWER_ON)

    def listen(self) -> None:
        """Take what the chip has sent into `bodies`."""
        *lines, self._begun = (self._begun + self.machine.take_serial()).split(b"\n")
        for each in lines:
            form = re.fullmatch(rb"\$([ -~]*)\*[0-9A-F]{2}\r", each)
            assert form is not None, each
            body = form[1].decode("ascii")
            assert each + b"\n" == line(body)
            self.bodies.append(body)

    def run(self, cycles: int, stops: Collection[ByteAddress] = ()) -> bool:
        """Let some time pass; tell whether a stop was reached before."""
        halt = self.machine.run(stops, max_cycles=cycles)
        self.listen()
        return halt is Halt.STOP

    def expect(self, pattern: str, *, cycles: int = SECOND) -> str:
        """Wait for a line and return it; what has come before it is taken away, it included."""
        end = self.machine.cycles + cycles
        while True:
            for place, body in enumerate(self.bodies):
                if re.fullmatch(pattern, body):
                    del self.bodies[: place + 1]
                    return body
            assert self.machine.cycles < end, f"no {pattern} within {cycles} cycles, but {self.bodies}"
            self.run(SLICE_CYCLES)

    def until(self, pattern: str, *, cycles: int = 200 * SECOND) -> list[str]:
        """Wait for a line and return all that has come up to it, it included."""
        end = self.machine.cycles + cycles
        while not (self.bodies and re.fullmatch(pattern, self.bodies[-1])):
            assert self.machine.cycles < end, f"no {pattern} within {cycles} cycles, but {self.bodies}"
            self.run(SLICE_CYCLES)
        taken, self.bodies = self.bodies, []
        return taken

    def ask(self, command: str) -> str:
        """Send a command and return its answer, leaving what comes before it in `bodies`."""
        return self.send(line(command))

    def send(self, content: bytes) -> str:
        """Send bytes as they are and return the answer, leaving what comes before it in `bodies`."""
        self.listen()
        known = len(self.bodies)
        self.machine.feed_serial(content)
        end = self.machine.cycles + SECOND
        while True:
            for place, body in enumerate(self.bodies[known:], known):
                if body[0] in "AEQ":
                    return self.bodies.pop(place)
            assert self.machine.cycles < end, f"no answer to {content!r}, but {self.bodies}"
            self.run(SLICE_CYCLES)
