# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import numpy as np
import pytest

from pentavr.errors import UnusableInput
from pentavr.tangram import CONVEX, Silhouette, convex
from tangram_judge import SHAPES, Shape, of_class

every_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)


@pytest.mark.parametrize(
    "text", ["d./#b/..", "d.\n#b\n..\n", "  d.\r\n  #b\r\n  ..", '["d.", "#b", ".."]', "'d.', '#b', '..'"]
)
def test_row_notation_is_read(text: str) -> None:
    assert Silhouette.parse(text).rows == ("d.", "#b", "..")


def test_rows_come_back_as_text() -> None:
    assert str(Silhouette(("d.", "#b"))) == "d.\n#b"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no grid squares"),
        ("##/#", r"row 1 of the shape has 1 grid squares, row 0 has 2"),
        ("##/#e", r"'e' in column 1, row 1"),
    ],
)
def test_bad_rows_are_refused(text: str, message: str) -> None:
    with pytest.raises(UnusableInput, match=message):
        Silhouette.parse(text)


@every_shape
def test_the_area_is_that_of_the_pieces(shape: Shape) -> None:
    assert Silhouette(shape.rows).area == (16 if shape.kind == "area16" else 8)


@every_shape
def test_the_symmetries_are_as_many_as_is_known(shape: Shape) -> None:
    assert len(Silhouette(shape.rows).symmetries()) == shape.symmetry_order


def test_margins_change_no_symmetry_and_go_when_asked() -> None:
    wide = Silhouette(("....", ".ba.", ".##.", "....", "...."))
    assert wide.trimmed() == Silhouette(("ba", "##"))
    assert wide.symmetries() == (0, 1)
    assert Silhouette(("..",)).trimmed() == Silhouette(("..",))


@pytest.mark.parametrize(
    ("symmetry", "rows"),
    [
        (0, ("ab.", "c#d")),
        (1, (".ab", "c#d")),
        (2, ("b#a", "dc.")),
        (3, ("b#a", ".dc")),
        (4, ("ac", "d#", ".b")),
        (5, ("db", "#c", "a.")),
        (6, (".c", "a#", "db")),
        (7, ("d.", "#b", "ac")),
    ],
)
def test_a_shape_is_turned_and_mirrored(symmetry: int, rows: tuple[str, ...]) -> None:
    assert Silhouette(("ab.", "c#d")).image(symmetry).rows == rows


def test_the_convex_shapes_are_those_of_the_collection() -> None:
    assert {name: convex(name).rows for name in CONVEX} == {shape.name: shape.rows for shape in of_class("convex")}


def test_an_unknown_convex_shape_is_refused() -> None:
    with pytest.raises(UnusableInput, match="'convex14' is none of the convex shapes"):
        convex("convex14")


@pytest.mark.parametrize(
    "cells",
    [
        [[0, 0, 0], [0, 1, 1], [0, 1, 1], [0, 1, 1], [0, 1, 1]],
        ((False, False, False), *(((False, True, True),) * 4)),
        np.array([[0, 0, 0]] + [[0, 1, 1]] * 4, dtype=bool),
        np.array([[0, 0, 0]] + [[0, 9, 7]] * 4, dtype=np.uint8),
        ["000", "011", "011", "011", "011"],
        "000\n011\n011\n011\n011",
    ],
    ids=["lists", "tuples", "bool array", "integer array", "strings", "text"],
)
def test_a_silhouette_comes_from_an_array(cells: object) -> None:
    assert Silhouette.from_array(cells).rows == ("...", ".##", ".##", ".##", ".##")  # type: ignore[arg-type] # six types


def test_the_grid_of_an_array_is_found_or_given() -> None:
    cells = np.kron(np.array([[0, 0, 0]] + [[0, 1, 1]] * 4), np.ones((6, 6), dtype=int))
    assert Silhouette.from_array(cells).rows == ("...", ".##", ".##", ".##", ".##")
    assert Silhouette.from_array(cells, grid=6).rows == ("...", ".##", ".##", ".##", ".##")
    with pytest.raises(UnusableInput, match="area of 32 grid squares of 3 cells"):
        Silhouette.from_array(cells, grid=3)


@pytest.mark.parametrize("cells", [[], [[]], [1, 0], [[1, 0], [1]], np.zeros((2, 2, 2))])
def test_what_is_no_matrix_is_refused(cells: object) -> None:
    with pytest.raises(UnusableInput, match=r"is no matrix|not of one length"):
        Silhouette.from_array(cells)  # type: ignore[arg-type] # wrong on purpose
