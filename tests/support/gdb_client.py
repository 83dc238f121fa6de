# SPDX-License-Identifier: GPL-3.0-or-later
"""A gdb that is typed by hand, and a server for it in this process."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pentavr.machine.backends import emulate
from pentavr.machine.gdb.server import Target, listen, serve
from pentavr.machine.gdb.wire import Port, Unneeded

__all__ = ["Client", "serving"]

TIME_LIMIT_S = 30


class Client:
    """A gdb that is typed by hand."""

    def __init__(self, port: int) -> None:
        self.line = socket.create_connection(("127.0.0.1", port), timeout=TIME_LIMIT_S)
        self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.arrived = b""

    def close(self) -> None:
        self.line.close()

    def send(self, raw: bytes) -> None:
        self.line.sendall(raw)

    def read(self, size: int) -> bytes:
        while len(self.arrived) < size:
            more = self.line.recv(4096)
            assert more, f"closed after {self.arrived!r}"
            self.arrived += more
        taken, self.arrived = self.arrived[:size], self.arrived[size:]
        return taken

    def reply(self) -> str:
        """Read one packet, checked, and acknowledge it."""
        assert self.read(1) == b"$"
        content = b""
        while (byte := self.read(1)) != b"#":
            content += byte
        assert int(self.read(2), 16) == sum(content) % 256
        self.send(b"+")
        return content.decode()

    def order(self, content: str | bytes) -> None:
        raw = content.encode() if isinstance(content, str) else content
        self.send(b"$" + raw + b"#%02x" % (sum(raw) % 256))
        assert self.read(1) == b"+"

    def ask(self, content: str | bytes) -> str:
        self.order(content)
        return self.reply()

    def is_closed(self) -> bool:
        return not self.arrived and self.line.recv(1) == b""


@contextmanager
def serving(target: Target, backend: str) -> Iterator[int]:
    """Serve from a thread of this process, by a certain emulator."""
    image = target.emulated().image
    lifeline, end = os.pipe()
    with listen() as listener, os.fdopen(lifeline, "rb") as pipe, emulate(image, backend=backend) as machine:
        target.switch_on(machine)
        ended: list[str] = []

        def work() -> None:
            try:
                serve(target, machine, Port(listener, pipe))
            except Unneeded:
                ended.append("unneeded")

        thread = threading.Thread(target=work)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            os.close(end)
            thread.join(TIME_LIMIT_S)
        assert ended == ["unneeded"]
