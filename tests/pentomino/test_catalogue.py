# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from pathlib import Path

import pytest

from pentavr.errors import UnusableInput
from pentavr.pentomino.board import Board
from pentavr.pentomino.catalogue import find, known, named


def test_the_full_rectangles_have_the_numbers_that_everybody_publishes() -> None:
    # C. B. and J. Haselgrove 1960 for 6x10; the others from S. W. Golomb, Polyominoes.
    numbers = {name: (named()[name].all_solutions, named()[name].unique_solutions) for name in named()}
    assert numbers["3x20"] == (8, 2)
    assert numbers["4x15"] == (1472, 368)
    assert numbers["5x12"] == (4040, 1010)
    assert numbers["6x10"] == (9356, 2339)
    assert numbers["8x8-center-hole"] == (520, 65)


@pytest.mark.parametrize("name", sorted(named()))
def test_all_is_unique_times_symmetries_where_no_solution_can_be_symmetrical(name: str) -> None:
    entry = named()[name]
    if entry.board.free_squares >= 35:
        assert entry.all_solutions == entry.unique_solutions * entry.symmetries
    else:
        assert entry.unique_solutions <= entry.all_solutions <= entry.unique_solutions * entry.symmetries


def test_boards_of_sixty_squares_are_in_the_list() -> None:
    full = [entry for entry in named().values() if entry.board.free_squares == 60]
    assert len(full) == 39
    assert sum(entry.all_solutions == 0 for entry in full) == 6


def test_a_name_that_reads_as_sides_is_that_rectangle() -> None:
    for name, entry in named().items():
        width, found, height = name.partition("x")
        if found and width.isdigit() and height.isdigit():
            assert entry.board == Board.rectangle(int(width), int(height))


def test_no_board_is_there_twice() -> None:
    boards = [entry.board for entry in named().values()]
    assert len({min(board.image(k).to_sram() for k in range(8)) for board in boards}) == len(boards)


def test_a_name_finds_its_board() -> None:
    assert find("6x5+6x5").text() == "\n".join(["######"] * 5 + ["......"] + ["######"] * 5)


def test_sides_find_a_rectangle_of_so_many_squares_a_row_and_rows() -> None:
    board = find("7x5")
    assert (board.width, board.height, board.free_squares) == (7, 5, 35)


def test_a_path_finds_the_drawing_in_the_file(tmp_path: Path) -> None:
    drawing = tmp_path / "mine.txt"
    drawing.write_text("###\n.X.\nXXX\n.X.\n", encoding="utf-8")
    assert find(str(drawing)).text() == "###\n.X.\nXXX\n.X."


def test_a_faulty_drawing_is_told_by_file_line_and_column(tmp_path: Path) -> None:
    drawing = tmp_path / "mine.txt"
    drawing.write_text("###\n#?#\n", encoding="utf-8")
    with pytest.raises(UnusableInput, match=r"mine\.txt, line 2, column 2"):
        find(str(drawing))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("6x9x", "no board '6x9x'"),
        ("8x8-centre-hole", "did you mean 8x8-center-hole"),
        ("crss1", "did you mean cross1"),
        ("zzz", "`pentavr boards` lists the names"),
        ("", "no board ''"),
        ("\0", "no board"),
        ("x" * 100_000, "no board"),
        ("300x2", "255 squares at most"),
        ("999999999x999999999", "255 squares at most"),
    ],
)
def test_other_words_find_no_board(text: str, message: str) -> None:
    with pytest.raises(UnusableInput, match=message):
        find(text)


def test_a_folder_and_binary_and_endless_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="cannot be read"):
        find(str(tmp_path))
    binary = tmp_path / "binary"
    binary.write_bytes(b"##\xff\xfe")
    with pytest.raises(UnusableInput, match="not a text file"):
        find(str(binary))
    with pytest.raises(UnusableInput, match="no drawing of a board"):
        find("/dev/zero")


def test_a_board_is_known_in_every_orientation() -> None:
    for k in range(8):
        entry = known(find("chevron1").image(k))
        assert entry is not None
        assert entry.name == "chevron1"
    assert known(Board.rectangle(2, 5)) is None
