# SPDX-License-Identifier: GPL-3.0-or-later
"""The figure table that goes into Flash, read back from assembled bytes and held against drawings typed here."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from pentavr.errors import UnusableInput
from pentavr.firmware import figure_table, generated
from pentavr.firmware.avra import assemble
from pentavr.firmware.image import Image

FIRMWARE = Path(__file__).parents[2] / "firmware"

# As the puzzle's own notation numbers them: each piece turned clockwise by 0, 90, 180, 270 degrees, then its mirror
# image (left to right) likewise, repeats skipped.
PIECES = {
    "F": (".##", "##.", ".#."),
    "I": ("#", "#", "#", "#", "#"),
    "L": ("#.", "#.", "#.", "##"),
    "N": (".#", ".#", "##", "#."),
    "P": ("##", "##", "#."),
    "T": ("###", ".#.", ".#."),
    "U": ("#.#", "###"),
    "V": ("#..", "#..", "###"),
    "W": ("#..", "##.", ".##"),
    "X": (".#.", "###", ".#."),
    "Y": (".#", "##", ".#", ".#"),
    "Z": ("##.", ".#.", ".##"),
}

# Turned by eye.
DRAWN = {
    1: (".##", "##.", ".#."),
    2: (".#.", "###", "..#"),
    3: (".#.", ".##", "##."),
    4: ("#..", "###", ".#."),
    5: ("##.", ".##", ".#."),
    6: ("..#", "###", ".#."),
    7: (".#.", "##.", ".##"),
    8: (".#.", "###", "#.."),
    9: ("#", "#", "#", "#", "#"),
    10: ("#####",),
    12: ("####", "#..."),
    22: ("###.", "..##"),
    27: ("##", "##", "#."),
    40: ("##", "#.", "##"),
    51: (".#.", "###", ".#."),
    53: ("..#.", "####"),
    61: ("..#", "###", "#.."),
    63: ("#..", "###", "..#"),
}

Rows = tuple[str, ...]


def clockwise(rows: Rows) -> Rows:
    return tuple("".join(column) for column in zip(*reversed(rows), strict=True))


def mirrored(rows: Rows) -> Rows:
    return tuple(row[::-1] for row in rows)


def transposed(rows: Rows) -> Rows:
    return tuple("".join(column) for column in zip(*rows, strict=True))


def numbered() -> list[Rows]:
    figures = []
    for drawing in PIECES.values():
        shapes: list[Rows] = []
        for start in (drawing, mirrored(drawing)):
            rows = start
            for _ in range(4):
                shapes.append(rows)
                rows = clockwise(rows)
        figures += list(dict.fromkeys(shapes))
    return figures


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Image:
    folder = tmp_path_factory.mktemp("table")
    source = folder / "table.asm"
    source.write_text('.device ATmega88\n.equ GRID_STRIDE = 15\n.include "figures.inc"\n')
    return assemble(source, output=folder / "table", include=[FIRMWARE])


def test_the_committed_file_is_what_is_generated_now() -> None:
    assert list(generated.stale(FIRMWARE)) == []
    assert (FIRMWARE / "figures.inc").read_text(encoding="utf-8") == figure_table.text()


def test_the_table_has_the_squares_of_the_63_figures(table: Image) -> None:
    figures = numbered()
    assert len(figures) == 63
    assert {number: figures[number - 1] for number in DRAWN} == DRAWN
    start = table.code("figure_squares")
    for number, rows in enumerate(figures, start=1):
        squares = [15 * y + x for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#"]
        steps = "".join(f"{there - here:x}" for here, there in pairwise(squares))
        assert table.flash[start + 2 * number - 2 : start + 2 * number].hex() == steps, f"figure {number}"


def test_the_table_has_the_image_of_each_figure(table: Image) -> None:
    figures = numbered()
    start = table.code("figure_images")
    for k in range(8):
        expected = []
        for drawn in figures:
            rows = transposed(drawn) if k & 4 else drawn
            rows = rows[::-1] if k & 2 else rows
            rows = mirrored(rows) if k & 1 else rows
            expected.append(1 + figures.index(rows))
        assert list(table.flash[start + 64 * k + 1 : start + 64 * k + 64]) == expected, f"symmetry {k}"


def test_the_table_has_the_first_figure_of_each_piece(table: Image) -> None:
    start = table.code("first_figures")
    # F I L N P T U V W X Y Z have 8 2 8 8 8 4 4 4 4 1 8 4 orientations.
    assert list(table.flash[start : start + 12]) == [1, 9, 11, 19, 27, 35, 39, 43, 47, 51, 52, 60]


def test_the_drawing_of_each_figure_stands_above_its_row() -> None:
    lines = (FIRMWARE / "figures.inc").read_text(encoding="utf-8").splitlines()
    drawing: list[str] = []
    drawings = []
    for line in lines[lines.index("figure_squares:") + 1 :]:
        if line.startswith("\t.db"):
            drawings.append(tuple(drawing))
            drawing = []
        elif line.startswith(";"):
            drawing.append(line.split()[-1])
    assert drawings[:63] == numbered()


def test_another_stride_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "table.asm"
    source.write_text('.device ATmega88\n.equ GRID_STRIDE = 16\n.include "figures.inc"\n')
    with pytest.raises(UnusableInput, match="for another GRID_STRIDE"):
        assemble(source, output=tmp_path / "table", include=[FIRMWARE])


def test_a_changed_file_is_shown_and_written_anew(tmp_path: Path) -> None:
    assert {path.name for path in generated.generate(tmp_path)} == set(generated.GENERATED)
    assert list(generated.stale(tmp_path)) == []
    assert generated.generate(tmp_path) == []
    path = tmp_path / "figures.inc"
    text = path.read_text()
    path.write_text(text.replace("\t.db\t0xE1, 0x1F", "\t.db\t0xE1, 0x1E", 1))
    (difference,) = generated.stale(tmp_path)
    assert "-\t.db\t0xE1, 0x1E\n+\t.db\t0xE1, 0x1F\n" in difference
    assert generated.generate(tmp_path) == [path]
    assert path.read_text() == text
