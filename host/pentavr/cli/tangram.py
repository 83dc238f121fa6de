# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr tangram`: a shape in, its dissections into the seven pieces out."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pentavr.cli.words import many
from pentavr.errors import UnusableInput
from pentavr.tangram import CONVEX, SEVEN, convex, count, solve, unique

if TYPE_CHECKING:
    from pentavr.tangram import Dissection
    from pentavr.tangram.source import Source

__all__ = ["add_arguments", "run"]

_EPILOG = """\
SHAPE is a picture in any raster format, a text of 0 and 1, a text in row notation,
- for one of these on standard input, or in place of a file the row notation itself,
its rows divided by /: '#' a full grid square, '.' an empty one, a b c d the half that
holds the upper left, upper right, lower right, lower left corner. convex01 to convex13
are the convex shapes, convex all of them.

OUT by its ending: .svg, .json, .txt (for a text of 0 and 1 the same with the pieces
numbered 1 to 7, else the drawing of the terminal), or a picture as .png, .gif, .tif,
.bmp, .jpg, .webp and so on: one solution in the size of the given picture, more of them
on a sheet."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EPILOG
    parser.add_argument("shapes", nargs="+", metavar="SHAPE", help="what to dissect; see below")
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help="write the solution to a file; see below")
    how_many = parser.add_mutually_exclusive_group()
    how_many.add_argument("--limit", type=_number, metavar="N", help="stop after N solutions (1)")
    how_many.add_argument("--all", action="store_true", help="go on to the last solution")
    how_many.add_argument(
        "--count", action="store_true", help="count the solutions, all and but for symmetry, instead of showing one"
    )
    parser.add_argument(
        "--unique",
        action="store_true",
        help="of the solutions that turn or mirror into each other only one; all of these unless --limit says less",
    )
    parser.add_argument("--no-flip", action="store_true", help="keep the parallelogram as drawn, do not turn it over")
    parser.add_argument(
        "--grid", type=_length, metavar="PX", help="side of a grid square in pixels, or cells (50, or found)"
    )
    parser.add_argument(
        "--invert",
        action=argparse.BooleanOptionalAction,
        help="the shape is the light part of the picture, or the zeros (found)",
    )
    parser.add_argument("--lines", action="store_true", help="draw OUT in black with white lines between the pieces")
    parser.add_argument("--steps", type=Path, metavar="DIR", help="write a PNG for each piece laid, step1 to step7")
    parser.add_argument("--json", action="store_true", help="print JSON, a line a shape")


def run(arguments: argparse.Namespace) -> int:
    """Solve each shape; return 1 if one of them has no solution."""
    _check(arguments)
    solved = []
    status = 0
    for shape in _shapes(arguments):
        with _about(shape.name):
            if arguments.count:
                found = _count(shape, arguments)
            else:
                solved.append(_solve(shape, arguments))
                found = len(solved[-1].dissections)
        if not found:
            kept = " with the parallelogram as drawn" if arguments.no_flip else ""
            print(f"{shape.name}: no solution{kept}: every placement was tried", file=sys.stderr)
            status = 1
    if not arguments.count:
        _show(solved, arguments)
    return status


@dataclass(frozen=True, slots=True)
class _Shape:
    """A shape as it was asked for."""

    name: str
    source: Source


@dataclass(frozen=True, slots=True)
class _Solved:
    """A shape with the solutions that were asked for."""

    shape: _Shape
    dissections: list[Dissection]

    def titled(self) -> Iterator[tuple[Source, Dissection, str]]:
        """Give each solution with its source and a title."""
        for number, dissection in enumerate(self.dissections, 1):
            title = self.shape.name if len(self.dissections) == 1 else f"{self.shape.name} {number}"
            yield self.shape.source, dissection, title


def _shapes(arguments: argparse.Namespace) -> Iterator[_Shape]:
    from pentavr.tangram import source

    grid, invert = arguments.grid, arguments.invert
    for word in arguments.shapes:
        if word in CONVEX or word == "convex":
            for name in CONVEX if word == "convex" else (word,):
                yield _Shape(name, source.from_silhouette(convex(name), grid=grid))
            continue
        content = _content(word)
        with _about(word):
            found = source.from_bytes(content, grid=grid, invert=invert)
        if found.kind is not source.Kind.ROWS:
            noun = "cell" if found.kind is source.Kind.MATRIX else "pixel"
            side = f"{found.grid:.4g} {noun}{'' if found.grid == 1 else 's'}"
            size = f"{found.silhouette.width} x {found.silhouette.height} grid squares of {side}"
            light = ", the shape being the light part" if found.inverted else ""
            print(f"{word}: {size}, confidence {found.confidence:.0%}{light}", file=sys.stderr)
        path = Path(word)
        yield _Shape("standard input" if word == "-" else path.stem if path.is_file() else word, found)


@contextmanager
def _about(name: str) -> Iterator[None]:
    """Put the name of what is worked on before an error's message."""
    try:
        yield
    except UnusableInput as error:
        raise UnusableInput(f"{name}: {error}") from error


def _content(word: str) -> bytes:
    """Give the content of what a word on the command line stands for."""
    if word == "-":
        return sys.stdin.buffer.read()
    path = Path(word)
    try:
        if path.exists() or not re.fullmatch(r"[.#abcd]+(/[.#abcd]+)*|[01]+(/[01]+)+", word):
            return path.read_bytes()
    except FileNotFoundError as error:
        raise UnusableInput(
            f"{word}: there is no such file, nor a shape of that name or notation; names are convex01 to convex13, "
            "notation is like '##/##/##/##'"
        ) from error
    except (OSError, ValueError) as error:
        raise UnusableInput(f"{word}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    return word.encode()


def _solve(shape: _Shape, arguments: argparse.Namespace) -> _Solved:
    limit = arguments.limit or (None if arguments.all or arguments.unique else 1)
    find = unique if arguments.unique else solve
    return _Solved(shape, list(islice(find(shape.source.silhouette, flip=not arguments.no_flip), limit)))


def _count(shape: _Shape, arguments: argparse.Namespace) -> int:
    counted = count(shape.source.silhouette, flip=not arguments.no_flip)
    if arguments.json:
        print(json.dumps({"solutions": counted.solutions, "unique": counted.unique}))
    else:
        name = f"{shape.name}: " if len(arguments.shapes) > 1 or shape.name not in arguments.shapes else ""
        print(f"{name}{many(counted.solutions, 'solution')}, {counted.unique} but for the symmetry of the shape")
    return counted.solutions


def _show(solved: Sequence[_Solved], arguments: argparse.Namespace) -> None:
    titled = [each for one in solved for each in one.titled()]
    if arguments.steps and titled:
        _write_steps(arguments.steps, titled[0], lines=arguments.lines)
    if arguments.output and titled:
        _write(arguments.output, solved, lines=arguments.lines)
    if arguments.json:
        from pentavr.tangram.drawing import document

        for one in solved:
            print(json.dumps(document(one.shape.name, one.shape.source, one.dissections)))
    elif not arguments.output:
        from pentavr.render import terminal
        from pentavr.tangram.drawing import drawing

        for number, (_, dissection, title) in enumerate(titled):
            if len(titled) > 1:
                print(f"{chr(10) if number else ''}{title}")
            terminal.show(drawing(dissection))


def _write(path: Path, solved: Sequence[_Solved], *, lines: bool) -> None:
    from pentavr.render import files
    from pentavr.tangram.drawing import document, drawing

    titled = [each for one in solved for each in one.titled()]
    source, dissection, title = titled[0]
    unit_px = max(1, round(_picture_grid(source)))
    ending = path.suffix.lower()
    if ending == ".json":
        documents = [document(one.shape.name, one.shape.source, one.dissections) for one in solved]
        files.write(path, f"{json.dumps(documents[0] if len(documents) == 1 else documents, indent=1)}\n".encode())
    elif ending == ".txt":
        files.write(path, "\n\n".join(_text(source, dissection) for source, dissection, _ in titled).encode() + b"\n")
    elif ending == ".svg" and len(titled) == 1:
        from pentavr.render import svg

        files.write(path, svg.drawing(drawing(dissection, title, field=source.silhouette), unit_px=unit_px).encode())
    elif ending == ".svg" or len(titled) > 1:
        if lines:
            raise UnusableInput(f"{path}: --lines draws one solution, not a sheet of {len(titled)}")
        files.save(path, [drawing(dissection, title) for _, dissection, title in titled], unit_px=unit_px)
    else:
        from pentavr.tangram import raster

        picture = raster.picture(source, dissection, lines=lines)
        files.write(path, raster.encoded(picture, ending))


def _picture_grid(source: Source) -> float:
    from pentavr.tangram.source import USUAL_GRID, Kind

    return max(USUAL_GRID, source.grid) if source.kind is Kind.MATRIX else source.grid


def _text(source: Source, dissection: Dissection) -> str:
    from pentavr.tangram.source import Kind

    if source.kind is Kind.MATRIX:
        from pentavr.tangram import raster

        return raster.matrix(source, dissection)
    from pentavr.render import terminal
    from pentavr.tangram.drawing import drawing

    return terminal.text(drawing(dissection), colour=False)


def _write_steps(folder: Path, titled: tuple[Source, Dissection, str], *, lines: bool) -> None:
    from pentavr.render import files
    from pentavr.tangram import raster

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnusableInput(f"{folder}: cannot be made a folder: {error.strerror}") from error
    source, dissection, _ = titled
    for laid in range(1, len(SEVEN) + 1):
        picture = raster.picture(source, dissection, lines=lines, laid=laid)
        files.write(folder / f"step{laid}.png", raster.encoded(picture, ".png"))


def _check(arguments: argparse.Namespace) -> None:
    """Refuse, before any work, options that do not go together and files that cannot be written."""
    path: Path | None = arguments.output
    if arguments.count and (path or arguments.steps):
        raise UnusableInput("--count shows no solution that -o or --steps could write; leave one of them out")
    if arguments.steps and (len(arguments.shapes) > 1 or "convex" in arguments.shapes):
        raise UnusableInput("--steps takes one shape")
    ending = path.suffix.lower() if path else ""
    if arguments.lines and (ending in (".svg", ".json", ".txt") if path else not arguments.steps):
        raise UnusableInput("--lines draws pictures of pixels: give one to write, such as -o out.png")
    if path is None:
        return
    if not path.parent.is_dir():
        raise UnusableInput(f"{path}: there is no folder {path.parent}")
    if ending not in (".svg", ".json", ".txt"):
        from pentavr.tangram import raster

        with _about(str(path)):
            raster.check_ending(ending, lines=arguments.lines)


def _number(text: str) -> int:
    number = int(text)
    if number <= 0:
        raise argparse.ArgumentTypeError(f"{text} is no number of solutions: give 1 or more")
    return number


def _length(text: str) -> float:
    length = float(text)
    if not 1 <= length < 1 << 20:
        raise argparse.ArgumentTypeError(f"{text} is no side of a grid square: give a number of pixels from 1 on")
    return length
