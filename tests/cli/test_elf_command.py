# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr elf`, on the built firmware and on any program."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from pentavr.cli.main import main
from pentavr.firmware import images

PROGRAM = """\
.device ATmega88
.eseg
kept: .db 1, 2
.cseg
start:
\trjmp start
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that avra has assembled as its user calls it, in the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "blink.asm").write_text(PROGRAM)
    options = ["-d", "blink.obj", "-m", "blink.map", "-l", "blink.lst", "-o", "blink.hex", "-e", "blink.eep.hex"]
    subprocess.run(["avra", *options, "blink.asm"], check=True, capture_output=True, timeout=60)
    return tmp_path


def folder_and_file(path: Path) -> tuple[str, str]:
    with path.open("rb") as file:
        (unit,) = ELFFile(file).get_dwarf_info().iter_CUs()
        top = unit.get_top_DIE().attributes
        return top["DW_AT_comp_dir"].value.decode(), top["DW_AT_name"].value.decode()


def test_any_program_in_any_order_of_files(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["elf", "blink.lst", "blink.obj", "blink.map"]) == 0
    assert capsys.readouterr().out == "blink.elf\n"
    assert folder_and_file(program / "blink.elf") == (str(program), "blink.asm")


def test_output_source_folder_and_eeprom(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--source-folder", "/src", "--eeprom", "blink.eep.hex", "-o", "other.elf"]
    assert main(["elf", "blink.obj", "blink.map", "blink.lst", *arguments]) == 0
    assert capsys.readouterr().out == "other.elf\n"
    assert folder_and_file(program / "other.elf") == ("/src", "blink.asm")
    with (program / "other.elf").open("rb") as file:
        section = ELFFile(file).get_section_by_name(".eeprom")
        assert section is not None
        assert section.data() == b"\x01\x02"


@pytest.mark.usefixtures("program")
@pytest.mark.parametrize(
    ("files", "message"),
    [
        (["blink.obj"], "expected one .obj, one .map and one .lst file, got blink.obj"),
        (["blink.obj", "blink.map", "blink.hex"], "expected one .obj, one .map and one .lst file"),
        (["blink.obj", "blink.obj", "blink.obj"], "expected one .obj, one .map and one .lst file"),
        (["lost.obj", "blink.map", "blink.lst"], "lost.obj: cannot read the object file"),
        (["blink.obj", "blink.map", "lost/blink.lst"], "lost/blink.lst: cannot read the listing"),
        (["blink.obj", "blink.map", "blink.lst", "-o", "lost/blink.elf"], "lost/blink.elf: cannot write it"),
        (["blink.obj", "blink.map", "blink.lst", "--eeprom", "blink.asm"], "blink.asm:6: ends without the end record"),
    ],
)
def test_unusable_files_are_exit_code_2(files: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["elf", *files]) == 2
    assert message in capsys.readouterr().err
    assert not list(Path().rglob("*.elf"))


def test_without_files_it_is_the_built_firmware(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "firmware").mkdir()
    (tmp_path / "firmware" / "main.asm").write_text(PROGRAM + '.include "default_board.inc"\n')
    monkeypatch.setattr(images, "checkout", lambda: tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["elf"]) == 2
    assert "run make" in capsys.readouterr().err
    assert main(["build"]) == 0
    elf = tmp_path / "build" / "pentavr.elf"
    built = elf.read_bytes()
    elf.unlink()
    capsys.readouterr()
    assert main(["elf"]) == 0
    assert capsys.readouterr().out == f"{elf}\n"
    assert elf.read_bytes() == built
    assert folder_and_file(elf) == (str(tmp_path / "firmware"), "main.asm")
