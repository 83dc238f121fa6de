# SPDX-License-Identifier: GPL-3.0-or-later
"""A build: done once, done again when anything it depends on changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pentavr.errors import ToolMissing, UnusableInput
from pentavr.firmware.build import build
from pentavr.pentomino.board import Board

MAIN = """\
.device ATmega88
.include "part.inc"
.ifdef MARK
\tldi r16, MARK
.endif
.include "default_board.inc"
"""

BOARD = Board.rectangle(4, 15)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "main.asm").write_text(MAIN)
    (folder / "part.inc").write_text("\tnop\n")
    return folder


def test_a_build_has_the_board_and_is_done_once(tmp_path: Path, sources: Path) -> None:
    output = tmp_path / "new" / "build"
    first = build(BOARD, output=output, sources=sources)
    assert first.assembled
    assert first.path == output / "pentavr.hex"
    assert (output / "pentavr.elf").read_bytes().startswith(b"\x7fELF")
    assert first.image.flash == bytes.fromhex("0000 040f ffff ffff ffff fff0")
    again = build(BOARD, output=output, sources=sources)
    assert not again.assembled
    assert again.image == first.image


def change_source(sources: Path, output: Path) -> None:
    del output
    (sources / "part.inc").write_text("\tnop\n\tnop\n")


def add_source(sources: Path, output: Path) -> None:
    del output
    (sources / "more.inc").write_text("\tnop\n")


def damage_output(sources: Path, output: Path) -> None:
    del sources
    (output / "pentavr.hex").write_text(":00000001FF\n")


def lose_output(sources: Path, output: Path) -> None:
    del sources
    (output / "pentavr.lst").unlink()


@pytest.mark.parametrize("change", [change_source, add_source, damage_output, lose_output])
def test_a_change_leads_to_a_new_build(tmp_path: Path, sources: Path, change: Callable[[Path, Path], None]) -> None:
    build(BOARD, output=tmp_path / "build", sources=sources)
    change(sources, tmp_path / "build")
    assert build(BOARD, output=tmp_path / "build", sources=sources).assembled
    assert not build(BOARD, output=tmp_path / "build", sources=sources).assembled


def test_another_board_or_option_leads_to_a_new_build(tmp_path: Path, sources: Path) -> None:
    build(BOARD, output=tmp_path / "build", sources=sources)
    other = build(Board.rectangle(1, 5), output=tmp_path / "build", sources=sources)
    assert other.image.flash == bytes.fromhex("0000 0105 f800")
    marked = build(Board.rectangle(1, 5), output=tmp_path / "build", sources=sources, defines={"MARK": 1})
    assert marked.image.flash == bytes.fromhex("0000 01e0 0105 f800")


def test_a_failed_build_leaves_no_image(tmp_path: Path, sources: Path) -> None:
    build(BOARD, output=tmp_path / "build", sources=sources)
    (sources / "part.inc").write_text("\tbrunch\n")
    for _ in range(2):
        with pytest.raises(UnusableInput, match=r"sources/part\.inc:1: error: Unknown mnemonic"):
            build(BOARD, output=tmp_path / "build", sources=sources)
        assert not list((tmp_path / "build").glob("pentavr.*"))


def test_an_unusable_board_or_folder_touches_nothing(tmp_path: Path, sources: Path) -> None:
    with pytest.raises(UnusableInput, match="61 free squares"):
        build(Board.rectangle(1, 61), output=tmp_path / "build", sources=sources)
    assert not (tmp_path / "build").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(UnusableInput, match="cannot make the output folder"):
        build(BOARD, output=tmp_path / "file" / "build", sources=sources)


def test_without_avra_the_package_is_named(tmp_path: Path, sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolMissing, match="apt-get install avra"):
        build(BOARD, output=tmp_path / "build", sources=sources)
