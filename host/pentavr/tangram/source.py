# SPDX-License-Identifier: GPL-3.0-or-later
"""A shape from wherever it comes: row notation, a matrix of 0 and 1, or a picture."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pentavr.errors import UnusableInput
from pentavr.tangram.silhouette import SIGNS, Silhouette

__all__ = ["USUAL_GRID", "Kind", "Source", "from_bytes", "from_silhouette"]

USUAL_GRID = 50
"""The side of a grid square in pixels, as the puzzle draws it."""

_BETWEEN = " \t\r\n/,[]'\"\ufeff"


class Kind(Enum):
    """What a shape was read from."""

    ROWS = "row notation"
    MATRIX = "matrix"
    PICTURE = "picture"


@dataclass(frozen=True, slots=True)
class Source:
    """A silhouette, and where it lies in a picture or matrix of the same size."""

    kind: Kind
    silhouette: Silhouette
    grid: float
    """The side of a grid square in pixels (cells of a matrix)."""
    origin: tuple[float, float]
    """Where the silhouette's upper left corner lies, to the right and down."""
    size: tuple[int, int]
    """Width and height of the picture or matrix."""
    confidence: float = 1.0
    """How certain the least certain grid square is: 1 beyond doubt, 0 as like another."""
    inverted: bool = False
    """Whether the shape is the light part of the picture, or the zeros of the matrix."""


def from_silhouette(silhouette: Silhouette, *, grid: float | None = None) -> Source:
    """Take a silhouette as it is, for pictures of 50 pixels a grid square if the grid says nothing else."""
    side = grid or USUAL_GRID
    size = round(silhouette.width * side), round(silhouette.height * side)
    return Source(Kind.ROWS, silhouette, side, (0, 0), size)


def from_bytes(content: bytes, *, grid: float | None = None, invert: bool | None = None) -> Source:
    """Read the content of a file: text of 0 and 1, text in row notation, or a picture in any format of Pillow's.

    The grid is the side of a grid square in pixels, or cells; without it it is found. Without `invert` the shape is
    the dark part, or the light one if only that fits. Raise UnusableInput if it is none of these or no shape.
    """
    if not content.strip():
        raise UnusableInput("there is nothing in it; expected a picture, a text of 0 and 1, or one of . # a b c d")
    signs = _signs(content)
    if signs and signs <= set(SIGNS):
        return from_silhouette(Silhouette.parse(content.decode("utf-8-sig")), grid=grid)
    from pentavr.tangram import matrix, picture, reading

    if signs and signs <= set("01"):
        return reading.read(matrix.parse(content.decode("utf-8-sig")), grid=grid, invert=invert, kind=Kind.MATRIX)
    return picture.read(picture.load(content), grid=grid, invert=invert)


def _signs(content: bytes) -> set[str]:
    """Give the characters of a text but for blanks and punctuation between them; none, if it is no text."""
    try:
        return set(content.decode("utf-8-sig")) - set(_BETWEEN)
    except UnicodeDecodeError:
        return set()
