# SPDX-License-Identifier: GPL-3.0-or-later
"""The memories that a build takes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pentavr.cli.main import main
from pentavr.firmware.avra import assemble

PROGRAM = """\
.device ATmega88
.equ SRAM_START = 0x100
.equ GRID_LIMIT = 0x180
.dseg
.org GRID_LIMIT
counter: .byte 3
stack_limit:
.cseg
start:
        rjmp    start
.include "second.inc"
        nop
"""

SHOWN = """\
{path}, atmega88

Flash                 8,192 bytes
  program.asm             4
  second.inc              8
  used                   12  0.1%
  left                8,180

SRAM                  1,024 bytes
  board and grid        128
  variables               3
  used                  131  12.8%
  left to the stack     893
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "program.asm").write_text(PROGRAM)
    (tmp_path / "second.inc").write_text('        jmp_table: .dw 1, 2\n        .db "text"\n')
    assemble(tmp_path / "program.asm", output=tmp_path / "program")
    return tmp_path / "program.hex"


def test_it_is_told_part_by_part(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["size", str(program)]) == 0
    assert capsys.readouterr().out == SHOWN.format(path=program)


def test_it_is_told_as_json(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["size", str(program), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "image": str(program),
        "mcu": "atmega88",
        "flash": {"size": 8192, "used": 12, "left": 8180, "parts": {"program.asm": 4, "second.inc": 8}},
        "sram": {"size": 1024, "used": 131, "left": 893, "parts": {"board and grid": 128, "variables": 3}},
    }


def test_without_the_object_file_the_sums_are_there(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.with_suffix(".obj").unlink()
    assert main(["size", str(program), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["flash"] == {"size": 8192, "used": 12, "left": 8180, "parts": {}}


def test_another_program_has_no_such_parts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "other.asm").write_text(".device ATmega88\n\tnop\n")
    assemble(tmp_path / "other.asm", output=tmp_path / "other")
    assert main(["size", str(tmp_path / "other.hex")]) == 2
    assert "no constant SRAM_START" in capsys.readouterr().err
    assert main(["size", str(tmp_path / "none.hex")]) == 2


def test_the_firmware_fits_every_chip(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for mcu, flash, sram in (("atmega88", 8192, 1024), ("atmega328p", 32768, 2048)):
        assert main(["build", "--mcu", mcu, "--output", str(tmp_path)]) == 0
        capsys.readouterr()
        assert main(["size", str(tmp_path / "pentavr.hex"), "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert (told["mcu"], told["flash"]["size"], told["sram"]["size"]) == (mcu, flash, sram)
        assert sum(told["flash"]["parts"].values()) == told["flash"]["used"]
        assert sum(told["sram"]["parts"].values()) == told["sram"]["used"]
        assert told["sram"]["parts"]["board and grid"] == 0x3C0 - 0x100
