# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest

from pentavr.tangram.pieces import SEVEN, Orientation, Piece, orientations

DRAWN = {
    Piece.BIG_TRIANGLE: {"#a/a.", "b#/.b", ".c/c#", "d./#d"},
    Piece.MEDIUM_TRIANGLE: {"ba", "cd", "d/a", "c/b"},
    Piece.SQUARE: {"#"},
    Piece.PARALLELOGRAM: {"bd", "c/a"},
    Piece.SMALL_TRIANGLE: {"a", "b", "c", "d"},
}
MIRRORED = {"ca", "d/b"}

DRAWN_TURNED = {
    Piece.BIG_TRIANGLE: {".cd./c##d", "b##a/.ba.", "d./#d/#a/a.", ".c/c#/b#/.b"},
    Piece.MEDIUM_TRIANGLE: {"#a/a.", "b#/.b", ".c/c#", "d./#d"},
    Piece.SQUARE: {"cd/ba"},
    Piece.PARALLELOGRAM: {"d/#/b", "c#a"},
    Piece.SMALL_TRIANGLE: {"ba", "cd", "d/a", "c/b"},
}
MIRRORED_TURNED = {"c/#/a", "b#d"}


def drawn(orientation: Orientation) -> str:
    width = max(x for x, _ in orientation.vertices)
    height = max(y for _, y in orientation.vertices)
    signs = {(column, row): sign for column, row, sign in orientation.parts}
    return "/".join("".join(signs.get((column, row), ".") for column in range(width)) for row in range(height))


@pytest.mark.parametrize(
    ("turned", "expected", "mirrored"), [(False, DRAWN, MIRRORED), (True, DRAWN_TURNED, MIRRORED_TURNED)]
)
def test_the_pieces_lie_on_the_grid_in_these_ways(
    turned: bool, expected: dict[Piece, set[str]], mirrored: set[str]
) -> None:
    found = orientations(turned=turned)
    for piece in Piece:
        assert {drawn(each) for each in found if each.piece is piece and not each.mirrored} == expected[piece]
    assert {drawn(each) for each in found if each.mirrored} == mirrored
    assert len(found) == 17


def test_the_seven_fill_eight_squares() -> None:
    halves = {"#": 2, "a": 1, "b": 1, "c": 1, "d": 1}
    sizes = {each.piece: sum(halves[sign] for *_, sign in each.parts) for each in orientations()}
    assert sum(sizes[piece] for piece in SEVEN) == 16
