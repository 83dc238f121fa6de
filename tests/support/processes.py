# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes that a test starts, and the proof that none of them is left."""

from __future__ import annotations

import os
import signal
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["found", "none_left"]

MARK = "PENTAVR_TEST"
PATIENCE_S = 10


@contextmanager
def none_left() -> Iterator[dict[str, str]]:
    """Give an environment for processes; fail if one that has got it, or a child of one, is there at the end."""
    mark = uuid.uuid4().hex
    yield {**os.environ, MARK: mark}
    end = time.monotonic() + PATIENCE_S
    while (left := found({MARK: mark})) and time.monotonic() < end:
        time.sleep(0.02)
    for process in left:
        os.kill(process, signal.SIGKILL)
    assert left == {}


def found(environment: dict[str, str], words: str = "") -> dict[int, str]:
    """Give the command lines, by process, that hold these words and were started in this environment."""
    mark = f"{MARK}={environment[MARK]}".encode()
    commands = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
                # A process that has ended, but was not waited for, has no command line.
                if command and words in command:
                    commands[int(folder.name)] = command
        except OSError:
            continue
    return commands
