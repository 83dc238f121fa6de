# SPDX-License-Identifier: GPL-3.0-or-later
"""What every output needs to know of a shape: its outline, what it covers, where its label stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import hypot

from pentavr.render.drawing import Polygon, Shape, Squares

__all__ = ["Anchor", "Point", "anchor", "inside", "label_square", "outlines"]

Point = tuple[float, float]

_SAMPLES = 12
_REFINEMENTS = 4


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a label is centred, and how far the shape reaches around that point in every direction."""

    x: float
    y: float
    clearance: float


def outlines(shape: Shape) -> tuple[tuple[Point, ...], ...]:
    """Give the closed outlines of a shape, corners only: clockwise around it, anticlockwise around its holes.

    Squares that touch at a corner alone have an outline each.
    """
    if isinstance(shape, Polygon):
        return (shape.vertices,)
    if not shape.squares:
        return ()
    left, top = min(column for column, _ in shape.squares), min(row for _, row in shape.squares)
    loops = _region_outlines(frozenset((column - left, row - top) for column, row in shape.squares))
    return tuple(tuple((left + x, top + y) for x, y in loop) for loop in loops)


def anchor(shape: Shape) -> Anchor:
    """Find a good place for the shape's label."""
    if isinstance(shape, Squares):
        column, row = label_square(shape.squares)
        return Anchor(column + 0.5, row + 0.5, 0.5)
    return _roomiest_point(shape.vertices)


def label_square(squares: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Choose the square that carries the label: one with most neighbours, the nearest to the middle of the region."""
    region = set(squares)
    middle = sum(column for column, _ in region) / len(region), sum(row for _, row in region) / len(region)

    def unfitness(square: tuple[int, int]) -> tuple[int, float, int, int]:
        column, row = square
        neighbours = {(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)}
        distance = hypot(column - middle[0], row - middle[1])
        return -len(neighbours & region), round(distance, 6), row, column

    return min(region, key=unfitness)


@lru_cache(maxsize=256)  # a sheet of thousands of solutions holds the 63 figures again and again
def _region_outlines(region: frozenset[tuple[int, int]]) -> tuple[tuple[Point, ...], ...]:
    # An edge is its first corner and its direction; the region lies on its right.
    edges = set()
    for column, row in region:
        for corner, direction, beyond in (
            ((column, row), (1, 0), (column, row - 1)),
            ((column + 1, row), (0, 1), (column + 1, row)),
            ((column + 1, row + 1), (-1, 0), (column, row + 1)),
            ((column, row + 1), (0, -1), (column - 1, row)),
        ):
            if beyond not in region:
                edges.add((corner, direction))
    loops = []
    for first in sorted(edges):
        if first not in edges:
            continue
        corners: list[Point] = []
        (x, y), (dx, dy) = first
        while ((x, y), (dx, dy)) in edges:
            edges.remove(((x, y), (dx, dy)))
            x, y = x + dx, y + dy
            # Right before straight before left: where two squares touch at a corner, the outline stays with its own.
            turns = ((-dy, dx), (dx, dy), (dy, -dx))
            following = next((turn for turn in turns if ((x, y), turn) in edges), first[1])
            if following != (dx, dy):
                corners.append((x, y))
            dx, dy = following
        loops.append((corners[-1], *corners[:-1]))
    return tuple(loops)


def _roomiest_point(vertices: Sequence[Point]) -> Anchor:
    """Search the point farthest from the outline, on a grid that is refined around the best so far."""
    left, right = min(x for x, _ in vertices), max(x for x, _ in vertices)
    top, bottom = min(y for _, y in vertices), max(y for _, y in vertices)
    middle_x, middle_y = _centroid(vertices)
    size = max(right - left, bottom - top)

    def worth(point: Point) -> float:
        # The little pull towards the centroid decides where a long shape has equally roomy points.
        return _clearance(vertices, *point) - 0.05 * hypot(point[0] - middle_x, point[1] - middle_y)

    best = middle_x, middle_y
    centre, reach = ((left + right) / 2, (top + bottom) / 2), size / 2
    for _ in range(_REFINEMENTS):
        steps = [reach * (2 * index / _SAMPLES - 1) for index in range(_SAMPLES + 1)]
        best = max([best, *((centre[0] + dx, centre[1] + dy) for dy in steps for dx in steps)], key=worth)
        centre, reach = best, reach * 2 / _SAMPLES
    return Anchor(*best, _clearance(vertices, *best))


def _centroid(vertices: Sequence[Point]) -> Point:
    area = total_x = total_y = 0.0
    for (x0, y0), (x1, y1) in _sides(vertices):
        cross = x0 * y1 - x1 * y0
        area += cross
        total_x += (x0 + x1) * cross
        total_y += (y0 + y1) * cross
    if area == 0:
        return vertices[0]
    return total_x / (3 * area), total_y / (3 * area)


def _clearance(vertices: Sequence[Point], x: float, y: float) -> float:
    distance = min(_distance(x, y, *side) for side in _sides(vertices))
    return distance if inside(vertices, x, y) else -distance


def inside(vertices: Sequence[Point], x: float, y: float) -> bool:
    """Tell whether the point lies in the polygon (even-odd rule)."""
    crossings = 0
    for (x0, y0), (x1, y1) in _sides(vertices):
        if (y0 <= y) != (y1 <= y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            crossings += 1
    return crossings % 2 == 1


def _distance(x: float, y: float, start: Point, end: Point) -> float:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    along = 0.0 if length == 0 else max(0.0, min(1.0, ((x - start[0]) * dx + (y - start[1]) * dy) / length))
    return hypot(x - start[0] - along * dx, y - start[1] - along * dy)


def _sides(vertices: Sequence[Point]) -> Iterable[tuple[Point, Point]]:
    return zip(vertices, (*vertices[1:], *vertices[:1]), strict=True)
