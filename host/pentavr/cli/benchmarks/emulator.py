# SPDX-License-Identifier: GPL-3.0-or-later
"""What the host adds to the emulated chip: its work per stop, and the speed of the emulators."""

from __future__ import annotations

import time
from collections.abc import Iterator

from pentavr.cli.benchmarks.table import Table
from pentavr.firmware.images import built_image
from pentavr.machine.backends import installed
from pentavr.machine.chip import Chip
from pentavr.pentomino import catalogue
from pentavr.pentomino.board import Board

__all__ = ["measure"]

BOARD = "4x15"
ROUNDS = 5


def measure() -> Iterator[Table]:
    """Solve a board with every stop taken and its solution read, then run the same cycles without a stop."""
    image, board = built_image(), catalogue.find(BOARD)
    rows = []
    for backend in installed():
        with Chip.emulated(image=image, backend=backend) as chip:
            stopping = running = float("inf")
            for _ in range(ROUNDS):
                _start_over(chip, board)
                started = time.process_time()
                stops = sum(1 for _ in chip.solutions())
                stopping = min(stopping, time.process_time() - started)
                cycles = chip.cycles
                _start_over(chip, board)
                started = time.process_time()
                chip.machine.run(max_cycles=cycles)
                running = min(running, time.process_time() - started)
        rows.append((backend, stops, 1e6 * (stopping - running) / stops, 1e6 * running / stops, cycles / running / 1e6))
    yield Table(
        f"Host work per stop, all solutions of {BOARD}",
        ("emulator", "stops", "host us/stop", "emulation us/stop", "emulation Mcycles/s"),
        tuple(rows),
        note=f"processor time, best of {ROUNDS}; host: run on, read, decode, without checking",
    )


def _start_over(chip: Chip, board: Board) -> None:
    chip.boot()
    chip.load(board)
