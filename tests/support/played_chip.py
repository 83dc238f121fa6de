# SPDX-License-Identifier: GPL-3.0-or-later
"""A chip played by a test on a pseudo-terminal, for what no chip does on demand: silence, noise, another version."""

from __future__ import annotations

import os
import select
import threading
import time
import tty
from collections.abc import Callable
from types import TracebackType
from typing import Self

SOLUTIONS = ("PPFUUPPFFUPFFUU", "PPUUUPPUYUPYYYY", "UUFFPUFFPPUUFPP", "UUPPVUPPPVUUVVV")
"""Of a board of 5x3, found by hand."""


def line(body: str) -> bytes:
    """Write a line with its checksum, apart from the code under test."""
    total = 0
    for byte in body.encode():
        total ^= byte
    return f"${body}*{total:02X}\r\n".encode()


class Works:
    """What a chip says that works as it should; tests derive from it what they spoil."""

    def __init__(self, *, solutions: tuple[str, ...] = SOLUTIONS, version: int = 1) -> None:
        self.solutions = solutions
        self.version = version
        self.state = 0
        self.sent = 0
        self.one_by_one = False
        self.is_silent = False
        self.width, self.height = 5, 3

    def __call__(self, command: str) -> bytes:
        if self.is_silent:
            return b""
        match command[:1]:
            case "Q":
                numbers = (self.state, self.sent, 7, self.width, self.height, self.version)
                return line("Q," + ",".join(map(str, numbers)))
            case "R":
                return line("A,R") + self.boot()
            case "L":
                self.width, self.height = bytes.fromhex(command[3:7])
                return line("A,L")
            case "G" | "O" | "N":
                if command == "N" and self.state != 2:
                    return line("E,4")
                self.one_by_one = self.one_by_one if command == "N" else command == "O"
                return line(f"A,{command}") + self.search()
            case _:
                return line("E,3")

    def boot(self, cause: int = 16) -> bytes:
        self.state = self.sent = 0
        return line(f"B,{self.version},{cause}")

    def search(self) -> bytes:
        sent = b""
        while self.sent < len(self.solutions):
            letters = self.solutions[self.sent]
            self.sent += 1
            sent += line(f"S,{self.sent},{self.width},{self.height},{letters}")
            if self.one_by_one:
                self.state = 2
                return sent
        self.state = 3
        return sent + line(f"D,{self.sent}")


class PlayedChip:
    """The far end of `port`: each line that comes in is kept in `heard` and answered by what `answer` gives for it."""

    def __init__(self, answer: Callable[[str], bytes]) -> None:
        self.heard: list[str] = []
        self._answer = answer
        self._near, self._far = os.openpty()
        tty.setraw(self._far)
        self.port = os.ttyname(self._far)
        self._is_closing = False
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.unplug()

    def say(self, content: bytes) -> None:
        """Send something unasked."""
        os.write(self._near, content)

    def await_command(self, command: str) -> None:
        """Wait until a command has come in; fail if it does not within some seconds."""
        deadline = time.monotonic() + 10
        while command not in self.heard:
            assert time.monotonic() < deadline, f"{command} has not come: {self.heard}"
            time.sleep(0.01)

    def unplug(self) -> None:
        """Have the port disappear; a second call does nothing."""
        if not self._is_closing:
            self._is_closing = True
            self._thread.join()
            os.close(self._near)
            os.close(self._far)

    def _play(self) -> None:
        begun = b""
        while not self._is_closing:
            if select.select([self._near], [], [], 0.01)[0]:
                *lines, begun = (begun + os.read(self._near, 4096)).split(b"\n")
                for each in lines:
                    command = each.decode("ascii").strip().removeprefix("$").partition("*")[0]
                    self.heard.append(command)
                    os.write(self._near, self._answer(command))
