# SPDX-License-Identifier: GPL-3.0-or-later
"""The words that the tree is written in: what they answer, and the size and cycles that stand above them."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from pentavr.firmware.avra import assemble
from pentavr.firmware.build import build
from pentavr.firmware.image import Image, SramAddress
from pentavr.firmware.tree_model import grow
from pentavr.firmware.tree_plan import plan
from pentavr.firmware.tree_writer import WORDS, lines
from pentavr.machine.backends import emulate, installed
from pentavr.pentomino import catalogue

FIRMWARE = Path(__file__).parents[2] / "firmware"

CLAIM = re.compile(r"^; (?:.*\n; )*?.* (\d+) words?, (\d+)(?: or (\d+))? cycles\n\.macro (\w+)$", re.MULTILINE)
CLAIMS = {
    name: (int(words), int(so), int(else_ or so))
    for words, so, else_, name in CLAIM.findall((FIRMWARE / "tree_macros.inc").read_text())
}

PROGRAM = """
.include "m88def.inc"
.include "abi.inc"
.def zero = r2
.def tmp = r16
.def figure = r17
.def pieces_a = r20
.def p_figures = r22
.def p_allowed = r23
.include "tree_macros.inc"
subject:
        {call}
        ldi     r24, 1
        ret
elsewhere:
        ldi     r24, 2
        ret
entry:  ret
"""

ANCHOR = SramAddress(0x200)
PIECE_BIT = 3

FREE, COVERED, WALL, BLOCKED, END = 0, 0x40 | 17, 0xC1 + 9, 0xC1, 0xC0


@pytest.fixture(params=installed())
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def assembled(call: str, folder: Path) -> Image:
    (folder / "program.asm").write_text(PROGRAM.format(call=call))
    return assemble(folder / "program.asm", output=folder / "program", include=[FIRMWARE])


def answer(image: Image, backend: str, *, squares: dict[int, int], piece: bool, p_figures: int) -> tuple[bool, int]:
    """Run a test; give whether it went on with the next line, and its cycles without those of this program."""
    with emulate(image, backend=backend) as chip:
        chip.write_data(SramAddress(2), bytes([0]))
        chip.write_data(SramAddress(20), bytes([piece << PIECE_BIT, 0, p_figures]))
        chip.write_data(SramAddress(28), (ANCHOR + 1).to_bytes(2, "little"))
        for offset, content in squares.items():
            chip.write_data(SramAddress(ANCHOR + offset), bytes([content]))
        cycles = chip.call(image.code("subject"))
        return chip.read_data(SramAddress(24), 1) == b"\1", cycles - 1 - 4


@pytest.mark.parametrize(
    ("macro", "expected"),
    [
        ("FREE", lambda squares: squares[0] == FREE),
        ("FULL", lambda squares: squares[0] != FREE),
        ("BOTH", lambda squares: squares == (FREE, FREE)),
        ("BOTH_FAR", lambda squares: squares == (FREE, FREE)),
        ("MISS", lambda squares: squares != (FREE, FREE)),
        ("MISS_FAR", lambda squares: squares != (FREE, FREE)),
    ],
)
def test_squares(macro: str, expected: Callable[[tuple[int, ...]], bool], backend: str, tmp_path: Path) -> None:
    offsets = "60" if macro in {"FREE", "FULL"} else "60, 12"
    image = assembled(f"{macro} {offsets}, elsewhere", tmp_path)
    for squares in product((FREE, COVERED, WALL, BLOCKED, END), repeat=2):
        is_so, cycles = answer(
            image, backend, squares=dict(zip((60, 12), squares, strict=True)), piece=True, p_figures=1
        )
        assert is_so == expected(squares)
        assert cycles == CLAIMS[macro][1 if is_so else 2]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (f"HAVE pieces_a, {PIECE_BIT}, elsewhere", lambda piece, _: piece),
        (f"LACK pieces_a, {PIECE_BIT}, elsewhere", lambda piece, _: not piece),
        ("HAVE_P elsewhere", lambda _, p_figures: p_figures != 0),
        ("LACK_P elsewhere", lambda _, p_figures: p_figures == 0),
        ("GO elsewhere", lambda *_: False),
    ],
)
def test_pieces(call: str, expected: Callable[[bool, int], bool], backend: str, tmp_path: Path) -> None:
    image = assembled(call, tmp_path)
    for piece, p_figures in product((False, True), (0, 1, 0x80)):
        is_so, cycles = answer(image, backend, squares={}, piece=piece, p_figures=p_figures)
        assert is_so == expected(piece, p_figures)
        assert cycles == CLAIMS[call.partition(" ")[0]][1 if is_so else 2]


@pytest.mark.parametrize(
    "call", [f"LAY 17, entry, 1, 2, 15, 60, pieces_a, {PIECE_BIT}", "LAY_P 27, entry, 1, 2, 15, 16"]
)
def test_lay_takes_everything_back(call: str, backend: str, tmp_path: Path) -> None:
    image = assembled(call, tmp_path)
    with emulate(image, backend=backend) as chip:
        chip.write_data(SramAddress(2), bytes([0]))
        chip.write_data(SramAddress(20), bytes([0xFF, 0, 0x5A, 0x5A]))
        chip.write_data(SramAddress(28), (ANCHOR + 1).to_bytes(2, "little"))
        cycles = chip.call(image.code("subject"))
        assert cycles - 1 - 4 - 4 == CLAIMS[call.partition(" ")[0]][1]
        assert chip.read_data(SramAddress(20), 4) == bytes([0xFF, 0, 0x5A, 0x5A])
        assert chip.read_data(SramAddress(28), 2) == (ANCHOR + 1).to_bytes(2, "little")
        assert not any(chip.read_data(ANCHOR, 64))


def test_each_macro_has_the_size_that_stands_above_it_and_that_the_writer_counts_on() -> None:
    assert {name: words for name, (words, _, _) in CLAIMS.items()} == WORDS


def test_labels_lie_where_the_writer_counts_on(tmp_path: Path) -> None:
    symbols = build(catalogue.find("4x15"), output=tmp_path).image.symbols
    address = symbols["figure_laid"].value
    labels = 0
    for line in lines(grow(plan())):
        if line.label:
            assert symbols[line.label].value == address
            labels += 1
        address += WORDS[line.macro]
    assert labels > 100
