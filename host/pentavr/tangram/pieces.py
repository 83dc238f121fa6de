# SPDX-License-Identifier: GPL-3.0-or-later
"""The seven pieces, the ways they lie on the grid, and what a dissection is made of.

The unit is the side of a grid square, x runs to the right and y down. A grid square that a piece covers in part is cut
along one diagonal; the signs of the row notation say which half: `a` upper left, `b` upper right, `c` lower right,
`d` lower left, `#` all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache

__all__ = ["SEVEN", "Dissection", "Image", "Orientation", "Piece", "Placement", "Point", "orientations"]

Point = tuple[int, int]
Image = frozenset[tuple["Piece", frozenset[Point]]]
"""The kind and the corners of each piece: what a dissection is when equal pieces are not told apart."""


class Piece(Enum):
    """The five kinds of piece, each with its name."""

    BIG_TRIANGLE = "big triangle"
    MEDIUM_TRIANGLE = "medium triangle"
    SQUARE = "square"
    PARALLELOGRAM = "parallelogram"
    SMALL_TRIANGLE = "small triangle"


SEVEN = (
    Piece.BIG_TRIANGLE,
    Piece.BIG_TRIANGLE,
    Piece.MEDIUM_TRIANGLE,
    Piece.SQUARE,
    Piece.PARALLELOGRAM,
    Piece.SMALL_TRIANGLE,
    Piece.SMALL_TRIANGLE,
)
"""The set of a tangram, in the order in which the pieces are laid."""

_CORNERS: dict[Piece, tuple[Point, ...]] = {
    Piece.BIG_TRIANGLE: ((0, 0), (2, 0), (0, 2)),
    Piece.MEDIUM_TRIANGLE: ((0, 0), (2, 0), (1, 1)),
    Piece.SQUARE: ((0, 0), (1, 0), (1, 1), (0, 1)),
    Piece.PARALLELOGRAM: ((0, 0), (1, 0), (2, 1), (1, 1)),
    Piece.SMALL_TRIANGLE: ((0, 0), (1, 0), (0, 1)),
}

_QUARTERS = {"#": {"N", "E", "S", "W"}, "a": {"N", "W"}, "b": {"N", "E"}, "c": {"S", "E"}, "d": {"S", "W"}}


@dataclass(frozen=True, slots=True)
class Orientation:
    """A piece turned or mirrored, as far left and up as it goes."""

    piece: Piece
    mirrored: bool
    """Whether it is the mirror image of the piece as the puzzle draws it and no turning of it."""
    vertices: tuple[Point, ...]
    parts: tuple[tuple[int, int, str], ...]
    """Column, row and sign of each grid square that it covers or cuts, in reading order."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A piece laid on the grid, its bounding box moved to column x and row y."""

    orientation: Orientation
    x: int
    y: int

    @property
    def piece(self) -> Piece:
        """Tell which kind of piece it is."""
        return self.orientation.piece

    @property
    def vertices(self) -> tuple[Point, ...]:
        """Give the corners in order."""
        return tuple((self.x + x, self.y + y) for x, y in self.orientation.vertices)

    @property
    def parts(self) -> tuple[tuple[int, int, str], ...]:
        """Give column, row and sign of each grid square that the piece covers or cuts."""
        return tuple((self.x + x, self.y + y, sign) for x, y, sign in self.orientation.parts)


@dataclass(frozen=True, slots=True)
class Dissection:
    """The seven pieces laid, in the order of SEVEN; of two equal ones either may come first."""

    placements: tuple[Placement, ...]

    def image(self, symmetry: int = 0) -> Image:
        """Give the kind and the corners of each piece, turned or mirrored and moved to the upper left.

        The symmetry, 0 to 7, transposes (bit 2), then turns upside down (bit 1) and left to right (bit 0).
        """
        laid = [(placement.piece, placement.vertices) for placement in self.placements]
        if symmetry & 4:
            laid = [(piece, tuple((y, x) for x, y in vertices)) for piece, vertices in laid]
        down, across = (-1 if symmetry & 2 else 1), (-1 if symmetry & 1 else 1)
        laid = [(piece, tuple((across * x, down * y) for x, y in vertices)) for piece, vertices in laid]
        left = min(x for _, vertices in laid for x, _ in vertices)
        top = min(y for _, vertices in laid for _, y in vertices)
        return frozenset((piece, frozenset((x - left, y - top) for x, y in vertices)) for piece, vertices in laid)


@cache
def orientations(*, turned: bool = False) -> tuple[Orientation, ...]:
    """Give every way in which a piece can lie with all its corners on grid points.

    Turned is the bigger reading of the puzzle: the pieces by 45 degrees and as much larger as that needs, twice the
    area, (x, y) becoming (x - y, x + y).
    """
    found = {}
    for piece, corners in _CORNERS.items():
        drawn = tuple((x - y, x + y) for x, y in corners) if turned else corners
        for mirrored in (False, True):
            vertices = tuple((y, x) for x, y in reversed(drawn)) if mirrored else drawn
            for _ in range(4):
                vertices = _moved_home(tuple((-y, x) for x, y in vertices))
                if frozenset(vertices) not in found:
                    found[frozenset(vertices)] = Orientation(piece, mirrored, vertices, _parts(vertices))
    return tuple(found.values())


def _moved_home(vertices: tuple[Point, ...]) -> tuple[Point, ...]:
    left, top = (min(axis) for axis in zip(*vertices, strict=True))
    return tuple((x - left, y - top) for x, y in vertices)


def _parts(vertices: tuple[Point, ...]) -> tuple[tuple[int, int, str], ...]:
    # A point in the middle of each quarter square, in quarters of the unit.
    middles = {"N": (2, 1), "E": (3, 2), "S": (2, 3), "W": (1, 2)}
    width, height = (max(axis) for axis in zip(*vertices, strict=True))
    parts = []
    for row in range(height):
        for column in range(width):
            covered = {quarter for quarter, (x, y) in middles.items() if _inside(vertices, 4 * column + x, 4 * row + y)}
            parts += [(column, row, sign) for sign, quarters in _QUARTERS.items() if quarters == covered]
    return tuple(parts)


def _inside(vertices: tuple[Point, ...], x: int, y: int) -> bool:
    """Tell whether a point in quarters of the unit lies in a convex polygon whose corners run clockwise on the page."""
    return all(
        (x1 - x0) * (y - 4 * y0) > (y1 - y0) * (x - 4 * x0)
        for (x0, y0), (x1, y1) in zip(vertices, vertices[1:] + vertices[:1], strict=True)
    )
