# SPDX-License-Identifier: GPL-3.0-or-later
"""The reasons for which the chip rejects a board, decided on the host just as the chip decides them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from pentavr.pentomino.figures import PIECES, Figure, figure
from pentavr.pentomino.square import FREE, is_figure, is_square

__all__ = ["LONGEST_SHORT_SIDE", "SRAM_LIMIT", "BoardError", "Fault", "faults", "sram_needed"]

LONGEST_SHORT_SIDE = 14
"""The working grid of the chip has rows of 15 bytes, the last one a wall."""

SRAM_LIMIT = 704
"""Bytes that the chip has for the board and the working grid: $0100 to $03BF."""


class BoardError(IntEnum):
    """The chip's `board_error`; it reports the least that applies."""

    SIDES = 1
    TOO_LARGE = 2
    NO_SQUARE = 3
    FIGURE_BROKEN = 4
    PIECE_TWICE = 5
    FREE_SQUARES = 6
    TOO_FEW_PIECES = 7

    @property
    def meaning(self) -> str:
        """What the code says when nothing more is known of the board."""
        return MEANINGS[self]


MEANINGS = {
    BoardError.SIDES: f"a side is 0, or the shorter one is over {LONGEST_SHORT_SIDE}",
    BoardError.TOO_LARGE: "the board is too large for the chip's SRAM",
    BoardError.NO_SQUARE: "a byte of the board is no square",
    BoardError.FIGURE_BROKEN: "a figure is laid incompletely or in the wrong shape",
    BoardError.PIECE_TWICE: "a piece is laid twice",
    BoardError.FREE_SQUARES: "the free squares are no multiple of five, or there are none and nothing is laid",
    BoardError.TOO_FEW_PIECES: "there are more free squares than the unused pieces cover",
}


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One reason against a board: the chip's code, and in words what is wrong and where."""

    error: BoardError
    message: str

    def __str__(self) -> str:
        return self.message


def sram_needed(width: int, height: int) -> int:
    """Return the bytes that a board takes on the chip: itself, its two sides, and the working grid."""
    return width * height + 2 + 15 * (max(width, height) + 5)


def faults(width: int, height: int, cells: bytes) -> list[Fault]:
    """List every fault of a board, by code, then in reading order; the chip's `board_error` is the first one's."""
    if not (width and height):
        return [Fault(BoardError.SIDES, f"the board is {width}x{height}; a side has one square at least")]
    return [
        *_size_faults(width, height),
        *_byte_faults(width, cells),
        *_figure_faults(width, cells),
        *_number_faults(cells),
    ]


def _size_faults(width: int, height: int) -> Iterator[Fault]:
    if min(width, height) > LONGEST_SHORT_SIDE:
        yield Fault(
            BoardError.SIDES,
            f"the board is {width}x{height}; the shorter side has {LONGEST_SHORT_SIDE} squares at most",
        )
    if sram_needed(width, height) > SRAM_LIMIT:
        yield Fault(
            BoardError.TOO_LARGE,
            f"the board is {width}x{height} and takes {sram_needed(width, height)} bytes of the chip's SRAM"
            f" (width * height + 2 + 15 * (longer side + 5)); there are {SRAM_LIMIT}",
        )


def _byte_faults(width: int, cells: bytes) -> Iterator[Fault]:
    for place, byte in enumerate(cells):
        if not is_square(byte):
            yield Fault(
                BoardError.NO_SQUARE,
                f"square {_square(place, width)} holds {byte}; expected 0 (free), 1 to 63 (a figure) or 255 (blocked)",
            )


def _figure_faults(width: int, cells: bytes) -> Iterator[Fault]:
    places: dict[int, list[int]] = defaultdict(list)
    for place, byte in enumerate(cells):
        if is_figure(byte):
            places[byte].append(place)
    laid: dict[str, list[str]] = defaultdict(list)
    for number, covered in places.items():
        shape = figure(number)
        copies = _copies(shape, [(place % width, place // width) for place in covered])
        if copies is None:
            yield Fault(
                BoardError.FIGURE_BROKEN,
                f"figure {number} ({shape.name}) is laid incompletely or in the wrong shape:"
                f" {len(covered)} squares from {_square(covered[0], width)} on",
            )
        for x, y in copies or [(covered[0] % width, covered[0] // width)]:
            laid[shape.piece].append(f"{shape.name} at ({x}, {y})")
    for piece, figures in sorted(laid.items()):
        if len(figures) > 1:
            yield Fault(BoardError.PIECE_TWICE, f"piece {piece} is laid {len(figures)} times: {', '.join(figures)}")


def _copies(shape: Figure, squares: list[tuple[int, int]]) -> list[tuple[int, int]] | None:
    """Find how copies of the figure make up these squares, and return where each has its first one."""
    left = dict.fromkeys(squares)
    first_squares = []
    while left:
        # Only a copy that begins on the first square left over can cover it.
        x, y = next(iter(left))
        covered = shape.at(x, y)
        if not left.keys() >= set(covered):
            return None
        first_squares.append((x, y))
        for square in covered:
            del left[square]
    return first_squares


def _number_faults(cells: bytes) -> Iterator[Fault]:
    free = cells.count(FREE)
    pieces_laid = {figure(byte).piece for byte in cells if is_figure(byte)}
    unused = len(PIECES) - len(pieces_laid)
    if free % 5:
        yield Fault(BoardError.FREE_SQUARES, f"the board has {free} free squares; expected a multiple of five")
    if not free and not pieces_laid:
        yield Fault(BoardError.FREE_SQUARES, "the board has no free square and nothing is laid on it")
    if free > 5 * unused:
        yield Fault(
            BoardError.TOO_FEW_PIECES,
            f"the board has {free} free squares; the {unused} unused pieces cover {5 * unused}",
        )


def _square(place: int, width: int) -> str:
    return f"({place % width}, {place // width})"
