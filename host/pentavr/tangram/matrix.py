# SPDX-License-Identifier: GPL-3.0-or-later
"""Matrices of 0 and 1, as text and as arrays, as ink."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pentavr.errors import UnusableInput
from pentavr.tangram.fitting import Ink

__all__ = ["ink", "parse"]

_PASSED_OVER = str.maketrans({"]": "\n", "/": "\n", **dict.fromkeys("[,;'\" \t", "")})


def parse(text: str) -> Ink:
    """Read a matrix of 0 and 1: a line, a `/` or a closing bracket ends a row; blanks, commas and quotes mean nothing.

    Raise UnusableInput if another character stands in it or the rows are not of one length.
    """
    rows = [row for row in text.translate(_PASSED_OVER).split() if row]
    if not rows:
        raise UnusableInput("the matrix is empty")
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            if cell not in "01":
                raise UnusableInput(f"{cell!r} in column {column}, row {number} of the matrix is neither 0 nor 1")
        if len(row) != len(rows[0]):
            raise UnusableInput(f"row {number} of the matrix has {len(row)} cells, row 0 has {len(rows[0])}")
    cells = np.frombuffer("".join(rows).encode(), dtype=np.uint8).reshape(len(rows), -1)
    return np.asarray(cells == ord("1"), dtype=np.float32)


def ink(cells: np.ndarray[Any, Any] | Sequence[Sequence[object]]) -> Ink:
    """Take a numpy array or nested sequences, true where the shape is.

    Raise UnusableInput unless it has two dimensions and a cell.
    """
    try:
        array = np.asarray(cells)
    except ValueError as error:
        raise UnusableInput(f"the array's rows are not of one length ({error})") from error
    if array.ndim != 2 or not array.size:
        raise UnusableInput(f"an array of shape {array.shape} is no matrix; expected rows of cells, true in the shape")
    return array.astype(bool).astype(np.float32)
