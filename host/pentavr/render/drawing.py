# SPDX-License-Identifier: GPL-3.0-or-later
"""A neutral drawing: what a puzzle hands over, and what every output format starts from."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Colour", "Drawing", "Polygon", "Shape", "Squares"]


@dataclass(frozen=True, slots=True)
class Colour:
    """An sRGB colour, each channel 0 to 255."""

    red: int
    green: int
    blue: int

    @classmethod
    def from_hex(cls, text: str) -> Colour:
        """Read `#rrggbb`."""
        return cls(int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16))

    def __str__(self) -> str:
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"


@dataclass(frozen=True, slots=True)
class Squares:
    """A region of unit squares, each given by its column and row; the inner edges are not drawn."""

    squares: tuple[tuple[int, int], ...]
    colour: Colour
    label: str = ""
    name: str = ""
    """What a reader is told who asks; the label, if it is empty."""


@dataclass(frozen=True, slots=True)
class Polygon:
    """A simple polygon, its vertices (x, y) in order."""

    vertices: tuple[tuple[float, float], ...]
    colour: Colour
    label: str = ""
    name: str = ""
    """What a reader is told who asks; the label, if it is empty."""


Shape = Squares | Polygon


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes on a field of width x height units, x to the right and y down from the upper left corner.

    What no shape covers is not part of the puzzle and stays empty.
    """

    width: int
    height: int
    shapes: tuple[Shape, ...]
    title: str = ""
