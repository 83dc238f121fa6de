# SPDX-License-Identifier: GPL-3.0-or-later
"""What the README says of the pentomino commands is what they do, its picture included."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pentavr.cli.main import COMMANDS, main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
SECTION = README.partition("## Solve a board\n")[2].partition("\n## ")[0]
CONSOLE = "".join(re.findall(r"^```console\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL))
EXAMPLES = re.findall(r"^\$ pentavr (.*)\n((?:(?!\$).*\n)*)", CONSOLE, re.MULTILINE)


@pytest.mark.parametrize(("command", "printed"), EXAMPLES)
def test_the_commands_print_what_the_readme_says(
    command: str, printed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (drawing,) = re.findall(r"^\$ cat corner.txt\n((?:(?!\$).*\n)*)", CONSOLE, re.MULTILINE)
    Path("corner.txt").write_text(drawing)
    assert main(shlex.split(command)) == 0
    shown = capsys.readouterr()
    if "--svg" in command:
        assert Path("twelve.svg").read_text("utf-8").count("<svg") == 1
    else:
        assert shown.out + shown.err == printed or shown.out == printed


def test_the_readme_has_commands() -> None:
    assert len(EXAMPLES) == 4


def test_the_picture_is_what_solve_draws(tmp_path: Path) -> None:
    drawn = tmp_path / "10x6.svg"
    main(["solve", "10x6", "--unique", "--limit", "4", "--svg", str(drawn)])
    assert drawn.read_bytes() == (ROOT / "tests" / "cli" / "10x6.svg").read_bytes()


def test_every_command_is_named() -> None:
    named = set(re.findall(r"`(?:pentavr )?([a-z]+)[^`]*`", SECTION))
    assert set(COMMANDS) <= named
