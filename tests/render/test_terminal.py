# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from rich.color import Color
from rich.console import Console
from rich.text import Text

from pentavr.render import terminal
from pentavr.render.drawing import Colour, Drawing, Polygon, Squares

Lettered = Callable[..., Drawing]

SIX_BY_FIVE = "FLLLLI FFFLXI .FPXXI ..PPXI TTTTPI"


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def true_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")


def plain(drawing: Drawing, room: tuple[int, int] | None = None) -> list[str]:
    return terminal.text(drawing, colour=False, room=room).split("\n")


def coloured(drawing: Drawing, room: tuple[int, int] | None = None) -> tuple[list[str], dict[str, tuple[int, int]]]:
    """Read back with rich what the terminal shows: each half of a cell as its shape's label, and where labels stand."""
    names = {str(shape.colour): shape.label for shape in drawing.shapes}

    def name(colour: Color | None) -> str:
        return names[colour.get_truecolor().hex] if colour else "."

    halves = []
    labels = {}
    for number, line in enumerate(terminal.text(drawing, colour=True, room=room).split("\n")):
        text = Text.from_ansi(line)
        upper, lower = "", ""
        for column, character in enumerate(text.plain):
            style = text.get_style_at_offset(Console(), column)
            ground = name(style.bgcolor)
            ink = name(style.color) if character == "▄" else ground
            if style.reverse:
                ink, ground = ground, ink
            upper, lower = upper + ground, lower + ink
            if character not in " ▄":
                labels[character] = (column, number)
        halves += [upper, lower]
    return halves, labels


def test_plain_squares_are_outlined_like_one_board(lettered: Lettered) -> None:
    assert plain(lettered(SIX_BY_FIVE)) == [
        "┌───┬───────────────┬───┐",
        "│   │         L     │   │",
        "│   └───────┐   ┌───┤   │",
        "│     F     │   │   │   │",
        "└───┐   ┌───┼───┘   │   │",
        "    │   │   │     X │ I │",
        "    └───┤   └───┐   │   │",
        "        │ P     │   │   │",
        "┌───────┴───────┼───┤   │",
        "│     T         │   │   │",
        "└───────────────┴───┴───┘",
    ]


def test_plain_squares_in_a_narrow_room_lose_a_column(lettered: Lettered) -> None:
    assert plain(lettered("AAB ABB"), (12, 24)) == [
        "┌─────┬──┐",
        "│A    │  │",
        "│  ┌──┘  │",
        "│  │   B │",
        "└──┴─────┘",
    ]


def test_plain_squares_in_a_low_room_are_underlined(lettered: Lettered) -> None:
    assert plain(lettered(SIX_BY_FIVE), (80, 8)) == [
        " ___________",
        "│ │___ L _│ │",
        "│_ F _│_│ │ │",
        "  │_│ │_ X│I│",
        " ___│P__│_│ │",
        "│__T____│_│_│",
    ]


def test_plain_squares_that_fit_nowhere_keep_to_the_width(lettered: Lettered) -> None:
    assert plain(lettered("AB AB AB"), (9, 2)) == plain(lettered("AB AB AB"))


def test_a_hole_has_its_own_outline(lettered: Lettered) -> None:
    assert plain(lettered("OOO O.O OOO")) == [
        "┌───────────┐",
        "│     O     │",
        "│   ┌───┐   │",
        "│   │   │   │",
        "│   └───┘   │",
        "│           │",
        "└───────────┘",
    ]


def test_shapes_that_touch_at_a_corner_cross_there(lettered: Lettered) -> None:
    assert plain(lettered("A. .B")) == [
        "┌───┐",
        "│ A │",
        "└───┼───┐",
        "    │ B │",
        "    └───┘",
    ]


def test_one_square_and_none() -> None:
    one = Drawing(1, 1, (Squares(((0, 0),), Colour(1, 2, 3), "F12"),))
    assert plain(one) == ["┌───┐", "│F12│", "└───┘"]
    assert plain(one, (3, 9)) == [" _", "│F│"]
    assert coloured(one) == ([*["F12" * 3] * 3, "..."], {"F": (0, 0), "1": (1, 0), "2": (2, 0)})
    assert plain(Drawing(2, 1, ())) == ["", "", ""]
    assert terminal.text(Drawing(0, 0, ()), colour=True) == ""


def test_letters_that_would_upset_the_columns_are_left_out() -> None:
    one = Drawing(1, 1, (Squares(((0, 0),), Colour(1, 2, 3), "鉄\n\x1bA\u0301é"),))
    assert plain(one)[1] == "│Aé │"
    assert coloured(one)[1] == {"A": (0, 0), "é": (1, 0)}


def test_a_label_too_long_for_its_square_is_cut() -> None:
    one = Drawing(1, 1, (Squares(((0, 0),), Colour(1, 2, 3), "ABCDE"),))
    assert plain(one)[1] == "│ABC│"
    assert coloured(one)[1] == {"A": (0, 0), "B": (1, 0), "C": (2, 0)}


def test_coloured_squares_are_tiles_with_joints_between_shapes(lettered: Lettered) -> None:
    halves, labels = coloured(lettered("AAB ABB"))
    assert halves == [
        "AAAAAAA.BBB",
        "AAAAAAA.BBB",
        "AAAAAAA.BBB",
        "AAA.....BBB",
        "AAA.BBBBBBB",
        "AAA.BBBBBBB",
        "AAA.BBBBBBB",
        "...........",
    ]
    assert labels == {"A": (1, 0), "B": (9, 2)}


def test_a_hole_is_left_as_the_terminal_has_it(lettered: Lettered) -> None:
    halves, _ = coloured(lettered("OOO O.O OOO"))
    assert halves == [*["OOOOOOOOOOO"] * 3, *["OOO.....OOO"] * 5, *["OOOOOOOOOOO"] * 3, "..........."]


def test_coloured_squares_shrink_until_they_fit(lettered: Lettered) -> None:
    drawing = lettered("AAB ABB")
    assert coloured(drawing, (10, 9)) == (
        ["AAAAA.BB", "AAAAA.BB", "AA....BB", "AA.BBBBB", "AA.BBBBB", "........"],
        {"A": (0, 0), "B": (6, 1)},
    )
    assert coloured(drawing, (7, 9)) == (["AAAABB", "AAAABB", "AABBBB", "AABBBB"], {"A": (0, 0), "B": (4, 1)})
    assert coloured(drawing, (5, 9)) == (["AAB", "ABB"], {})
    assert coloured(drawing, (80, 1)) == (["AAB", "ABB"], {})


def test_a_label_without_a_whole_cell_takes_some_of_the_joint(lettered: Lettered) -> None:
    halves, labels = coloured(lettered("AAA BBB"), (8, 9))
    assert halves == ["AAAAAAAA", "AAAAAAAA", "........", "BBBBBBBB", "BBBBBBBB", "...B...."]
    assert labels == {"A": (3, 0), "B": (3, 2)}


@pytest.mark.parametrize(
    ("board", "size"),
    [((4, 15), (80, 23)), ((22, 3), (80, 23)), ((6, 10), (80, 23)), ((5, 12), (80, 23)), ((64, 43), (80, 23))],
)
def test_boards_fit_a_terminal_of_80_by_24(board: tuple[int, int], size: tuple[int, int]) -> None:
    width, height = board
    squares = tuple((column, row) for column in range(width) for row in range(height))
    drawing = Drawing(width, height, (Squares(squares, Colour(1, 2, 3), "A"),))
    for colour in (True, False) if width < 40 else (True,):
        lines = Text.from_ansi(terminal.text(drawing, colour=colour, room=size)).plain.split("\n")
        assert len(lines) <= size[1]
        assert max(map(len, lines)) <= size[0]


def test_a_label_is_black_or_white_on_its_colour() -> None:
    tiles = (Squares(((0, 0),), Colour(255, 255, 0), "A"), Squares(((1, 0),), Colour(0, 0, 128), "B"))
    line = Text.from_ansi(terminal.text(Drawing(2, 1, tiles), colour=True).split("\n")[0])
    assert line.plain == " A   B "
    styles = [line.get_style_at_offset(Console(), column) for column in (1, 5)]
    assert [(str(style.color and style.color.name), style.bgcolor and style.bgcolor.name) for style in styles] == [
        ("#000000", "#ffff00"),
        ("#ffffff", "#000080"),
    ]


def test_colours_come_as_the_terminal_takes_them(lettered: Lettered, monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = lettered("A")
    assert "\x1b[48;2;" in terminal.text(drawing, colour=True)
    monkeypatch.delenv("COLORTERM")
    assert "\x1b[48;5;" in terminal.text(drawing, colour=True)
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b[48;2;" in terminal.text(drawing, colour=True)
    assert "\x1b" not in terminal.text(drawing, colour=False)


def two_triangles(one: str, other: str) -> Drawing:
    """A square cut along one of its diagonals."""
    upper, lower = ((0, 0), (2, 0), (0, 2)), ((2, 0), (2, 2), (0, 2))
    return Drawing(2, 2, (Polygon(upper, Colour(200, 0, 0), one), Polygon(lower, Colour(0, 0, 200), other)))


def test_polygons_are_sampled() -> None:
    halves, labels = coloured(two_triangles("A", "B"), (8, 4))
    assert halves == [
        "AAAAAAA.",
        "AAAAAA.B",
        "AAAAA.BB",
        "AAAA.BBB",
        "AAA.BBBB",
        "AA.BBBBB",
        "A.BBBBBB",
        ".BBBBBBB",
    ]
    assert labels == {"A": (2, 1), "B": (5, 2)}


def test_plain_polygons_are_letters_parted_where_they_are_alike() -> None:
    assert plain(two_triangles("A", "B"), (8, 4)) == [
        "AAAAAAAB",
        "AAAAABBB",
        "AAABBBBB",
        "ABBBBBBB",
    ]
    assert plain(two_triangles("A", "A"), (8, 4)) == [
        "AAAAAAA",
        "AAAAA  A",
        "AAA  AAA",
        "A  AAAAA",
    ]


def test_squares_and_polygons_mix() -> None:
    square = Squares(((0, 0),), Colour(9, 9, 9), "S")
    triangle = Polygon(((1, 0), (2, 0), (1, 1)), Colour(0, 9, 0), "T")
    needle = Polygon(((0, 0), (1, 0), (2, 0)), Colour(9, 0, 0), "N")
    drawing = Drawing(2, 1, (square, triangle, needle, Squares((), Colour(0, 0, 9), "E")))
    assert plain(drawing, (16, 4)) == [
        "SSSSSSSSTTTTTTT",
        "SSSSSSSSTTTTT",
        "SSSSSSSSTTT",
        "SSSSSSSST",
    ]
    assert set(coloured(drawing, (16, 4))[1]) == {"S", "T"}


def test_what_has_no_label_is_drawn_with_a_sign_of_its_own() -> None:
    assert plain(Drawing(1, 1, (Polygon(((0, 0), (1, 0), (0, 1)), Colour(0, 9, 0)),)), (4, 2)) == ["###", "#"]


def test_only_a_terminal_that_wants_colour_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert terminal.has_colour(Screen())
    assert not terminal.has_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not terminal.has_colour(Screen())
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not terminal.has_colour(Screen())


def test_the_window_is_known_of_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    monkeypatch.setenv("LINES", "20")
    assert terminal.window(Screen()) == (72, 19)
    assert terminal.window(io.StringIO()) is None


def test_show_suits_the_stream(lettered: Lettered, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "8")
    monkeypatch.setenv("LINES", "20")
    drawing = lettered("AAB ABB")
    screen, pipe = Screen(), io.StringIO()
    terminal.show(drawing, screen)
    terminal.show(drawing, pipe)
    assert screen.getvalue() == terminal.text(drawing, colour=True, room=(8, 19)) + "\n"
    assert pipe.getvalue() == terminal.text(drawing, colour=False) + "\n"


def test_show_keeps_to_ascii_where_the_stream_does(lettered: Lettered) -> None:
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="ascii", newline="")
    terminal.show(lettered("AAB ABB"), stream)
    stream.flush()
    assert written.getvalue().decode().splitlines() == [
        "+-------+---+",
        "| A     |   |",
        "|   +---+   |",
        "|   |     B |",
        "+---+-------+",
    ]
