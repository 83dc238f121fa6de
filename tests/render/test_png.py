# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from collections.abc import Callable

import pytest
from PIL import Image

from pentavr.errors import UnusableInput
from pentavr.render import png, svg
from pentavr.render.drawing import Colour, Drawing, Polygon, Squares

Lettered = Callable[..., Drawing]

WHITE = (255, 255, 255)
RED = Colour(200, 0, 0)
UNIT = 40
MARGIN = 16  # the field begins there; the sides of the picture tell it, see below

MIDDLE_SQUARE = (MARGIN + 44, MARGIN + 44, MARGIN + 76, MARGIN + 76)  # of three by three, without its sides


def at(picture: Image.Image, x: float, y: float) -> tuple[int, ...]:
    """The colour at a place given in units of the field."""
    pixel = picture.getpixel((MARGIN + round(UNIT * x), MARGIN + round(UNIT * y)))
    assert isinstance(pixel, tuple)
    return pixel


def is_dark(pixel: tuple[int, ...]) -> bool:
    return max(pixel) < 0x40


def test_a_picture_is_the_field_with_a_margin() -> None:
    assert png.drawing(Drawing(3, 2, ()), unit_px=UNIT).size == (3 * UNIT + 2 * MARGIN, 2 * UNIT + 2 * MARGIN)


def test_a_region_is_filled_and_outlined_without_inner_edges(lettered: Lettered) -> None:
    drawing = lettered("OOO O.O OOO")
    picture = png.drawing(drawing, unit_px=UNIT)
    colour = drawing.shapes[0].colour
    fill = (colour.red, colour.green, colour.blue)
    assert {at(picture, x, y) for x, y in [(0.5, 0.5), (1, 0.2), (1, 2.8), (2.5, 1), (2.5, 2.5)]} == {fill}
    assert {at(picture, x, y) for x, y in [(1.5, 1.5), (-0.2, 1), (3.2, 1), (1, -0.2)]} == {WHITE}
    edges = [(0, 0), (0, 1.5), (3, 1.5), (1.5, 0), (1.5, 3), (3, 3), (1, 1), (1.5, 1), (2, 1.5), (2, 2)]
    assert all(is_dark(at(picture, x, y)) for x, y in edges)


def test_a_hole_is_the_colour_of_the_paper_up_to_its_outline(lettered: Lettered) -> None:
    picture = png.drawing(lettered("OOO O.O OOO"), unit_px=UNIT)
    hole = picture.crop(MIDDLE_SQUARE)
    assert hole.getcolors() == [(32 * 32, WHITE)]


def test_shapes_that_touch_at_a_corner_leave_the_other_squares_free(lettered: Lettered) -> None:
    picture = png.drawing(lettered("A. .B"), unit_px=UNIT)
    assert at(picture, 1.5, 0.5) == at(picture, 0.5, 1.5) == WHITE
    assert is_dark(at(picture, 1, 1))


def test_a_slanted_side_is_smooth() -> None:
    triangle = Polygon(((0, 0), (2, 0), (0, 2)), RED)
    picture = png.drawing(Drawing(2, 2, (triangle,)), unit_px=UNIT)
    assert at(picture, 0.5, 0.5) == (200, 0, 0)
    assert at(picture, 1.2, 1.2) == WHITE
    assert is_dark(at(picture, 1, 1))
    across = {at(picture, 1 + step / UNIT, 1) for step in range(-4, 5)}
    assert len(across - {WHITE, (200, 0, 0), (0x22, 0x22, 0x22)}) >= 2


def test_a_label_is_written_on_its_square_in_readable_ink() -> None:
    for colour, ink in ((Colour(255, 255, 0), (0, 0, 0)), (Colour(0, 0, 128), WHITE)):
        cross = Squares(((1, 0), (0, 1), (1, 1), (2, 1), (1, 2)), colour, "I")
        picture = png.drawing(Drawing(3, 3, (cross,)), unit_px=UNIT)
        middle = picture.crop(MIDDLE_SQUARE)
        assert ink in {pixel for _, pixel in middle.getcolors(9999) or []}
        plain = Drawing(3, 3, (Squares(cross.squares, colour),))
        rows = changed_box(picture, png.drawing(plain, unit_px=UNIT))
        centre = [(rows[0] + rows[2]) / 2, (rows[1] + rows[3]) / 2]
        assert centre == pytest.approx([MARGIN + 1.5 * UNIT] * 2, abs=1.5)


def changed_box(one: Image.Image, other: Image.Image) -> tuple[int, int, int, int]:
    from PIL import ImageChops

    box = ImageChops.difference(one, other).getbbox()
    assert box is not None
    return box


def test_a_sheet_has_the_measures_of_the_svg_sheet(lettered: Lettered) -> None:
    drawings = [lettered("AAB ABB", f"no. {number}") for number in range(5)]
    width, height = png.sheet(drawings, unit_px=20).size
    assert f'width="{width}" height="{height}"' in svg.sheet(drawings, unit_px=20)


def test_a_caption_is_written_below_its_drawing(lettered: Lettered) -> None:
    without, titled = (png.sheet([lettered("AA", title)], unit_px=UNIT) for title in (" ", "title"))
    left, top, right, bottom = changed_box(without, titled)
    assert top > MARGIN + UNIT
    assert bottom <= titled.height
    assert (left + right) / 2 == pytest.approx(titled.width / 2, abs=2)


def test_drawing_in_strips_leaves_no_seams(lettered: Lettered, monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = lettered("AAB ABB CCB")
    whole = png.drawing(drawing, unit_px=UNIT)
    monkeypatch.setattr(png, "_STRIP_PIXELS", whole.width * 16 * 7)
    assert png.drawing(drawing, unit_px=UNIT).tobytes() == whole.tobytes()


def test_the_smallest_scale_is_a_pixel_a_square(lettered: Lettered) -> None:
    picture = png.drawing(lettered("AB"), unit_px=1)
    assert [picture.getpixel((x, 2)) for x in range(6)] == [WHITE, WHITE, (0, 255, 128), (16, 239, 128), WHITE, WHITE]


def test_too_large_a_picture_is_refused_with_its_measures() -> None:
    with pytest.raises(UnusableInput, match="40032 x 40032 pixels"):
        png.drawing(Drawing(1000, 1000, ()), unit_px=UNIT)
