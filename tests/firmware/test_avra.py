# SPDX-License-Identifier: GPL-3.0-or-later
"""The assembler behind its function: what it must give, and everything it must not let through."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentavr.errors import ToolMissing, UnusableInput
from pentavr.firmware.avra import assemble
from pentavr.firmware.image import Segment, SourceLine, WordAddress

CHIP = ".device ATmega88\n"

PROGRAM = """\
.include "m88def.inc"
.include "part.inc"
.equ LIMIT = 12
.dseg
.org 0x100
board: .byte 62
.eseg
kept: .db 7, 8
.cseg
.org 0
\trjmp start
.macro twice
\tldi r16, @0
\tldi r17, @0
.endm
start:
\ttwice 5
\trcall part
\tlds r18, board
stay:\trjmp stay
"""

PART = """\
.cseg
.org 0x20
part:
\tret
"""


def write(folder: Path, text: str, name: str = "program.asm") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def refusal(folder: Path, text: str) -> str:
    """Assemble a program that must be refused; nothing may be left of it."""
    source = write(folder, text)
    with pytest.raises(UnusableInput) as refused:
        assemble(source, output=folder / "out")
    assert [path.name for path in folder.iterdir()] == [source.name]
    return str(refused.value)


def test_the_image_has_bytes_symbols_and_lines(tmp_path: Path) -> None:
    source = write(tmp_path, PROGRAM)
    write(tmp_path, PART, "part.inc")
    image = assemble(source, output=tmp_path / "out")
    # Hand-assembled from the instruction set manual: rjmp .+0; ldi r16,5; ldi r17,5; rcall part; lds; rjmp .-2
    assert image.flash[:14] == bytes.fromhex("00c0 05e0 15e0 1cd0 2091 0001 ffcf")
    assert image.flash[14:64] == b"\xff" * 50
    assert image.flash[64:] == bytes.fromhex("0895")
    assert image.code("start") == 2
    assert image.code("part") == 64
    assert image.sram("board") == 0x100
    assert image.symbols["kept"].segment is Segment.EEPROM
    assert image.symbols["LIMIT"].segment is Segment.CONSTANT
    assert image.symbols["LIMIT"].value == 12
    with pytest.raises(UnusableInput, match="no code symbol 'board'"):
        image.code("board")
    assert set(image.lines) == {
        SourceLine(WordAddress(0), "program.asm", 11, False),
        SourceLine(WordAddress(1), "program.asm", 17, True),
        SourceLine(WordAddress(2), "program.asm", 17, True),
        SourceLine(WordAddress(3), "program.asm", 18, False),
        SourceLine(WordAddress(4), "program.asm", 19, False),
        SourceLine(WordAddress(5), "program.asm", 19, False),
        SourceLine(WordAddress(6), "program.asm", 20, False),
        SourceLine(WordAddress(32), "part.inc", 4, False),
    }
    assert sorted(path.name for path in tmp_path.glob("out*")) == [
        "out.eep.hex",
        "out.hex",
        "out.lst",
        "out.map",
        "out.obj",
    ]


def test_the_same_source_gives_the_same_bytes_wherever_it_lies(tmp_path: Path) -> None:
    made = []
    for name in ("here", "a folder with blanks, 100%s and ü"):
        folder = tmp_path / name
        source = write(folder, PROGRAM, "-odd 'name' %n.asm")
        write(folder, PART, "part.inc")
        assemble(source, output=folder / "out put")
        made.append({path.suffix: path.read_bytes() for path in folder.glob("out put*")})
    assert made[0] == made[1]
    assert str(tmp_path).encode() not in b"".join(made[0].values())


def test_includes_and_defines(tmp_path: Path) -> None:
    source = write(tmp_path / "source", CHIP + '.include "elsewhere.inc"\n\tldi r16, LIMIT\n')
    write(tmp_path / "other folder", "\tldi r17, 1\n", "elsewhere.inc")
    image = assemble(source, output=tmp_path / "out", include=[tmp_path / "other folder"], defines={"LIMIT": 9})
    assert image.flash == bytes.fromhex("11e0 09e0")


def test_a_program_without_eeprom_contents_leaves_no_eeprom_file(tmp_path: Path) -> None:
    (tmp_path / "out.eep.hex").write_text("of an earlier run")
    assemble(write(tmp_path, CHIP + "\tnop\n"), output=tmp_path / "out")
    assert not (tmp_path / "out.eep.hex").exists()


def test_a_failed_run_leaves_nothing_of_the_one_before(tmp_path: Path) -> None:
    source = write(tmp_path, CHIP + "\tnop\n")
    assemble(source, output=tmp_path / "out")
    refusal(tmp_path, CHIP + "\tbrunch 1\n")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("\tldi r16, 300\n", "program.asm:2: warning: Constant out of range"),
        ("\tbrunch 1\n", "program.asm:2: error: Unknown mnemonic/macro: brunch"),
        (".def a = r16\n.def b = r16\n", "program.asm:3: warning: r16 is already assigned to 'a'"),
        ('.include "lost.inc"\n', "program.asm:2: error: Cannot find include file: lost.inc"),
        ('.warning "careful"\n\tnop\n', "program.asm:2: warning: careful"),
        ('.error "stop"\n', "program.asm:2: error: stop"),
        ('\tnop\n.db "odd"\n', "program.asm:3: warning: A .DB segment with an odd number"),
        ("\tjmp 0\n", "program.asm:2: jmp 0: the ATmega88 has no jmp; use rjmp"),
        ("\tnop\n\tcall 0\n", "program.asm:3: call 0: the ATmega88 has no call; use rcall"),
        ("near:\tnop\n.org 3000\n\trjmp near\n", "program.asm:4: rjmp near: farther than rjmp reaches"),
        ("\trcall far\n.org 2049\nfar:\tret\n", "program.asm:2: rcall far: farther than rcall reaches"),
        (".if 1\n\tnop\n", "an .if without its .endif"),
        ('.db "it\'s", 1, 2\n', "drops what follows a string with an apostrophe"),
        (".nolist\n\tnop\n.list\n", "program.asm:3: not in the listing"),
        (".org 4096\n\tnop\n", "cannot assemble it"),
        ("\tnop\n.org 0\n\tnop\n", "Overlapping code segments"),
    ],
)
def test_what_the_assembler_lets_through_is_refused(tmp_path: Path, lines: str, message: str) -> None:
    assert message in refusal(tmp_path, CHIP + lines)


def test_jumps_within_reach_are_not_refused(tmp_path: Path) -> None:
    # 2048 words back and 2047 forward are the farthest; a macro's jump is looked at with its arguments filled in.
    text = (
        CHIP + ".macro go\n\trjmp @0\n.endm\nfirst:\tgo last\n.org 2047\n\trjmp first\n.org 2048\nlast:\trjmp PC-2047\n"
    )
    assert len(assemble(write(tmp_path, text), output=tmp_path / "out").flash) == 4098


def test_a_chip_with_jmp_may_use_it(tmp_path: Path) -> None:
    image = assemble(write(tmp_path, ".device ATmega328P\n\tjmp 0\n"), output=tmp_path / "out")
    assert image.flash == bytes.fromhex("0c94 0000")


def test_a_source_that_names_no_chip_is_refused(tmp_path: Path) -> None:
    assert "No .DEVICE definition" in refusal(tmp_path, "\tnop\n")


def test_the_chips_own_noise_is_no_warning(tmp_path: Path) -> None:
    assemble(write(tmp_path, '.include "m88def.inc"\n.message "Warning"\n\tnop\n'), output=tmp_path / "out")


def test_missing_files_and_folders(tmp_path: Path) -> None:
    source = write(tmp_path, CHIP + "\tnop\n")
    with pytest.raises(UnusableInput, match="no such source file"):
        assemble(tmp_path / "lost.asm", output=tmp_path / "out")
    with pytest.raises(UnusableInput, match="folder for the outputs does not exist"):
        assemble(source, output=tmp_path / "lost" / "out")
    with pytest.raises(UnusableInput, match="folder to search for includes does not exist"):
        assemble(source, output=tmp_path / "out", include=[tmp_path / "lost"])


def test_without_avra_the_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write(tmp_path, CHIP + "\tnop\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolMissing, match="apt-get install avra"):
        assemble(source, output=tmp_path / "out")
