# SPDX-License-Identifier: GPL-3.0-or-later
"""Matrices of 0 and 1 at every scale."""

from __future__ import annotations

import numpy as np
import pytest

from pentavr.errors import UnusableInput
from pentavr.tangram import Silhouette, matrix, source
from pentavr.tangram.source import Kind
from tangram_judge import SHAPES, cells_of

# The triangle with sides 4: cells on the diagonal belong to it, or do not.
TRIANGLE = ("b###", ".b##", "..b#", "...b")
WITH_DIAGONAL = """
    11111111
    01111111
    00111111
    00011111
    00001111
    00000111
    00000011
    00000001
"""
WITHOUT_DIAGONAL = """
    0000000000
    0011111110
    0001111110
    0000111110
    0000011110
    0000001110
    0000000110
    0000000010
    0000000000
    0000000000
"""


@pytest.mark.parametrize(
    "text",
    ["0110\n0111", "0 1 1 0\n0 1 1 1\n", "0,1,1,0;\r\n0,1,1,1", "[[0, 1, 1, 0], [0, 1, 1, 1]]", "0110/0111"],
)
def test_text_is_read_however_it_is_set_apart(text: str) -> None:
    assert matrix.parse(text).tolist() == [[0, 1, 1, 0], [0, 1, 1, 1]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" \n", "the matrix is empty"),
        ("01\n021", "'2' in column 1, row 1 of the matrix is neither 0 nor 1"),
        ("011\n01", "row 1 of the matrix has 2 cells, row 0 has 3"),
    ],
)
def test_bad_text_is_refused(text: str, message: str) -> None:
    with pytest.raises(UnusableInput, match=message):
        matrix.parse(text)


@pytest.mark.parametrize("text", [WITH_DIAGONAL, WITHOUT_DIAGONAL])
def test_halves_of_two_cells_are_read(text: str) -> None:
    found = source.from_bytes(text.encode())
    assert found.kind is Kind.MATRIX
    assert found.grid == 2
    assert found.silhouette.trimmed().rows == TRIANGLE
    assert source.from_bytes(text.encode(), grid=2).silhouette.trimmed().rows == TRIANGLE


@pytest.mark.parametrize("grid", [1, 2, 3, 7])
def test_whole_squares_are_read_at_any_scale(grid: int) -> None:
    cells = np.kron(
        np.array([[0, 0, 0, 0, 0], [0, 1, 1, 1, 0], [0, 0, 1, 1, 1], [0, 0, 1, 1, 0]]), np.ones((grid, grid))
    )
    found = source.from_bytes("\n".join("".join(map(str, row)) for row in cells.astype(int).tolist()).encode())
    assert (found.grid, found.silhouette.rows) == (grid, (".....", ".###.", "..###", "..##."))


@pytest.mark.parametrize("grid", [2, 3, 4, 5, 8, 11, 16, 23, 50])
@pytest.mark.parametrize("diagonal", [False, True])
def test_the_shapes_are_read_at_any_scale(grid: int, diagonal: bool) -> None:
    for shape in SHAPES if grid < 10 else SHAPES[::4]:
        text = cells_of(shape.rows, grid, diagonal=diagonal)
        assert Silhouette.from_array(text, grid=grid).trimmed().rows == shape.rows
        assert Silhouette.from_array(text).trimmed().rows == shape.rows


def test_the_ones_are_the_shape_whatever_the_border_is() -> None:
    # A frame of 16 around a rectangle of 8: both are shapes, and only the zeros have a margin.
    text = "1111/1001/1001/1001/1001/1111"
    assert source.from_bytes(text.encode()).silhouette.rows == ("####", "#..#", "#..#", "#..#", "#..#", "####")
    inverted = source.from_bytes(text.encode(), invert=True)
    assert (inverted.inverted, inverted.silhouette.trimmed().rows) == (True, ("##", "##", "##", "##"))


def test_the_zeros_are_the_shape_if_only_that_fits() -> None:
    found = source.from_bytes(b"11111/11001/11001/11001/11001")
    assert (found.inverted, found.silhouette.trimmed().rows) == (True, ("##", "##", "##", "##"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("00/00", "the picture is empty: all 2 x 2 cells are 0"),
        ("111/111/111", "the picture is full: all 3 x 3 cells are 1"),
        ("0000000/0111110/0111010/0111110/0000000", "grid squares of 50 cells"),
    ],
)
def test_a_matrix_that_is_no_shape_is_refused(text: str, message: str) -> None:
    with pytest.raises(UnusableInput, match=message):
        source.from_bytes(text.encode())


def test_a_matrix_full_of_the_shape_is_read() -> None:
    assert source.from_bytes(b"11/11/11/11").silhouette.rows == ("##",) * 4
    assert source.from_bytes(("1" * 100 + "\n").encode() * 200).silhouette.rows == ("##",) * 4
    assert source.from_bytes(b"111111/111111/111111", grid=1.5).silhouette.rows == ("####", "####")
