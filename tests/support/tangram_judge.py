# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests of the tangram hold the code against: known shapes, drawings of them, exact geometry, an exact cover.

All of it starts from the corners of the pieces and of the half squares as typed here, in whole numbers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from typing import Any

import exact_cover
import numpy as np
from hypothesis.strategies import SearchStrategy, sampled_from
from PIL import Image, ImageDraw

from pentavr.tangram import Dissection

__all__ = [
    "SHAPES",
    "Piece",
    "Shape",
    "cells_of",
    "cover_solutions",
    "draw",
    "faults",
    "image_of",
    "is_as_drawn",
    "laid",
    "laid_set",
    "middles_of",
    "moved_pieces",
    "of_class",
    "signs_of",
]

Point = tuple[int, int]
Polygon = tuple[Point, ...]
Piece = tuple[str, Polygon]

SIGN_CORNERS: dict[str, Polygon] = {
    "#": ((0, 0), (1, 0), (1, 1), (0, 1)),
    "a": ((0, 0), (1, 0), (0, 1)),
    "b": ((0, 0), (1, 0), (1, 1)),
    "c": ((1, 0), (1, 1), (0, 1)),
    "d": ((0, 0), (1, 1), (0, 1)),
}
REST = {"#": (), "a": ("c",), "b": ("d",), "c": ("a",), "d": ("b",), ".": ("#",)}

SEVEN = {"big triangle": 2, "medium triangle": 1, "square": 1, "parallelogram": 1, "small triangle": 2}
PIECE_CORNERS: dict[str, Polygon] = {
    "big triangle": ((0, 0), (2, 0), (0, 2)),
    "medium triangle": ((0, 0), (2, 0), (1, 1)),
    "square": ((0, 0), (1, 0), (1, 1), (0, 1)),
    "parallelogram": ((0, 0), (1, 0), (2, 1), (1, 1)),
    "small triangle": ((0, 0), (1, 0), (0, 1)),
}
SIDES = {
    "big triangle": (4, 4, 8),
    "medium triangle": (2, 2, 4),
    "square": (1, 1, 1, 1, 2, 2),
    "parallelogram": (1, 1, 1, 2, 2, 5),
    "small triangle": (1, 1, 2),
}
"""The squared distances between all corners, sorted: they tell these polygons from every other."""


@dataclass(frozen=True)
class Shape:
    """A shape of the collection with its known numbers of solutions."""

    name: str
    kind: str
    rows: tuple[str, ...]
    solutions: int
    unique: int
    symmetry_order: int
    by_chirality: tuple[int, int] | None
    """Solutions with the parallelogram as drawn, and with its mirror image alone."""

    def __str__(self) -> str:
        return self.name


def _shapes() -> Iterator[Shape]:
    text = (Path(__file__).parent.parent / "tangram" / "shapes.json").read_text("utf-8")
    for fields in json.loads(text)["shapes"]:
        chirality = fields.get("solutions_parallelogram_not_flipped")
        yield Shape(
            fields["name"],
            fields["class"],
            tuple(fields["rows"]),
            fields["solutions"],
            fields["solutions_up_to_symmetry"],
            fields["symmetry_order"],
            (chirality[0], chirality[1]) if chirality else None,
        )


SHAPES = tuple(_shapes())


def of_class(*kinds: str) -> list[Shape]:
    return [shape for shape in SHAPES if shape.kind in kinds]


def draw(rows: Sequence[str], *, grid: int = 50, margin: int = 1) -> Image.Image:
    """A black shape on white, as a drawing program fills polygons, with so many empty grid squares around it."""
    width, height = len(rows[0]) + 2 * margin, len(rows) + 2 * margin
    picture = Image.new("L", (width * grid, height * grid), 255)
    pen = ImageDraw.Draw(picture)
    for (column, row), sign in _signs(rows):
        corners = [((column + margin + x) * grid, (row + margin + y) * grid) for x, y in SIGN_CORNERS.get(sign, ())]
        if corners:
            pen.polygon(corners, fill=0)
    return picture


def cells_of(rows: Sequence[str], grid: int, *, diagonal: bool) -> str:
    """A matrix of the shape in a margin, a grid square being grid x grid cells; those cut in halves are in, or out."""
    lines = []
    for signs in ("." * len(rows[0]), *rows, "." * len(rows[0])):
        for y in range(grid):
            line = ""
            for sign in f".{signs}.":
                for x in range(grid):
                    rise, fall = x + y + 1 - grid, x - y
                    beyond = {"a": -rise, "b": fall, "c": rise, "d": -fall, "#": 1, ".": -1}[sign]
                    line += "1" if beyond > 0 or (beyond == 0 and diagonal) else "0"
            lines.append(line)
    return "\n".join(lines)


def laid(dissection: Dissection) -> list[Piece]:
    return [(placement.piece.value, placement.vertices) for placement in dissection.placements]


def laid_set(pieces: Iterable[Piece]) -> frozenset[tuple[str, frozenset[Point]]]:
    """What a dissection is when equal pieces are not told apart."""
    return frozenset((name, frozenset(corners)) for name, corners in pieces)


def image_of(pieces: Iterable[Piece], symmetry: int, width: int, height: int) -> list[Piece]:
    """The pieces on a field of width x height, transposed (bit 2), upside down (bit 1), left to right (bit 0)."""

    def moved(point: Point) -> Point:
        (x, y), (w, h) = point, (width, height)
        if symmetry & 4:
            (x, y), (w, h) = (y, x), (h, w)
        return (w - x if symmetry & 1 else x), (h - y if symmetry & 2 else y)

    return [(name, tuple(map(moved, corners))) for name, corners in pieces]


def faults(rows: Sequence[str], pieces: Sequence[Piece]) -> list[str]:
    """All that keeps the pieces from being a dissection of the shape."""
    found = []
    if Counter(name for name, _ in pieces) != SEVEN:
        found.append("these are not the seven pieces")
    area = sum(_area(SIGN_CORNERS[sign]) for _, sign in _signs(rows) if sign != ".")
    scale = area // 16
    for name, corners in pieces:
        distances = sorted((x0 - x1) ** 2 + (y0 - y1) ** 2 for (x0, y0), (x1, y1) in combinations(corners, 2))
        if distances != [scale * distance for distance in SIDES[name]]:
            found.append(f"this is no {name}: {corners}")
    if sum(_area(corners) for _, corners in pieces) != area:
        found.append("the pieces have not the area of the shape")
    for (name, corners), (other_name, other_corners) in combinations(pieces, 2):
        if _overlap(corners, other_corners):
            found.append(f"{name} {corners} lies over {other_name} {other_corners}")
    outside = _outside(rows)
    for name, corners in pieces:
        if any(_overlap(corners, polygon) for polygon in outside):
            found.append(f"{name} {corners} sticks out")
    return found


def is_as_drawn(corners: Polygon) -> bool:
    """Whether this parallelogram is a turning of (0,0) (1,0) (2,1) (1,1), rather than of its mirror image."""
    clockwise = _clockwise(corners)
    sides = [(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in _edges(clockwise)]
    (ax, ay), (bx, by) = sides[:2]
    across = ax * bx + ay * by
    return across > 0 if ax * ax + ay * ay < bx * bx + by * by else across < 0


def cover_solutions(rows: Sequence[str]) -> set[frozenset[tuple[str, frozenset[Point]]]]:
    """All dissections by a library for exact covers, of every polygon congruent to a piece that lies in the shape."""
    turned = sum(_area(SIGN_CORNERS[sign]) for _, sign in _signs(rows) if sign != ".") == 32
    choices = list(_choices(rows, turned=turned))
    cells = [
        (4 * column + x, 4 * row + y)
        for (column, row), sign in _signs(rows)
        for x, y in ((2, 1), (3, 2), (2, 3), (1, 2))
        if sign != "." and _inside(SIGN_CORNERS[sign], x, y)
    ]
    columns: dict[Any, int] = {key: number for number, key in enumerate(cells)}
    for name, times in SEVEN.items():
        for number in range(times):
            columns[name, number] = len(columns)
    matrix = []
    chosen = []
    for name, corners in choices:
        for number in range(SEVEN[name]):
            line = [0] * len(columns)
            line[columns[name, number]] = 1
            for cell in cells:
                line[columns[cell]] = int(_inside(corners, *cell))
            matrix.append(line)
            chosen.append((name, corners))
    if not matrix:
        return set()
    try:
        covers = exact_cover.get_all_solutions(np.array(matrix, dtype=np.int32))
    except exact_cover.error.NoSolution:
        return set()
    return {laid_set(chosen[line] for line in cover) for cover in covers}


def _choices(rows: Sequence[str], *, turned: bool) -> Iterator[Piece]:
    outside = _outside(rows)
    width, height = len(rows[0]), len(rows)
    for name, drawn in PIECE_CORNERS.items():
        corners = tuple((x - y, x + y) for x, y in drawn) if turned else drawn
        images = {frozenset(image): image for k in range(8) for _, image in image_of([(name, corners)], k, 0, 0)}
        for image in images.values():
            seen = set()
            for x, y in product(range(-4, width + 4), range(-4, height + 4)):
                moved = tuple((x + dx, y + dy) for dx, dy in image)
                inside_field = all(0 <= cx <= width and 0 <= cy <= height for cx, cy in moved)
                if inside_field and not any(_overlap(moved, polygon) for polygon in outside):
                    seen.add(moved)
            yield from ((name, moved) for moved in _without_twins(seen))


def _without_twins(polygons: Iterable[Polygon]) -> Iterator[Polygon]:
    yield from {frozenset(polygon): polygon for polygon in sorted(polygons)}.values()


def _signs(rows: Sequence[str]) -> Iterator[tuple[Point, str]]:
    for row, signs in enumerate(rows):
        for column, sign in enumerate(signs):
            yield (column, row), sign


def _outside(rows: Sequence[str]) -> list[Polygon]:
    """All that the shape leaves free in its rows, and a frame around them."""
    width, height = len(rows[0]), len(rows)
    far = 1000
    frame: list[Polygon] = [
        ((-far, -far), (far, -far), (far, 0), (-far, 0)),
        ((-far, height), (far, height), (far, far), (-far, far)),
        ((-far, -far), (0, -far), (0, far), (-far, far)),
        ((width, -far), (far, -far), (far, far), (width, far)),
    ]
    return frame + [
        tuple((column + x, row + y) for x, y in SIGN_CORNERS[rest])
        for (column, row), sign in _signs(rows)
        for rest in REST[sign]
    ]


def _edges(polygon: Polygon) -> list[tuple[Point, Point]]:
    return list(zip(polygon, (*polygon[1:], polygon[0]), strict=True))


def _signed_area(polygon: Polygon) -> int:
    """Twice the area, positive if the corners run clockwise on the page."""
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in _edges(polygon))


def _area(polygon: Polygon) -> int:
    return abs(_signed_area(polygon))


def _clockwise(polygon: Polygon) -> Polygon:
    return polygon if _signed_area(polygon) > 0 else polygon[::-1]


def _overlap(one: Polygon, other: Polygon) -> bool:
    """Whether two convex polygons have more in common than edges: no edge of either has the other beyond it."""
    return not any(
        all((x1 - x0) * (y - y0) <= (y1 - y0) * (x - x0) for x, y in second)
        for first, second in ((one, other), (other, one))
        for (x0, y0), (x1, y1) in _edges(_clockwise(first))
    )


def _inside(polygon: Polygon, x: int, y: int) -> bool:
    """Whether the point, in quarters of the unit, lies in the convex polygon."""
    return all(
        (x1 - x0) * (y - 4 * y0) > (y1 - y0) * (x - 4 * x0) for (x0, y0), (x1, y1) in _edges(_clockwise(polygon))
    )


def middles_of(polygon: Polygon) -> list[Point]:
    """A point in the middle of each quarter square that the polygon covers, in quarters of the unit."""
    columns, rows = (range(max(axis)) for axis in zip(*polygon, strict=True))
    return [
        (4 * column + x, 4 * row + y)
        for column, row in product(columns, rows)
        for x, y in ((2, 1), (3, 2), (2, 3), (1, 2))
        if _inside(polygon, 4 * column + x, 4 * row + y)
    ]


def moved_pieces(pick: Callable[[SearchStrategy[Piece]], Piece], *, turned: bool) -> list[Piece]:
    """The seven pieces glued one to another at random, in a field of their own; `pick` draws from a strategy."""
    glued: list[Piece] = []
    for name, times in SEVEN.items():
        drawn = PIECE_CORNERS[name]
        corners = tuple((x - y, x + y) for x, y in drawn) if turned else drawn
        for _ in range(times):
            fitting = [
                (name, moved)
                for k in range(8)
                for _, image in image_of([(name, corners)], k, 0, 0)
                for moved in _touching(glued, image)
            ]
            glued.append(pick(sampled_from(sorted(fitting))))
    left = min(x for _, polygon in glued for x, _ in polygon)
    top = min(y for _, polygon in glued for _, y in polygon)
    return [(name, tuple((x - left, y - top) for x, y in polygon)) for name, polygon in glued]


def signs_of(pieces: Sequence[Piece]) -> tuple[str, ...]:
    """The shape that the pieces make, in row notation."""
    width = max(x for _, polygon in pieces for x, _ in polygon)
    height = max(y for _, polygon in pieces for _, y in polygon)
    halves = {"NW": "a", "EN": "b", "ES": "c", "SW": "d", "ENSW": "#", "": "."}
    rows = []
    for row in range(height):
        signs = ""
        for column in range(width):
            covered = [
                quarter
                for quarter, (x, y) in {"E": (3, 2), "N": (2, 1), "S": (2, 3), "W": (1, 2)}.items()
                if any(_inside(polygon, 4 * column + x, 4 * row + y) for _, polygon in pieces)
            ]
            signs += halves["".join(covered)]
        rows.append(signs)
    return tuple(rows)


def _touching(glued: Sequence[Piece], polygon: Polygon) -> Iterator[Polygon]:
    """The places of a polygon with a corner on a corner of the others and nothing on top of them."""
    corners = {corner for _, other in glued for corner in other} or {(0, 0)}
    for (x, y), (own_x, own_y) in product(sorted(corners), polygon):
        moved = tuple((x + px - own_x, y + py - own_y) for px, py in polygon)
        if not any(_overlap(moved, other) for _, other in glued):
            yield moved
