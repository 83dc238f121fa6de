# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import numpy as np
import pytest

from pentavr.errors import UnusableInput
from pentavr.tromino import NoTiling, Region, RegionTiling
from pentavr.tromino.marks import Mark, Marks
from tromino_oracle import alike_neighbours, faults, full


def marks(tiling: RegionTiling, mark: Mark) -> Marks:
    found: Marks = np.full((tiling.height, tiling.width), 99, tiling.dtype(mark))
    tiling.fill(mark, 0, found)
    return found


def test_a_drawing_is_read_with_rows_of_any_length() -> None:
    region = Region.parse(" ##\n#.#*#\n\n#  \n\n")
    assert (region.width, region.height) == (5, 4)
    assert region.squares == {(1, 0), (2, 0), (0, 1), (2, 1), (4, 1), (0, 3)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("##\n#x", r"hall, line 2, column 2: 'x' is no square; expected # for one to be covered"),
        ("", "hall: there is no square to be covered"),
        ("..\n**", "hall: there is no square to be covered"),
        ("#" * 65537, "a field of 65537x1: expected sides of 1 or more and at most 65,536 squares"),
    ],
)
def test_a_drawing_that_is_none_is_refused(text: str, words: str) -> None:
    with pytest.raises(UnusableInput, match=words):
        Region.parse(text, source="hall")


def test_the_only_tiling_of_a_region_is_found() -> None:
    tiling = Region.parse("##..\n#.##\n...#").tiling()
    assert marks(tiling, Mark.NUMBERS).tolist() == [[1, 1, 0, 0], [1, 0, 2, 2], [0, 0, 0, 2]]
    assert tiling.holes == ((2, 0), (3, 0), (1, 1), (0, 2), (1, 2), (2, 2))
    tile = tiling.tile_at(3, 2)
    assert tile is not None
    assert set(tile.squares) == {(2, 1), (3, 1), (3, 2)}
    assert tiling.number(tile) == 2
    assert tiling.tile_at(0, 2) is None
    with pytest.raises(UnusableInput, match="the square 4,0 is off the field of 4x3"):
        tiling.tile_at(4, 0)


def test_rectangles_less_several_squares() -> None:
    holes = [(0, 0), (3, 4), (6, 1), (7, 7)]
    tiling = Region.rectangle(8, 8).less(holes).tiling()
    numbers = marks(tiling, Mark.NUMBERS).tolist()
    assert faults(numbers, holes) == []
    assert sorted(tiling.holes) == holes
    letters, colours = marks(tiling, Mark.LETTERS).tolist(), marks(tiling, Mark.COLOURS).tolist()
    assert alike_neighbours(numbers, letters) == []
    assert alike_neighbours(numbers, colours) == []
    assert {letters[y][x] for x, y in holes} == {ord("*")}
    assert {colours[y][x] for x, y in holes} == {0}
    lower: Marks = np.zeros((3, 8), np.uint8)
    tiling.fill(Mark.LETTERS, 5, lower)
    assert lower.tolist() == letters[5:]


def test_squares_that_are_not_there_cannot_go() -> None:
    assert Region.rectangle(2, 2).less([(0, 0)]).less([(0, 0)]).squares == full(2, 2, [(0, 0)])
    with pytest.raises(UnusableInput, match="the hole 2,0 is off the field of 2x2: columns go from 0 to 1"):
        Region.rectangle(2, 2).less([(2, 0)])
    with pytest.raises(UnusableInput, match="the square 0,-1 is off the field of 2x2"):
        Region(2, 2, frozenset([(0, -1)]))
    with pytest.raises(UnusableInput, match="a field of 0x3"):
        Region(0, 3, frozenset())
    with pytest.raises(UnusableInput, match="a field of 300x300"):
        Region.rectangle(300, 300)


def test_a_region_without_a_tiling() -> None:
    with pytest.raises(NoTiling, match="its squares, 4, is no multiple of three"):
        Region.parse("##\n##").tiling()


def test_a_field_without_squares_has_the_empty_tiling() -> None:
    tiling = Region(2, 1, frozenset()).tiling()
    assert marks(tiling, Mark.NUMBERS).tolist() == [[0, 0]]
    assert marks(tiling, Mark.COLOURS).tolist() == [[0, 0]]
