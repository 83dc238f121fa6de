# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr count`, on the real firmware in the emulator; the counts are the published ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pentavr.cli import search
from pentavr.cli.main import main
from pentavr.pentomino.board import Board


def test_4x15_has_1472_solutions_368_of_them_unique(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "4x15"]) == 0
    assert "1,472 solutions, 368 but for turning and mirroring" in capsys.readouterr().out


def test_counts_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "3x20", "--json"]) == 0
    counted = json.loads(capsys.readouterr().out)
    assert list(counted) == ["board", "all", "unique", "cycles", "seconds_at_20mhz"]
    assert (counted["board"], counted["all"], counted["unique"]) == ("3x20", 8, 2)
    assert counted["seconds_at_20mhz"] == counted["cycles"] / 20e6


def test_a_tiling_that_is_its_own_image_counts_once_either_way(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "1x5", "--json"]) == 0
    counted = json.loads(capsys.readouterr().out)
    assert (counted["all"], counted["unique"]) == (1, 1)


def test_a_board_without_solution_is_exit_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "cross-x3"]) == 1
    assert ": no solutions\n" in capsys.readouterr().out


def test_a_count_that_is_not_the_published_one_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = search.Search.solutions
    monkeypatch.setattr(search.Search, "solutions", lambda self: list(whole(self))[:-1])
    assert main(["count", "3x20"]) == 1
    assert "published are 8 and 2" in capsys.readouterr().err


def test_a_board_that_cannot_be_searched_is_exit_2(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text(Board.rectangle(2, 7).text())
    assert main(["count", str(path)]) == 2
    assert "14" in capsys.readouterr().err
