# SPDX-License-Identifier: GPL-3.0-or-later
"""The real avrdude, with a programmer played on a pseudo-terminal at the other end."""

from __future__ import annotations

from pathlib import Path

import intelhex
import pytest

from pentavr.errors import CheckFailed, LimitReached, MachineFault, ToolMissing, UnusableInput
from pentavr.firmware.avrdude import read_fuses, verify_flash, write_flash, write_fuses
from pentavr.firmware.parts import PARTS, part
from pentavr.firmware.programmers import Connection, connection
from stk500 import PlayedChip, Programmer

# Signatures from the data sheets.
SIGNATURES = {
    "atmega88": 0x1E930A,
    "atmega88a": 0x1E930A,
    "atmega88p": 0x1E930F,
    "atmega88pa": 0x1E930F,
    "atmega168": 0x1E9406,
    "atmega328p": 0x1E950F,
}

# 3,000 bytes, none of them 0xff, in more than one page on each chip.
CONTENT = bytes(number * 37 % 251 for number in range(3000))

FACTORY = {"lfuse": 0x62, "hfuse": 0xDF, "efuse": 0xF9}


@pytest.fixture
def image(tmp_path: Path) -> Path:
    memory = intelhex.IntelHex()
    memory.frombytes(CONTENT)
    path = tmp_path / "image.hex"
    memory.write_hex_file(path)
    return path


def test_the_signatures_are_those_of_the_data_sheets() -> None:
    assert {each.name: each.signature for each in PARTS} == SIGNATURES


def played(name: str = "atmega88", *, stuck: int | None = None, signature: int | None = None) -> PlayedChip:
    code = SIGNATURES[name] if signature is None else signature
    return PlayedChip(code.to_bytes(3, "big"), part(name).flash_size, stuck=stuck)


def way(programmer: Programmer, name: str = "atmega88", time_limit_s: float = 60) -> Connection:
    kind = "arduino_as_isp" if programmer.isp else "arduino"
    return connection(part(name), kind, port=programmer.port, time_limit_s=time_limit_s)


@pytest.mark.parametrize("name", ["atmega88a", "atmega168"])
def test_an_image_is_written_through_a_boot_loader(image: Path, name: str) -> None:
    chip = played(name)
    heard: list[str] = []
    with Programmer(chip) as programmer:
        write_flash(way(programmer, name), image, echo=heard.append)
    assert chip.flash == CONTENT.ljust(part(name).flash_size, b"\xff")
    assert "3000 bytes of flash verified" in "".join(heard)


@pytest.mark.parametrize("name", ["atmega88p", "atmega328p"])
def test_an_image_is_written_at_the_isp_pins(image: Path, name: str) -> None:
    chip = played(name)
    with Programmer(chip, isp=True) as programmer:
        write_flash(way(programmer, name), image)
        verify_flash(way(programmer, name), image)
    assert chip.flash == CONTENT.ljust(part(name).flash_size, b"\xff")
    assert (chip.erased, chip.fuses) == (1, FACTORY)


def test_a_chip_that_was_in_use_is_erased_first(image: Path) -> None:
    chip = played()
    chip.write(0, bytes(8192))
    with Programmer(chip, isp=True) as programmer:
        write_flash(way(programmer), image)
    assert chip.flash.startswith(CONTENT)
    assert chip.flash.endswith(b"\xff")


def test_a_page_that_goes_wrong_is_told_and_the_next_try_works(image: Path) -> None:
    chip = played(stuck=0x456)
    with Programmer(chip) as programmer:
        with pytest.raises(CheckFailed, match=r"verification failed: the flash of the atmega88 .* at 0x0456; flash it"):
            write_flash(way(programmer), image)
        chip.stuck = None
        write_flash(way(programmer), image)
    assert chip.flash.startswith(CONTENT)


def test_a_difference_is_found(image: Path) -> None:
    chip = played()
    chip.write(0, CONTENT[:-1] + b"\0")
    with Programmer(chip) as programmer, pytest.raises(CheckFailed, match="at 0x0bb7"):
        verify_flash(way(programmer), image)


def test_another_chip_is_named_and_left_alone(image: Path) -> None:
    chip = played("atmega88pa")
    with Programmer(chip) as programmer:
        with pytest.raises(
            MachineFault,
            match="0x1e930f, expected 0x1e930a of the atmega88; that is an atmega88p or atmega88pa: say --mcu",
        ):
            write_flash(way(programmer), image)
        assert set(chip.flash) == {0xFF}
        write_flash(way(programmer, "atmega88pa"), image)
    assert chip.flash.startswith(CONTENT)


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        (0x000000, "no chip answers behind stk500v1 at .*, 19200 baud: its signature reads 0x000000.*check its supply"),
        (0xFFFFFF, "no chip answers .*0xffffff"),
        (0x1E9307, "wrong chip: its signature is 0x1e9307.*not made for such a chip"),
    ],
)
def test_a_chip_that_is_none_of_ours(image: Path, signature: int, message: str) -> None:
    chip = played(signature=signature)
    with Programmer(chip, isp=True) as programmer, pytest.raises(MachineFault, match=message):
        write_flash(way(programmer), image)
    assert chip.erased == 0


@pytest.mark.parametrize("after", [20, 2000, 3700])
def test_a_line_that_is_cut_is_told_and_the_next_try_works(image: Path, after: int) -> None:
    # Some 3,500 bytes write the image, 400 more ask to read it back.
    chip = played()
    told = r"line was cut: the port /\S+ went away in the middle of the work; .* flash it again"
    with Programmer(chip, cut_after=after) as programmer, pytest.raises(MachineFault, match=told):
        write_flash(way(programmer), image)
    with Programmer(chip) as programmer:
        write_flash(way(programmer), image)
    assert chip.flash.startswith(CONTENT)


@pytest.mark.slow
def test_a_programmer_that_falls_silent(image: Path) -> None:
    told = r"arduino at .*, 19200 baud fell silent in the middle of the work; .* flash it again"
    with Programmer(played(), silent_after=1500) as programmer, pytest.raises(MachineFault, match=told):
        write_flash(way(programmer, time_limit_s=7), image)


@pytest.mark.slow
def test_a_port_where_nobody_answers(image: Path) -> None:
    told = r"no answer from the programmer arduino at .*, 115200 baud: is it the right port"
    with Programmer(played(), silent_after=0) as programmer, pytest.raises(MachineFault, match=told):
        write_flash(way(programmer, "atmega328p", time_limit_s=7), image)


def test_time_is_limited(image: Path) -> None:
    told = r"avrdude did not end within the limit of 0\.2 s"
    with Programmer(played(), silent_after=0) as programmer, pytest.raises(LimitReached, match=told):
        write_flash(way(programmer, time_limit_s=0.2), image)


class TestFuses:
    def test_they_are_read(self) -> None:
        chip = played()
        chip.fuses = {"lfuse": 0x12, "hfuse": 0xDE, "efuse": 0x08}
        with Programmer(chip, isp=True) as programmer:
            assert read_fuses(way(programmer)) == {"lfuse": 0x12, "hfuse": 0xDE, "efuse": 0x08}

    def test_they_are_written(self) -> None:
        chip = played()
        with Programmer(chip, isp=True) as programmer:
            write_fuses(way(programmer), {"lfuse": 0xF7, "hfuse": 0xD4, "efuse": 0xF9})
        assert chip.fuses == {"lfuse": 0xF7, "hfuse": 0xD4, "efuse": 0xF9}
        assert set(chip.flash) == {0xFF}
        assert chip.erased == 0

    def test_a_boot_loader_reaches_none(self) -> None:
        with Programmer(played()) as programmer:
            assert read_fuses(way(programmer)) == {"lfuse": 0, "hfuse": 0, "efuse": 0}
            with pytest.raises(CheckFailed, match=r"the lfuse of the atmega88 is not .*a boot loader reaches no fuses"):
                write_fuses(way(programmer), {"lfuse": 0xF7})


class TestPort:
    def test_it_has_to_be_there(self, tmp_path: Path) -> None:
        with pytest.raises(UnusableInput, match=f"there is no port {tmp_path}/tty; "):
            connection(part("atmega88"), "arduino", port=f"{tmp_path}/tty")

    def test_it_has_to_be_given(self) -> None:
        with pytest.raises(UnusableInput, match="the programmer arduino is at a serial port: say which, --port"):
            connection(part("atmega88"), "arduino")

    def test_it_has_to_be_a_serial_port(self, tmp_path: Path, image: Path) -> None:
        (tmp_path / "tty").touch()
        nowhere = connection(part("atmega88"), "arduino", port=f"{tmp_path}/tty")
        with pytest.raises(UnusableInput, match="tty cannot be opened as a serial port; "):
            write_flash(nowhere, image)


def test_a_programmer_that_is_not_plugged_in() -> None:
    # A rare one, and only to read: whoever runs this may well have a USBasp with a chip at it.
    with pytest.raises(MachineFault, match="no programmer nibobee on USB: is it plugged in"):
        read_fuses(connection(part("atmega88"), "nibobee"))


def test_a_programmer_that_avrdude_does_not_know(image: Path) -> None:
    with pytest.raises(UnusableInput, match="knows no programmer 'nonesuch'; usual ones are usbasp, "):
        write_flash(connection(part("atmega88"), "nonesuch"), image)


def test_without_avrdude_the_package_is_named(image: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ToolMissing, match="apt-get install avrdude"):
        write_flash(connection(part("atmega88"), "usbasp"), image)


def test_avrdude_is_called_without_its_dangerous_options(
    image: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "bin" / "avrdude"
    tool.parent.mkdir()
    tool.write_text('#!/bin/sh\necho "$*" >> "$0.called"\nprintf "0x62\\n0xdf\\n0xf9\\n"\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:/usr/bin:/bin")
    chosen = connection(part("atmega88pa"), "usbasp", bit_clock_us=32)
    write_flash(chosen, image)
    verify_flash(chosen, image)
    assert read_fuses(chosen) == FACTORY
    write_fuses(connection(part("atmega328p"), "dragon_isp", port="usb"), FACTORY)
    assert tool.with_suffix(".called").read_text().splitlines() == [
        f"-p m88pa -c usbasp -B 32 -U flash:w:{image}:i",
        f"-p m88pa -c usbasp -B 32 -U flash:v:{image}:i",
        "-p m88pa -c usbasp -B 32 -U lfuse:r:-:h -U hfuse:r:-:h -U efuse:r:-:h",
        "-p m328p -c dragon_isp -P usb -U lfuse:w:0x62:m -U hfuse:w:0xdf:m -U efuse:w:0xf9:m",
    ]
