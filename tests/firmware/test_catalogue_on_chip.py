# SPDX-License-Identifier: GPL-3.0-or-later
"""Every named board, solved on the chip: the published numbers, each solution through the checker."""

from __future__ import annotations

import pytest

from exact_cover_reference import solve_by_exact_cover
from pentavr.firmware.image import Image
from pentavr.machine.chip import Chip, Option
from pentavr.pentomino.catalogue import NamedBoard, named
from pentavr.pentomino.checker import class_key, violations

# Published: all solutions and those of different classes.
PUBLISHED = {
    "3x20": (8, 2),
    "4x15": (1472, 368),
    "5x12": (4040, 1010),
    "6x10": (9356, 2339),
    "8x8-center-hole": (520, 65),
    "8x8-without-corners": (17360, 2170),
}


def found(image: Image, entry: NamedBoard, options: Option) -> list[bytes]:
    with Chip.emulated(entry.board, image=image, options=options) as chip:
        solutions = [solution.cells for solution in chip.solutions()]
        assert chip.solution_count == len(solutions)
        assert chip.board == entry.board
    for cells in solutions:
        assert violations(entry.board.width, entry.board.height, entry.board.cells, cells) == []
    return solutions


def classes(entry: NamedBoard, solutions: list[bytes]) -> list[object]:
    board = entry.board
    return [class_key(board.width, board.height, board.cells, cells) for cells in solutions]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(named()))
def test_the_chip_finds_the_published_solutions(built_firmware: Image, name: str) -> None:
    entry = named()[name]
    assert PUBLISHED.get(name, (entry.all_solutions, entry.unique_solutions)) == (
        entry.all_solutions,
        entry.unique_solutions,
    )
    every = found(built_firmware, entry, Option.ALL_SOLUTIONS)
    assert len(every) == len(set(every)) == entry.all_solutions
    of_each_class = found(built_firmware, entry, Option(0))
    assert len(of_each_class) == entry.unique_solutions
    assert set(of_each_class) <= set(every)
    chosen = classes(entry, of_each_class)
    assert len(set(chosen)) == len(chosen)
    assert set(chosen) == set(classes(entry, every))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["4x15", "holey-oval"])
def test_the_chip_finds_the_set_that_an_exact_cover_library_finds(built_firmware: Image, name: str) -> None:
    entry = named()[name]
    assert set(found(built_firmware, entry, Option.ALL_SOLUTIONS)) == solve_by_exact_cover(entry.board)
