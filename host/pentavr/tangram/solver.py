# SPDX-License-Identifier: GPL-3.0-or-later
"""All dissections of a silhouette, by trying the pieces from the largest down.

The quarter squares of the shape, 32 of them (64 in the bigger reading), are the bits of a mask; a piece laid is a mask,
and lies beside others if no bit is in both. What two big triangles, the medium one, the square and the parallelogram
leave is looked up: it is right if it splits into two small triangles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pentavr.errors import UnusableInput
from pentavr.tangram.pieces import Dissection, Image, Orientation, Piece, Placement, orientations
from pentavr.tangram.silhouette import Silhouette

__all__ = ["Count", "Layings", "count", "layings", "solve", "unique"]

_NORTH, _EAST, _SOUTH, _WEST = 1, 2, 4, 8

_LONGEST_STEP = 3
"""Columns from one square of a piece to another: with that much room between the rows nothing sticks into the next."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many dissections a silhouette has, and how many that no symmetry of the shape turns into each other."""

    solutions: int
    unique: int


@dataclass(frozen=True, slots=True)
class Layings:
    """Every way to lay one piece in a silhouette, as masks of quarter squares."""

    everything: int
    """The mask of the whole silhouette."""
    masks: dict[Piece, list[int]]
    orientation: dict[int, Orientation]
    """The piece behind a mask; no two pieces have the same."""
    cell: dict[int, int]
    """The number of the grid square at the upper left corner of the piece's bounding box."""
    row_stride: int
    """The difference of that number from one row to the next."""

    def placement(self, mask: int) -> Placement:
        """Tell which piece the mask is, and where."""
        row, column = divmod(self.cell[mask], self.row_stride)
        return Placement(self.orientation[mask], column, row)


def layings(silhouette: Silhouette, *, flip: bool = True) -> Layings:
    """Find every way to lay one piece in the silhouette; without `flip` the parallelogram stays as it is drawn.

    Raise UnusableInput if the area is neither 8 nor 16 grid squares.
    """
    area = silhouette.area
    if area not in (8, 16):
        raise UnusableInput(
            f"the shape has an area of {area:g} grid squares; the seven pieces make 8, or 16 when turned by 45 degrees"
        )
    stride = silhouette.width + _LONGEST_STEP
    planes, everything = _planes(silhouette, stride)
    found = Layings(everything, {piece: [] for piece in Piece}, {}, {}, stride)
    for orientation in orientations(turned=area == 16):
        if orientation.mirrored and not flip:
            continue
        (x, y, sign), *others = orientation.parts
        first = y * stride + x
        masks = planes[sign]
        for x, y, sign in others:
            plane, offset = planes[sign], y * stride + x - first
            masks = {cell: mask | plane[cell + offset] for cell, mask in masks.items() if cell + offset in plane}
        found.masks[orientation.piece].extend(masks.values())
        for cell, mask in masks.items():
            found.orientation[mask] = orientation
            found.cell[mask] = cell - first
    return found


def _planes(silhouette: Silhouette, stride: int) -> tuple[dict[str, dict[int, int]], int]:
    """Give, for each sign but the empty one, the masks of the grid squares that have room for it."""
    planes: dict[str, dict[int, int]] = {sign: {} for sign in "#abcd"}
    bit = 0
    for number, row in enumerate(silhouette.rows):
        for cell, sign in enumerate(row, number * stride):
            if sign == "#":
                planes["a"][cell] = (_NORTH | _WEST) << bit
                planes["b"][cell] = (_NORTH | _EAST) << bit
                planes["c"][cell] = (_SOUTH | _EAST) << bit
                planes["d"][cell] = (_SOUTH | _WEST) << bit
                planes["#"][cell] = (_NORTH | _EAST | _SOUTH | _WEST) << bit
                bit += 4
            elif sign != ".":
                planes[sign][cell] = 0b11 << bit
                bit += 2
    return planes, (1 << bit) - 1


def solve(silhouette: Silhouette, *, flip: bool = True) -> Iterator[Dissection]:
    """Find every dissection, each once, in an order that is always the same; without any the shape has none.

    Without `flip` the parallelogram is not turned over: it stays as the puzzle draws it, (0,0) (1,0) (2,1) (1,1).
    Raise UnusableInput, at the call, if the area is neither 8 nor 16 grid squares.
    """
    return _dissections(layings(silhouette, flip=flip))


def _dissections(found: Layings) -> Iterator[Dissection]:
    placed: dict[int, Placement] = {}
    for masks in _search(found):
        for mask in masks:
            if mask not in placed:
                placed[mask] = found.placement(mask)
        yield Dissection(tuple([placed[mask] for mask in masks]))


def _search(found: Layings) -> Iterator[tuple[int, ...]]:
    bigs, mediums, squares, parallelograms, smalls = found.masks.values()
    all_smalls = set(smalls)
    for number, big in enumerate(bigs, 1):
        for other_big in bigs[number:]:
            if big & other_big:
                continue
            free = found.everything ^ big ^ other_big
            free_squares = [mask for mask in squares if mask & free == mask]
            free_parallelograms = [mask for mask in parallelograms if mask & free == mask]
            if not free_squares or not free_parallelograms:
                continue
            for medium in mediums:
                if medium & free != medium:
                    continue
                for square in free_squares:
                    if square & medium:
                        continue
                    for parallelogram in free_parallelograms:
                        if parallelogram & (medium | square):
                            continue
                        left = free ^ medium ^ square ^ parallelogram
                        # A square is left with two such pairs, anything else with one.
                        lowest = left & -left
                        for small in smalls:
                            if small & lowest and small & left == small and left ^ small in all_smalls:
                                yield big, other_big, medium, square, parallelogram, small, left ^ small


def unique(silhouette: Silhouette, *, flip: bool = True) -> Iterator[Dissection]:
    """Find one dissection of each class that the symmetries of the shape turn into each other, as `solve` does.

    Without `flip` these are the turnings alone: a mirroring turns the parallelogram over.
    """
    return _classes(solve(silhouette, flip=flip), _symmetries(silhouette, flip))


def _classes(dissections: Iterator[Dissection], symmetries: tuple[int, ...]) -> Iterator[Dissection]:
    seen: set[Image] = set()
    for dissection in dissections:
        if dissection.image() not in seen:
            seen.update(dissection.image(symmetry) for symmetry in symmetries)
            yield dissection


def count(silhouette: Silhouette, *, flip: bool = True) -> Count:
    """Count the dissections, and their classes under the symmetries of the shape."""
    dissections = list(solve(silhouette, flip=flip))
    return Count(len(dissections), len(list(_classes(iter(dissections), _symmetries(silhouette, flip)))))


def _symmetries(silhouette: Silhouette, flip: bool) -> tuple[int, ...]:
    return tuple(symmetry for symmetry in silhouette.symmetries() if flip or symmetry.bit_count() % 2 == 0)
