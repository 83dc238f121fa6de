# SPDX-License-Identifier: GPL-3.0-or-later
"""Dissections as neutral drawings and as JSON."""

from __future__ import annotations

from collections.abc import Iterable

from pentavr.render.drawing import Drawing, Polygon
from pentavr.render.palette import SEVEN as COLOURS
from pentavr.tangram.pieces import Dissection, Piece
from pentavr.tangram.silhouette import Silhouette
from pentavr.tangram.source import Source

__all__ = ["document", "drawing"]

_LETTERS = {
    Piece.BIG_TRIANGLE: "L",
    Piece.MEDIUM_TRIANGLE: "M",
    Piece.SQUARE: "Q",
    Piece.PARALLELOGRAM: "P",
    Piece.SMALL_TRIANGLE: "S",
}


def drawing(dissection: Dissection, title: str = "", *, field: Silhouette | None = None) -> Drawing:
    """Draw each piece in its colour, with its letter and its name; the unit is a grid square.

    The drawing is as large as the field, if that is given, otherwise it has no margins.
    """
    corners = [vertex for placement in dissection.placements for vertex in placement.vertices]
    left, top = (0, 0) if field else (min(x for x, _ in corners), min(y for _, y in corners))
    pieces = (
        Polygon(
            tuple((x - left, y - top) for x, y in placement.vertices),
            colour,
            _LETTERS[placement.piece],
            placement.piece.value,
        )
        for placement, colour in zip(dissection.placements, COLOURS, strict=True)
    )
    width, height = (field.width, field.height) if field else (max(x for x, _ in corners), max(y for _, y in corners))
    return Drawing(width - left, height - top, tuple(pieces), title)


def document(name: str, source: Source, dissections: Iterable[Dissection]) -> dict[str, object]:
    """Give the shape and its dissections as what JSON can hold; the corners are in grid squares."""
    solutions = [
        [
            {
                "piece": placement.piece.value,
                "mirrored": placement.orientation.mirrored,
                "vertices": [list(vertex) for vertex in placement.vertices],
            }
            for placement in dissection.placements
        ]
        for dissection in dissections
    ]
    return {
        "shape": name,
        "unit": "grid square, x to the right and y down from the upper left corner of rows",
        "rows": list(source.silhouette.rows),
        "area": source.silhouette.area,
        "grid": source.grid,
        "origin": list(source.origin),
        "size": list(source.size),
        "confidence": round(source.confidence, 3),
        "inverted": source.inverted,
        "solutions": solutions,
    }
