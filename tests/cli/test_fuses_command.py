# SPDX-License-Identifier: GPL-3.0-or-later
"""Fuses read and written by the real avrdude at a played programmer."""

from __future__ import annotations

import json

import pytest

from pentavr.cli.main import main
from pentavr.firmware.parts import part
from stk500 import PlayedChip, Programmer

FACTORY = {"lfuse": 0x62, "hfuse": 0xDF, "efuse": 0xF9}


@pytest.fixture
def chip() -> PlayedChip:
    return PlayedChip(part("atmega88").signature.to_bytes(3, "big"), 8192, fuses=dict(FACTORY))


def fuses(programmer: Programmer, *words: str) -> int:
    return main(["fuses", "--programmer", "arduino_as_isp", "--port", programmer.port, "--quiet", *words])


def test_they_are_read_and_explained(chip: PlayedChip, capsys: pytest.CaptureFixture[str]) -> None:
    with Programmer(chip, isp=True) as programmer:
        assert fuses(programmer) == 0
        drawn = capsys.readouterr().out
        assert drawn.startswith("atmega88; 0 is programmed\n\nlfuse 0x62   0 1 1 0 0 0 1 0\n")
        assert " CKDIV8      0  clock divided by 8 after a reset\n" in drawn
        assert " RSTDISBL    1  the reset pin resets  (never changed)\n" in drawn
        assert fuses(programmer, "--json") == 0
        told = json.loads(capsys.readouterr().out)
    assert {name: told[name] for name in FACTORY} == FACTORY
    assert told["mcu"] == "atmega88"
    assert told["fields"] == {
        "CKDIV8": 0,
        "CKOUT": 1,
        "SUT": 2,
        "CKSEL": 2,
        "RSTDISBL": 1,
        "DWEN": 1,
        "SPIEN": 0,
        "WDTON": 1,
        "EESAVE": 1,
        "BODLEVEL": 7,
        "BOOTSZ": 0,
        "BOOTRST": 1,
    }
    assert chip.fuses == FACTORY


@pytest.mark.parametrize("confirm", [[], ["--confirm", "no"], ["--confirm", "YES"]])
def test_without_a_yes_they_are_only_shown(
    chip: PlayedChip, confirm: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with Programmer(chip, isp=True) as programmer:
        assert fuses(programmer, "--write", *confirm) == 2
    told = capsys.readouterr()
    assert "hfuse 0xdc   1 1 0 1 1 1 0 0\n" in told.out
    assert "nothing is written yet" in told.err
    assert "CONFIRM=yes" in told.err
    assert chip.fuses == FACTORY


def test_they_are_written_once(chip: PlayedChip, capsys: pytest.CaptureFixture[str]) -> None:
    with Programmer(chip, isp=True) as programmer:
        assert fuses(programmer, "--write", "--confirm", "yes") == 0
        assert "atmega88: writing lfuse 0x62 -> 0xf7, hfuse 0xdf -> 0xdc\n" in capsys.readouterr().err
        assert chip.fuses == {"lfuse": 0xF7, "hfuse": 0xDC, "efuse": 0xF9}
        assert fuses(programmer, "--write", "--confirm", "yes") == 0
        assert capsys.readouterr().err == "atmega88: the fuses are so already\n"
        assert fuses(programmer, "--write", "--confirm", "yes", "--clock", "rc", "--eeprom", "keep") == 0
    assert chip.fuses == {"lfuse": 0xE2, "hfuse": 0xD5, "efuse": 0xF9}
    assert set(chip.flash) == {0xFF}


def test_a_boot_loader_is_not_believed(chip: PlayedChip, capsys: pytest.CaptureFixture[str]) -> None:
    with Programmer(chip) as programmer:
        way = ["--programmer", "arduino", "--port", programmer.port, "--quiet"]
        assert main(["fuses", *way]) == 4
        told = capsys.readouterr()
        assert told.out == ""
        assert "hfuse 0x00" in told.err
        assert "A boot loader reaches no fuses" in told.err
        assert main(["fuses", *way, "--write", "--confirm", "yes"]) == 4


@pytest.mark.parametrize("hfuse", [0x5F, 0x9F, 0xFF])
def test_a_chip_that_reads_as_locked_is_not_written(chip: PlayedChip, hfuse: int) -> None:
    chip.fuses["hfuse"] = hfuse
    with Programmer(chip, isp=True) as programmer:
        assert fuses(programmer, "--write", "--confirm", "yes") == 4
    assert chip.fuses == {**FACTORY, "hfuse": hfuse}
