# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import json

import pytest

from pentavr.cli.main import main


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)


def test_figures_stand_side_by_side_with_number_and_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figures"]) == 0
    drawn = capsys.readouterr().out
    assert drawn.startswith(
        "1 F1    2 F2    3 F3    4 F4    5 F5    6 F6    7 F7    8 F8\n"
        ". F F   . F .   . F .   F . .   F F .   . . F   . F .   . F .\n"
        "F F .   F F F   . F F   F F F   . F F   F F F   F F .   F F F\n"
        ". F .   . . F   F F .   . F .   . F .   . F .   . F F   F . .\n"
        "\n"
        "9 I1  10 I2\n"
        "I     I I I I I\n"
        "I\n"
    )
    assert drawn.endswith(
        "60 Z1   61 Z2   62 Z3   63 Z4\n"
        "Z Z .   . . Z   . Z Z   Z . .\n"
        ". Z .   Z Z Z   . Z .   Z Z Z\n"
        ". Z Z   Z . .   Z Z .   . . Z\n"
        "\n"
    )
    assert max(map(len, drawn.splitlines())) <= 80
    assert not any(line.endswith(" ") for line in drawn.splitlines())


def test_a_narrow_window_has_fewer_abreast(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    assert main(["figures"]) == 0
    drawn = capsys.readouterr().out
    assert drawn.startswith("1 F1    2 F2\n. F F   . F .\nF F .   F F F\n. F .   . . F\n\n3 F3    4 F4\n")
    assert max(map(len, drawn.splitlines())) <= 20


def test_a_colour_terminal_has_tiles_instead_of_dots(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    assert main(["figures"]) == 0
    x = next(block for block in capsys.readouterr().out.split("\n\n") if "51 X1" in block)
    on, off = "\x1b[38;2;0;0;0;48;2;143;224;196m", "\x1b[0m"
    assert x.splitlines() == ["51 X1", f"  {on}X {off}  ", f"{on}X X X {off}", f"  {on}X {off}  "]


def test_json_has_an_object_a_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["figures", "--json"]) == 0
    figures = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["number"] for each in figures] == list(range(1, 64))
    assert figures[62] == {
        "number": 63,
        "name": "Z4",
        "piece": "Z",
        "squares": [[0, 0], [0, 1], [1, 1], [2, 1], [2, 2]],
        # By hand: mirrored it is Z2, transposed Z1, and both Z3.
        "images": [63, 61, 61, 63, 60, 62, 62, 60],
    }
