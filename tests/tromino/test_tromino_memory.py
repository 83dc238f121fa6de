# SPDX-License-Identifier: GPL-3.0-or-later
"""Boards larger than memory are made and written in little of it: measured in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pentavr.errors import UnusableInput
from pentavr.tromino import memory

MIB = 1 << 20

MEASURED = """
import resource, sys
{work}
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(peak if sys.platform == "darwin" else peak * 1024, file=sys.stderr)
"""


def peak_bytes(work: str, *words: str) -> int:
    """Run lines of Python in a process of their own and return the most memory that it held."""
    # A process starts with the peak of the one that it was forked from: the shell in between has a small one.
    with Path(os.devnull).open("wb") as nowhere:
        ended = subprocess.run(
            ["/bin/sh", "-c", '"$@"; exit $?', "sh", sys.executable, "-c", MEASURED.format(work=work), *words],
            stdout=nowhere,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
            check=True,
        )
    return int(ended.stderr.splitlines()[-1])


COMMAND = "from pentavr.cli.main import main; assert main(['tromino', *sys.argv[1:]]) == 0"


@pytest.mark.parametrize(
    "words",
    [
        ["16", "--hole", "40000,5"],  # 4 GiB
        ["17", "--hole", "9,9", "--rows", "4000:6000"],
        ["12", "--hole", "9,9", "--ids"],  # 128 MiB
        ["12", "--hole", "9,9", "--json"],
        ["40000x40000", "--hole", "9,9", "--rows", "20000:22000"],
    ],
    ids=" ".join,
)
def test_text_is_written_in_under_64_mib(words: list[str]) -> None:
    assert peak_bytes(COMMAND, *words) < 64 * MIB


def test_a_file_of_one_gib_is_written_in_under_64_mib(tmp_path: Path) -> None:
    target = tmp_path / "board.npy"
    try:
        assert peak_bytes(COMMAND, "14", "--hole", "9,9", "-o", str(target)) < 64 * MIB
        assert target.stat().st_size == 128 + 4**14 * 4
    finally:
        target.unlink(missing_ok=True)


def test_the_rows_of_one_gib_come_in_under_64_mib() -> None:
    work = "from pentavr.tromino import rows\nassert sum(int(row[-1] > 0) for row in rows(14, (0, 0))) == 2**14"
    assert peak_bytes(work) < 64 * MIB


def test_a_refusal_allocates_nothing() -> None:
    work = """
from pentavr.errors import UnusableInput
from pentavr.tromino import tiling
for n in (18, 24, 10**6):
    try:
        tiling(n, (0, 0))
    except UnusableInput:
        continue
    raise AssertionError(n)
"""
    assert peak_bytes(work) < 64 * MIB


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (1023, "1023 bytes"),
        (1024, "1 KiB"),
        (5 << 19, "2.5 MiB"),
        (3 << 40, "3 TiB"),
        ((1 << 70) - 1, "1.02e+03 EiB"),
        (1 << 70, "2^70 bytes"),
        (1 << 2003, "2^2003 bytes"),
    ],
)
def test_bytes_are_written_in_the_unit_that_fits(count: int, text: str) -> None:
    assert memory.human_bytes(count) == text


def test_a_system_that_does_not_tell_sets_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: None)
    memory.require_memory(1 << 80, "a board")
    monkeypatch.setattr(memory, "available_bytes", lambda: 5 << 20)
    with pytest.raises(UnusableInput, match="a board would take 6 MiB of memory, and 5 MiB are free"):
        memory.require_memory(6 << 20, "a board")


def test_this_system_has_some_memory_and_not_all_of_it() -> None:
    free = memory.available_bytes()
    assert free is None or MIB < free < 1 << 50
