# SPDX-License-Identifier: GPL-3.0-or-later
"""The serial line's speed, against the data sheet's tables of examples of UBRRn settings for common clocks."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentavr.errors import UnusableInput
from pentavr.firmware.avra import assemble
from pentavr.firmware.images import source_folder

PROGRAM = """\
.include "m88def.inc"
.include "clock.inc"
        nop
"""


def constants(tmp_path: Path, **defines: int) -> dict[str, int]:
    source = tmp_path / "clock.asm"
    source.write_text(PROGRAM)
    image = assemble(source, output=tmp_path / "clock", include=[source_folder()], defines=defines)
    return {name: image.symbols[name].value for name in ("F_CPU", "BAUD", "UBRR_VALUE", "USE_2X")}


def test_without_a_word_it_is_38400_at_20_mhz(tmp_path: Path) -> None:
    assert constants(tmp_path) == {"F_CPU": 20_000_000, "BAUD": 38400, "UBRR_VALUE": 64, "USE_2X": 1}


@pytest.mark.parametrize(
    ("f_cpu", "baud", "ubrr", "use_2x"),
    [
        (20_000_000, 2400, 520, 0),
        (20_000_000, 9600, 129, 0),
        (20_000_000, 57600, 42, 1),
        (20_000_000, 115200, 10, 0),
        (20_000_000, 230400, 10, 1),
        (20_000_000, 250000, 4, 0),
        (16_000_000, 38400, 25, 0),
        (16_000_000, 57600, 34, 1),
        (16_000_000, 1_000_000, 0, 0),
        (8_000_000, 38400, 12, 0),
        (8_000_000, 76800, 12, 1),
        (1_000_000, 125_000, 0, 1),
    ],
)
def test_the_divider_is_that_of_the_lesser_error(tmp_path: Path, f_cpu: int, baud: int, ubrr: int, use_2x: int) -> None:
    found = constants(tmp_path, F_CPU=f_cpu, BAUD=baud)
    assert (found["UBRR_VALUE"], found["USE_2X"]) == (ubrr, use_2x)


@pytest.mark.parametrize(
    ("f_cpu", "baud", "fault"),
    [
        (16_000_000, 115200, "2 % faster"),
        (8_000_000, 57600, "2 % faster"),
        (8_000_000, 115200, "2 % slower"),
        (1_020_001, 12500, "2 % faster"),
        (979_999, 12500, "F_CPU is the clock in Hz"),
        (4_899_999, 62500, "2 % slower"),
        (20, 9600, "F_CPU is the clock in Hz"),
        (24_000_000, 9600, "F_CPU is over 20000000"),
        (20_000_000, 0, "BAUD is the speed"),
        (20_000_000, 2_500_001, r"BAUD is more than F_CPU / 8"),
        (20_000_000, 300, "BAUD is slower"),
    ],
)
def test_a_speed_that_cannot_be_met_fails_the_build(tmp_path: Path, f_cpu: int, baud: int, fault: str) -> None:
    with pytest.raises(UnusableInput, match=rf"clock\.inc:\d+: error: .*{fault}"):
        constants(tmp_path, F_CPU=f_cpu, BAUD=baud)


@pytest.mark.parametrize(("f_cpu", "baud"), [(1_020_000, 12500), (4_900_000, 62500)])
def test_an_error_of_two_per_cent_is_the_most(tmp_path: Path, f_cpu: int, baud: int) -> None:
    # Both at ten times 8 clocks a bit, whose clocks would be 1 and 5 MHz.
    assert constants(tmp_path, F_CPU=f_cpu, BAUD=baud)["UBRR_VALUE"] == 4
