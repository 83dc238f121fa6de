# SPDX-License-Identifier: GPL-3.0-or-later
"""From the command to the chip: what the real avrdude has written into a played chip is run on an emulated one."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from checked import checked_solutions
from pentavr.cli.main import main
from pentavr.firmware.image import Image
from pentavr.firmware.images import load_image
from pentavr.firmware.parts import part
from pentavr.machine.chip import Chip, Option
from stk500 import PlayedChip, Programmer

ROOT = Path(__file__).parents[2]
PATH = "/usr/bin:/bin"
EVERY_OPTION = Option.ALL_SOLUTIONS | Option.STREAM | Option.KEEP_PROGRESS


def played(name: str) -> PlayedChip:
    return PlayedChip(part(name).signature.to_bytes(3, "big"), part(name).flash_size)


def flash(programmer: Programmer, folder: Path, *words: str) -> int:
    """Flash through a played boot loader with the image in `folder`."""
    way = ("--programmer", "arduino", "--port", programmer.port, "--timeout", "60", "--quiet")
    return main(["flash", *way, "--output", str(folder), *words])


def solutions_of(played_chip: PlayedChip, name: str, folder: Path, clock_hz: int) -> set[bytes]:
    """Run the played chip's Flash, whose labels are in `folder`, on an emulated chip; search its own board."""
    image = Image(bytes(played_chip.flash), load_image(folder / "pentavr.hex").symbols)
    with Chip.emulated(image=image, part=part(name), clock_hz=clock_hz) as chip:
        assert chip.options == EVERY_OPTION
        chip.options = Option.ALL_SOLUTIONS
        return checked_solutions(chip)


def test_what_was_written_solves_4x15(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chip = played("atmega88")
    with Programmer(chip) as programmer:
        assert flash(programmer, tmp_path) == 0
        size = len(load_image(tmp_path / "pentavr.hex").flash)
        told = capsys.readouterr()
        assert told.out == f"atmega88: {size} bytes written and verified\n"
        way = f"arduino at {programmer.port}, 19200 baud"
        assert told.err == f"writing {tmp_path}/pentavr.hex, {size} bytes: atmega88 through {way}\n"
        assert flash(programmer, tmp_path, "--verify", "--json") == 0
        outcome = {"image": f"{tmp_path}/pentavr.hex", "mcu": "atmega88", "bytes": size, "written": False}
        assert json.loads(capsys.readouterr().out) == outcome
    assert len(solutions_of(chip, "atmega88", tmp_path, 20_000_000)) == 1472


def test_an_arduino_board_solves_3x20(tmp_path: Path) -> None:
    chip = played("atmega328p")
    with Programmer(chip) as programmer:
        assert flash(programmer, tmp_path, "--mcu", "atmega328p", "--f-cpu", "16000000", "--board", "3x20") == 0
    assert len(solutions_of(chip, "atmega328p", tmp_path, 16_000_000)) == 8


def test_after_each_failure_the_next_try_works(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chip = played("atmega88pa")
    with Programmer(chip) as programmer:
        assert flash(programmer, tmp_path) == 4
        assert "wrong chip: its signature is 0x1e930f" in capsys.readouterr().err
        chip.stuck = 0x123
        assert flash(programmer, tmp_path, "--mcu", "atmega88pa") == 1
        assert "verification failed: the flash of the atmega88pa is not the one expected at 0x0123" in (
            capsys.readouterr().err
        )
        chip.stuck = None
    chip.erase()
    with Programmer(chip, cut_after=5000) as programmer:
        assert flash(programmer, tmp_path, "--mcu", "atmega88pa") == 4
        assert "the line was cut" in capsys.readouterr().err
    with Programmer(chip) as programmer:
        assert flash(programmer, tmp_path, "--mcu", "atmega88pa", "--verify") == 1
        assert flash(programmer, tmp_path, "--mcu", "atmega88pa") == 0
    assert len(solutions_of(chip, "atmega88pa", tmp_path, 20_000_000)) == 1472


def test_an_image_that_is_built_already(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--mcu", "atmega168", "--output", str(tmp_path)]) == 0
    image = str(tmp_path / "pentavr.hex")
    chip = played("atmega168")
    with Programmer(chip) as programmer:
        assert flash(programmer, tmp_path / "none", image) == 2
        assert "is built for the atmega168, not for the atmega88" in capsys.readouterr().err
        assert flash(programmer, tmp_path / "none", image, "--mcu", "atmega168") == 0
    assert chip.flash.startswith(load_image(Path(image)).flash)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--f-cpu", "8000000", "--baud", "57600"], "over 2 % faster than BAUD"),
        (["--mcu", "atmega8"], "no part 'atmega8'"),
        (["--programmer", "arduino", "--port", "/nowhere/tty"], "there is no port /nowhere/tty"),
        (["missing.hex"], "missing.hex: cannot read it as Intel HEX"),
    ],
)
def test_an_unusable_option_is_exit_code_2(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # A rare programmer: should the check be lost, no chip that is plugged in here is written.
    assert main(["flash", "--output", str(tmp_path), "--programmer", "nibobee", *words]) == 2
    assert message in capsys.readouterr().err


def test_without_avrdude_the_exit_code_is_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", "--output", str(tmp_path)]) == 0
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["flash", str(tmp_path / "pentavr.hex"), "--programmer", "nibobee"]) == 3
    assert "apt-get install avrdude" in capsys.readouterr().err


def pentavr_commands(*words: str) -> list[list[str]]:
    """Ask make what it would run of ours."""
    command = ["make", "-n", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True, env={"PATH": PATH})
    lines = [shlex.split(line) for line in done.stdout.splitlines() if line.startswith(".venv/bin/pentavr")]
    return [words[1:] for words in lines]


@pytest.mark.parametrize(
    ("target", "command"),
    [
        ("flash", "flash --board 4x15 --programmer usbasp"),
        (
            "flash MCU=atmega328p F_CPU=16000000 BAUD=9600 PROGRAMMER=arduino PORT=/dev/ttyACM0 BOARD=6x10",
            "flash --board 6x10 --mcu atmega328p --f-cpu 16000000 --baud 9600 --programmer arduino --port /dev/ttyACM0",
        ),
        ("flash CLOCK=rc BIT_CLOCK=32", "flash --board 4x15 --f-cpu 8000000 --programmer usbasp --bit-clock 32"),
        ("verify MCU=atmega88pa", "flash --verify --board 4x15 --mcu atmega88pa --programmer usbasp"),
        (
            "read-fuses MCU=atmega168 PROGRAMMER=arduino_as_isp PORT=/dev/ttyUSB0 PROGRAMMER_BAUD=9600",
            "fuses --mcu atmega168 --programmer arduino_as_isp --port /dev/ttyUSB0 --programmer-baud 9600",
        ),
        ("fuses", "fuses --write --clock crystal --eeprom erase --programmer usbasp"),
        (
            "fuses CLOCK=rc BROWN_OUT=1.8 EEPROM=keep CONFIRM=yes",
            "fuses --write --clock rc --brown-out 1.8 --eeprom keep --confirm yes --programmer usbasp",
        ),
    ],
)
def test_what_make_runs(target: str, command: str) -> None:
    assert pentavr_commands(*target.split()) == [command.split()]


def test_make_does_not_take_a_clock_that_there_is_not() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        pentavr_commands("flash", "CLOCK=quartz")
