# SPDX-License-Identifier: GPL-3.0-or-later
"""A debugging session with everything real, and nothing of it left afterwards."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pentavr.firmware.build import build
from pentavr.pentomino import catalogue
from processes import none_left

TIME_LIMIT_S = 60

Debug = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the firmware with 4x15 as its default board; the .elf lies beside the .hex."""
    return build(catalogue.find("4x15"), output=tmp_path_factory.mktemp("build")).path


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    """An environment without the user's own settings, whose processes must all be gone at the end."""
    with none_left() as marked:
        yield {**marked, "HOME": str(tmp_path), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}


@pytest.fixture
def debug(firmware: Path, environment: dict[str, str]) -> Debug:
    """Give a function that runs gdb commands in one session, with options before them, and returns what came of it."""

    def run(*commands: str, options: tuple[str, ...] = (), **variables: str) -> subprocess.CompletedProcess[str]:
        words = [word for command in commands for word in ("--ex", command)]
        if "--firmware" not in options:
            options = ("--firmware", str(firmware), *options)
        return subprocess.run(
            [sys.executable, "-m", "pentavr", "debug", *options, "--batch", *words],
            env={**environment, **variables},
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT_S,
            stdin=subprocess.DEVNULL,
            check=False,
        )

    return run
