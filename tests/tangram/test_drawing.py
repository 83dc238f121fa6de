# SPDX-License-Identifier: GPL-3.0-or-later
"""Dissections drawn: as shapes, as JSON, and pixel by pixel."""

from __future__ import annotations

import json
from collections import Counter
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from pentavr.errors import UnusableInput
from pentavr.render.drawing import Polygon
from pentavr.tangram import Dissection, Silhouette, convex, picture, raster, solve, source
from pentavr.tangram.drawing import document, drawing
from pentavr.tangram.source import Kind, Source
from tangram_judge import SHAPES, Shape, cells_of, draw, faults, laid, middles_of

every_third_shape = pytest.mark.parametrize(
    "shape", [shape for shape in SHAPES if shape.solutions and set("".join(shape.rows)) != {"#"}][::3], ids=str
)

WHITE = (255, 255, 255)


def solved(image: Image.Image) -> tuple[Source, Dissection]:
    found = picture.read(image)
    return found, next(solve(found.silhouette))


def colours_of(image: Image.Image) -> Counter[tuple[int, ...]]:
    return Counter(map(tuple, np.asarray(image.convert("RGB")).reshape(-1, 3).tolist()))


def test_a_drawing_has_the_pieces_with_their_names_and_seven_colours() -> None:
    wide = Silhouette(("....", ".##.", ".##.", ".##.", ".##."))
    dissection = next(solve(wide))
    found = drawing(dissection, "rectangle")
    assert (found.width, found.height, found.title) == (2, 4, "rectangle")
    pieces = [(shape.name, shape.vertices) for shape in found.shapes if isinstance(shape, Polygon)]
    whole = [(name, tuple((int(x), int(y)) for x, y in vertices)) for name, vertices in pieces]
    assert faults(("##",) * 4, whole) == []
    assert "".join(shape.label for shape in found.shapes) == "LLMQPSS"
    assert len({shape.colour for shape in found.shapes}) == 7


def test_a_drawing_in_a_field_keeps_its_margins() -> None:
    wide = Silhouette(("....", ".##.", ".##.", ".##.", ".##."))
    dissection = next(solve(wide))
    found = drawing(dissection, field=wide)
    assert (found.width, found.height) == (4, 5)
    assert [shape.vertices for shape in found.shapes if isinstance(shape, Polygon)] == [
        vertices for _, vertices in laid(dissection)
    ]


@every_third_shape
def test_the_document_holds_the_dissections(shape: Shape) -> None:
    silhouette = Silhouette(shape.rows)
    written = json.loads(json.dumps(document(shape.name, source.from_silhouette(silhouette), solve(silhouette))))
    assert (written["shape"], tuple(written["rows"])) == (shape.name, shape.rows)
    assert written["unit"].startswith("grid square")
    assert len(written["solutions"]) == shape.solutions
    for solution in written["solutions"]:
        pieces = [(piece["piece"], tuple((x, y) for x, y in piece["vertices"])) for piece in solution]
        assert faults(shape.rows, pieces) == []


@every_third_shape
@pytest.mark.parametrize(("grid", "margin"), [(50, 1), (37, 1), (16, 0)])
def test_the_picture_has_the_size_of_the_shape_s_and_each_piece_in_its_colour(
    shape: Shape, grid: int, margin: int
) -> None:
    image = draw(shape.rows, grid=grid, margin=margin)
    found, dissection = solved(image)
    drawn = raster.picture(found, dissection)
    assert drawn.size == image.size
    colours = colours_of(drawn)
    area = 8 * grid * grid * (2 if shape.kind == "area16" else 1)
    assert len(colours) == 8
    assert abs(sum(colours.values()) - colours[WHITE] - area) <= 2 * grid * 30
    by_colour = {}
    for name, corners in laid(dissection):
        pixels = {drawn.getpixel((int(x * grid / 4), int(y * grid / 4))) for x, y in middles_of(corners)}
        assert len(pixels) == 1, f"{name} {corners} has {pixels}"
        by_colour[pixels.pop()] = name
    assert len(by_colour) == 7
    assert WHITE not in by_colour


def test_the_picture_follows_a_shape_off_the_grid() -> None:
    image = Image.new("L", (263, 371), 255)
    image.paste(draw(("d..", "#d.", "##d", "##a", "ba.")), (9, -6))
    found, dissection = solved(image)
    drawn = np.asarray(raster.picture(found, dissection))
    assert drawn.shape == (371, 263, 3)
    covered = (drawn != 255).any(axis=2)
    assert np.count_nonzero(covered != (np.asarray(image) == 0)) < 600


def test_lines_are_white_between_the_pieces_and_only_there() -> None:
    image = draw(("##", "##", "##", "##"))
    found, dissection = solved(image)
    drawn = raster.picture(found, dissection, lines=True)
    assert drawn.size == image.size
    assert colours_of(drawn).keys() == {WHITE, (0, 0, 0)}
    coloured = np.asarray(raster.picture(found, dissection))
    black = np.asarray(drawn) == 0
    # A line is two pixels wide: at each border between two colours white lies on both sides, elsewhere black.
    border = np.zeros(black.shape, dtype=bool)
    across = (coloured[:, 1:] != coloured[:, :-1]).any(axis=2)
    down = (coloured[1:] != coloured[:-1]).any(axis=2)
    border[:, 1:] |= across
    border[:, :-1] |= across
    border[1:] |= down
    border[:-1] |= down
    piece = (coloured != 255).any(axis=2)
    edge_of_the_shape = np.zeros(black.shape, dtype=bool)
    edge_of_the_shape[50:250, 50:150] = True
    edge_of_the_shape[51:249, 51:149] = False
    assert (black == (piece & ~border))[~edge_of_the_shape].all()
    assert black[edge_of_the_shape].mean() > 0.9


def test_lines_grow_with_the_grid() -> None:
    def white_in_the_shape(grid: int) -> float:
        image = draw(("##", "##", "##", "##"), grid=grid)
        found, dissection = solved(image)
        drawn = np.asarray(raster.picture(found, dissection, lines=True))
        return float((drawn[grid : 5 * grid, grid : 3 * grid] == 255).mean())

    assert white_in_the_shape(150) == pytest.approx(white_in_the_shape(50), rel=0.1)


def test_the_pieces_are_laid_one_by_one() -> None:
    found, dissection = solved(draw(("##", "##", "##", "##")))
    counts = [colours_of(raster.picture(found, dissection, laid=laid)) for laid in range(8)]
    assert [len(colours) for colours in counts] == [2, 3, 4, 5, 6, 7, 8, 8]
    black = [colours[0, 0, 0] / 2500 for colours in counts]
    assert black == pytest.approx([8, 6, 4, 3, 2, 1, 0.5, 0], abs=0.05)


@pytest.mark.parametrize("grid", [2, 5, 50])
def test_a_matrix_comes_back_in_its_size_with_the_pieces_numbered(grid: int) -> None:
    text = cells_of(("d..", "#d.", "##d", "##a", "ba."), grid, diagonal=False)
    found = source.from_bytes(text.encode())
    dissection = next(solve(found.silhouette))
    numbered = raster.matrix(found, dissection)
    lines, given = numbered.split("\n"), text.split("\n")
    assert [len(line) for line in lines] == [len(line) for line in given]
    counts = Counter(numbered.replace("\n", ""))
    assert counts.keys() == set("01234567")
    sizes = [counts[number] / grid**2 for number in "1234567"]
    assert sizes == pytest.approx([2, 2, 1, 1, 1, 0.5, 0.5], abs=0.1 + 2 / grid)


def test_the_picture_of_a_small_matrix_is_enlarged() -> None:
    found = source.from_bytes(b"0000/0110/0110/0110/0110/0000")
    assert found.kind is Kind.MATRIX
    assert raster.picture(found, next(solve(found.silhouette))).size == (200, 300)


@pytest.mark.parametrize("ending", [".png", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".ppm", ".tga"])
def test_formats_without_loss_hold_the_picture_as_it_is(ending: str) -> None:
    found = source.from_silhouette(convex("convex06"))
    drawn = raster.picture(found, next(solve(found.silhouette)))
    raster.check_ending(ending, lines=False)
    read = Image.open(BytesIO(raster.encoded(drawn, ending))).convert("RGB")
    assert (np.asarray(read) == np.asarray(drawn)).all()


@pytest.mark.parametrize("ending", [".pbm", ".pgm", ".png", ".gif", ".tif"])
def test_lines_go_into_black_and_white_formats(ending: str) -> None:
    found = source.from_silhouette(convex("convex06"))
    drawn = raster.picture(found, next(solve(found.silhouette)), lines=True)
    raster.check_ending(ending, lines=True)
    read = Image.open(BytesIO(raster.encoded(drawn, ending))).convert("L")
    assert (np.asarray(read) == np.asarray(drawn)).all()


def test_jpeg_keeps_the_colours_apart() -> None:
    found = source.from_silhouette(convex("convex06"))
    drawn = raster.picture(found, next(solve(found.silhouette)))
    read = np.asarray(Image.open(BytesIO(raster.encoded(drawn, ".jpg")))).astype(int)
    assert np.abs(read - np.asarray(drawn)).mean() < 3


@pytest.mark.parametrize(
    ("ending", "message"),
    [(".pbm", "holds no colours"), (".pgm", "holds no colours"), (".xyz", "no picture format"), ("", "no picture")],
)
def test_an_ending_that_holds_no_colours_or_is_unknown_is_refused(ending: str, message: str) -> None:
    with pytest.raises(UnusableInput, match=message):
        raster.check_ending(ending, lines=False)


def test_a_picture_beyond_all_measure_is_refused() -> None:
    found = source.from_silhouette(convex("convex01"), grid=100_000)
    with pytest.raises(UnusableInput, match="400000 x 400000 pixels, over the limit"):
        raster.picture(found, next(solve(found.silhouette)))


def test_a_picture_larger_than_its_format_is_refused() -> None:
    found = Source(Kind.ROWS, convex("convex01"), 50, (0, 0), (70_000, 200))
    drawn = raster.picture(found, next(solve(found.silhouette)))
    with pytest.raises(UnusableInput, match=r"cannot write 70000 x 200 pixels as \.jpg"):
        raster.encoded(drawn, ".jpg")
