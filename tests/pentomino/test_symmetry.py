# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentavr.pentomino.figures import image
from pentavr.pentomino.symmetry import compose, inverse, orbits, rearrange, size, transform

symmetries = st.integers(0, 7)
sides = st.integers(1, 20)

# A field of 3 x 2 lettered a to f, and what each symmetry makes of it, by hand.
IMAGES = {
    0: ["abc", "def"],
    1: ["cba", "fed"],
    2: ["def", "abc"],
    3: ["fed", "cba"],
    4: ["ad", "be", "cf"],
    5: ["da", "eb", "fc"],
    6: ["cf", "be", "ad"],
    7: ["fc", "eb", "da"],
}


@pytest.mark.parametrize("k", range(8))
def test_each_symmetry_moves_squares_as_drawn(k: int) -> None:
    expected = IMAGES[k]
    width, height = size(k, 3, 2)
    assert (width, height) == (len(expected[0]), len(expected))
    assert rearrange(k, b"abcdef", 3, 2).decode() == "".join(expected)
    for y, row in enumerate(["abc", "def"]):
        for x, letter in enumerate(row):
            new_x, new_y = transform(k, x, y, 3, 2)
            assert expected[new_y][new_x] == letter


@given(symmetries, symmetries, sides, sides, st.data())
def test_composing_is_doing_one_after_the_other(a: int, b: int, width: int, height: int, data: st.DataObject) -> None:
    x, y = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    between = transform(a, x, y, width, height)
    assert transform(compose(a, b), x, y, width, height) == transform(b, *between, *size(a, width, height))


@given(symmetries, symmetries, symmetries, st.integers(1, 63))
def test_the_laws_of_a_group_hold_for_symmetries_and_for_figures(a: int, b: int, c: int, number: int) -> None:
    assert compose(a, 0) == compose(0, a) == a
    assert compose(a, inverse(a)) == compose(inverse(a), a) == 0
    assert compose(compose(a, b), c) == compose(a, compose(b, c))
    assert image(image(number, a), b) == image(number, compose(a, b))


def test_the_group_is_that_of_the_square() -> None:
    # Of the two groups of eight elements that do not commute, only this one has five elements of order two.
    assert [k for k in range(1, 8) if compose(k, k) == 0] == [1, 2, 3, 4, 7]
    assert compose(1, 4) != compose(4, 1)


@given(symmetries, sides, sides, st.data())
def test_rearranging_is_undone_by_the_inverse(k: int, width: int, height: int, data: st.DataObject) -> None:
    cells = data.draw(st.binary(min_size=width * height, max_size=width * height))
    moved = rearrange(k, cells, width, height)
    assert rearrange(inverse(k), moved, *size(k, width, height)) == cells


def test_orbits_come_whole_and_in_the_order_of_appearance() -> None:
    def square_image(square: tuple[int, int], k: int) -> tuple[int, int]:
        return transform(k, *square, 3, 3)

    found = orbits([(1, 1), (2, 0), (0, 2), (1, 0)], range(8), square_image)
    assert found == [
        {(1, 1)},
        {(0, 0), (2, 0), (0, 2), (2, 2)},
        {(1, 0), (0, 1), (2, 1), (1, 2)},
    ]
