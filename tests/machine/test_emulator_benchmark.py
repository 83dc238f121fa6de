# SPDX-License-Identifier: GPL-3.0-or-later
"""The benchmark of the emulators measures what it says."""

from __future__ import annotations

import pytest

from pentavr.cli.benchmarks import emulator
from pentavr.firmware.image import Image
from pentavr.machine.backends import installed


def test_a_row_for_each_emulator(monkeypatch: pytest.MonkeyPatch, firmware: Image) -> None:
    monkeypatch.setattr(emulator, "built_image", lambda: firmware)
    monkeypatch.setattr(emulator, "BOARD", "3x20")
    monkeypatch.setattr(emulator, "ROUNDS", 1)
    (table,) = emulator.measure()
    assert tuple(row[:2] for row in table.rows) == tuple((name, 8) for name in installed())
    for row in table.rows:
        assert len(row) == len(table.columns)
        assert all(isinstance(value, float) for value in row[2:])
