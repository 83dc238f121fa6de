# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture cut along a grid: which grid, and what fills each of its squares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from math import ceil, inf, sqrt

import numpy as np
import numpy.typing as npt

from pentavr.tangram.silhouette import Silhouette

__all__ = ["AREAS", "Fit", "Ink", "Sheet"]

Ink = npt.NDArray[np.float32]
"""A picture, one row of pixels after another: 1 where the ink is, 0 where there is none."""

_Floats = npt.NDArray[np.float64]

AREAS = (8, 16)
"""Grid squares in a shape of seven pieces, and in the bigger reading."""

_SIGNS = ".abcd#"
_SIGN_AREAS = np.array([0, 0.5, 0.5, 0.5, 0.5, 1])

_SURE = 0.9  # a confidence that needs no better place
_LEAST_MARGIN = 0.1  # what blur or noise may leave of the full margin, 1
_LEAST_SHARP_MARGIN = 0.8  # and what a sharp picture may
_MOST_EDGES = 20  # of a sharp shape, in sides of a grid square for each grid square
_SHARP_SHARE = 0.1  # and how far the ink of a square may be off there, or three pixels along one of its sides
_INSET = 0.08  # of a grid square: so near its edges and diagonals a picture may be off
_COARSE = 18  # pixels in a grid square, below which there is no inset and nothing is sharp
_FINE = 100  # pixels in a grid square, above which the picture is made smaller first
_RESAMPLED = 32  # to so many
_STEPS = 10  # to a grid square, in the search for its corner


@dataclass(frozen=True, slots=True)
class Fit:
    """What one grid makes of a picture."""

    grid: float
    origin: tuple[float, float]
    signs: npt.NDArray[np.intp]
    """What each grid square is most like, as an index to the signs."""
    margins: _Floats
    """By how much more than like the next best: 1 where nothing disturbs, 0 in a tie."""
    least_margin: float
    """Below this a square is like none of them."""

    @property
    def silhouette(self) -> Silhouette:
        """Give the shape."""
        return Silhouette(tuple("".join(_SIGNS[sign] for sign in row) for row in self.signs))

    @property
    def area(self) -> float:
        """Measure the shape in grid squares."""
        return float(_SIGN_AREAS[self.signs].sum())

    @property
    def confidence(self) -> float:
        """Give the margin of the least certain grid square, 0 to 1."""
        return float(np.clip(self.margins.min(), 0, 1))

    @property
    def valid(self) -> bool:
        """Tell whether every grid square is certain enough and the area right."""
        return self.confidence >= self.least_margin and self.area in AREAS

    @property
    def doubtful(self) -> list[tuple[int, int]]:
        """List column and row of the grid squares that are neither empty nor full nor half, the worst first."""
        found = [(int(column), int(row)) for row, column in np.argwhere(self.margins < self.least_margin)]
        return sorted(found, key=lambda address: self.margins[address[1], address[0]])


class Sheet:
    """A picture with what may be the shape as ink."""

    def __init__(self, ink: Ink) -> None:
        self.ink = ink

    def fit(self, grid: float, origin: tuple[float, float] = (0, 0)) -> Fit:
        """Lay a grid from the origin and look what fills its squares; outside the picture is nothing."""
        height, width = self.ink.shape
        left, top = origin
        columns, rows = max(1, round((width - left) / grid)), max(1, round((height - top) / grid))
        fineness = round(grid) if grid == round(grid) <= _FINE else _RESAMPLED
        cut = self._cut(grid, origin, (columns, rows), fineness)
        signs, margins = _classified(cut, fineness)
        if grid < _COARSE or self._edges_to_ink > _MOST_EDGES / grid:
            return Fit(grid, origin, signs, margins, _LEAST_MARGIN)
        shares = cut.reshape(rows, fineness, columns, fineness).mean(axis=(1, 3))
        wrong = np.abs(shares - _SIGN_AREAS[signs]) > max(_SHARP_SHARE, 3 / grid)
        margins = np.where(wrong, 0, margins)
        return Fit(grid, origin, signs, margins, _LEAST_SHARP_MARGIN)

    def aligned(self, grid: float) -> Fit:
        """Lay a grid where it fits best."""
        steps = min(_STEPS, max(1, round(grid)))
        height, width = self.ink.shape
        columns, rows = ceil(width / grid) + 1, ceil(height / grid) + 1
        coarse = self._cut(grid, (-grid, -grid), (columns + 1, rows + 1), steps)

        def certainty(offset: tuple[int, ...]) -> float:
            across, down = offset
            window = coarse[down : down + rows * steps, across : across + columns * steps]
            return float(_classified(window, steps)[1].mean())

        across, down = max(product(range(steps), repeat=2), key=certainty)
        return self._moved(self.fit(grid, _near_corner((across * grid / steps, down * grid / steps), grid)))

    def scaled(self, area: int) -> Fit | None:
        """Lay the grid that makes the area of the shape so many grid squares; None if that makes no valid shape."""
        found = [self.fit(*scale) for scale in self._scales(area)]
        found += [self._moved(fit) for fit in found if fit.confidence < _SURE]
        valid = [fit for fit in found if fit.valid and fit.area == area]
        return max(valid, key=lambda fit: min(_SURE, fit.confidence), default=None)

    @cached_property
    def levels(self) -> tuple[float, float]:
        """Give the usual ink outside and inside the shape: what is typical of the two classes of Otsu's threshold.

        Averaging some pixels first leaves noise without effect. (N. Otsu, IEEE Trans. SMC 9, 1979)
        """
        # About a tenth of a grid square.
        block = min(*self.ink.shape, max(1, round(sqrt(self.ink.sum() / AREAS[0]) / _STEPS)))
        rows, columns = (side // block for side in self.ink.shape)
        means = self.ink[: rows * block, : columns * block].reshape(rows, block, columns, block).mean(axis=(1, 3))
        counts, edges = np.histogram(means, bins=64)
        below = counts.cumsum()[:-1]
        sums = (counts * (edges[:-1] + edges[1:]) / 2).cumsum()
        between = (sums[-1] * below / means.size - sums[:-1]) ** 2 / np.maximum(1, below * (means.size - below))
        inside = means >= edges[1:-1][between.argmax()]
        low, high = _typical(means[~inside]), _typical(means[inside])
        return (low, high) if high > low else (0.0, 1.0)

    def quality(self, fit: Fit) -> float:
        """Give the mean margin of the grid squares that are not empty, 1 also where noise takes its share of all."""
        low, high = self.levels
        filled = np.clip(fit.margins[fit.signs > 0], 0, 1)
        return float(filled.mean()) / (high - low) if filled.size else 0.0

    @cached_property
    def pixels(self) -> float:
        """Measure the shape in pixels, whatever blur or noise lies over it."""
        low, high = self.levels
        return float(((self.ink - low) / (high - low)).sum())

    def _moved(self, fit: Fit) -> Fit:
        """Move a grid to the best place nearby."""
        step = max(1, round(fit.grid / _STEPS / 2))
        while step:
            x, y = fit.origin
            around = [self.fit(fit.grid, (x + dx, y + dy)) for dx, dy in product((-step, 0, step), repeat=2)]
            best = max(around, key=lambda place: place.margins.mean())
            step, fit = (step, best) if best.margins.mean() > fit.margins.mean() else (step // 2, fit)
        return fit

    def _scales(self, area: int) -> Iterator[tuple[float, tuple[float, float]]]:
        """Propose grids and origins from the area of the shape and its bounding box."""
        height, width = self.ink.shape
        box = self._bounding_box
        estimate = sqrt(max(0, self.pixels) / area)
        if box is None or estimate < 0.7:
            return
        left, top, right, bottom = box
        across, down = right - left, bottom - top
        if estimate < _COARSE:
            # Cells on a diagonal may have gone to either side: the area tells little more than the order of magnitude.
            for grid in range(ceil(0.7 * estimate), int(1.5 * estimate) + 1):
                if width % grid == height % grid == 0:
                    yield grid, (0, 0)
                # Some drawing programs fill one cell more.
                if max(across % grid, down % grid) <= (1 if grid > 3 else 0):
                    yield grid, _near_corner((left, top), grid)
            return
        columns, rows = max(1, round(across / estimate)), max(1, round(down / estimate))
        # The box is exact where the picture is sharp, the area where it is blurred.
        for measured in ((across + down) / (columns + rows), estimate):
            whole = abs(measured - round(measured)) * max(columns, rows) <= 2
            side = round(measured) if whole else measured
            x, y = (left + right - columns * side) / 2, (top + bottom - rows * side) / 2
            x, y = _near_corner((round(x), round(y)) if whole else (x, y), side)
            yield side, (x if abs(x) > 1 else 0, y if abs(y) > 1 else 0)

    def _cut(self, grid: float, origin: tuple[float, float], size: tuple[int, int], fineness: int) -> Ink:
        """Cut out columns x rows whole grid squares, each made fineness x fineness pixels."""
        from PIL import Image

        ink = self.ink
        height, width = ink.shape
        (left, top), (columns, rows) = origin, size
        before = max(0, ceil(-left)), max(0, ceil(-top))
        after = max(0, ceil(left + columns * grid - width)), max(0, ceil(top + rows * grid - height))
        if any(before + after):
            ink = np.pad(ink, ((before[1], after[1]), (before[0], after[0])))
        left, top = left + before[0], top + before[1]
        right, bottom = left + columns * grid, top + rows * grid
        if grid == fineness and left == round(left) and top == round(top):
            return ink[round(top) : round(bottom), round(left) : round(right)]
        wanted = columns * fineness, rows * fineness
        return np.asarray(Image.fromarray(ink).resize(wanted, Image.Resampling.BOX, box=(left, top, right, bottom)))

    @cached_property
    def _edges_to_ink(self) -> float:
        """Steps from white to black in proportion to black: many where there is noise, infinite where there is blur."""
        ink = self.ink
        grey = np.count_nonzero((ink > 0.2) & (ink < 0.8))
        edges = sum(
            np.count_nonzero(np.abs(later - earlier) > 0.6)
            for later, earlier in ((ink[:, 2:], ink[:, :-2]), (ink[2:], ink[:-2]))
        )
        return edges / float(ink.sum()) if grey <= edges else inf

    @cached_property
    def _bounding_box(self) -> tuple[int, int, int, int] | None:
        """Left, top, right and bottom of what is left of the shape without specks."""
        from PIL import Image, ImageFilter

        mask = Image.fromarray(self.ink > sum(self.levels) / 2).convert("L")
        if min(self.ink.shape) >= 4 * _COARSE:
            mask = mask.filter(ImageFilter.MedianFilter(3))
        return mask.getbbox()


def _typical(values: Ink) -> float:
    """Give the mean of the values but for those far from their median, such as blocks that an edge runs through."""
    if not values.size:
        return 0.0
    median = np.partition(values, values.size // 2)[values.size // 2]
    return float(values[np.abs(values - median) < 0.25].mean())


def _near_corner(point: tuple[float, float], grid: float) -> tuple[float, float]:
    """Give the point of the same grid that is nearest to the picture's corner."""
    x, y = ((value + grid / 2) % grid - grid / 2 for value in point)
    return x, y


def _classified(cut: Ink, fineness: int) -> tuple[npt.NDArray[np.intp], _Floats]:
    """Tell what each grid square is most like, and its margin."""
    weights, norms, distances = _patterns(fineness)
    rows, columns = (side // fineness for side in cut.shape)
    squares = cut.reshape(rows, fineness, columns, fineness).swapaxes(1, 2).reshape(rows * columns, -1)
    # Squared distance from each pattern, but for what is the same for all.
    misfit = norms - 2 * np.einsum("sp,wp->sw", squares, weights)  # not by BLAS, whose threads cost more than it gains
    best = misfit.argmin(axis=1)
    margins = (misfit - misfit.min(axis=1, keepdims=True)) / distances[best]
    margins[np.arange(len(best)), best] = np.inf
    return best.reshape(rows, columns), margins.min(axis=1).reshape(rows, columns)


@lru_cache(maxsize=8)
def _patterns(fineness: int) -> tuple[Ink, _Floats, _Floats]:
    """Give the patterns of the signs, weighted, as rows; their squared norms and squared distances."""
    middles = (np.arange(fineness) + 0.5) / fineness
    x, y = np.meshgrid(middles, middles)
    rise, fall = x + y - 1, x - y
    patterns = np.stack([np.zeros_like(x), *(_half(side) for side in (-rise, fall, rise, -fall)), np.ones_like(x)])
    inset = _INSET if fineness >= _COARSE else 0
    edges = np.minimum.reduce([x, y, 1 - x, 1 - y, np.abs(rise) / sqrt(2), np.abs(fall) / sqrt(2)])
    weights = (edges >= inset) / np.count_nonzero(edges >= inset)
    weighted = patterns * weights
    norms = (weighted * patterns).sum(axis=(1, 2))
    distances = ((patterns[:, None] - patterns) ** 2 * weights).sum(axis=(2, 3))
    np.fill_diagonal(distances, 1)
    return weighted.reshape(len(patterns), -1).astype(np.float32), norms, distances


def _half(side: _Floats) -> _Floats:
    """Give 1 on the positive side of a diagonal, half on it."""
    return np.where(np.abs(side) < 1e-9, 0.5, side > 0)
