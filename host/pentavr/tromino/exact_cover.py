# SPDX-License-Identifier: GPL-3.0-or-later
"""Tilings of any set of squares, found by exact cover on bit masks.

Squares are the bits of one long number, so that a few shifts tell for all squares at once how many ways are left to
cover each. The square with the fewest comes first; parts that fall apart are searched one by one; a part that had no
tiling once is not searched again. An early tile in a wrong place can cost for ever, so a search that takes long starts
over with the ways in another order and more patience: in the end all ways are tried.
"""

from __future__ import annotations

from collections.abc import Collection, Generator
from random import Random
from time import monotonic

from pentavr.errors import LimitReached
from pentavr.tromino.tile import NoTiling, Square, Tile

__all__ = ["cover"]

_Mask = int
_Step = Generator[_Mask, "list[_Mask] | None", "list[_Mask] | None"]

_STEPS_BETWEEN_LOOKS_AT_THE_CLOCK = 256
_LEAST_PATIENCE = 1000


class _StartOver(Exception):
    """The search has taken longer than it had patience for."""


def cover(squares: Collection[Square], *, time_limit: float = 60.0) -> list[Tile]:
    """Return tiles, sorted, that cover each of the squares once and no other.

    Raise NoTiling if there are none, LimitReached if `time_limit` seconds were not enough to tell.
    """
    return _Search(squares, time_limit).tiles() if squares else []


class _Search:
    """A search row by row, with a column more between the rows that no tile can cross.

    The short way across is taken for the rows: that keeps short what the search leaves open behind it.
    """

    def __init__(self, squares: Collection[Square], time_limit: float) -> None:
        self.time_limit = time_limit
        self.deadline = monotonic() + time_limit
        self.steps = 0
        self.dead: set[_Mask] = set()
        self.chance: Random | None = None
        width, height = (1 + max(square[axis] for square in squares) for axis in (0, 1))
        self.turned = width > height
        columns, rows = sorted((width, height))
        self.stride = columns + 1
        self.places = (0, 1, self.stride, self.stride + 1)
        self.shapes = [sum(1 << place for place in self.places[:gap] + self.places[gap + 1 :]) for gap in range(4)]
        row = sum(1 << x for x in range(0, columns, 2))
        even = sum(row << y * self.stride for y in range(0, rows, 2))
        self.classes = [even << place for place in self.places]
        self.region = 0
        for x, y in squares:
            self.region |= 1 << (x * self.stride + y if self.turned else y * self.stride + x)

    def tiles(self) -> list[Tile]:
        """Return the tiles that cover the region, sorted."""
        laid: list[_Mask] = []
        for part in self._parts(self.region):
            obstacle = self._obstacle(part)
            found = None if obstacle else self._run(part)
            if found is None:
                x, y = self._square(_lowest(part))
                where = "the region" if part == self.region else f"the part of the region with the square {x},{y}"
                raise NoTiling(f"{where} has no tiling: {obstacle or 'every way was tried'}")
            laid += found
        return sorted(map(self._tile, laid))

    def _run(self, part: _Mask) -> list[_Mask] | None:
        patience = max(_LEAST_PATIENCE, part.bit_count())
        while True:
            try:
                return self._attempt(part, patience)
            except _StartOver:
                patience += patience // 2
                self.chance = Random(patience)  # noqa: S311  no secret, and the same each time

    def _attempt(self, part: _Mask, patience: int) -> list[_Mask] | None:
        """Run `_search` without Python's recursion, which ends before a large board does."""
        stack, answer = [self._search(part)], None
        while stack:
            patience -= 1
            if patience < 0:
                raise _StartOver
            try:
                request = stack[-1].send(answer)
            except StopIteration as done:
                stack.pop()
                answer = done.value
            else:
                stack.append(self._search(request))
                answer = None
        return answer

    def _search(self, part: _Mask) -> _Step:
        """Return the tiles that cover a connected part, None if there are none; yield smaller parts to be searched."""
        self._look_at_the_clock()
        square = self._hardest_square(part)
        for tile in self._ways(part, square) if square is not None else ():
            rest = self._parts_without(part, tile)
            if any(self._obstacle(piece) or piece in self.dead for piece in rest):
                continue
            laid = [tile]
            for piece in rest:
                found = yield piece
                if found is None:
                    break
                laid += found
            else:
                return laid
        self.dead.add(part)
        return None

    def _hardest_square(self, part: _Mask) -> int | None:
        """Return the square with the fewest ways to cover it, None if some square has none."""
        upper_left, upper_right = part, part >> 1
        lower_left, lower_right = part >> self.stride, part >> self.stride + 1
        upper, lower = upper_left & upper_right, lower_left & lower_right
        fits = (upper_right & lower, upper_left & lower, upper & lower_right, upper & lower_left)
        once = twice = thrice = 0
        for gap, boxes in enumerate(fits):
            for place in self.places[:gap] + self.places[gap + 1 :]:
                covered = boxes << place
                thrice |= twice & covered
                twice |= once & covered
                once |= covered
        if part & ~once:
            return None
        return _lowest(part & ~twice or part & ~thrice or part)

    def _ways(self, part: _Mask, square: int) -> list[_Mask]:
        ways = [
            tile
            for gap, shape in enumerate(self.shapes)
            for place in self.places[:gap] + self.places[gap + 1 :]
            if square >= place and (tile := shape << square - place) & part == tile
        ]
        if self.chance:
            self.chance.shuffle(ways)
        return ways

    def _parts_without(self, part: _Mask, tile: _Mask) -> list[_Mask]:
        """Return the connected parts of a connected part less a tile."""
        rest = part & ~tile
        beside = tile | tile << 1 | tile >> 1
        around = (beside | beside << self.stride | beside >> self.stride) & rest
        # What hangs together around the tile hangs together without it.
        return [rest] if len(self._parts(around >> _lowest(around))) == 1 else self._parts(rest)

    def _parts(self, squares: _Mask) -> list[_Mask]:
        """Return the connected parts, the smallest first."""
        parts = []
        while squares:
            part, grown = 0, squares & -squares
            while grown != part:
                part = grown
                spread = part << 1 | part >> 1 | part << self.stride | part >> self.stride
                grown = part | spread & squares
            parts.append(part)
            squares &= ~part
        return sorted(parts, key=int.bit_count)

    def _obstacle(self, part: _Mask) -> str:
        """Say why counting alone rules a tiling out, or nothing."""
        count = part.bit_count()
        if count % 3:
            return f"the number of its squares, {count}, is no multiple of three"
        for squares in self.classes:
            alike = (part & squares).bit_count()
            if 3 * alike > count:
                return (
                    f"it takes {count // 3} tiles, and {alike} of its squares lie an even number of columns and rows "
                    "apart, where no tile covers two"
                )
        return ""

    def _square(self, bit: int) -> Square:
        far, near = divmod(bit, self.stride)
        return (far, near) if self.turned else (near, far)

    def _tile(self, mask: _Mask) -> Tile:
        low = _lowest(mask)
        gap = next(gap for gap, shape in enumerate(self.shapes) if shape << low == mask << _lowest(shape))
        x, y = self._square(low - _lowest(self.shapes[gap]))
        return Tile(x, y, (0, 2, 1, 3)[gap] if self.turned else gap)

    def _look_at_the_clock(self) -> None:
        self.steps += 1
        if self.steps % _STEPS_BETWEEN_LOOKS_AT_THE_CLOCK == 0 and monotonic() > self.deadline:
            raise LimitReached(
                f"no tiling found in {self.time_limit:g} s, {self.steps} tiles tried, and none ruled out: "
                "give it more time (--time-limit SECONDS)"
            )


def _lowest(mask: _Mask) -> int:
    return max(0, (mask & -mask).bit_length() - 1)
