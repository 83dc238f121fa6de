# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import json

import pytest

from pentavr.cli.benchmarks import firmware
from pentavr.cli.main import main
from pentavr.machine.chip import Chip


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure one board, which both programs solve in a second."""
    for name in ("BOARDS", "COMPARED", "COMPARED_TO_THE_END"):
        monkeypatch.setattr(firmware, name, ("3x20",))


@pytest.mark.usefixtures("small")
def test_the_firmware_is_measured_beside_the_c_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "firmware", "--json"]) == 0
    searches, compared, memory = (json.loads(line)["rows"] for line in capsys.readouterr().out.splitlines())
    with Chip.emulated("3x20") as chip:
        solutions = list(chip.solutions())
        (row,) = searches
        assert (row["board"], row["found"]) == ("3x20", len(solutions))
        assert row["Mcycles all"] == chip.cycles / 1e6
        assert 0 < row["set-up cycles"] < 1e6 * row["Mcycles first"] < chip.cycles
        assert row["cycles each"] == chip.cycles / row["placements"]
        assert memory[0]["stack bytes"] == chip.stack_depth
        assert memory[0]["Flash bytes"] == len(chip.machine.image.flash)
    assert [row["solutions"] for row in compared] == ["3x20 first", "3x20 all"]
    for row in compared:
        assert row["ratio"] == pytest.approx(row["Mcycles C"] / row["Mcycles pentavr"])
        assert row["ratio"] > 1
    assert [row["program"] for row in memory] == ["pentavr", "plain C"]


@pytest.mark.usefixtures("small")
def test_tables_fit_a_terminal_without_a_number_cut(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["bench", "firmware"]) == 0
    drawn = capsys.readouterr().out
    assert "…" not in drawn
    assert "Plain C (avr-gcc -O3) and the firmware" in drawn
    assert max(map(len, drawn.splitlines())) <= 80


def test_an_unknown_subject_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "weather"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "weather is nothing that is measured: choose from firmware, " in said.err
