# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from pentavr.errors import UnusableInput
from pentavr.render import svg
from pentavr.render.drawing import Colour, Drawing, Polygon, Squares

Lettered = Callable[..., Drawing]

RED, BLUE = Colour(200, 0, 0), Colour(0, 0, 200)


def parsed(text: str) -> ET.Element:
    root = ET.fromstring(text)  # noqa: S314 - our own output
    for element in root.iter():
        element.tag = element.tag.removeprefix("{http://www.w3.org/2000/svg}")
    return root


def polygons(path: ET.Element) -> set[frozenset[tuple[float, float]]]:
    """The corners of each closed loop of a path of M, H, V, L and Z."""
    loops: list[set[tuple[float, float]]] = []
    x = y = 0.0
    for command, arguments in re.findall(r"([MHVLZ])([^MHVLZ]*)", path.attrib["d"]):
        numbers = [float(number) for number in arguments.split()]
        if command == "Z":
            continue
        if command == "M":
            loops.append(set())
        x = x if command == "V" else numbers[0]
        y = y if command == "H" else numbers[-1]
        loops[-1].add((x, y))
    return {frozenset(loop) for loop in loops}


def test_a_region_is_one_path_of_its_corners_with_its_hole(lettered: Lettered) -> None:
    (path,) = parsed(svg.drawing(lettered("OOO O.O OOO"), unit_px=10)).iter("path")
    assert polygons(path) == {
        frozenset({(0, 0), (30, 0), (30, 30), (0, 30)}),
        frozenset({(10, 10), (20, 10), (20, 20), (10, 20)}),
    }


def test_shapes_that_touch_at_a_corner_are_paths_of_their_own(lettered: Lettered) -> None:
    one, other = parsed(svg.drawing(lettered("A. .B"), unit_px=10)).iter("path")
    assert polygons(one) == {frozenset({(0, 0), (10, 0), (10, 10), (0, 10)})}
    assert polygons(other) == {frozenset({(10, 10), (20, 10), (20, 20), (10, 20)})}


def test_a_path_is_called_by_its_name_and_lettered_by_its_label() -> None:
    square = ((0, 0), (1, 0), (1, 1), (0, 1))
    shapes = Polygon(square, RED, "Q", "square"), Polygon(square, RED, "Q"), Polygon(square, RED, name="square")
    root = parsed(svg.drawing(Drawing(1, 1, shapes)))
    assert [path.findtext("title") for path in root.iter("path")] == ["square", "Q", "square"]
    assert [text.text for text in root.iter("text")] == ["Q", "Q"]


def test_a_polygon_keeps_its_slants() -> None:
    triangle = Polygon(((0, 0), (2, 0), (0.5, 1.25)), RED)
    (path,) = parsed(svg.drawing(Drawing(2, 2, (triangle,)), unit_px=10)).iter("path")
    assert polygons(path) == {frozenset({(0, 0), (20, 0), (5, 12.5)})}
    assert path.attrib["fill"] == "#c80000"


def test_a_label_stands_in_the_middle_of_its_square_and_says_the_shape_s_name(lettered: Lettered) -> None:
    root = parsed(svg.drawing(lettered(".X. XXX .X."), unit_px=100))
    (text,) = root.iter("text")
    assert (text.text, text.attrib["x"]) == ("X", "150")
    size = float(text.attrib["font-size"])
    assert 40 <= size <= 70
    # The capitals of most sans-serif types are 0.7 to 0.73 of the size high.
    assert float(text.attrib["y"]) - 0.715 * size / 2 == pytest.approx(150, abs=2)
    assert [title.text for title in root.find(".//path") or []] == ["X"]


def test_a_label_is_no_wider_than_its_square() -> None:
    long = Drawing(1, 1, (Squares(((0, 0),), RED, "W" * 9),))
    (text,) = parsed(svg.drawing(long, unit_px=90)).iter("text")
    assert float(text.attrib["font-size"]) <= 90 / 9 * 1.7


def test_the_field_is_drawn_to_scale_whatever_it_holds() -> None:
    root = parsed(svg.drawing(Drawing(3, 2, (), "nothing"), unit_px=40))
    assert root.attrib["viewBox"] == "0 0 {width} {height}".format(**root.attrib)
    assert int(root.attrib["width"]) - int(root.attrib["height"]) == 40
    assert root.findtext("title") == "nothing"
    assert not list(root.iter("path"))


def test_an_empty_region_draws_nothing() -> None:
    root = parsed(svg.drawing(Drawing(1, 1, (Squares((), RED, "A"),))))
    assert not list(root.iter("path"))
    assert not list(root.iter("text"))


def test_text_is_escaped() -> None:
    wild = Drawing(1, 1, (Squares(((0, 0),), RED, "<&\x00"),), 'a <b> & "c"')
    root = parsed(svg.sheet([wild], unit_px=60))
    assert {text.text for text in root.iter("text")} == {"<&\N{REPLACEMENT CHARACTER}", 'a <b> & "c"'}
    assert parsed(svg.drawing(wild)).findtext("title") == 'a <b> & "c"'


def panels(root: ET.Element) -> list[tuple[float, float]]:
    groups = [group.attrib["transform"] for group in root.iter("g") if "transform" in group.attrib]
    places = [re.fullmatch(r"translate\((\S+) (\S+)\)", transform) for transform in groups]
    return [(float(place[1]), float(place[2])) for place in places if place]


def test_a_sheet_is_near_a_square(lettered: Lettered) -> None:
    root = parsed(svg.sheet([lettered("AB AB", str(number)) for number in range(9)]))
    places = panels(root)
    assert [len({x for x, _ in places}), len({y for _, y in places})] == [3, 3]
    assert places == sorted(places, key=lambda place: (place[1], place[0]))
    tall = panels(parsed(svg.sheet([lettered(" ".join("A" * 12))] * 10)))
    assert len({y for _, y in tall}) <= 2


def test_a_sheet_has_as_many_columns_as_asked_for(lettered: Lettered) -> None:
    places = panels(parsed(svg.sheet([lettered("A")] * 5, columns=2)))
    assert [places.index(place) for place in places] == [0, 1, 2, 3, 4]
    assert [len({x for x, _ in places}), len({y for _, y in places})] == [2, 3]


def test_drawings_and_captions_do_not_overlap(lettered: Lettered) -> None:
    drawings = [lettered("AAAA", "wide"), lettered("B B B", "tall"), lettered("C", "a longer title than fits below it")]
    root = parsed(svg.sheet(drawings, columns=3, unit_px=30))
    places = panels(root)
    captions = [text for text in root.iter("text") if text.attrib["fill"] == "#333333"]
    assert [text.text for text in captions[:2]] == ["wide", "tall"]
    assert (captions[2].text or "").endswith("…")
    spans = [(place[0], place[0] + 30 * drawing.width) for place, drawing in zip(places, drawings, strict=True)]
    assert spans[0][1] < spans[1][0] < spans[1][1] < spans[2][0] < int(root.attrib["width"])
    for place, drawing, caption in zip(places, drawings, captions, strict=True):
        assert float(caption.attrib["y"]) - float(caption.attrib["font-size"]) > place[1] + 30 * drawing.height
        assert float(caption.attrib["y"]) < int(root.attrib["height"])


def test_the_whole_title_is_kept_where_the_caption_is_cut(lettered: Lettered) -> None:
    title = "a longer title than fits below it"
    group = parsed(svg.sheet([lettered("C", title)])).find(".//g[@transform]")
    assert group is not None
    assert group.findtext("title") == title


def test_a_sheet_of_nothing_is_a_blank_one() -> None:
    assert not list(parsed(svg.sheet([])).iter("path"))


@pytest.mark.parametrize("bad", [{"unit_px": 0}, {"columns": 0}])
def test_impossible_measures_are_refused(bad: dict[str, int], lettered: Lettered) -> None:
    with pytest.raises(UnusableInput, match="give 1 or more"):
        svg.sheet([lettered("A")], **bad)
