# SPDX-License-Identifier: GPL-3.0-or-later
"""The default board as bits in Flash."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentavr.errors import UnusableInput
from pentavr.firmware import default_board
from pentavr.firmware.avra import assemble
from pentavr.firmware.build import build
from pentavr.pentomino.board import Board

CROSS = """\
.#.
###
.#.
"""


def assembled(board: Board, folder: Path) -> bytes:
    (folder / default_board.INCLUDE_NAME).write_text(default_board.text(board))
    source = folder / "board.asm"
    source.write_text(f'.device ATmega88\n.include "{default_board.INCLUDE_NAME}"\n')
    image = assemble(source, output=folder / "board")
    assert image.code("default_board") == 0
    return image.flash


def test_squares_are_bits_row_by_row(tmp_path: Path) -> None:
    assert assembled(Board.parse(CROSS), tmp_path) == bytes([3, 3, 0b01011101, 0b00000000])


def test_the_challenge_board_is_60_set_bits(tmp_path: Path) -> None:
    assert assembled(Board.rectangle(4, 15), tmp_path) == bytes([4, 15]) + b"\xff" * 7 + b"\xf0"


def test_a_long_board_takes_several_lines(tmp_path: Path) -> None:
    rows = ["#" * 20, *["." * 20] * 2, "#" * 20, "." * 20]
    expected = "1" * 20 + "0" * 40 + "1" * 20 + "0" * 20
    flash = assembled(Board.parse("\n".join(rows)), tmp_path)
    assert flash[:2] == bytes([20, 5])
    assert "".join(f"{byte:08b}" for byte in flash[2:]) == expected + "0" * 12


def test_the_drawing_is_in_the_comments() -> None:
    comments = [line for line in default_board.text(Board.parse(CROSS)).splitlines() if line.startswith(";   ")]
    assert comments == [";   .#.", ";   ###", ";   .#."]


def test_the_largest_board_there_is_fits_into_the_flash(tmp_path: Path) -> None:
    # 14x21 squares; a row or a column more is over the 704 bytes of SRAM that board and grid have.
    rows = ["#" * 12 + ".."] * 5 + ["." * 14] * 16
    image = build(Board.parse("\n".join(rows)), output=tmp_path).image
    start = image.code("default_board")
    assert image.flash[start : start + 2] == bytes((14, 21))


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (Board.parse("IIIII\n#####"), "cannot have figures laid"),
        (Board.rectangle(7, 9), "63 free squares"),
        (Board.rectangle(15, 15), "14 squares at most"),
        (Board.rectangle(0, 0), "0x0"),
    ],
)
def test_boards_that_cannot_be_a_default_are_refused(board: Board, message: str) -> None:
    with pytest.raises(UnusableInput, match=message):
        default_board.text(board)
