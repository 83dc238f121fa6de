# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentavr.errors import UnusableInput
from pentavr.pentomino.board import BLOCKED, FREE, Board
from pentavr.pentomino.catalogue import named
from pentavr.pentomino.symmetry import compose, inverse, transform


def test_a_rectangle_is_all_free() -> None:
    assert Board.rectangle(4, 15).to_sram() == bytes(60) + bytes([4, 15])
    assert Board.rectangle(4, 15).free_squares == 60


def test_the_chip_has_rows_from_the_upper_left_square_and_the_sides_behind() -> None:
    board = Board.parse("#.\n.#\n##")
    assert board.to_sram() == bytes([FREE, BLOCKED, BLOCKED, FREE, FREE, FREE, 2, 3])
    assert Board.from_sram(board.to_sram()) == board


def test_a_square_is_found_by_column_and_row() -> None:
    board = Board.parse("##.\n###")
    assert board[2, 0] == BLOCKED
    assert board[2, 1] == FREE
    for off in [(3, 0), (0, 2), (-1, 0), (0, -1)]:
        with pytest.raises(IndexError, match="off a board of 3x2"):
            board[off]


def test_laid_figures_are_listed_with_their_squares() -> None:
    board = Board.parse("#IIIII\n#.X..#\n#XXX.#\n#.X.##")
    assert board.laid() == {
        10: ((1, 0), (2, 0), (3, 0), (4, 0), (5, 0)),
        51: ((2, 1), (1, 2), (2, 2), (3, 2), (2, 3)),
    }


@pytest.mark.parametrize(
    ("width", "height", "squares"), [(2, 2, 3), (2, 2, 5), (0, 5, 1), (256, 1, 256), (-1, 5, 0), (1, 300, 300)]
)
def test_sides_and_squares_must_fit(width: int, height: int, squares: int) -> None:
    with pytest.raises(UnusableInput, match=f"{width}x{height}"):
        Board(width, height, bytes(squares))


@pytest.mark.parametrize("data", [b"", b"\x01", bytes([0, 0, 0, 1, 2]), bytes([0, 1, 2])])
def test_bytes_from_the_chip_must_fit_the_sides_behind_them(data: bytes) -> None:
    with pytest.raises(UnusableInput):
        Board.from_sram(data)


def test_a_huge_rectangle_is_refused_before_it_is_made() -> None:
    with pytest.raises(UnusableInput, match="255 squares at most"):
        Board.rectangle(10**9, 10**9)


def test_an_image_turns_squares_and_figures() -> None:
    board = Board.parse("PP##\nPPP.\n#..#")
    assert board.image(5).text() == ("#PP\n.PP\n.P#\n#.#")
    assert board.image(2).text() == "#..#\nPPP.\nPP##"


@given(st.sampled_from(sorted(named())), st.integers(0, 7))
def test_images_go_back_to_the_board(name: str, k: int) -> None:
    board = named()[name].board
    assert board.image(k).image(inverse(k)) == board


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("###\n###", (0, 1, 2, 3)),
        ("##\n##", (0, 1, 2, 3, 4, 5, 6, 7)),
        ("##\n#.", (0, 4)),
        ("##\n.#", (0, 7)),
        ("#.#\n###", (0, 1)),
        ("##.\n.##", (0, 3)),
        (".#..\n...#\n#...\n..#.", (0, 3, 5, 6)),
        ("#..\n.#.", (0,)),
        # Laid figures count as they lie: X in the middle keeps all eight, T one mirroring, Z half a turn, N none.
        ("#####\n##X##\n#XXX#\n##X##\n#####", (0, 1, 2, 3, 4, 5, 6, 7)),
        ("#X#\nXXX\n#X#", (0, 1, 2, 3, 4, 5, 6, 7)),
        ("TTT\n#T#\n#T#", (0, 1)),
        ("ZZ#\n#Z#\n#ZZ", (0, 3)),
        ("VVV\nV##\nV##", (0, 4)),
        ("WW#\n#WW\n##W", (0, 7)),
        ("#NNN\nNN##", (0,)),
        ("#I#\n#I#\n#I#\n#I#\n#I#", (0, 1, 2, 3)),
        ("I##\nI##\nI##\nI##\nI##", (0, 2)),
    ],
)
def test_symmetries_keep_blocked_squares_and_laid_figures(text: str, group: tuple[int, ...]) -> None:
    assert Board.parse(text).symmetries() == group


@pytest.mark.parametrize("name", sorted(named()))
def test_the_group_of_each_named_board_has_the_published_order(name: str) -> None:
    entry = named()[name]
    assert len(entry.board.symmetries()) == entry.symmetries


@given(st.integers(1, 4), st.data())
def test_the_symmetries_of_a_board_are_a_group_that_keeps_it(side: int, data: st.DataObject) -> None:
    height = data.draw(st.sampled_from([side, side + 1]))
    cells = data.draw(st.lists(st.sampled_from([FREE, BLOCKED]), min_size=side * height, max_size=side * height))
    board = Board(side, height, bytes(cells))
    group = board.symmetries()
    assert 0 in group
    assert {compose(a, b) for a in group for b in group} == set(group)
    for k in range(8):
        moved = {transform(k, x, y, side, height) for y in range(height) for x in range(side) if board[x, y] == FREE}
        same_place = (k < 4 or side == height) and all(
            ((x, y) in moved) == (board[x, y] == FREE) for y in range(height) for x in range(side)
        )
        assert (k in group) == same_place
