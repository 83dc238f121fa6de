# SPDX-License-Identifier: GPL-3.0-or-later
"""The eight ways to turn and mirror a field of squares.

A symmetry is an index of three bits: bit 2 transposes, then bit 1 flips the rows (upside down) and bit 0 flips
the columns (left to right). So `k >> 2` tells whether a field of W x H becomes one of H x W.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from typing import TypeVar

__all__ = [
    "ANTITRANSPOSE",
    "FLIP_COLUMNS",
    "FLIP_ROWS",
    "HALF_TURN",
    "IDENTITY",
    "NAMES",
    "QUARTER_TURN",
    "SYMMETRIES",
    "THREE_QUARTER_TURN",
    "TRANSPOSE",
    "compose",
    "inverse",
    "orbits",
    "rearrange",
    "size",
    "transform",
]

Item = TypeVar("Item", bound=Hashable)

IDENTITY = 0
FLIP_COLUMNS = 1
FLIP_ROWS = 2
HALF_TURN = 3
TRANSPOSE = 4
QUARTER_TURN = 5
"""Clockwise."""
THREE_QUARTER_TURN = 6
"""Clockwise."""
ANTITRANSPOSE = 7

SYMMETRIES = range(8)

NAMES = (
    "as it is",
    "mirrored left to right",
    "mirrored upside down",
    "turned by 180 degrees",
    "mirrored in the falling diagonal",
    "turned by 90 degrees",
    "turned by 270 degrees",
    "mirrored in the rising diagonal",
)
"""What each symmetry does, in words; turns are clockwise."""


def size(k: int, width: int, height: int) -> tuple[int, int]:
    """Return the width and height that a field of width x height has after symmetry `k`."""
    return (height, width) if k & TRANSPOSE else (width, height)


def transform(k: int, x: int, y: int, width: int, height: int) -> tuple[int, int]:
    """Return where symmetry `k` takes the square (x, y) of a field of width x height."""
    if k & TRANSPOSE:
        x, y, width, height = y, x, height, width
    if k & FLIP_ROWS:
        y = height - 1 - y
    if k & FLIP_COLUMNS:
        x = width - 1 - x
    return x, y


def compose(first: int, then: int) -> int:
    """Return the symmetry that does `first`, and after it `then`."""
    return _flips_behind(first, then & TRANSPOSE) ^ then


def inverse(k: int) -> int:
    """Return the symmetry that takes back what `k` does."""
    return _flips_behind(k, k & TRANSPOSE)


def _flips_behind(k: int, transposed: int) -> int:
    # A transposition that comes after a flip of the columns is one that comes before a flip of the rows.
    return k & TRANSPOSE | (k & FLIP_COLUMNS) << 1 | (k & FLIP_ROWS) >> 1 if transposed else k


def rearrange(k: int, cells: bytes, width: int, height: int) -> bytes:
    """Return the bytes of a field of width x height, row by row, as they stand after symmetry `k`."""
    return bytes(map(cells.__getitem__, _origins(k, width, height)))


@cache
def _origins(k: int, width: int, height: int) -> Sequence[int]:
    new_width, new_height = size(k, width, height)
    back = inverse(k)
    squares = (transform(back, x, y, new_width, new_height) for y in range(new_height) for x in range(new_width))
    return tuple(y * width + x for x, y in squares)


def orbits(items: Iterable[Item], group: Iterable[int], image: Callable[[Item, int], Item]) -> list[frozenset[Item]]:
    """Sort `items` into classes whose members are images of each other under `group`, in the order of appearance.

    `image(item, k)` is the item under symmetry `k`. An orbit is whole even where `items` holds only a part of it.
    """
    symmetries = tuple(group)
    met: set[Item] = set()
    found = []
    for item in items:
        if item not in met:
            orbit = frozenset(image(item, k) for k in symmetries)
            met |= orbit
            found.append(orbit)
    return found
