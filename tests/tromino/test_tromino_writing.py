# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import json
from io import BytesIO

import numpy as np
import pytest

from pentavr.tromino import RectangleTiling, Region, SquareTiling, tiling, writing
from pentavr.tromino.marks import Mark, Tiling


def written(pieces: writing.Pieces, rows: int) -> bytes:
    """Join the pieces, which tell as they come how many rows are finished."""
    told, data = zip(*((count, bytes(piece)) for count, piece in pieces), strict=True)
    assert sum(told) == rows
    return b"".join(data)


# A board of 4x4 less a square has one tiling, whichever square it is.
LETTERS = """\
AACC
AHHC
M*HO
MMOO
"""
COLOURS = """\
1122
1332
2*31
2211
"""
NUMBERS = """\
2 2 3 3
2 1 1 3
4 * 1 5
4 4 5 5
"""
WIDE_NUMBERS = """\
 3  3  4  4  8  8  9  9
 3  2  2  4  8  7  7  9
"""


@pytest.mark.parametrize(
    ("mark", "text"), [(Mark.LETTERS, LETTERS), (Mark.COLOURS, COLOURS), (Mark.NUMBERS, NUMBERS)], ids=str
)
def test_text_of_4x4(mark: Mark, text: str) -> None:
    assert written(writing.as_text(SquareTiling(2, (1, 2)), mark, 0, 4), 4).decode() == text


def test_numbers_stand_in_columns() -> None:
    board = SquareTiling(3, (5, 6))
    assert written(writing.as_text(board, Mark.NUMBERS, 0, 2), 2).decode() == WIDE_NUMBERS


@pytest.mark.parametrize("mark", Mark)
@pytest.mark.parametrize(
    "board",
    [
        SquareTiling(0, (0, 0)),
        SquareTiling(9, (17, 300)),
        RectangleTiling(100, 40, (99, 3)),
        Region.parse("##\n#").tiling(),
    ],
    ids=lambda board: f"{board.width}x{board.height}",
)
def test_every_format_says_the_same(board: Tiling, mark: Mark) -> None:
    start, stop = board.height // 4, board.height
    array = np.load(BytesIO(written(writing.as_npy(board, mark, start, stop), stop - start)))
    assert array.dtype == board.dtype(mark)
    expected = np.empty((stop - start, board.width), board.dtype(mark))
    board.fill(mark, start, expected)
    assert np.array_equal(array, expected)

    record = json.loads(written(writing.as_json(board, mark, start, stop), stop - start))
    assert record.pop(mark.value) == array.tolist()
    holes = [list(hole) for hole in board.holes]
    assert record == {"width": board.width, "height": board.height, "holes": holes, "first_row": start}

    lines = written(writing.as_text(board, mark, start, stop), stop - start).decode().splitlines()
    if mark is Mark.NUMBERS:
        assert [[0 if word == "*" else int(word) for word in line.split()] for line in lines] == array.tolist()
        assert len({len(line) for line in lines}) == 1
    else:
        signs = {Mark.LETTERS: chr, Mark.COLOURS: lambda colour: "*123456789"[colour]}[mark]
        assert lines == ["".join(map(signs, row)) for row in array.tolist()]


def test_rows_longer_than_a_piece_come_in_one_line() -> None:
    board = SquareTiling(17, (70_000, 1))
    (line,) = written(writing.as_text(board, Mark.NUMBERS, 1, 2), 1).decode().splitlines()
    words = line.split()
    assert len(line) == 11 * 2**17 - 1
    assert words[70_000] == "*"
    record = json.loads(written(writing.as_json(board, Mark.NUMBERS, 1, 2), 1))
    assert record["numbers"] == [[0 if word == "*" else int(word) for word in words]]


def test_the_whole_of_a_board_of_many_strips() -> None:
    data = written(writing.as_npy(SquareTiling(11, (5, 5)), Mark.NUMBERS, 0, 2048), 2048)
    assert np.array_equal(np.load(BytesIO(data)), tiling(11, (5, 5)))


@pytest.mark.parametrize("ending", writing.FORMATS)
@pytest.mark.parametrize("mark", Mark)
def test_the_size_is_told_beforehand_and_never_too_high(ending: str, mark: Mark) -> None:
    board = SquareTiling(6, (5, 5))
    size = len(written(writing.FORMATS[ending](board, mark, 0, 64), 64))
    told = writing.size_bytes(ending, board, mark, 64)
    assert size / 5 < told <= size
