# SPDX-License-Identifier: GPL-3.0-or-later
"""How near tromino tilings come to the speed of memory and of pipes, with the plain recursion beside them."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np

from pentavr.cli.benchmarks.table import Table, Value
from pentavr.errors import ToolMissing
from pentavr.tromino import RectangleTiling, Region, SquareTiling, count, recursion, tile_at
from pentavr.tromino.marks import Mark, Marks

__all__ = ["measure"]

ROUNDS = 5
N = 14
TEXT_N = 16
RECURSION_N = 10
HOLE = 619, 204

_SHELL = ("/bin/sh", "-c", '"$@"; exit $?', "sh")
"""Starts a process from a small one: a process begins with the peak memory of the one that it was started from."""

_WRITE = f"""
import resource, sys
from pentavr.cli.main import main
assert main(["tromino", "{TEXT_N}", "--hole", "{HOLE[0]},{HOLE[1]}"]) == 0
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024), file=sys.stderr)
"""


def measure() -> Iterator[Table]:
    """Make arrays, write text and answer single questions."""
    yield _arrays()
    yield _text()
    yield _questions()


def _arrays() -> Table:
    numbers, letters = ((mark, SquareTiling(N, HOLE).dtype(mark)) for mark in (Mark.NUMBERS, Mark.LETTERS))
    numbers_s, full_numbers_s = _side_by_side(lambda: _tiled(N, *numbers), lambda: _full(numbers[1]))
    letters_s, full_letters_s = _side_by_side(lambda: _tiled(N, *letters), lambda: _full(letters[1]))
    plain_s, fast_s = _side_by_side(
        lambda: recursion.tiling(RECURSION_N, HOLE), lambda: _tiled(RECURSION_N, *numbers), rounds=2
    )
    measured: list[tuple[str, int, float, float | None]] = [
        (f"np.full, {numbers[1]}", N, full_numbers_s, 1.0),
        ("tile numbers", N, numbers_s, numbers_s / full_numbers_s),
        (f"np.full, {letters[1]}", N, full_letters_s, 1.0),
        ("letters", N, letters_s, letters_s / full_letters_s),
        ("tile numbers", RECURSION_N, fast_s, None),
        ("tile numbers, plain recursion", RECURSION_N, plain_s, None),
    ]
    return Table(
        "Boards of 2^n x 2^n as arrays",
        ("array", "n", "s", "M squares/s", "x np.full"),
        tuple((name, n, seconds, 4**n / seconds / 1e6, ratio) for name, n, seconds, ratio in measured),
        note=f"best of {ROUNDS} in turns, allocation included",
    )


def _tiled(n: int, mark: Mark, dtype: np.dtype[np.integer]) -> Marks:
    board: Marks = np.empty((1 << n, 1 << n), dtype)
    SquareTiling(n, HOLE).fill(mark, 0, board)
    return board


def _full(dtype: np.dtype[np.integer]) -> Marks:
    return np.full((1 << N, 1 << N), 1, dtype)


def _text() -> Table:
    peak_bytes = 0

    def write() -> None:
        nonlocal peak_bytes
        ended = _run([*_SHELL, sys.executable, "-c", _WRITE])
        peak_bytes = max(peak_bytes, int(ended.stderr.split()[-1]))

    def copy() -> None:
        _run(["/bin/sh", "-c", "head -c 4G /dev/zero | cat >/dev/null"])

    write_s, copy_s = _side_by_side(write, copy, rounds=3)
    command = f"pentavr tromino {TEXT_N} >/dev/null"
    rows: tuple[tuple[Value, ...], ...] = (
        ("head -c 4G /dev/zero | cat >/dev/null", copy_s, 4**TEXT_N / copy_s / 1e6, 1.0, None),
        (command, write_s, 4**TEXT_N / write_s / 1e6, write_s / copy_s, peak_bytes / (1 << 20)),
    )
    return Table(
        f"Text of n = {TEXT_N}, 4.3 G squares",
        ("command", "s", "MB/s", "x head", "peak MiB"),
        rows,
        note="best of 3 in turns, start of the programs included",
    )


def _questions() -> Table:
    far = 2**1000 - 1
    dog_eared = Region.rectangle(8, 8).less([(0, 0)])
    holed = Region.rectangle(32, 32).less([(3, 4), (10, 29), (21, 7), (30, 18)])
    questions: list[tuple[str, Callable[[], object]]] = [
        ("the tile over a square, n = 1000", lambda: tile_at(1000, (far, 0), far // 3, far // 7)),
        ("a plan for 1000x1003 less a square", lambda: RectangleTiling(1000, 1003, (500, 500))),
        ("a tiling of 32x32 less four squares", holed.tiling),
        ("the number of tilings of 8x8 less a corner", lambda: count(dog_eared.squares)),
    ]
    rows = tuple((name, 1e3 * min(_seconds(answer) for _ in range(ROUNDS))) for name, answer in questions)
    return Table("Single answers", ("question", "ms"), rows, note=f"best of {ROUNDS}")


def _side_by_side(
    one: Callable[[], object], other: Callable[[], object], *, rounds: int = ROUNDS
) -> tuple[float, float]:
    """Return the best times in seconds, taken in turns so that both meet the same machine."""
    pairs = [(_seconds(one), _seconds(other)) for _ in range(rounds)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    made = work()
    passed = time.perf_counter() - started
    del made
    return passed


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=True,
            timeout=600,
        )
    except FileNotFoundError as error:
        raise ToolMissing(f"{command[0]} is not there: the text is measured from a POSIX shell") from error
