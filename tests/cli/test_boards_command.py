# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import json
from pathlib import Path

import pytest

from pentavr.cli.main import main


def test_the_table_has_a_line_a_board(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boards"]) == 0
    heading, rule, *lines = capsys.readouterr().out.splitlines()
    assert heading.split() == ["board", "size", "squares", "all", "unique", "symmetries", "counted", "by"]
    assert set(rule) == {"─"}
    assert max(map(len, [heading, *lines])) <= 80
    rows = {line.split()[0]: line.split()[1:] for line in lines}
    assert rows["4x15"] == ["4x15", "60", "1472", "368", "4", "Polyform", "Puzzler"]
    assert rows["8x8-hole2x2-r1c0"] == ["8x8", "60", "3207", "3207", "1", "jwwulf.de"]
    assert rows["6x5+6x5"][:5] == ["6x11", "60", "64", "16", "4"]
    assert len(lines) == len(rows) == 53


def test_a_board_is_drawn_in_the_notation_that_solve_reads(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["boards", "cross5"]) == 0
    shown = capsys.readouterr()
    assert shown.out == (".########.\n##########\n##########\n##......##\n##########\n##########\n.########.\n")
    assert shown.err == (
        "cross5; 60 free squares; symmetry group of order 4; solutions: 16 in all, 4 unique (Polyform Puzzler)\n"
    )
    drawing = tmp_path / "mine.txt"
    drawing.write_text(shown.out, encoding="utf-8")
    assert main(["boards", str(drawing)]) == 0
    assert capsys.readouterr() == shown


def test_a_board_that_the_chip_rejects_is_drawn_and_told_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boards", "1x4"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "#\n#\n#\n#\n"
    assert "the chip rejects this board (board_error 6): the board has 4 free squares" in shown.err


def test_an_unknown_board_is_unusable_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boards", "cross9"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("pentavr: no board 'cross9'")


def test_json_has_an_object_a_board(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boards", "--json"]) == 0
    boards = {board["name"]: board for board in map(json.loads, capsys.readouterr().out.splitlines())}
    assert len(boards) == 53
    assert boards["anvil"] == {
        "name": "anvil",
        "width": 3,
        "height": 4,
        "squares": 10,
        "all": 1,
        "unique": 1,
        "symmetries": 2,
        "source": "exact cover",
        "rows": ["###", ".#.", "###", "###"],
    }


def test_json_of_one_board_leaves_unknown_counts_empty(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boards", "--json", "5x2"]) == 0
    board = json.loads(capsys.readouterr().out)
    assert (board["name"], board["all"], board["unique"], board["symmetries"]) == (None, None, None, 4)
