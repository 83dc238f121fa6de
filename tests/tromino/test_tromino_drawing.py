# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import numpy as np
import pytest

from pentavr.render.drawing import Squares
from pentavr.render.palette import BLACK, THREE, TWELVE
from pentavr.tromino import RectangleTiling, Region, SquareTiling
from pentavr.tromino.drawing import drawing, picture
from pentavr.tromino.marks import Mark
from tromino_oracle import full

ONE, TWO, THIRD = THREE


def test_a_drawing_has_a_shape_a_tile_and_the_hole_in_black() -> None:
    board = SquareTiling(2, (1, 2))
    drawn = drawing(board, 0, 4, label=Mark.LETTERS, filled=board.holes)
    assert (drawn.width, drawn.height) == (4, 4)
    assert set(drawn.shapes) == {
        Squares(((1, 2),), BLACK, "*"),
        Squares(((0, 0), (1, 0), (0, 1)), ONE, "A"),
        Squares(((2, 0), (3, 0), (3, 1)), TWO, "C"),
        Squares(((1, 1), (2, 1), (2, 2)), THIRD, "H"),
        Squares(((0, 2), (0, 3), (1, 3)), TWO, "M"),
        Squares(((3, 2), (2, 3), (3, 3)), ONE, "O"),
    }


@pytest.mark.parametrize(("label", "labels"), [(None, {""}), (Mark.NUMBERS, {"1", "2", "3", "4", "5"})])
def test_labels_are_what_is_asked_for(label: Mark | None, labels: set[str]) -> None:
    drawn = drawing(SquareTiling(2, (1, 2)), 0, 4, label=label)
    assert {shape.label for shape in drawn.shapes} == labels


def test_rows_cut_tiles_off_and_leave_their_colours() -> None:
    board = SquareTiling(2, (1, 2))
    drawn = drawing(board, 1, 2, label=Mark.LETTERS, filled=board.holes)
    assert (drawn.width, drawn.height) == (4, 1)
    assert set(drawn.shapes) == {
        Squares(((0, 0),), ONE, "A"),
        Squares(((1, 0), (2, 0)), THIRD, "H"),
        Squares(((3, 0),), TWO, "C"),
    }


def test_a_region_has_no_shape_where_it_has_no_square() -> None:
    drawn = drawing(Region.parse("##.\n#..").tiling(), 0, 2, label=None)
    assert drawn.shapes == (Squares(((0, 0), (1, 0), (0, 1)), ONE, ""),)


def test_a_tiling_of_four_colours_takes_one_more() -> None:
    board = RectangleTiling(7, 7, (0, 2))
    colours = {shape.colour for shape in drawing(board, 0, 7, label=None).shapes}
    assert colours == {*THREE, next(colour for colour in TWELVE if colour not in THREE)}


def test_a_large_picture_shows_each_square_in_its_colour_between_outlines() -> None:
    board = SquareTiling(7, (3, 5))
    image = picture(board, 0, 128)
    assert image.size == (128 * 8, 128 * 8)
    pixels = np.asarray(image.convert("RGB"))
    colours = np.empty((128, 128), np.uint8)
    board.fill(Mark.COLOURS, 0, colours)
    table = np.array([(colour.red, colour.green, colour.blue) for colour in (BLACK, *THREE)])
    assert np.array_equal(pixels[4::8, 4::8], table[colours])
    # The tile over 0,0 is the one of the upper left 2x2 that lacks its lower right square.
    dark = (pixels == 0x22).all(axis=2)
    assert not dark[1:8, 8].any()
    assert dark[8, 8:16].all()
    assert dark[8:16, 8].all()


@pytest.mark.parametrize(("n", "pixels"), [(10, 8), (11, 4), (12, 2), (13, 1)])
def test_pictures_are_at_most_8192_pixels_a_side(n: int, pixels: int) -> None:
    board = SquareTiling(n, (1, 0))
    image = picture(board, 0, 64)
    assert image.size == (2**n * pixels, 64 * pixels)
    middles = np.asarray(image.convert("RGB"))[pixels // 2, pixels // 2 :: pixels]
    assert np.flatnonzero((middles == 0).all(axis=1)).tolist() == [1]


def test_all_squares_are_drawn_once() -> None:
    board = RectangleTiling(10, 10, (4, 4))
    drawn = drawing(board, 0, 10, label=None, filled=board.holes)
    squares = [square for shape in drawn.shapes if isinstance(shape, Squares) for square in shape.squares]
    assert sorted(squares) == sorted(full(10, 10))
