# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest

from pentavr.pentomino.figures import FIGURES, PIECES, figure, figures_of, image, image_table, recognise

# All 63 drawn by hand: under each piece its figures from left to right, by number.
F = """
.##  .#.  .#.  #..  ##.  ..#  .#.  .#.
##.  ###  .##  ###  .##  ###  ##.  ###
.#.  ..#  ##.  .#.  .#.  .#.  .##  #..
"""
I = """
#  #####
#  .....
#  .....
#  .....
#  .....
"""  # noqa: E741 - the piece's name
L = """
#.  ####  ##  ...#  .#  #...  ##  ####
#.  #...  .#  ####  .#  ####  #.  ...#
#.  ....  .#  ....  .#  ....  #.  ....
##  ....  .#  ....  ##  ....  #.  ....
"""
N = """
.#  ##..  .#  ###.  #.  .###  #.  ..##
.#  .###  ##  ..##  #.  ##..  ##  ###.
##  ....  #.  ....  ##  ....  .#  ....
#.  ....  #.  ....  .#  ....  .#  ....
"""
P = """
##  ###  .#  ##.  ##  .##  #.  ###
##  .##  ##  ###  ##  ###  ##  ##.
#.  ...  ##  ...  .#  ...  ##  ...
"""
T = """
###  ..#  .#.  #..
.#.  ###  .#.  ###
.#.  ..#  ###  #..
"""
U = """
#.#  ##  ###  ##
###  #.  #.#  .#
...  ##  ...  ##
"""
V = """
#..  ###  ###  ..#
#..  #..  ..#  ..#
###  #..  ..#  ###
"""
W = """
#..  .##  ##.  ..#
##.  ##.  .##  .##
.##  #..  ..#  ##.
"""
X = """
.#.
###
.#.
"""
Y = """
.#  ..#.  #.  ####  #.  ####  .#  .#..
##  ####  #.  .#..  ##  ..#.  .#  ####
.#  ....  ##  ....  #.  ....  ##  ....
.#  ....  #.  ....  #.  ....  .#  ....
"""
Z = """
##.  ..#  .##  #..
.#.  ###  .#.  ###
.##  #..  ##.  ..#
"""
DRAWN = {"F": F, "I": I, "L": L, "N": N, "P": P, "T": T, "U": U, "V": V, "W": W, "X": X, "Y": Y, "Z": Z}


def drawn_by_hand() -> list[tuple[str, str, list[str]]]:
    figures = []
    for piece, drawing in DRAWN.items():
        columns = zip(*map(str.split, drawing.split("\n")[1:-1]), strict=True)
        for orientation, rows in enumerate(columns, 1):
            figures.append((piece, f"{piece}{orientation}", [row for row in rows if "#" in row]))
    return figures


def test_all_figures_and_their_numbers_are_those_drawn_by_hand() -> None:
    drawn = [(each.piece, each.name, list(each.rows())) for each in FIGURES]
    assert drawn == drawn_by_hand()
    assert [each.number for each in FIGURES] == list(range(1, 64))


def test_each_piece_has_the_published_number_of_orientations() -> None:
    # 12 free, 18 one-sided, 63 fixed pentominoes: S. W. Golomb, Polyominoes.
    assert {piece: len(figures_of(piece)) for piece in PIECES} == {
        "F": 8, "I": 2, "L": 8, "N": 8, "P": 8, "T": 4, "U": 4, "V": 4, "W": 4, "X": 1, "Y": 8, "Z": 4
    }  # fmt: skip
    assert len({each.squares for each in FIGURES}) == 63


def test_squares_are_in_reading_order_and_touch_the_upper_left_edges() -> None:
    for each in FIGURES:
        assert [(y, x) for x, y in each.squares] == sorted((y, x) for x, y in each.squares)
        assert min(x for x, _ in each.squares) == min(y for _, y in each.squares) == 0


def test_a_figure_is_laid_by_its_first_square() -> None:
    # F1 is drawn .## over ##. over .#. so it reaches one column further left than it begins.
    assert figure(1).at(5, 2) == ((5, 2), (6, 2), (4, 3), (5, 3), (5, 4))


@pytest.mark.parametrize(
    ("k", "expected"),
    [
        (0, ["..#.", "####"]),
        (1, [".#..", "####"]),
        (2, ["####", "..#."]),
        (3, ["####", ".#.."]),
        (4, [".#", ".#", "##", ".#"]),
        (5, ["#.", "#.", "##", "#."]),
        (6, [".#", "##", ".#", ".#"]),
        (7, ["#.", "##", "#.", "#."]),
    ],
)
def test_images_of_y2(k: int, expected: list[str]) -> None:
    assert figure(53).name == "Y2"
    assert list(figure(image(53, k)).rows()) == expected


def test_the_image_table_leaves_other_bytes_alone() -> None:
    for k in range(8):
        table = image_table(k)
        assert sorted(table) == list(range(256))
        assert all(table[byte] == byte for byte in [0, *range(64, 256)])
        assert [table[each.number] for each in FIGURES] == [image(each.number, k) for each in FIGURES]


def test_figures_are_recognised_wherever_they_lie() -> None:
    u_on_its_side = recognise([(7, 4), (8, 4), (8, 5), (8, 6), (7, 6)])
    assert u_on_its_side is not None
    assert u_on_its_side.name == "U4"
    assert recognise([(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]) is None


@pytest.mark.parametrize("number", [-1, 0, 64, 255])
def test_other_numbers_are_no_figures(number: int) -> None:
    with pytest.raises(ValueError, match="1 to 63"):
        figure(number)


@pytest.mark.parametrize("k", [-1, 8])
def test_other_indices_are_no_symmetries(k: int) -> None:
    with pytest.raises(ValueError, match="0 to 7"):
        image(1, k)
