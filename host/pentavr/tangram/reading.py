# SPDX-License-Identifier: GPL-3.0-or-later
"""A silhouette read from a picture by area: what fills a grid square on the whole decides, never a single pixel."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import sqrt

import numpy as np

from pentavr.errors import UnusableInput
from pentavr.tangram.fitting import AREAS, Fit, Ink, Sheet
from pentavr.tangram.silhouette import Silhouette
from pentavr.tangram.source import USUAL_GRID, Kind, Source

__all__ = ["read"]

_LEAST_CONTRAST = 0.06
_SURE = 0.9  # a quality that needs no better grid
_MARKED = 0.2  # a lead in confidence that outweighs likelihood
_BACKGROUND = 0.9  # so much of the border belongs to the background, while a shape may touch it


def read(
    ink: Ink,
    *,
    grid: float | None = None,
    invert: bool | None = None,
    kind: Kind = Kind.PICTURE,
    factor: int = 1,
) -> Source:
    """Find the grid and what fills its squares; ink is 1 where the picture is black, 0 where it is white.

    Without a grid in pixels, 50 is tried, then the scale that makes the area 8 or 16 grid squares. Without `invert`
    the shape is the dark part, or the light one if only that fits or the border is dark; in a matrix the ones come
    first whatever the border is. A factor tells that the picture was made smaller by so much, while grid and result are
    in pixels of the original. Raise UnusableInput for an empty or full picture, a wrong area, and a grid square that is
    neither empty nor full nor half.
    """
    height, width = (side * factor for side in ink.shape)
    noun = "cell" if kind is Kind.MATRIX else "pixel"
    if grid is not None and not factor <= grid <= 2 * max(width, height):
        raise UnusableInput(f"a grid of {grid:g} {noun}s does not go with a picture of {width} x {height} {noun}s")
    lightest, darkest = float(ink.min()), float(ink.max())
    if darkest - lightest < _LEAST_CONTRAST:
        return _full(ink, kind, grid, invert, factor)
    sheets = _sheets((ink - lightest) / (darkest - lightest), invert, kind)
    inverted, fit = _best(sheets, (grid or USUAL_GRID) / factor, find_scale=grid is None)
    if not fit.valid:
        raise UnusableInput(_refusal(sheets[inverted], fit, factor, noun))
    origin = fit.origin[0] * factor, fit.origin[1] * factor
    return Source(kind, fit.silhouette, fit.grid * factor, origin, (width, height), fit.confidence, inverted)


def _sheets(ink: Ink, invert: bool | None, kind: Kind) -> dict[bool, Sheet]:
    """Give the dark (False) and the light part (True) as what the shape may be, the likelier first."""
    dark, light = {False: Sheet(ink)}, {True: Sheet(1 - ink)}
    if invert is not None:
        return light if invert else dark
    low, high = dark[False].levels
    border = (np.concatenate([ink[0], ink[-1], ink[:, 0], ink[:, -1]]).mean() - low) / (high - low)
    if border < 1 - _BACKGROUND:
        return dark
    return light | dark if border > _BACKGROUND and kind is not Kind.MATRIX else dark | light


def _best(sheets: dict[bool, Sheet], grid: float, *, find_scale: bool) -> tuple[bool, Fit]:
    """Find the grid, the likelier and the cheaper first: from the picture's corner, by its scale, from anywhere.

    If no fit is valid give the one that is the likeliest to be meant.
    """
    found: list[tuple[bool, Fit]] = []
    whole = dict.fromkeys(sheets, False)
    for inverted, area in _attempts(sheets):
        sheet = sheets[inverted]
        if area is None:
            fit = sheet.fit(grid)
            if fit.valid:
                if sheet.quality(fit) < _SURE:
                    fit = max(fit, sheet.aligned(grid), key=lambda fit: (fit.valid, sheet.quality(fit)))
                return inverted, fit
            in_squares = all(side % grid == 0 for side in sheet.ink.shape)
            whole[inverted] = in_squares and fit.confidence > _SURE and fit.area > 0
        elif find_scale:
            scaled = sheet.scaled(area)
            if scaled and (not whole[inverted] or _is_resized(scaled.grid / grid, area)):
                found.append((inverted, scaled))
                if scaled.confidence > _SURE:
                    break
    highest = max((fit.confidence for _, fit in found), default=0)
    for inverted, fit in found:
        if fit.confidence > highest - _MARKED:
            return inverted, fit
    fits = [
        (inverted, min(sheet.fit(grid), sheet.aligned(grid), key=lambda fit: (not fit.valid, len(fit.doubtful))))
        for inverted, sheet in sheets.items()
    ]
    return next((found for found in fits if found[1].valid), fits[0])


def _attempts(sheets: dict[bool, Sheet]) -> Iterable[tuple[bool, int | None]]:
    """Give the order of tries: which part of the picture, on the grid itself (None) or scaled to an area.

    A dark shape is looked for at every scale before a light one, even where it reaches the border.
    """
    stages = (None, *AREAS)
    if next(iter(sheets)):
        return [(inverted, stage) for stage in stages for inverted in sheets]
    return product(sheets, stages)


def _is_resized(factor: float, area: int) -> bool:
    """Tell whether a shape made larger or smaller by this factor may well be whole and half squares of the old grid.

    Otherwise such squares are meant as they are, and only their number is wrong.
    """
    halves = 2 * factor
    return abs(halves - round(halves)) < 0.1 and (factor > 1 or (round(halves) == 1 and area == AREAS[0]))


def _full(ink: Ink, kind: Kind, grid: float | None, invert: bool | None, factor: int) -> Source:
    """Read a picture of one colour: a rectangle without margin, if the grid makes its area that of the pieces."""
    height, width = (side * factor for side in ink.shape)
    noun = "cell" if kind is Kind.MATRIX else "pixel"
    light = bool(ink.mean() < 0.5)
    colour = ("0" if light else "1") if kind is Kind.MATRIX else ("white" if light else "black")
    if light != bool(invert):
        raise UnusableInput(f"the picture is empty: all {width} x {height} {noun}s are {colour}")
    for side in (grid,) if grid else (USUAL_GRID, 1):
        columns, rows = width / side, height / side
        if columns == round(columns) and rows == round(rows) and columns * rows in (AREAS if grid else AREAS[:1]):
            silhouette = Silhouette(("#" * round(columns),) * round(rows))
            return Source(kind, silhouette, side, (0, 0), (width, height), inverted=light)
    raise UnusableInput(
        f"the picture is full: all {width} x {height} {noun}s are {colour}, without an outline; "
        f"if the whole picture is the shape, give the grid in {noun}s that makes its area 8 or 16 grid squares"
    )


def _refusal(sheet: Sheet, fit: Fit, factor: int, noun: str) -> str:
    """Say what keeps the shape from being one of seven pieces on the grid."""
    grid = fit.grid * factor
    pixels = sheet.pixels * factor**2
    doubtful = fit.doubtful
    area = pixels / grid**2 if doubtful else fit.area
    scale = f"its {pixels:,.0f} {noun}s would make 8 grid squares of {sqrt(pixels / 8):.1f} {noun}s"
    if doubtful and min(abs(area - right) for right in AREAS) < 1:
        column, row = doubtful[0]
        left, top = (start + at * fit.grid for start, at in zip(fit.origin, (column, row), strict=True))
        edges = [round(edge) for edge in (left, top, left + fit.grid, top + fit.grid)]
        share = sheet.ink[max(0, edges[1]) : edges[3], max(0, edges[0]) : edges[2]].mean()
        left, top, right, bottom = (edge * factor for edge in edges)
        others = f" ({len(doubtful) - 1} more like it)" if len(doubtful) > 1 else ""
        return (
            f"the grid square in column {column}, row {row} ({noun}s {left} to {right - 1} across, {top} to "
            f"{bottom - 1} down) is neither empty nor full nor one of the four halves: {share:.0%} of it belongs to "
            f"the shape{others}; the grid is {grid:g} {noun}s, {scale}"
        )
    return (
        f"the shape has an area of {area:.4g} grid squares of {grid:g} {noun}s, expected 8 (or 16, with the pieces "
        f"turned by 45 degrees); {scale}"
    )
