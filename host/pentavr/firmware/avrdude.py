# SPDX-License-Identifier: GPL-3.0-or-later
"""avrdude, which writes and reads a real chip through any programmer, behind a few functions.

It is called without a shell and never with -F, -V or -D: a chip of another kind is left alone, and what was written is
read back. It retries for a minute where nobody answers, and for ever where a serial port goes away, so each call has a
time limit and looks after its port.
"""

from __future__ import annotations

import re
import selectors
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from pentavr.errors import MachineFault, ToolMissing
from pentavr.firmware.avrdude_faults import Failure, explain
from pentavr.firmware.fuses import FUSE_BYTES, Fuses
from pentavr.firmware.programmers import Connection

__all__ = ["read_fuses", "verify_flash", "write_flash", "write_fuses"]

LOOK_EVERY_S = 0.2
GRACE_S = 1.0
"""How long avrdude may take to notice by itself that its port is gone."""

Echo = Callable[[str], object]
"""Is given what avrdude says, piece by piece as it says it."""


def write_flash(way: Connection, image: Path, *, echo: Echo | None = None) -> None:
    """Erase the chip, write an image in Intel HEX, and read it back.

    Raise CheckFailed where the chip reads back something else, MachineFault where programmer or chip do not answer or
    it is another chip, UnusableInput for a port or programmer that there is not, LimitReached, ToolMissing.
    """
    _run(way, [("flash", "w", str(image), "i")], echo)


def verify_flash(way: Connection, image: Path, *, echo: Echo | None = None) -> None:
    """Compare the chip's Flash with an image; raise as `write_flash` does."""
    _run(way, [("flash", "v", str(image), "i")], echo)


def read_fuses(way: Connection, *, echo: Echo | None = None) -> dict[str, int]:
    """Read the low, high and extended fuse byte; raise as `write_flash` does."""
    said = _run(way, [(name, "r", "-", "h") for name in FUSE_BYTES], echo)
    values = re.findall(r"^(?:0x)?([0-9a-f]{1,2})\s*$", said, re.MULTILINE | re.IGNORECASE)
    if len(values) != len(FUSE_BYTES):
        raise MachineFault(f"avrdude was to print three fuse bytes, a line each, and printed {said!r}")
    return {name: int(value, 16) for name, value in zip(FUSE_BYTES, values, strict=True)}


def write_fuses(way: Connection, fuses: Fuses, *, echo: Echo | None = None) -> None:
    """Write the fuse bytes given and read them back; raise as `write_flash` does."""
    _run(way, [(name, "w", f"0x{fuses[name]:02x}", "m") for name in FUSE_BYTES if name in fuses], echo)


def _run(way: Connection, operations: list[tuple[str, str, str, str]], echo: Echo | None) -> str:
    """Run avrdude and give its standard output; raise with an explanation where it fails."""
    command = ["avrdude", *way.words()]
    for operation in operations:
        command += ["-U", ":".join(operation)]
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
    except FileNotFoundError:
        raise ToolMissing("the programming tool avrdude is missing; install avrdude: apt-get install avrdude") from None
    with process:
        try:
            out, messages, failure = _watch(process, way, echo or (lambda _: None))
        finally:
            process.kill()
    if process.returncode != 0:
        raise explain(messages, failure, way)
    return out


def _watch(process: subprocess.Popen[bytes], way: Connection, echo: Echo) -> tuple[str, str, Failure]:
    """Collect what avrdude says until it ends, with or without success, its port is gone, or its time is over."""
    said = {stream: bytearray() for stream in (process.stdout, process.stderr) if stream is not None}
    deadline = time.monotonic() + way.time_limit_s
    port = Path(way.port) if way.port is not None and way.port.startswith("/") else None
    failure = Failure.EXIT
    with selectors.DefaultSelector() as selector:
        for stream in said:
            selector.register(stream, selectors.EVENT_READ, stream)
        while selector.get_map() or process.poll() is None:
            for key, _ in selector.select(LOOK_EVERY_S):
                piece = key.data.read(4096)
                if not piece:
                    selector.unregister(key.data)
                said[key.data] += piece
                if key.data is process.stderr:
                    echo(piece.decode("utf-8", errors="replace"))
            if failure is Failure.EXIT and port is not None and not port.exists():
                failure = Failure.PORT_GONE
                deadline = min(deadline, time.monotonic() + GRACE_S)
            if time.monotonic() > deadline:
                failure = Failure.TIME_OVER if failure is Failure.EXIT else failure
                break
    out, messages = (bytes(content).decode("utf-8", errors="replace") for content in said.values())
    return out, messages, failure
