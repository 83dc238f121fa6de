# SPDX-License-Identifier: GPL-3.0-or-later
"""What README and package say that the tangram prints is what it prints."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from PIL import ImageDraw

import pentavr.tangram
from pentavr.cli.main import main
from tangram_judge import draw

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
SECTION = re.split(r"^## ", README.partition("## Grid tangrams\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
COMMANDS = re.findall(r"^\$ pentavr (.*)\n((?:(?!\$|```).*\n)*)", SECTION, flags=re.MULTILINE)


@pytest.mark.parametrize(("command", "printed"), COMMANDS)
def test_the_commands_print_what_the_readme_says(
    command: str, printed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    draw(("d..", "#d.", "##d", "##a", "ba.")).save("shape.png")
    disc = draw(("####", ".##.", ".##."))
    pen = ImageDraw.Draw(disc)
    pen.rectangle((150, 50, 199, 99), fill=255)
    pen.ellipse((150, 50, 199, 99), fill=0)
    disc.save("disc.png")
    main(shlex.split(command))
    captured = capsys.readouterr()
    assert captured.err + captured.out == printed


def test_the_readme_has_commands() -> None:
    assert len(COMMANDS) == 6


@pytest.mark.parametrize("text", [SECTION, pentavr.tangram.__doc__], ids=["readme", "package"])
def test_the_python_prints_what_is_written(text: str) -> None:
    examples = doctest.DocTestParser().get_doctest(text.replace("\n```", "\n\n"), {}, "examples", None, None)
    assert len(examples.examples) >= 4
    assert doctest.DocTestRunner().run(examples).failed == 0
