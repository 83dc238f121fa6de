# SPDX-License-Identifier: GPL-3.0-or-later
"""A shape on the grid: every grid square empty, full or one of the four halves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pentavr.errors import UnusableInput

if TYPE_CHECKING:
    import numpy as np

    Cells = np.ndarray[Any, Any] | Sequence[str] | Sequence[Sequence[object]]

__all__ = ["SIGNS", "Silhouette"]

SIGNS = ".#abcd"
"""Empty, full, and the half that holds the upper left, upper right, lower right or lower left corner."""

_ROW_ENDS = str.maketrans("/[],'\"", "      ")
_TRANSPOSED = str.maketrans("bd", "db")
_UPSIDE_DOWN = str.maketrans("abcd", "dcba")
_LEFT_TO_RIGHT = str.maketrans("abcd", "badc")


@dataclass(frozen=True, slots=True)
class Silhouette:
    """A shape, a sign of SIGNS for each grid square, row by row; empty rows and columns around it may stay.

    Raise UnusableInput if a sign is unknown or the rows are not of one length.
    """

    rows: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.rows or not self.rows[0]:
            raise UnusableInput("the shape has no grid squares; give a row of signs for each row of squares")
        for number, row in enumerate(self.rows):
            if len(row) != self.width:
                raise UnusableInput(
                    f"row {number} of the shape has {len(row)} grid squares, row 0 has {self.width}; "
                    "fill it up with '.', the sign of an empty square"
                )
            for column, sign in enumerate(row):
                if sign not in SIGNS:
                    raise UnusableInput(
                        f"{sign!r} in column {column}, row {number} of the shape is no grid square; the signs are "
                        "'.' empty, '#' full, and a, b, c, d the half that holds the upper left, upper right, "
                        "lower right, lower left corner"
                    )

    @classmethod
    def parse(cls, text: str) -> Silhouette:
        """Read the row notation; a line end, a blank or `/` ends a row; a list as JSON writes it will do too."""
        return cls(tuple(text.translate(_ROW_ENDS).split()))

    @classmethod
    def from_array(cls, cells: str | Cells, *, grid: float | None = None) -> Silhouette:
        """Read cells at any scale, true in the shape: a numpy array, nested sequences, text of 0 and 1.

        The grid is the side of a grid square in cells; without it it is found. Raise UnusableInput if none fits.
        """
        from pentavr.tangram import matrix, reading
        from pentavr.tangram.source import Kind

        if isinstance(cells, str):
            ink = matrix.parse(cells)
        elif len(cells) and all(isinstance(row, str) for row in cells):
            ink = matrix.parse("\n".join(map(str, cells)))
        else:
            ink = matrix.ink(cells)
        return reading.read(ink, grid=grid, kind=Kind.MATRIX).silhouette

    def __str__(self) -> str:
        return "\n".join(self.rows)

    @property
    def width(self) -> int:
        """Count the columns of grid squares."""
        return len(self.rows[0])

    @property
    def height(self) -> int:
        """Count the rows of grid squares."""
        return len(self.rows)

    @property
    def area(self) -> float:
        """Measure the shape in grid squares, exactly: a half counts 0.5."""
        return sum(1 if sign == "#" else 0.5 for row in self.rows for sign in row if sign != ".")

    def trimmed(self) -> Silhouette:
        """Leave out the empty rows and columns around the shape."""
        if not self.area:
            return self
        filled = [number for number, row in enumerate(self.rows) if row.strip(".")]
        rows = self.rows[filled[0] : filled[-1] + 1]
        left = min(len(row) - len(row.lstrip(".")) for row in rows)
        right = max(len(row.rstrip(".")) for row in rows)
        return Silhouette(tuple(row[left:right] for row in rows))

    def image(self, symmetry: int) -> Silhouette:
        """Turn or mirror it: transpose (bit 2 of 0 to 7), then upside down (bit 1), then left to right (bit 0)."""
        rows = self.rows
        if symmetry & 4:
            rows = tuple("".join(column).translate(_TRANSPOSED) for column in zip(*rows, strict=True))
        if symmetry & 2:
            rows = tuple(row.translate(_UPSIDE_DOWN) for row in reversed(rows))
        if symmetry & 1:
            rows = tuple(row[::-1].translate(_LEFT_TO_RIGHT) for row in rows)
        return Silhouette(rows)

    def symmetries(self) -> tuple[int, ...]:
        """Give the turnings and mirrorings, 0 to 7, that leave the shape as it is; 0 is always one of them."""
        shape = self.trimmed()
        return tuple(symmetry for symmetry in range(8) if shape.image(symmetry) == shape)
