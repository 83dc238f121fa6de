# SPDX-License-Identifier: GPL-3.0-or-later
"""Listing, map, object file and hex file, as the assembler writes them and damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentavr.errors import UnusableInput
from pentavr.firmware.avra import assemble
from pentavr.firmware.hexfile import read_hex
from pentavr.firmware.image import Segment
from pentavr.firmware.images import load_image
from pentavr.firmware.listing import read_listing
from pentavr.firmware.mapfile import device_of, flash_bytes_of, read_map
from pentavr.firmware.objfile import read_object

SEGMENTS = """\
.device ATmega88
.equ CHOICE = 1
.if CHOICE == 0
.dseg
never: .byte 1
.else
first: nop
.endif
.macro room
.dseg
room_@0: .byte @1
.cseg
use_@0: nop
.endm
here: room one, 2
\troom two, 3
.dseg
third: .byte 3 ; not: a label
alone:
 .byte 1
.eseg
kept: .byte 2
.cseg
text: .db "a:b;c", 0
numbers: .dw 1, 2, 3
  indented: nop ; a comment: with a colon
;commented: nop
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    source = tmp_path / "segments.asm"
    source.write_text(SEGMENTS, encoding="utf-8")
    assemble(source, output=tmp_path / "out")
    return tmp_path / "out.hex"


def test_each_label_is_in_its_segment(program: Path) -> None:
    labels = read_listing(program.with_suffix(".lst")).labels
    by_segment = {segment: {name for name in labels if labels[name] is segment} for segment in Segment}
    assert by_segment == {
        Segment.CODE: {"first", "here", "use_one", "use_two", "text", "numbers", "indented"},
        Segment.SRAM: {"room_one", "room_two", "third", "alone"},
        Segment.EEPROM: {"kept"},
        Segment.CONSTANT: set(),
    }


def test_code_is_told_from_data(program: Path) -> None:
    listing = read_listing(program.with_suffix(".lst"))
    assert [(each.address, each.mnemonic) for each in listing.instructions] == [
        (0, "nop"),
        (1, "nop"),
        (2, "nop"),
        (9, "nop"),
    ]
    assert listing.data == (3, 6)


def test_the_map_names_the_chip(program: Path) -> None:
    symbols = read_map(program.with_suffix(".map"), {})
    assert device_of(symbols) == "ATmega88"
    assert flash_bytes_of(symbols) == 8192


def test_an_image_is_loaded_without_its_object_file(program: Path) -> None:
    whole = load_image(program)
    program.with_suffix(".obj").unlink()
    without = load_image(program)
    assert without.symbols == whole.symbols
    assert without.flash == whole.flash
    assert whole.lines
    assert without.lines == ()


HEX = ":100000000F930F9100C005E015E01CD000910001D0\n:00000001FF\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (HEX.replace("D0\n", "D1\n"), "line 1"),
        (HEX.replace(":00000001FF\n", ""), ":1: ends without the end record"),
        (HEX.replace("0001D0\n", "\n"), "line 1"),
        (HEX[:20], "ends without the end record"),
        ("", "ends without the end record"),
        (HEX + HEX, ":2: the end record is not the last"),
        (":00000001FF\n", "without any data"),
        (":0120000000DF\n:00000001FF\n", "writes address 0x2000, but the memory ends at 0x1fff"),
        (":0100000000FF\n:0100000000FF\n:00000001FF\n", "overlap at address 0x0 on line 2"),
        ("not hex\n:00000001FF\n", "line 1"),
        ("\N{SNOWMAN}", "cannot read it"),
    ],
)
def test_a_damaged_hex_file_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "damaged.hex"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UnusableInput) as refused:
        read_hex(path, size=8192)
    assert str(path) in str(refused.value)
    assert message in str(refused.value)


def test_gaps_in_a_hex_file_are_erased_flash(tmp_path: Path) -> None:
    path = tmp_path / "gap.hex"
    path.write_text(":0100020001FC\n:0100040002F9\n:00000001FF\n")
    assert read_hex(path, size=8) == b"\xff\xff\x01\xff\x02"


def test_missing_files_are_named(tmp_path: Path) -> None:
    for read in (read_listing, read_object, lambda path: read_map(path, {}), lambda path: read_hex(path, size=8192)):
        with pytest.raises(UnusableInput, match=r"lost\.file"):
            read(tmp_path / "lost.file")


@pytest.mark.parametrize(("suffix", "start"), [(".map", 3), (".lst", 40), (".obj", 2)])
def test_a_damaged_file_is_refused_by_name(program: Path, suffix: str, start: int) -> None:
    path = program.with_suffix(suffix)
    content = path.read_bytes()
    path.write_bytes(content[:start] + b"?" * 8 + content[start + 8 :] if suffix != ".lst" else b"C:0000xx\n")
    with pytest.raises(UnusableInput, match=rf"out\{suffix}"):
        load_image(program)
