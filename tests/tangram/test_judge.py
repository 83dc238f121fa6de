# SPDX-License-Identifier: GPL-3.0-or-later
"""The judge of dissections finds each kind of fault: a test that cannot fail would be worth nothing."""

from __future__ import annotations

import pytest

from tangram_judge import Piece, faults, is_as_drawn

ROWS = ("##", "##", "##", "##")
RIGHT: list[Piece] = [
    ("big triangle", ((2, 0), (2, 2), (0, 0))),
    ("big triangle", ((2, 4), (0, 4), (2, 2))),
    ("medium triangle", ((1, 3), (1, 1), (2, 2))),
    ("square", ((1, 1), (1, 2), (0, 2), (0, 1))),
    ("parallelogram", ((1, 2), (1, 3), (0, 4), (0, 3))),
    ("small triangle", ((0, 1), (0, 0), (1, 1))),
    ("small triangle", ((0, 2), (1, 2), (0, 3))),
]


def test_a_dissection_found_by_hand_has_no_fault() -> None:
    assert faults(ROWS, RIGHT) == []


@pytest.mark.parametrize(
    ("at", "instead", "fault"),
    [
        (0, ("square", ((1, 0), (2, 0), (2, 1), (1, 1))), "not the seven"),
        (0, ("big triangle", ((2, 0), (2, 1), (0, 0))), "no big triangle"),
        (3, ("square", ((1, 0), (2, 1), (1, 2), (0, 1))), "no square"),
        (4, ("parallelogram", ((1, 2), (1, 3), (0, 3), (0, 2))), "no parallelogram"),
        (5, ("small triangle", ((0, 0), (1, 0), (1, 1))), "lies over"),
        (6, ("small triangle", ((0, 3), (0, 2), (-1, 2))), "sticks out"),
    ],
)
def test_each_fault_is_found(at: int, instead: Piece, fault: str) -> None:
    pieces = [*RIGHT]
    pieces[at] = instead
    assert any(fault in found for found in faults(ROWS, pieces))


def test_a_hole_of_the_shape_is_outside() -> None:
    assert any("sticks out" in fault for fault in faults(("##", "##", "##", "#a", ".d"), RIGHT))


def test_the_parallelogram_is_told_from_its_mirror_image() -> None:
    drawn, mirrored = ((0, 0), (1, 0), (2, 1), (1, 1)), ((2, 0), (1, 0), (0, 1), (1, 1))
    assert is_as_drawn(drawn)
    assert is_as_drawn(tuple((-y, x) for x, y in drawn))
    assert is_as_drawn(drawn[::-1])
    assert is_as_drawn(drawn[1:] + drawn[:1])
    assert not is_as_drawn(mirrored)
    assert not is_as_drawn(tuple((y, x) for x, y in drawn))
