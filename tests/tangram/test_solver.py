# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pentavr.errors import UnusableInput
from pentavr.tangram import Count, Silhouette, count, reference, solve, unique
from pentavr.tangram.pieces import SEVEN
from tangram_judge import (
    SHAPES,
    Shape,
    cover_solutions,
    faults,
    image_of,
    is_as_drawn,
    laid,
    laid_set,
    of_class,
)

every_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)
every_usual_shape = pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape.kind != "area16"], ids=str)


@every_shape
def test_the_numbers_of_solutions_are_the_known_ones(shape: Shape) -> None:
    assert count(Silhouette(shape.rows)) == Count(shape.solutions, shape.unique)


@every_shape
def test_each_solution_comes_once_and_is_a_dissection(shape: Shape) -> None:
    solutions = list(solve(Silhouette(shape.rows)))
    assert all(faults(shape.rows, laid(solution)) == [] for solution in solutions)
    assert len({laid_set(laid(solution)) for solution in solutions}) == len(solutions) == shape.solutions


@every_shape
def test_the_pieces_come_in_the_order_of_laying_and_the_solutions_always_in_one_order(shape: Shape) -> None:
    solutions = list(solve(Silhouette(shape.rows)))
    assert all(tuple(placement.piece for placement in solution.placements) == SEVEN for solution in solutions)
    assert list(solve(Silhouette(shape.rows))) == solutions


@every_shape
def test_an_exact_cover_library_finds_the_same_solutions(shape: Shape) -> None:
    assert {laid_set(laid(solution)) for solution in solve(Silhouette(shape.rows))} == cover_solutions(shape.rows)


@every_usual_shape
def test_the_reference_finds_the_same_solutions(shape: Shape) -> None:
    silhouette = Silhouette(shape.rows)
    quarters = {"a": "NW", "b": "NE", "c": "ES", "d": "SW", "#": "NESW"}
    middles = {"N": (2, 1), "E": (3, 2), "S": (2, 3), "W": (1, 2)}
    ours = {
        frozenset(
            (
                placement.piece,
                frozenset(
                    (4 * column + middles[quarter][0], 4 * row + middles[quarter][1])
                    for column, row, sign in placement.parts
                    for quarter in quarters[sign]
                ),
            )
            for placement in solution.placements
        )
        for solution in solve(silhouette)
    }
    assert {frozenset(zip(SEVEN, cells, strict=True)) for cells in reference.solve(silhouette)} == ours


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape.by_chirality], ids=str)
def test_without_flipping_the_parallelogram_stays_as_drawn(shape: Shape) -> None:
    assert shape.by_chirality
    as_drawn, mirrored = shape.by_chirality
    silhouette = Silhouette(shape.rows)
    solutions = list(solve(silhouette, flip=False))
    assert len(solutions) == as_drawn
    assert {laid_set(laid(solution)) for solution in solutions} == {
        laid_set(laid(solution)) for solution in solve(silhouette) if is_as_drawn(solution.placements[4].vertices)
    }
    assert sum(1 for _ in solve(silhouette.image(1), flip=False)) == mirrored


def test_without_flipping_the_bigger_reading_keeps_the_parallelogram_too() -> None:
    for shape in of_class("area16"):
        solutions = solve(Silhouette(shape.rows), flip=False)
        assert all(is_as_drawn(solution.placements[4].vertices) for solution in solutions)


@every_shape
def test_the_unique_solutions_stand_for_all_and_none_for_another(shape: Shape) -> None:
    width, height = len(shape.rows[0]), len(shape.rows)
    symmetries = [k for k in range(8) if Silhouette(shape.rows).image(k).rows == shape.rows]
    found = [laid(solution) for solution in unique(Silhouette(shape.rows))]
    orbits = [{laid_set(image_of(pieces, k, width, height)) for k in symmetries} for pieces in found]
    every = {laid_set(laid(solution)) for solution in solve(Silhouette(shape.rows))}
    assert set().union(*orbits) == every
    assert sum(map(len, orbits)) == len(every)


def test_without_flipping_solutions_are_alike_by_turnings_alone() -> None:
    # The square as drawn big: 4 turnings and 4 mirrorings; the parallelogram is flipped by each of the latter.
    shape = Silhouette.parse(".cd./c##d/b##a/.ba.")
    assert count(shape) == Count(8, 1)
    assert count(shape, flip=False) == Count(4, 1)
    rectangle = Silhouette.parse("##/##/##/##")
    assert count(rectangle) == Count(36, 9)
    assert count(rectangle, flip=False) == Count(18, 9)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SHAPES), st.integers(0, 7), st.integers(0, 3), st.integers(0, 3))
def test_turning_or_mirroring_the_shape_turns_or_mirrors_the_solutions(
    shape: Shape, symmetry: int, left: int, top: int
) -> None:
    silhouette = Silhouette(shape.rows)
    image = silhouette.image(symmetry)
    wide = Silhouette((*("." * (image.width + left),) * top, *("." * left + row for row in image.rows)))
    moved = {
        laid_set((name, tuple((x - left, y - top) for x, y in corners)) for name, corners in laid(solution))
        for solution in solve(wide)
    }
    assert moved == {
        laid_set(image_of(laid(solution), symmetry, silhouette.width, silhouette.height))
        for solution in solve(silhouette)
    }


@pytest.mark.parametrize("shape", of_class("unsolvable"), ids=str)
def test_a_right_area_may_have_no_solution(shape: Shape) -> None:
    assert list(solve(Silhouette(shape.rows))) == []


@pytest.mark.parametrize(("text", "area"), [("###/###/###", "9"), ("#a", "1.5"), ("...", "0"), ("####/###a", "7.5")])
def test_a_wrong_area_is_refused_at_once(text: str, area: str) -> None:
    with pytest.raises(UnusableInput, match=f"an area of {area} grid squares; the seven pieces make 8, or 16"):
        solve(Silhouette.parse(text))
