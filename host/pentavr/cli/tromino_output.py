# SPDX-License-Identifier: GPL-3.0-or-later
"""Where tilings by `pentavr tromino` go: to the terminal, to a pipe, to files of several formats."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from pentavr.errors import UnusableInput
from pentavr.render.drawing import Drawing
from pentavr.tromino import drawing, writing
from pentavr.tromino.marks import Mark, Tiling
from pentavr.tromino.memory import human_bytes
from pentavr.tromino.tile import Square

__all__ = ["View", "boxes", "save", "show"]

_LARGEST_BOXES = 1 << 16
_LARGEST_SHOWN = 1 << 12
_LARGEST_DRAWN_PNG = 1 << 12
_LARGEST_LABELLED = 1 << 14
_LARGEST_UNIT_PX = 40
_PNG_SIDE_PX = 4096
_BARRED_SQUARES = 1 << 24  # from here on a progress bar is worth its line
_REACH = (
    f".svg goes to {drawing.LARGEST_DRAWING:,} squares (n = 9), .png to sides of {drawing.LARGEST_PICTURE_PX:,} "
    "(n = 13), .txt, .npy and .json to n = 24; take some --rows"
)


@dataclass(frozen=True, slots=True)
class View:
    """The rows from `start` up to `stop` of a tiling, what its tiles are marked with, and which holes are drawn."""

    tiling: Tiling
    start: int
    stop: int
    mark: Mark
    filled: tuple[Square, ...]

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.stop - self.start

    @property
    def squares(self) -> int:
        """How many squares there are."""
        return self.rows * self.tiling.width

    @property
    def data_mark(self) -> Mark:
        """What the squares carry in formats for programs."""
        return Mark.COLOURS if self.mark is Mark.COLOURS else Mark.NUMBERS

    def drawing(self, *, label: Mark | None) -> Drawing:
        """Draw it tile by tile."""
        return drawing.drawing(self.tiling, self.start, self.stop, label=label, filled=self.filled)


def show(view: View, *, as_json: bool) -> None:
    """Print the rows on standard output, as colours if that is what a terminal is asked for."""
    if as_json:
        _print(writing.as_json(view.tiling, view.data_mark, view.start, view.stop), view)
        return
    if view.mark is Mark.COLOURS and view.squares <= _LARGEST_SHOWN:
        from pentavr.render import terminal

        if terminal.has_colour():
            terminal.show(view.drawing(label=None))
            return
    _print(writing.as_text(view.tiling, view.mark, view.start, view.stop), view)


def boxes(view: View) -> str:
    """Return the rows with outlines in box-drawing characters, the tiles labelled with their marks."""
    from pentavr.render import terminal

    if view.squares > _LARGEST_BOXES:
        raise UnusableInput(
            f"outlines of {_size(view)} squares: they go to {_LARGEST_BOXES:,} squares, which n = 8 has; "
            "take some --rows, or leave out --box"
        )
    return terminal.text(view.drawing(label=view.mark), colour=False, room=terminal.window())


def save(view: View, path: Path, *, box: bool) -> None:
    """Write the rows into a file, whole or not at all; the ending of its name says the format."""
    from pentavr.render.files import ENDINGS

    ending = path.suffix.lower()
    if box and ending != ".txt":
        raise UnusableInput(f"--box -o {path}: box drawing is text; name the file .txt, or leave out --box")
    if box:
        text = boxes(view).encode() + b"\n"
        _save(path, lambda file: file.write(text))
    elif ending in writing.FORMATS:
        mark = view.mark if ending == ".txt" else view.data_mark
        _require_room(view, path, mark)
        pieces = writing.FORMATS[ending](view.tiling, mark, view.start, view.stop)
        _save(path, lambda file: _write(pieces, file, view))
    elif ending == ".svg" or (ending in ENDINGS and view.squares <= _LARGEST_DRAWN_PNG):
        _draw(view, path)
    elif ending == ".png":
        _paint(view, path)
    elif ending in ENDINGS:
        raise UnusableInput(
            f"{path}: {_size(view)} squares are too many for {ending}, which goes to {_LARGEST_DRAWN_PNG:,}: take .png"
        )
    else:
        known = ", ".join([*writing.FORMATS, *ENDINGS])
        raise UnusableInput(f"{path}: no format goes by {ending!r}; known are {known}")


def _draw(view: View, path: Path) -> None:
    from pentavr.render import files

    if view.squares > drawing.LARGEST_DRAWING:
        raise UnusableInput(f"{path}: no viewer opens an .svg of {_size(view)} squares; {_REACH}")
    label = None if view.mark is Mark.COLOURS or view.squares > _LARGEST_LABELLED else view.mark
    unit = max(1, min(_LARGEST_UNIT_PX, _PNG_SIDE_PX // max(view.tiling.width, view.rows)))
    files.save(path, [view.drawing(label=label)], unit_px=unit)


def _paint(view: View, path: Path) -> None:
    side = max(view.tiling.width, view.rows)
    if side > drawing.LARGEST_PICTURE_PX:
        raise UnusableInput(f"{path}: no viewer opens a .png of {_size(view)} squares; {_REACH}")
    picture = drawing.picture(view.tiling, view.start, view.stop)
    _save(path, lambda file: picture.save(file, format="PNG"))


def _size(view: View) -> str:
    width, rows = (
        str(side) if side < 1 << 40 else f"2^{side.bit_length() - 1}" for side in (view.tiling.width, view.rows)
    )
    return f"{width}x{rows}"


def _require_room(view: View, path: Path, mark: Mark) -> None:
    view.tiling.require_rows()
    needed = writing.size_bytes(path.suffix.lower(), view.tiling, mark, view.rows)
    folder = path.resolve().parent
    if folder.is_dir() and needed > (free := shutil.disk_usage(folder).free):
        raise UnusableInput(
            f"{path}: would take {human_bytes(needed)}, and {human_bytes(free)} are free on the disk; "
            "take some --rows, or a pipe"
        )


def _save(path: Path, write: Callable[[BinaryIO], object]) -> None:
    target = path.resolve()
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        try:
            with beside.open("wb") as file:
                write(file)
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise UnusableInput(f"{path}: cannot be written: {error.strerror or error}") from error


def _print(pieces: writing.Pieces, view: View) -> None:
    try:
        _write(pieces, sys.stdout.buffer, view)
    except BrokenPipeError:
        raise
    except OSError as error:
        # What is left in Python's buffer would fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise UnusableInput(f"standard output cannot be written: {error.strerror or error}") from error


def _write(pieces: writing.Pieces, stream: BinaryIO, view: View) -> None:
    with _progress(view, stream) as advance:
        for rows, data in pieces:
            stream.write(data)
            advance(rows)
    stream.flush()


@contextmanager
def _progress(view: View, stream: BinaryIO) -> Iterator[Callable[[int], object]]:
    """Show a bar on stderr while much is written to where it cannot be seen."""
    if view.squares < _BARRED_SQUARES or stream.isatty() or not sys.stderr.isatty():
        yield lambda rows: None  # noqa: ARG005  no bar to advance
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("rows"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("rows", total=view.rows)
        yield lambda rows: bar.advance(task, rows)
