# SPDX-License-Identifier: GPL-3.0-or-later
"""The fuses, against the assembler's definitions of each chip and the data sheets' tables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pentavr.errors import MachineFault
from pentavr.firmware.avra import assemble
from pentavr.firmware.fuses import PROTECTED, BrownOut, Clock, diagram, layout, meaning, plan, require_protected
from pentavr.firmware.parts import PARTS, Part, part

# The bits of each byte from the data sheets' tables of the low, high and extended byte, bit 7 first.
LOW = ["CKDIV8", "CKOUT", "SUT1", "SUT0", "CKSEL3", "CKSEL2", "CKSEL1", "CKSEL0"]
UPPER = ["RSTDISBL", "DWEN", "SPIEN", "WDTON", "EESAVE"]
LEVEL = ["BODLEVEL2", "BODLEVEL1", "BODLEVEL0"]
BOOT = ["BOOTSZ1", "BOOTSZ0", "BOOTRST"]
NONE = ["", "", "", "", ""]
SMALL = [LOW, UPPER + LEVEL, NONE + BOOT]
LARGE = [LOW, UPPER + BOOT, NONE + LEVEL]
BITS = {"atmega88": SMALL, "atmega168": SMALL, "atmega328p": LARGE}

DEFINITIONS = {"atmega88": "m88def.inc", "atmega168": "m168def.inc", "atmega328p": "m328Pdef.inc"}

# As the chips leave the factory: internal oscillator divided by 8, boot loader's room at its largest.
FACTORY = {
    "atmega88": {"lfuse": 0x62, "hfuse": 0xDF, "efuse": 0xF9},
    "atmega168": {"lfuse": 0x62, "hfuse": 0xDF, "efuse": 0xF9},
    "atmega328p": {"lfuse": 0x62, "hfuse": 0xD9, "efuse": 0xFF},
}

each_part = pytest.mark.parametrize("each", PARTS, ids=lambda each: each.name)


def bit_names(each: Part) -> list[list[str]]:
    """Give the names of the bits of the three bytes, 7 first, with a number where a field has more than one."""
    return [
        [
            field.name + (str(bit) if field.width > 1 and field.name else "")
            for field in byte.fields
            for bit in reversed(range(field.width))
        ]
        for byte in layout(each)
    ]


@each_part
def test_the_bits_lie_where_the_data_sheet_has_them(each: Part) -> None:
    assert bit_names(each) == BITS[each.core]
    assert [byte.name for byte in layout(each)] == ["lfuse", "hfuse", "efuse"]


@pytest.mark.parametrize("core", DEFINITIONS)
def test_the_bits_lie_where_the_assembler_has_them(core: str, tmp_path: Path) -> None:
    source = tmp_path / "fuses.asm"
    source.write_text(f'.include "{DEFINITIONS[core]}"\n\tnop\n')
    symbols = assemble(source, output=tmp_path / "fuses").symbols
    for byte in bit_names(part(core)):
        for bit, name in zip(range(7, -1, -1), byte, strict=True):
            assert not name or symbols[name].value == bit
    # The boot loader's smallest and largest room, in words from the end of Flash.
    end = symbols["FLASHEND"].value + 1
    for bits, start in ((0b11, "FIRSTBOOTSTART"), (0b00, "FOURTHBOOTSTART")):
        words = end - symbols[start].value
        assert f" {words} words" in meaning(part(core), "BOOTSZ", {"BOOTSZ": bits})


# The bytes for a choice: the small chips, and the ATmega328P.
CHOICES = {
    (Clock.CRYSTAL, BrownOut.OFF, False): ((0xF7, 0xDF, 0xF9), (0xF7, 0xD9, 0xFF)),
    (Clock.CRYSTAL, BrownOut.AT_4_3_V, False): ((0xF7, 0xDC, 0xF9), (0xF7, 0xD9, 0xFC)),
    (Clock.CRYSTAL, BrownOut.OFF, True): ((0xF7, 0xD7, 0xF9), (0xF7, 0xD1, 0xFF)),
    (Clock.CRYSTAL, BrownOut.AT_4_3_V, True): ((0xF7, 0xD4, 0xF9), (0xF7, 0xD1, 0xFC)),
    (Clock.RC, BrownOut.AT_2_7_V, False): ((0xE2, 0xDD, 0xF9), (0xE2, 0xD9, 0xFD)),
    (Clock.RC, BrownOut.AT_1_8_V, True): ((0xE2, 0xD6, 0xF9), (0xE2, 0xD1, 0xFE)),
}


@each_part
@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_the_bytes_for_each_choice(each: Part, choice: tuple[Clock, BrownOut, bool]) -> None:
    clock, brown_out, keep_eeprom = choice
    fuses = plan(each, clock=clock, brown_out=brown_out, keep_eeprom=keep_eeprom)
    assert list(fuses) == ["lfuse", "hfuse", "efuse"]
    assert tuple(fuses.values()) == CHOICES[choice][each.core == "atmega328p"]


@each_part
def test_the_way_in_is_never_closed(each: Part) -> None:
    # RSTDISBL, DWEN and SPIEN are bits 7, 6 and 5 of the high byte of all of them: 1, 1, 0.
    for clock in Clock:
        for brown_out in BrownOut:
            for keep_eeprom in (False, True):
                fuses = plan(each, clock=clock, brown_out=brown_out, keep_eeprom=keep_eeprom)
                assert fuses["hfuse"] >> 5 == 0b110
                require_protected(each, fuses)
    require_protected(each, FACTORY[each.core])


@pytest.mark.parametrize("hfuse", [0x00, 0xFF, 0x5F, 0x9F])
def test_bytes_that_no_programmer_in_the_circuit_reads_are_refused(hfuse: int) -> None:
    with pytest.raises(MachineFault, match=f"hfuse 0x{hfuse:02x}.*boot loader reaches no fuses"):
        require_protected(part("atmega88"), {"lfuse": 0x62, "hfuse": hfuse, "efuse": 0xF9})


@pytest.mark.parametrize(
    ("lfuse", "clock", "start"),
    [
        # Value and meaning from the chips' description files, SUT_CKSEL.
        (0x62, "internal RC oscillator, 8 MHz", "14 clocks + 65 ms"),
        (0xC0, "external clock", "14 clocks"),
        (0xD3, "internal RC oscillator, 128 kHz", "14 clocks + 4.1 ms"),
        (0xE5, "watch crystal, 32 kHz", "32768 clocks + 65 ms"),
        (0xC4, "watch crystal, 32 kHz", "1024 clocks"),
        (0xC6, "crystal, full swing, up to 20 MHz", "258 clocks + 4.1 ms"),
        (0xF6, "crystal, full swing, up to 20 MHz", "1024 clocks + 4.1 ms"),
        (0xC7, "crystal, full swing, up to 20 MHz", "1024 clocks + 65 ms"),
        (0xD7, "crystal, full swing, up to 20 MHz", "16384 clocks"),
        (0xF7, "crystal, full swing, up to 20 MHz", "16384 clocks + 65 ms"),
        (0xD8, "crystal, low power, 0.4 to 0.9 MHz", "258 clocks + 65 ms"),
        (0xFA, "crystal, low power, 0.9 to 3 MHz", "1024 clocks + 4.1 ms"),
        (0xED, "crystal, low power, 3 to 8 MHz", "16384 clocks + 4.1 ms"),
        (0xFF, "crystal, low power, 8 to 16 MHz", "16384 clocks + 65 ms"),
        (0xF2, "internal RC oscillator, 8 MHz", "reserved"),
        (0xC1, "reserved", "reserved"),
    ],
)
def test_clock_and_start_up_are_told(lfuse: int, clock: str, start: str) -> None:
    lines = diagram(part("atmega88"), {"lfuse": lfuse, "hfuse": 0xDF, "efuse": 0xF9}).splitlines()
    assert lines[1].endswith(f"  {clock}")
    assert lines[2].endswith(f"  {start}" if start == "reserved" else f"  start after {start}")


def test_a_diagram() -> None:
    assert (
        diagram(part("atmega328p"), {"lfuse": 0x62, "hfuse": 0xDA, "efuse": 0xFD})
        == """\
lfuse 0x62   0 1 1 0 0 0 1 0
             | | | | +-+-+-+-- CKSEL    0010  internal RC oscillator, 8 MHz
             | | +-+---------- SUT        10  start after 14 clocks + 65 ms
             | +-------------- CKOUT       1  PB0 is free
             +---------------- CKDIV8      0  clock divided by 8 after a reset

hfuse 0xda   1 1 0 1 1 0 1 0
             | | | | | | | +-- BOOTRST     0  a reset starts the boot loader
             | | | | | +-+---- BOOTSZ     01  room for a boot loader: 1024 words, of use only with BOOTRST 0
             | | | | +-------- EESAVE      1  a chip erase clears the EEPROM, too
             | | | +---------- WDTON       1  watchdog as the program says
             | | +------------ SPIEN       0  can be programmed in the circuit  (never changed)
             | +-------------- DWEN        1  debugWIRE off  (never changed)
             +---------------- RSTDISBL    1  the reset pin resets  (never changed)

efuse 0xfd   1 1 1 1 1 1 0 1
                       +-+-+-- BODLEVEL  101  reset while the supply is below 2.7 V
"""
    )


@each_part
def test_every_value_of_every_byte_can_be_drawn(each: Part) -> None:
    for value in range(256):
        drawn = diagram(each, {"lfuse": value, "hfuse": value, "efuse": value})
        assert [int(byte, 16) for byte in re.findall(r"^.fuse 0x(..)", drawn, re.MULTILINE)] == [value] * 3
        assert drawn.count("(never changed)") == len(PROTECTED)
        for byte in layout(each):
            assert byte.byte(byte.values(value)) & byte.mask() == value & byte.mask()
