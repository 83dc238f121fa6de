# SPDX-License-Identifier: GPL-3.0-or-later
"""Tilings as text, JSON and .npy: a few megabytes at a time, so that boards larger than memory can be written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from io import BytesIO

import numpy as np

from pentavr.tromino.marks import Mark, Marks, Tiling
from pentavr.tromino.quarters import HOLE_LETTER

__all__ = ["FORMATS", "Pieces", "as_json", "as_npy", "as_text", "size_bytes"]

Pieces = Iterator[tuple[int, "bytes | memoryview"]]
"""Rows that are finished with this piece, and its bytes, which hold until the next piece is asked for."""

_STRIP_BYTES = 1 << 22
_SQUARES_AT_ONCE = 1 << 16  # as Python numbers and strings, which are large

_DIGITS = np.frombuffer(b"*123456789", np.uint8)


def as_text(tiling: Tiling, mark: Mark, start: int, stop: int) -> Pieces:
    """Return the rows as lines of letters, of colours as digits or of numbers in columns; `*` is a hole."""
    if mark is Mark.NUMBERS:
        yield from _columns(tiling, start, stop)
        return
    for strip in _strips(tiling, mark, start, stop, margin=1):
        squares = strip[:, :-1]
        if mark is Mark.COLOURS:
            squares[...] = _DIGITS[squares]
        strip[:, -1] = ord("\n")
        yield len(strip), strip.data


def as_npy(tiling: Tiling, mark: Mark, start: int, stop: int) -> Pieces:
    """Return a file for `numpy.load`: an array [row, column]."""
    header = BytesIO()
    dtype = tiling.dtype(mark)
    np.lib.format.write_array_header_1_0(
        header,
        {
            "descr": np.lib.format.dtype_to_descr(dtype),
            "fortran_order": False,
            "shape": (stop - start, tiling.width),
        },
    )
    yield 0, header.getvalue()
    for strip in _strips(tiling, mark, start, stop):
        yield len(strip), strip.data


def as_json(tiling: Tiling, mark: Mark, start: int, stop: int) -> Pieces:
    """Return an object with the board's sides, its holes and, row by row, its squares' numbers or colours.

    `first_row` tells which of the board's rows is the first.
    """
    head = {
        "width": tiling.width,
        "height": tiling.height,
        "holes": tiling.holes,
        "first_row": start,
    }
    yield 0, f'{json.dumps(head)[:-1]}, "{mark.value}": [\n'.encode()
    for y, row in enumerate(_rows(tiling, mark, start, stop), start):
        yield 0, b"["
        for at in range(0, len(row), _SQUARES_AT_ONCE):
            comma = b", " if at else b""
            yield 0, comma + json.dumps(row[at : at + _SQUARES_AT_ONCE].tolist())[1:-1].encode()
        yield 1, b"]\n" if y == stop - 1 else b"],\n"
    yield 0, b"]}\n"


FORMATS: dict[str, Callable[[Tiling, Mark, int, int], Pieces]] = {".txt": as_text, ".json": as_json, ".npy": as_npy}
"""The writers by the ending of a file's name."""


def size_bytes(ending: str, tiling: Tiling, mark: Mark, rows: int) -> int:
    """Return how many bytes so many rows take in the format at least."""
    squares = rows * tiling.width
    match ending, mark:
        case ".npy", _:
            return squares * tiling.dtype(mark).itemsize
        case ".json", _:
            return squares * len("1, ")
        case _, Mark.NUMBERS:
            return squares * (_number_width(tiling) + 1)
        case _:
            return squares + rows


def _columns(tiling: Tiling, start: int, stop: int) -> Pieces:
    width = _number_width(tiling)
    for row in _rows(tiling, Mark.NUMBERS, start, stop):
        for at in range(0, len(row), _SQUARES_AT_ONCE):
            text = _right_aligned(row[at : at + _SQUARES_AT_ONCE], width)
            yield 0, text if at else text[1:]
        yield 1, b"\n"


def _right_aligned(numbers: Marks, width: int) -> bytes:
    """Write each number with spaces before it, one at least, so that it ends a column of `width` + 1; `*` for 0."""
    ink = np.full((len(numbers), width + 1), ord(" "), np.uint8)
    ink[numbers == 0, -1] = HOLE_LETTER
    rest = numbers
    for column in range(width, 0, -1):
        left = rest > 0
        rest, digits = np.divmod(rest, 10)
        ink[left, column] = digits[left] + ord("0")
    return ink.tobytes()


def _number_width(tiling: Tiling) -> int:
    return len(str((tiling.width * tiling.height - len(tiling.holes)) // 3))


def _rows(tiling: Tiling, mark: Mark, start: int, stop: int) -> Iterator[Marks]:
    for strip in _strips(tiling, mark, start, stop):
        yield from strip


def _strips(tiling: Tiling, mark: Mark, start: int, stop: int, margin: int = 0) -> Iterator[Marks]:
    """Return the rows strip by strip, each in place of the one before, with `margin` columns more that are not set."""
    tiling.require_rows()
    dtype = tiling.dtype(mark)
    columns = tiling.width + margin
    step = max(1, _STRIP_BYTES // (columns * dtype.itemsize))
    buffer: Marks = np.empty((min(step, stop - start), columns), dtype)
    for top in range(start, stop, step):
        strip = buffer[: stop - top]
        tiling.fill(mark, top, strip[:, : tiling.width])
        yield strip
