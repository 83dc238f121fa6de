# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr figures`: the 63 figures with their numbers, a line of drawings for each piece."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from itertools import accumulate, groupby
from typing import TYPE_CHECKING

from pentavr.pentomino.figures import FIGURES, PIECES, Figure, figures_of, image
from pentavr.pentomino.symmetry import SYMMETRIES

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["add_arguments", "run"]

GAP = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument("--json", action="store_true", help="one JSON object a figure, its eight images included")


def run(arguments: argparse.Namespace) -> int:
    """Print all figures by number."""
    if arguments.json:
        for each in FIGURES:
            print(json.dumps(_record(each)))
        return 0
    from rich.console import Console

    from pentavr.render.terminal import has_colour

    console, coloured = Console(highlight=False), has_colour()
    for piece in PIECES:
        for group in _abreast(figures_of(piece), console.width):
            for line in _side_by_side(group, "  " if coloured else ". "):
                if not coloured:
                    line.rstrip()
                console.print(line, soft_wrap=True)
    return 0


def _record(each: Figure) -> dict[str, object]:
    return {
        "number": each.number,
        "name": each.name,
        "piece": each.piece,
        "squares": each.squares,
        "images": [image(each.number, k) for k in SYMMETRIES],
    }


def _abreast(figures: Iterable[Figure], columns: int) -> Iterator[list[Figure]]:
    """Share figures out in groups that fit side by side into the columns; a group has one at least."""
    group: list[Figure] = []
    for each in figures:
        if group and sum(_width(one) + GAP for one in [*group, each]) - GAP > columns:
            yield group
            group = []
        group.append(each)
    yield group


def _side_by_side(figures: list[Figure], empty: str) -> Iterator[Text]:
    from rich.text import Text

    columns = [[Text(_heading(each)), *_rows(each, empty)] for each in figures]
    starts = [0, *accumulate(_width(each) + GAP for each in figures)]
    for line in range(max(map(len, columns))):
        text = Text()
        for start, column in zip(starts, columns, strict=False):
            if line < len(column):
                text.pad_right(start - len(text))
                text.append_text(column[line])
        yield text
    yield Text()


def _rows(each: Figure, empty: str) -> Iterator[Text]:
    from rich.style import Style
    from rich.text import Text

    from pentavr.cli.pentomino_drawing import piece_colour
    from pentavr.render.palette import text_on

    ground = piece_colour(each.piece)
    style = Style(color=str(text_on(ground)), bgcolor=str(ground))
    for row in each.rows():
        runs = (("".join(marks), mark) for mark, marks in groupby(row))
        yield Text.assemble(
            *((f"{each.piece} " * len(run), style) if mark == "#" else empty * len(run) for run, mark in runs)
        )


def _heading(each: Figure) -> str:
    return f"{each.number} {each.name}"


def _width(each: Figure) -> int:
    return max(len(_heading(each)), 2 * each.width)
