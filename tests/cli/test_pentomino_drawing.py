# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from pentavr.cli.pentomino_drawing import FREE_COLOUR, board_drawing, piece_colour, solution_drawing
from pentavr.pentomino.board import Board
from pentavr.pentomino.solution import Solution
from pentavr.render.drawing import Squares
from pentavr.render.palette import TWELVE


def test_laid_figures_free_and_blocked_squares() -> None:
    drawing = board_drawing(Board.parse("#I.\n#I#\n#I.\n#I#\n#I."), "mine")
    assert (drawing.width, drawing.height, drawing.title) == (3, 5, "mine")
    laid, *free = drawing.shapes
    assert laid == Squares(((1, 0), (1, 1), (1, 2), (1, 3), (1, 4)), TWELVE[1], "I")
    assert free == [
        Squares((square,), FREE_COLOUR) for square in [(0, 0), (0, 1), (2, 1), (0, 2), (0, 3), (2, 3), (0, 4)]
    ]


def test_a_solution_has_a_shape_a_figure_in_the_colour_of_its_piece() -> None:
    board = Board.parse("LPP\nLPP\nLPV\nLLV\nVVV")
    drawing = solution_drawing(Solution(Board.rectangle(3, 5), board.cells))
    shapes = {shape.label: (set(shape.squares), shape.colour) for shape in drawing.shapes if isinstance(shape, Squares)}
    assert shapes == {
        "L": ({(0, 0), (0, 1), (0, 2), (0, 3), (1, 3)}, TWELVE[2]),
        "P": ({(1, 0), (2, 0), (1, 1), (2, 1), (1, 2)}, TWELVE[4]),
        "V": ({(2, 2), (2, 3), (0, 4), (1, 4), (2, 4)}, TWELVE[7]),
    }


def test_each_piece_has_a_colour_of_its_own_and_free_squares_another() -> None:
    colours = [piece_colour(piece) for piece in "FILNPTUVWXYZ"]
    assert len({*colours, FREE_COLOUR}) == 13
