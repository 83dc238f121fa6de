# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentavr.errors import UnusableInput
from pentavr.pentomino.board import Board
from pentavr.pentomino.figures import FIGURES

PIECES_LAID = """
.PP#F.
PPPFFF
UUUF#.
U#U###
"""


def test_a_drawing_becomes_the_bytes_of_its_squares() -> None:
    board = Board.parse("##.\n#.#\n")
    assert (board.width, board.height) == (3, 2)
    assert board.cells == bytes([0, 0, 255, 0, 255, 0])


def test_letters_tell_the_figure_by_the_shape_of_their_squares() -> None:
    board = Board.parse(PIECES_LAID)
    p, u, f = 32, 41, 8  # P6, U3, F8
    rows = [
        [255, p, p, 0, f, 255],
        [p, p, p, f, f, f],
        [u, u, u, f, 0, 255],
        [u, 0, u, 0, 0, 0],
    ]
    assert board.cells == bytes(byte for row in rows for byte in row)


@pytest.mark.parametrize("text", [PIECES_LAID, "#", "#.#\n...\n#.#", "IIIII", "#X#\nXXX\n#X#"])
def test_a_drawing_is_given_back_as_it_was(text: str) -> None:
    assert Board.parse(text).text() == text.strip("\n")


@given(st.randoms(use_true_random=False))
def test_boards_with_any_figures_laid_side_by_side_are_read_back(chance: random.Random) -> None:
    width, height = chance.randint(5, 12), chance.randint(5, 12)
    cells = [chance.choice([0, 0, 0, 255]) for _ in range(width * height)]
    pieces: set[str] = set()
    taken: set[int] = set()
    for figure in chance.sample(FIGURES, 20):
        left, top = chance.randint(0, width - figure.width), chance.randint(0, height - figure.height)
        places = {(top + y) * width + left + x for x, y in figure.squares}
        if figure.piece not in pieces and not places & taken:
            pieces.add(figure.piece)
            taken |= places
            for place in places:
                cells[place] = figure.number
    board = Board(width, height, bytes(cells))
    assert Board.parse(board.text()) == board


@pytest.mark.parametrize("text", ["\n\n##\n#.\n\n", "##  \r\n#.\t\r\n", "\ufeff##\n#."])
def test_white_space_around_a_drawing_does_not_count(text: str) -> None:
    assert Board.parse(text) == Board(2, 2, bytes([0, 0, 0, 255]))


@pytest.mark.parametrize("text", ["", "\n", "  \n\t\n", "\ufeff"])
def test_an_empty_drawing_is_refused(text: str) -> None:
    with pytest.raises(UnusableInput, match="my board: the drawing is empty"):
        Board.parse(text, source="my board")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("###\n##\n###", r"line 2, column 3: this row has 2 squares, the first one 3"),
        ("\n\n##\n###", r"line 4, column 3: this row has 3 squares, the first one 2"),
        ("###\n#o#", r"line 2, column 2: 'o' is no square; expected '#'"),
        ("##A", r"line 1, column 3: 'A' is no square"),
        (" ##", r"line 1, column 1: ' ' is no square"),
        ("#p", r"line 1, column 2: 'p' is no square; the letters of pieces are capitals: P"),
        ("##\u2588", r"line 1, column 3: '\u2588' is no square"),
        ("##\n\n##", r"line 2, column 1: an empty line inside the drawing; expected one board alone"),
        ("##\n\n\n##", r"line 2, column 1: an empty line"),
        ("#IIII", r"line 1, column 2: the letter I stands on 4 squares"),
        ("##X\n#XX\n###", r"line 1, column 3: the letter X stands on 3 squares"),
        ("IIIIIIIIII", r"line 1, column 1: the letter I stands on 10 squares; a piece has five, .* laid once"),
        ("PP.PP\nPP.PP\nP...P", r"line 1, column 1: the letter P stands on 10 squares"),
        ("TTTTT", r"line 1, column 1: the five squares with the letter T form the shape of I, expected T"),
        ("#T.T.T.T.T", r"line 1, column 2: the five squares with the letter T form no piece, expected T"),
        ("#" * 256, r"256 columns wide and 1 rows high; a side has 255 squares at most"),
        ("#\n" * 256, r"1 columns wide and 256 rows high"),
    ],
)
def test_a_faulty_drawing_is_refused_with_line_and_column(text: str, message: str) -> None:
    with pytest.raises(UnusableInput, match=f"^my board(, |: .*){message}"):
        Board.parse(text, source="my board")


def test_bytes_that_no_square_has_are_drawn_as_question_marks() -> None:
    assert Board(3, 1, bytes([0, 64, 254])).text() == "#??"
