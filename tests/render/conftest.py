# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from collections.abc import Callable

import pytest

from pentavr.render.drawing import Colour, Drawing, Squares

Lettered = Callable[..., Drawing]


@pytest.fixture
def lettered() -> Lettered:
    """Make a drawing from rows of letters: squares of one letter are one shape with that label, a dot is nothing."""

    def make(picture: str, title: str = "") -> Drawing:
        rows = picture.split()
        regions: dict[str, list[tuple[int, int]]] = {}
        for row, letters in enumerate(rows):
            for column, letter in enumerate(letters):
                regions.setdefault(letter, []).append((column, row))
        shapes = [
            Squares(tuple(squares), Colour(16 * index, 255 - 16 * index, 128), letter)
            for index, (letter, squares) in enumerate(sorted(regions.items()))
            if letter != "."
        ]
        return Drawing(len(rows[0]), len(rows), tuple(shapes), title)

    return make
