# SPDX-License-Identifier: GPL-3.0-or-later
"""Boards and solutions as neutral drawings, for the terminal and for pictures alike."""

from __future__ import annotations

from pentavr.pentomino.board import FREE, Board
from pentavr.pentomino.figures import PIECES, figure
from pentavr.pentomino.solution import Solution
from pentavr.render.drawing import Colour, Drawing, Squares
from pentavr.render.palette import TWELVE

__all__ = ["FREE_COLOUR", "board_drawing", "piece_colour", "solution_drawing"]

FREE_COLOUR = Colour.from_hex("#e4e2dd")
"""Of squares that nothing covers yet."""


def piece_colour(piece: str) -> Colour:
    """Return the colour that the piece with this letter has in every drawing."""
    return TWELVE[PIECES.index(piece)]


def board_drawing(board: Board, title: str = "") -> Drawing:
    """Draw each laid figure with its piece's letter, each free square for itself, and blocked squares not at all."""
    laid = (
        Squares(squares, piece_colour(figure(number).piece), figure(number).piece)
        for number, squares in board.laid().items()
    )
    free = (
        Squares(((place % board.width, place // board.width),), FREE_COLOUR)
        for place, byte in enumerate(board.cells)
        if byte == FREE
    )
    return Drawing(board.width, board.height, (*laid, *free), title)


def solution_drawing(solution: Solution, title: str = "") -> Drawing:
    """Draw each figure in the colour of its piece and with its letter."""
    return board_drawing(solution.board, title)
