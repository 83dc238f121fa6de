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


def line(body: str) -> bytes:
    """Write a line with its checksum, apart from the code under test."""
    total = 0
    for byte in body.encode():
        total ^= byte
    return f"${body}*{total:02X}\r\n".encode()


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
