# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr tromino`: boards less a square, and regions, tiled with L-trominoes: shown, written, asked and counted."""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from pentavr.errors import UnusableInput

if TYPE_CHECKING:
    from pentavr.tromino.marks import Tiling
    from pentavr.tromino.region import Region

__all__ = ["add_arguments", "run"]

_LARGEST_DRAWN_N = 100_000
_LARGEST_SEARCHED_N = 8
_WHOLE = "none"

_Pair = tuple[int, int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    # So that -1,0 is the value of an option, which we refuse with a reason, and not an option that nobody knows.
    parser._negative_number_matcher = re.compile(r"-\d")
    parser.add_argument(
        "board", nargs="?", metavar="BOARD", help="N for 2^N x 2^N squares, or WxH: W squares a row and H rows"
    )
    parser.add_argument(
        "--region",
        metavar="DRAWING",
        help="in place of BOARD: a text file with # for each square to be covered and . for none, - for standard "
        "input, or the drawing itself with / between the rows: ##/#.",
    )
    parser.add_argument(
        "--hole",
        action="append",
        metavar="X,Y",
        help="the square that is filled: column and row from 0 at the upper left; drawn at random without it; several "
        f"times for several holes; {_WHOLE} for a board without one",
    )
    parser.add_argument("--seed", type=int, metavar="S", help="the same S draws the same hole")
    marks = parser.add_mutually_exclusive_group()
    marks.add_argument("--colours", action="store_true", help="few colours, 1 2 3, in place of letters")
    marks.add_argument("--ids", action="store_true", help="the tiles' numbers in place of letters")
    parser.add_argument("--box", action="store_true", help="outlines in box-drawing characters")
    parser.add_argument("--rows", metavar="A:B", help="the rows from A up to B, B not included; either can be left out")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help=".txt, .npy or .json (numbers, or colours with --colours), .svg, .png",
    )
    parser.add_argument("--at", metavar="X,Y", help="print the three squares of the tile that covers this one")
    parser.add_argument("--count", action="store_true", help="print the number of tilings")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")
    parser.add_argument(
        "--time-limit",
        type=float,
        default=60.0,
        metavar="SECONDS",
        help="for regions and counts (default: %(default)g)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print or write a tiling, one tile or the number of tilings."""
    _refuse_contradictions(arguments)
    with _numbers_of_any_length():
        asked = _asked(arguments)
        if arguments.count:
            _print_count(asked, arguments)
        elif arguments.at is not None:
            _print_tile(asked, arguments)
        else:
            _show(asked, arguments)
    return 0


@dataclass(frozen=True, slots=True)
class _Asked:
    """The board that is asked for: n, width and height, or a region; and its holes, which may be drawn at random."""

    board: int | _Pair | Region
    holes: tuple[_Pair, ...]
    drawn: bool = False

    def tiling(self, time_limit: float) -> Tiling:
        from pentavr.tromino.rectangle import RectangleTiling
        from pentavr.tromino.square import SquareTiling

        if isinstance(self.board, int) and len(self.holes) == 1:
            return SquareTiling(self.board, self.holes[0])
        if isinstance(self.board, tuple) and len(self.holes) == 1:
            return RectangleTiling(*self.board, self.holes[0])
        return self.region().tiling(time_limit=time_limit)

    def region(self) -> Region:
        from pentavr.tromino.region import Region

        if isinstance(self.board, Region):
            return self.board.less(self.holes)
        if isinstance(self.board, tuple):
            return Region.rectangle(*self.board).less(self.holes)
        if self.board > _LARGEST_SEARCHED_N:
            raise UnusableInput(
                f"n = {self.board} is too large to go over square by square: counts, and boards with several holes or "
                f"none, go to n = {_LARGEST_SEARCHED_N}"
            )
        return Region.rectangle(1 << self.board, 1 << self.board).less(self.holes)

    def tell_drawn_hole(self) -> None:
        """Say on stderr which hole was drawn, where there was a choice."""
        if self.drawn and self.board not in (0, (1, 1)):
            ((x, y),) = self.holes
            print(f"pentavr: the hole is {x},{y}", file=sys.stderr)


def _refuse_contradictions(arguments: argparse.Namespace) -> None:
    given = {name for name, value in vars(arguments).items() if value not in (None, False)}
    if not given & {"board", "region"}:
        raise UnusableInput("no board: give N for 2^N x 2^N squares, WxH, or --region DRAWING; 3 is a good first N")
    pairs = [
        ("board", "region", "each is a board of its own"),
        ("hole", "seed", "the seed is what a hole is drawn from"),
        ("region", "seed", "no hole is drawn in a region"),
        ("count", "at", "one number, or one tile"),
        *(
            (question, option, "the answer is no board")
            for question in ("count", "at")
            for option in ("rows", "box", "colours", "ids", "output")
        ),
        ("box", "json", "box drawing is text"),
        ("output", "json", "the ending of the file's name says the format; name it .json"),
    ]
    for one, other, reason in pairs:
        if {one, other} <= given:
            names = " and ".join(name.upper() if name == "board" else f"--{name}" for name in (one, other))
            raise UnusableInput(f"{names} do not go together: {reason}")
    if not arguments.time_limit > 0:
        raise UnusableInput(f"--time-limit {arguments.time_limit:g}: expected more than 0 seconds")


def _print_count(asked: _Asked, arguments: argparse.Namespace) -> None:
    from pentavr.tromino.counting import count

    tilings = count(asked.region().squares, time_limit=arguments.time_limit)
    asked.tell_drawn_hole()
    print(json.dumps({"tilings": tilings}) if arguments.json else tilings)


def _print_tile(asked: _Asked, arguments: argparse.Namespace) -> None:
    x, y = _pair(arguments.at, "--at")
    tiling = asked.tiling(arguments.time_limit)
    tile = tiling.tile_at(x, y)
    asked.tell_drawn_hole()
    if arguments.json:
        record = tile and {"number": tiling.number(tile), "letter": tile.letter, "squares": tile.squares}
        print(json.dumps({"square": (x, y), "tile": record}))
    else:
        print(" ".join(f"{column},{row}" for column, row in tile.squares) if tile else "*")


def _show(asked: _Asked, arguments: argparse.Namespace) -> None:
    from pentavr.cli import tromino_output
    from pentavr.tromino.marks import Mark

    tiling = asked.tiling(arguments.time_limit)
    start, stop = _rows(arguments.rows, tiling)
    tiling.require_rows()
    mark = Mark.NUMBERS if arguments.ids else Mark.COLOURS if arguments.colours else Mark.LETTERS
    filled = () if arguments.region else tiling.holes
    view = tromino_output.View(tiling, start, stop, mark, filled)
    if arguments.output:
        tromino_output.save(view, arguments.output, box=arguments.box)
        asked.tell_drawn_hole()
    elif arguments.box:
        outlines = tromino_output.boxes(view)
        asked.tell_drawn_hole()
        print(outlines)
    else:
        asked.tell_drawn_hole()
        tromino_output.show(view, as_json=arguments.json)


def _asked(arguments: argparse.Namespace) -> _Asked:
    given = arguments.hole or []
    holes = () if given == [_WHOLE] else tuple(_pair(text, "--hole") for text in given)
    if arguments.region is not None:
        return _Asked(_drawn_region(arguments.region), holes)
    board = _board(arguments.board)
    if given:
        return _Asked(board, holes)
    return _Asked(board, (_drawn_hole(random.Random(arguments.seed), board),), drawn=True)  # noqa: S311  no secret


def _drawn_region(text: str) -> Region:
    from pentavr.tromino.region import Region

    if re.fullmatch(r"[#.*/ ]*#[#.*/ ]*", text):
        return Region.parse(text.replace("/", "\n"), source="--region")
    try:
        drawing = sys.stdin.read() if text == "-" else Path(text).read_text(encoding="utf-8")
    except OSError as error:
        raise UnusableInput(
            f"--region {text}: {error.strerror}; give a text file, - for standard input, or a drawing like ##/#."
        ) from error
    except UnicodeDecodeError as error:
        raise UnusableInput(f"--region {text}: not a text file (UTF-8): {error.reason}") from error
    return Region.parse(drawing, source="standard input" if text == "-" else text)


def _board(text: str) -> int | _Pair:
    """Return n, or width and height."""
    if re.fullmatch(r"\d+", text, re.ASCII):
        return int(text)
    if sides := re.fullmatch(r"(\d+)x(\d+)", text, re.ASCII):
        width, height = map(int, sides.groups())
        return width, height
    raise UnusableInput(
        f"no board {text!r}: expected a whole number N from 0 for 2^N x 2^N squares, or WxH such as 5x8 "
        "for 5 squares a row and 8 rows"
    )


def _drawn_hole(chance: random.Random, board: int | _Pair) -> _Pair:
    """Draw a hole that leaves a tiling."""
    from pentavr.tromino.rectangle import obstacle
    from pentavr.tromino.tile import NoTiling

    if isinstance(board, int):
        if board > _LARGEST_DRAWN_N:
            raise UnusableInput(
                f"a hole drawn on a board of n = {board} would have more digits than one can read: give it by --hole"
            )
        return chance.randrange(1 << board), chance.randrange(1 << board)
    width, height = board
    if prod(board) == 0:
        raise UnusableInput(f"a rectangle of {width}x{height}: expected sides of 1 or more")
    # Where any square can be left out, a corner can.
    if reason := obstacle(width, height, (0, 0)):
        raise NoTiling(f"{width}x{height} less a square has no tiling: {reason}")
    while True:
        hole = chance.randrange(width), chance.randrange(height)
        if not obstacle(width, height, hole):
            return hole


def _pair(text: str, option: str) -> _Pair:
    if not (numbers := re.fullmatch(r"\s*(-?\d+)\s*,\s*(-?\d+)\s*", text, re.ASCII)):
        raise UnusableInput(
            f"{option} {text!r}: expected X,Y, the column and the row, from 0 at the upper left; 2,0 for instance"
        )
    x, y = map(int, numbers.groups())
    return x, y


def _rows(text: str | None, tiling: Tiling) -> _Pair:
    if text is None:
        return 0, tiling.height
    if not (ends := re.fullmatch(r"(-?\d+)?:(-?\d+)?", text, re.ASCII)):
        raise UnusableInput(f"--rows {text!r}: expected A:B, the rows from A up to B, B not included; 0:8 for instance")
    start = int(ends[1]) if ends[1] else 0
    stop = int(ends[2]) if ends[2] else tiling.height
    if not 0 <= start < stop or tiling.height < stop:
        raise UnusableInput(f"--rows {text}: expected 0 <= A < B <= {_short(tiling.height)}, the number of rows")
    return start, stop


def _short(number: int) -> str:
    return str(number) if number < 1 << 64 else f"2^{number.bit_length() - 1}"


@contextmanager
def _numbers_of_any_length() -> Iterator[None]:
    """Let numbers of over 4300 digits, such as the columns of n = 15000, be read and written."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)
