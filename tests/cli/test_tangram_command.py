# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from pentavr.cli.main import main
from tangram_judge import SHAPES, cells_of, draw, faults, is_as_drawn, of_class

ROWS = ("d..", "#d.", "##d", "##a", "ba.")
SHEET = Path(__file__).parents[1] / "tangram" / "convex.svg"
SVG = "{http://www.w3.org/2000/svg}"

Output = pytest.CaptureFixture[str]


@pytest.fixture
def shape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A picture in the working folder."""
    monkeypatch.chdir(tmp_path)
    draw(ROWS).save("shape.png")
    return "shape.png"


def tangram(*words: str | Path) -> int:
    return main(["tangram", *map(str, words)])


def pieces_of(solution: list[dict[str, object]]) -> list[tuple[str, tuple[tuple[int, int], ...]]]:
    return [(str(piece["piece"]), tuple((x, y) for x, y in piece["vertices"])) for piece in solution]  # type: ignore[attr-defined] # JSON


def colours(path: str | Path) -> set[tuple[int, ...]]:
    with Image.open(path) as image:
        return set(map(tuple, np.asarray(image.convert("RGB")).reshape(-1, 3).tolist()))


def test_a_picture_becomes_a_picture_of_its_size_in_seven_colours(shape: str, capsys: Output) -> None:
    assert tangram(shape, "-o", "out.png") == 0
    with Image.open("out.png") as out:
        assert out.size == (250, 350)
    assert len(colours("out.png")) == 8
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "shape.png: 5 x 7 grid squares of 50 pixels, confidence 100%\n"


@pytest.mark.parametrize("name", ["out.gif", "out.TIF", "out.bmp", "out.webp", "out.ppm"])
def test_other_rasters_go_by_their_ending(shape: str, name: str) -> None:
    assert tangram(shape, "-o", name) == 0
    assert len(colours(name)) == 8


def test_lines_are_black_and_white(shape: str) -> None:
    assert tangram(shape, "-o", "out.pbm", "--lines") == 0
    with Image.open("out.pbm") as out:
        assert (out.mode, out.size) == ("1", (250, 350))


def test_svg_has_a_path_a_piece_with_its_name(shape: str) -> None:
    assert tangram(shape, "-o", "out.svg") == 0
    paths = list(ET.parse("out.svg").getroot().iter(f"{SVG}path"))  # noqa: S314 - our own output
    assert sorted(path.findtext(f"{SVG}title") or "" for path in paths) == sorted(
        ["big triangle"] * 2 + ["medium triangle", "square", "parallelogram"] + ["small triangle"] * 2
    )
    assert len({path.attrib["fill"] for path in paths}) == 7


def test_json_has_the_pieces_with_their_corners(shape: str) -> None:
    assert tangram(shape, "-o", "out.json") == 0
    written = json.loads(Path("out.json").read_text())
    assert written["unit"].startswith("grid square")
    assert (written["grid"], written["origin"], written["size"]) == (50, [0, 0], [250, 350])
    (solution,) = written["solutions"]
    assert faults(written["rows"], pieces_of(solution)) == []


@pytest.mark.parametrize("kind", ["usual", "area16"])
def test_all_solutions_of_a_shape_are_written(kind: str, tmp_path: Path) -> None:
    known = next(shape for shape in SHAPES if shape.name == ("a16_06" if kind == "area16" else "tight01"))
    draw(known.rows).save(tmp_path / "shape.png")
    assert tangram(tmp_path / "shape.png", "--all", "-o", tmp_path / "out.json") == 0
    written = json.loads((tmp_path / "out.json").read_text())
    assert len(written["solutions"]) == known.solutions
    assert all(faults(written["rows"], pieces_of(solution)) == [] for solution in written["solutions"])


def test_a_matrix_comes_back_as_a_matrix(shape: str, capsys: Output) -> None:
    text = cells_of(ROWS, 4, diagonal=True)
    Path("shape.txt").write_text(text)
    assert tangram("shape.txt", "--grid", "4", "-o", "out.txt") == 0
    out = Path("out.txt").read_text().splitlines()
    assert [len(line) for line in out] == [len(line) for line in text.splitlines()]
    assert set("".join(out)) == set("01234567")
    assert "of 4 cells" in capsys.readouterr().err
    assert tangram(shape, "-o", "drawn.txt") == 0
    assert set(Path("drawn.txt").read_text()) == set("LMQPS \n")


def test_without_a_file_the_solution_is_drawn(shape: str, capsys: Output) -> None:
    assert tangram(shape) == 0
    assert set(capsys.readouterr().out) == set("LMQPS \n")


def test_json_goes_to_standard_output_a_line_a_shape(capsys: Output) -> None:
    assert tangram("convex01", "convex02", "--json", "--limit", "3") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["shape"], len(line["solutions"])) for line in lines] == [("convex01", 3), ("convex02", 3)]


def test_the_convex_shapes_are_counted(capsys: Output) -> None:
    assert tangram("convex", "--count", "--json") == 0
    counts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    # F. T. Wang and C.-C. Hsiung's thirteen, in the order of the collection.
    assert [line["solutions"] for line in counts] == [12, 36, 36, 12, 12, 12, 8, 16, 20, 4, 24, 56, 8]
    assert counts == [{"solutions": shape.solutions, "unique": shape.unique} for shape in of_class("convex")]


def test_a_count_is_a_sentence(capsys: Output) -> None:
    assert tangram("convex02", "--count") == 0
    assert capsys.readouterr().out == "36 solutions, 9 but for the symmetry of the shape\n"
    assert tangram("convex10", "##/##/##/##", "--count") == 0
    assert capsys.readouterr().out == (
        "convex10: 4 solutions, 2 but for the symmetry of the shape\n"
        "##/##/##/##: 36 solutions, 9 but for the symmetry of the shape\n"
    )


@pytest.mark.parametrize(
    ("options", "number"),
    [([], 1), (["--limit", "5"], 5), (["--all"], 36), (["--unique"], 9), (["--unique", "--limit", "2"], 2)],
)
def test_as_many_solutions_as_asked_for(options: Sequence[str], number: int, capsys: Output) -> None:
    assert tangram("convex02", "--json", *options) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert len(json.loads(line)["solutions"]) == number


def test_without_flipping_the_parallelogram_stays_as_drawn(capsys: Output) -> None:
    assert tangram("convex03", "--no-flip", "--all", "--json") == 0
    written = json.loads(capsys.readouterr().out)
    known = next(shape for shape in SHAPES if shape.name == "convex03")
    assert known.by_chirality
    assert len(written["solutions"]) == known.by_chirality[0]
    for solution in written["solutions"]:
        assert is_as_drawn(dict(pieces_of(solution))["parallelogram"])


def test_the_steps_are_pictures_of_the_pieces_laid_so_far(shape: str) -> None:
    assert tangram(shape, "--steps", "deep/steps") == 0
    steps = sorted(Path("deep/steps").iterdir())
    assert [step.name for step in steps] == [f"step{laid}.png" for laid in range(1, 8)]
    assert [len(colours(step)) for step in steps] == [3, 4, 5, 6, 7, 8, 8]


def test_several_solutions_come_on_a_sheet(shape: str) -> None:
    assert tangram(shape, "--all", "-o", "out.png") == 0
    assert tangram(shape, "--all", "-o", "out.svg") == 0
    root = ET.parse("out.svg").getroot()  # noqa: S314 - our own output
    assert len(list(root.iter(f"{SVG}path"))) == 7 * 12
    assert "shape 12" in "".join(root.itertext())
    with Image.open("out.png") as out:
        assert out.width > 250
        assert out.height > 350


def test_the_sheet_of_the_convex_shapes_is_the_one_in_the_readme(tmp_path: Path) -> None:
    assert tangram("convex", "-o", tmp_path / "convex.svg") == 0
    assert (tmp_path / "convex.svg").read_text() == SHEET.read_text()


@pytest.mark.parametrize("kind", ["picture", "matrix", "rows"])
def test_standard_input_is_read(kind: str, monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    memory = io.BytesIO()
    draw(ROWS).save(memory, "PNG")
    content = {
        "picture": memory.getvalue(),
        "matrix": cells_of(ROWS, 3, diagonal=False).encode(),
        "rows": "\n".join(ROWS).encode(),
    }[kind]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert tangram("-", "--count") == 0
    assert "12 solutions" in capsys.readouterr().out


def test_an_inverted_picture_of_another_scale_is_read_as_such(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "shape.png"
    draw(ROWS, grid=37).point(lambda value: 255 - value).save(path)
    assert tangram(path, "--count") == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("shape: 12 solutions")
    assert captured.err == (
        f"{path}: 5 x 7 grid squares of 37 pixels, confidence 100%, the shape being the light part\n"
    )


@pytest.mark.parametrize(
    "words", [["#/#/#/#/#/#/#/#"], ["#/#/#/#/#/#/#/#", "--count"], ["###/#.#/###", "-o", "out.png"]]
)
def test_a_shape_without_solution_is_told(words: list[str], shape: str, capsys: Output) -> None:
    assert shape
    assert tangram(*words) == 1
    assert capsys.readouterr().err == f"{words[0]}: no solution: every placement was tried\n"
    assert not Path("out.png").exists()


def test_a_shape_may_have_no_solution_for_want_of_flipping(capsys: Output) -> None:
    known = next(shape for shape in SHAPES if shape.by_chirality == (0, 1))
    assert tangram("/".join(known.rows), "--no-flip") == 1
    assert "no solution with the parallelogram as drawn: every placement was tried" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["missing.png"], "missing.png: there is no such file, nor a shape of that name or notation"),
        (["."], "cannot be read: Is a directory"),
        (["empty.png"], "empty.png: the picture is empty"),
        (["junk.png"], "junk.png: neither a picture that Pillow knows"),
        (["###/###/###"], "###/###/###: the shape has an area of 9 grid squares"),
        (["###/##"], "###/##: row 1 of the shape has 2 grid squares"),
        (["shape.png", "--grid", "60"], "shape.png: the "),
        (["shape.png", "-o", "nowhere/out.png"], "there is no folder nowhere"),
        (["shape.png", "-o", "out.xyz"], "out.xyz: no picture format"),
        (["shape.png", "-o", "out"], "out: no picture format"),
        (["shape.png", "-o", "out.pbm"], "out.pbm: .pbm holds no colours"),
        (["shape.png", "-o", "out.svg", "--lines"], "--lines draws pictures of pixels"),
        (["shape.png", "--lines"], "--lines draws pictures of pixels"),
        (["shape.png", "-o", "out.png", "--lines", "--all"], "--lines draws one solution, not a sheet of 12"),
        (["shape.png", "-o", "out.png", "--count"], "--count shows no solution"),
        (["convex", "--steps", "steps"], "--steps takes one shape"),
        (["shape.png", "--steps", "empty.png"], "empty.png: cannot be made a folder"),
    ],
)
def test_what_cannot_be_done_is_refused(words: list[str], message: str, shape: str, capsys: Output) -> None:
    assert shape
    Image.new("L", (300, 300), 255).save("empty.png")
    Path("junk.png").write_text("junk")
    before = sorted(Path.cwd().iterdir())
    assert tangram(*words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    last = captured.err.splitlines()[-1]
    assert last.startswith("pentavr: ")
    assert message in last
    assert sorted(Path.cwd().iterdir()) == before


@pytest.mark.parametrize(
    "words", [["--limit", "0"], ["--limit", "x"], ["--grid", "0"], ["--grid", "nan"], ["--all", "--count"], []]
)
def test_wrong_usage_is_told(words: list[str], capsys: Output) -> None:
    with pytest.raises(SystemExit) as end:
        tangram(*words, *(["convex01"] if words else []))
    assert end.value.code == 2
    assert "usage: pentavr tangram" in capsys.readouterr().err
