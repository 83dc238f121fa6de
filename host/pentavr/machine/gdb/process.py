# SPDX-License-Identifier: GPL-3.0-or-later
"""The server in a process of its own, which cannot outlive the one that started it."""

from __future__ import annotations

import json
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from pentavr import errors
from pentavr.errors import MachineFault, PentavrError
from pentavr.firmware.parts import part
from pentavr.machine.gdb.server import Target, listen, serve
from pentavr.machine.gdb.wire import Port, Unneeded
from pentavr.pentomino.board import Board

__all__ = ["ServerProcess"]

START_TIMEOUT_S = 60
END_TIMEOUT_S = 10


class ServerProcess:
    """A running server on a free port, or on a given one; ended by `close`, and at the latest with this process.

    Raises what `listen` and `Target.emulated` raise, MachineFault where the process does not come up.
    """

    def __init__(self, target: Target, port: int = 0) -> None:
        with listen(port) as listener:
            self.port: int = listener.getsockname()[1]
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", __name__, _written(target, listener)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=[listener.fileno()],
                # Ctrl-C on the terminal is meant for gdb alone.
                start_new_session=True,
            )
        self._lifeline, self._said = _pipes(self._process)
        try:
            self._wait_until_ready()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    def check(self) -> None:
        """Raise MachineFault if the server has ended by itself."""
        status = self._process.poll()
        if status is not None:
            how = f"by {signal.Signals(-status).name}" if status < 0 else f"with status {status}"
            raise MachineFault(f"the gdb server on port {self.port} ended in the middle of the session, {how}")

    def close(self) -> None:
        """End the server and wait until it has."""
        self._lifeline.close()
        try:
            self._process.wait(END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._said.close()

    def _wait_until_ready(self) -> None:
        ready, _, _ = select.select([self._said], [], [], START_TIMEOUT_S)
        said = json.loads((self._said.readline() if ready else b"") or "null")
        if said is None:
            raise MachineFault("the gdb server did not start")
        if said:
            kind, message = said
            raise getattr(errors, kind)(message)


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None:
        raise ValueError("this process was started without pipes")
    return process.stdin, process.stdout


def _written(target: Target, listener: socket.socket) -> str:
    board = None if target.board is None else target.board.to_sram().hex()
    return json.dumps([listener.fileno(), str(target.path), target.part.name, board])


def _main(written: str) -> None:
    """Serve; tell on standard output, in one line of JSON, that all is ready, or the error that it is not."""
    number, path, part_name, content = json.loads(written)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    said: list[str] = []
    with socket.socket(fileno=number) as listener:
        try:
            board = None if content is None else Board.from_sram(bytes.fromhex(content))
            target = Target(Path(path), part(part_name), board)
            machine = target.emulated()
        except PentavrError as error:
            said = [type(error).__name__, str(error)]
        print(json.dumps(said), flush=True)
        if said:
            return
        with machine:
            try:
                serve(target, machine, Port(listener, sys.stdin.buffer))
            except Unneeded:
                return


if __name__ == "__main__":
    _main(sys.argv[1])
