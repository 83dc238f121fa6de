# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from pentavr.errors import UnusableInput
from pentavr.render import files, png, svg
from pentavr.render.drawing import Drawing

Lettered = Callable[..., Drawing]

FORMATS = {
    ".bmp": "BMP",
    ".gif": "GIF",
    ".jpeg": "JPEG",
    ".jpg": "JPEG",
    ".png": "PNG",
    ".ppm": "PPM",
    ".tga": "TGA",
    ".tif": "TIFF",
    ".tiff": "TIFF",
    ".webp": "WEBP",
}


def test_the_known_endings_are_svg_and_these() -> None:
    assert set(files.ENDINGS) == {".svg", *FORMATS}


@pytest.mark.parametrize("ending", FORMATS)
def test_each_raster_ending_gives_its_format(ending: str, tmp_path: Path, lettered: Lettered) -> None:
    path = tmp_path / f"board{ending}"
    drawings = [lettered("AAB ABB", "one"), lettered("C", "two")]
    files.save(path, drawings, unit_px=20)
    expected = png.sheet(drawings, unit_px=20)
    with Image.open(path) as picture:
        assert picture.format == FORMATS[ending]
        assert picture.size == expected.size
        centre = picture.convert("RGB").getpixel((8 + 10, 8 + 30))
    assert centre == pytest.approx(expected.getpixel((8 + 10, 8 + 30)), abs=8)


def test_svg_is_written_as_text(tmp_path: Path, lettered: Lettered) -> None:
    path = tmp_path / "board.SVG"
    files.save(path, [lettered("A", "é")], unit_px=25)
    assert path.read_text(encoding="utf-8") == svg.sheet([lettered("A", "é")], unit_px=25)


def test_columns_are_passed_on(tmp_path: Path, lettered: Lettered) -> None:
    files.save(tmp_path / "row.png", [lettered("A")] * 4, columns=4, unit_px=10)
    with Image.open(tmp_path / "row.png") as picture:
        assert picture.width == 4 * picture.height


def test_the_same_drawings_give_the_same_bytes(tmp_path: Path, lettered: Lettered) -> None:
    for ending in files.ENDINGS:
        paths = [tmp_path / f"{name}{ending}" for name in "ab"]
        for path in paths:
            files.save(path, [lettered("AAB ABB", "one")])
        assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize("name", ["board.xcf", "board", ".png"])
def test_an_unknown_ending_is_refused_with_the_known_ones(name: str, tmp_path: Path, lettered: Lettered) -> None:
    with pytest.raises(UnusableInput, match=r"known are \.svg, .*\.png"):
        files.save(tmp_path / name, [lettered("A")])
    assert not list(tmp_path.iterdir())


def test_nothing_to_draw_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="nothing to draw"):
        files.save(tmp_path / "board.svg", [])


def test_a_folder_that_takes_no_file_is_our_error(tmp_path: Path, lettered: Lettered) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.svg").mkdir()
    for path in (tmp_path / "missing" / "a.svg", tmp_path / "file" / "a.png", tmp_path / "folder.svg"):
        with pytest.raises(UnusableInput, match=f"{path}: cannot be written"):
            files.save(path, [lettered("A")])
    assert sorted(tmp_path.iterdir()) == [tmp_path / "file", tmp_path / "folder.svg"]


def test_a_failure_leaves_the_old_file(tmp_path: Path, lettered: Lettered, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "board.svg"
    path.write_text("old")

    def full(*_: object) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(UnusableInput, match="No space left"):
        files.save(path, [lettered("A")])
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path, lettered: Lettered) -> None:
    target, link = tmp_path / "target.svg", tmp_path / "link.svg"
    link.symlink_to(target)
    files.save(link, [lettered("A")])
    assert link.is_symlink()
    assert target.read_text().startswith("<svg")


def test_a_format_s_own_limit_is_our_error(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="Pillow cannot write 20000 x"):
        files.save(tmp_path / "long.webp", [Drawing(19996, 1, (), "")], unit_px=1)
    assert not list(tmp_path.iterdir())
