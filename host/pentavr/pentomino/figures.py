# SPDX-License-Identifier: GPL-3.0-or-later
"""The twelve pieces, drawn, and the 63 numbered figures that turning and mirroring makes of them.

These are the project's only drawings of the pieces; the firmware's table is written from here.
(The checker alone has drawings of its own, on purpose.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from pentavr.pentomino.symmetry import (
    FLIP_COLUMNS,
    HALF_TURN,
    IDENTITY,
    QUARTER_TURN,
    SYMMETRIES,
    THREE_QUARTER_TURN,
    compose,
    transform,
)

__all__ = ["FIGURES", "PIECES", "Figure", "figure", "figures_of", "image", "image_table", "recognise"]

PIECES = "FILNPTUVWXYZ"

DRAWINGS = """
    F .##   I #   L #.   N .#   P ##   T ###  U #.#  V #..  W #..  X .#.  Y .#  Z ##.
      ##.     #     #.     .#     ##     .#.    ###    #..    ##.    ###    ##    .#.
      .#.     #     #.     ##     #.     .#.           ###    .##    .#.    .#    .##
              #     ##     #.                                               .#
              #
"""

TURNS = (IDENTITY, QUARTER_TURN, HALF_TURN, THREE_QUARTER_TURN)


@dataclass(frozen=True, slots=True)
class Figure:
    """A piece in one orientation, with the number that stands for it on the chip.

    The five squares (x, y) are in reading order, moved as far up and left as they go.
    """

    number: int
    piece: str
    orientation: int
    squares: tuple[tuple[int, int], ...]

    @property
    def name(self) -> str:
        """The piece and its orientation, counted from 1: `F3`."""
        return f"{self.piece}{self.orientation}"

    @property
    def width(self) -> int:
        """Squares from left to right."""
        return 1 + max(x for x, _ in self.squares)

    @property
    def height(self) -> int:
        """Squares from top to bottom."""
        return 1 + max(y for _, y in self.squares)

    def at(self, x: int, y: int) -> tuple[tuple[int, int], ...]:
        """Return the squares covered when the first of them lies on (x, y)."""
        left = x - self.squares[0][0]
        return tuple((left + column, y + row) for column, row in self.squares)

    def rows(self) -> tuple[str, ...]:
        """Draw the figure, `#` for a square and `.` for none."""
        return tuple(
            "".join("#" if (x, y) in self.squares else "." for x in range(self.width)) for y in range(self.height)
        )


def normalise(squares: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Move squares as far up and left as they go, and put them in reading order."""
    by_row = sorted((y, x) for x, y in squares)
    top, left = by_row[0][0], min(x for _, x in by_row)
    return tuple((x - left, y - top) for y, x in by_row)


def _drawn() -> Iterator[tuple[str, tuple[tuple[int, int], ...]]]:
    first, *further = DRAWINGS.strip("\n").splitlines()
    starts = [first.index(piece) for piece in PIECES]
    for piece, start, end in zip(PIECES, starts, [*starts[1:], None], strict=True):
        rows = (line[start + 2 : end] for line in (first, *further))
        yield piece, normalise((x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#")


def _turned(k: int, squares: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    # Five by five squares hold every piece; normalising takes away what is left over.
    return normalise(transform(k, x, y, 5, 5) for x, y in squares)


def _numbered() -> Iterator[Figure]:
    number = 0
    for piece, squares in _drawn():
        symmetries = (*TURNS, *(compose(FLIP_COLUMNS, turn) for turn in TURNS))
        shapes = dict.fromkeys(_turned(k, squares) for k in symmetries)
        for orientation, shape in enumerate(shapes, 1):
            number += 1
            yield Figure(number, piece, orientation, shape)


FIGURES = tuple(_numbered())
"""All 63 in the order of their numbers: the drawing turned clockwise by 0, 90, 180 and 270 degrees, then its
mirror image (left to right) turned likewise, repeats left out."""


def figure(number: int) -> Figure:
    """Return the figure with this number, 1 to 63."""
    if not 1 <= number <= len(FIGURES):
        raise ValueError(f"{number} is no figure number: expected 1 to {len(FIGURES)}")
    return FIGURES[number - 1]


def figures_of(piece: str) -> tuple[Figure, ...]:
    """Return the orientations of a piece, by number."""
    return tuple(each for each in FIGURES if each.piece == piece)


@cache
def _by_shape() -> dict[tuple[tuple[int, int], ...], Figure]:
    return {each.squares: each for each in FIGURES}


def recognise(squares: Iterable[tuple[int, int]]) -> Figure | None:
    """Return the figure that these squares form, wherever they lie, or None if they form none."""
    return _by_shape().get(normalise(squares))


@cache
def image_table(k: int) -> bytes:
    """Return 256 bytes that map a square's byte to its image under symmetry `k`.

    Figure numbers go to the figure's image; every other byte stays. For `bytes.translate`.
    """
    table = bytearray(range(256))
    for each in FIGURES:
        table[each.number] = _by_shape()[_turned(k, each.squares)].number
    return bytes(table)


def image(number: int, k: int) -> int:
    """Return the number of the figure that symmetry `k` makes of figure `number`."""
    if k not in SYMMETRIES:
        raise ValueError(f"{k} is no symmetry: expected 0 to 7")
    return image_table(k)[figure(number).number]
