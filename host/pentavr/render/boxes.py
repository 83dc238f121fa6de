# SPDX-License-Identifier: GPL-3.0-or-later
"""Squares drawn with lines of text, without colour: box drawing, or half as high with underscores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pentavr.render.drawing import Drawing, Squares
from pentavr.render.geometry import label_square

__all__ = ["compact", "roomy"]

# Indexed by the sum of the arms at a corner: 1 up, 2 right, 4 down, 8 left.
_JUNCTIONS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"


@dataclass(frozen=True, slots=True)
class _Field:
    """Which shape covers each square, and what is written on which square."""

    width: int
    height: int
    owner: Mapping[tuple[int, int], int]
    labels: Mapping[tuple[int, int], str]

    def edge_above(self, column: int, row: int) -> bool:
        return self.owner.get((column, row)) != self.owner.get((column, row - 1))

    def edge_before(self, column: int, row: int) -> bool:
        return self.owner.get((column, row)) != self.owner.get((column - 1, row))


def roomy(drawing: Drawing, columns: int = 4) -> list[str]:
    """Draw the outlines with box-drawing characters, a square two lines high and `columns` wide with its line."""
    field = _field(drawing)
    lines = []
    for row in range(field.height + 1):
        rule, inside = [], []
        for column in range(field.width + 1):
            rule.append(_JUNCTIONS[_arms(field, column, row)])
            rule.append(("─" if field.edge_above(column, row) else " ") * (columns - 1))
            inside.append("│" if field.edge_before(column, row) else " ")
            inside.append(f"{field.labels.get((column, row), '')[: columns - 1]:^{columns - 1}}")
        lines += ["".join(rule), "".join(inside)]
    return [line.rstrip() for line in lines[:-1]]


def compact(drawing: Drawing) -> list[str]:
    """Draw the outlines with underscores and vertical lines, a square one line high and two columns wide."""
    field = _field(drawing)
    lines = []
    for row in range(-1, field.height):
        line = []
        for column in range(field.width + 1):
            under = field.edge_above(column, row + 1)
            if row >= 0 and field.edge_before(column, row):
                line.append("│")
            else:
                line.append("_" if under and field.edge_above(column - 1, row + 1) else " ")
            line.append(field.labels.get((column, row), "")[:1] or ("_" if under else " "))
        lines.append("".join(line).rstrip())
    return lines


def _field(drawing: Drawing) -> _Field:
    owner = {}
    labels = {}
    for index, shape in enumerate(drawing.shapes):
        if isinstance(shape, Squares) and shape.squares:
            owner.update(dict.fromkeys(shape.squares, index))
            labels[label_square(shape.squares)] = shape.label
    return _Field(drawing.width, drawing.height, owner, labels)


def _arms(field: _Field, column: int, row: int) -> int:
    return (
        field.edge_before(column, row - 1)
        + 2 * field.edge_above(column, row)
        + 4 * field.edge_before(column, row)
        + 8 * field.edge_above(column - 1, row)
    )
