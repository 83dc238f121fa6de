# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentavr.render.drawing import Colour, Drawing, Polygon, Shape, Squares
from pentavr.render.geometry import anchor, label_square, outlines

GREY = Colour(128, 128, 128)
Lettered = Callable[..., Drawing]


def cycles(shape: Shape) -> set[tuple[tuple[float, float], ...]]:
    """The outlines, each begun at its least corner, so that only the way round counts."""
    return {loop[(start := loop.index(min(loop))) :] + loop[:start] for loop in outlines(shape)}


def area(loop: tuple[tuple[float, float], ...]) -> float:
    """Positive if the loop is clockwise where y runs down."""
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairwise((*loop, loop[0]))) / 2


def test_a_bent_region_has_its_corners_only(lettered: Lettered) -> None:
    (shape,) = lettered("L. L. LL").shapes
    assert cycles(shape) == {((0, 0), (1, 0), (1, 2), (2, 2), (2, 3), (0, 3))}


def test_a_hole_has_an_outline_that_runs_the_other_way(lettered: Lettered) -> None:
    (shape,) = lettered("OOO O.O OOO").shapes
    assert cycles(shape) == {((0, 0), (3, 0), (3, 3), (0, 3)), ((1, 1), (1, 2), (2, 2), (2, 1))}


def test_squares_that_touch_at_a_corner_have_an_outline_each(lettered: Lettered) -> None:
    (shape,) = lettered("D. .D").shapes
    assert cycles(shape) == {((0, 0), (1, 0), (1, 1), (0, 1)), ((1, 1), (2, 1), (2, 2), (1, 2))}


def test_a_hole_that_touches_the_outside_at_a_corner_joins_the_outline(lettered: Lettered) -> None:
    (shape,) = lettered("AAA A.A .AA").shapes
    assert cycles(shape) == {
        ((0, 0), (3, 0), (3, 3), (1, 3), (1, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2)),
    }


def test_a_polygon_is_its_own_outline() -> None:
    triangle = ((0.0, 0.0), (2.0, 0.0), (1.0, 1.0))
    assert outlines(Polygon(triangle, GREY)) == (triangle,)


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1))
def test_the_outlines_of_any_region_enclose_its_area_with_alternate_straight_sides(
    region: set[tuple[int, int]],
) -> None:
    loops = outlines(Squares(tuple(region), GREY))
    assert sum(area(loop) for loop in loops) == len(region)
    for loop in loops:
        turns = [x0 == x1 for (x0, _), (x1, _) in pairwise((*loop, loop[0]))]
        assert all(one != other for one, other in pairwise((*turns, turns[0])))


@pytest.mark.parametrize(
    ("picture", "square"),
    [
        (".X. XXX .X.", (1, 1)),
        ("I I I I I", (0, 2)),
        ("U.U UUU", (1, 1)),
        ("V.. V.. VVV", (0, 1)),
        ("OOO O.O OOO", (1, 0)),
    ],
)
def test_a_label_stands_on_a_square_with_most_neighbours_near_the_middle(
    picture: str, square: tuple[int, int], lettered: Lettered
) -> None:
    (shape,) = lettered(picture).shapes
    assert isinstance(shape, Squares)
    assert label_square(shape.squares) == square


def test_a_label_on_a_right_triangle_stands_near_its_incentre() -> None:
    place = anchor(Polygon(((0, 0), (2, 0), (0, 2)), GREY))
    incentre = 2 - 2**0.5
    assert (place.x, place.y) == pytest.approx((incentre, incentre), abs=0.05)
    assert place.clearance == pytest.approx(incentre, abs=0.05)


def test_a_label_on_a_long_rectangle_stands_in_its_middle() -> None:
    place = anchor(Polygon(((0, 0), (6, 0), (6, 1), (0, 1)), GREY))
    assert (place.x, place.y, place.clearance) == pytest.approx((3, 0.5, 0.5), abs=0.02)


def test_a_label_on_a_bent_polygon_stands_inside_it() -> None:
    place = anchor(Polygon(((0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)), GREY))
    assert (place.x, place.y) == pytest.approx((0.58, 0.58), abs=0.15)
    assert place.clearance > 0.4
