# SPDX-License-Identifier: GPL-3.0-or-later
"""The C program that the firmware is compared with does the same work: it finds the same solutions."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentavr.cli.benchmarks.baseline import SOURCE, compiled
from pentavr.cli.benchmarks.firmware import Program, search
from pentavr.errors import ToolMissing, UnusableInput
from pentavr.firmware.image import Image
from pentavr.machine.chip import Chip
from pentavr.pentomino.board import Board

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def plain_c(tmp_path_factory: pytest.TempPathFactory) -> Image:
    return compiled(ROOT / SOURCE, output=tmp_path_factory.mktemp("baseline"))


@pytest.mark.parametrize("name", ["5x5", "3x20"])
def test_both_programs_find_the_same_solutions(plain_c: Image, built_firmware: Image, name: str) -> None:
    found = []
    for image in (plain_c, built_firmware):
        with Chip.emulated(name, image=image) as chip:
            solutions = list(chip.solutions())
            assert len(solutions) == len(set(solutions)) == chip.solution_count
            found.append(set(solutions))
    assert found[0] == found[1] != set()


def test_the_board_lies_where_the_firmware_has_it(plain_c: Image) -> None:
    assert plain_c.sram("board") == 0x100
    with Chip.emulated(image=plain_c) as chip:
        assert chip.read("board", 62) == bytes(60) + bytes((4, 15))


def test_it_rejects_a_board_that_it_has_no_room_for(plain_c: Image) -> None:
    with Chip.emulated(Board.rectangle(5, 13), image=plain_c) as chip, pytest.raises(UnusableInput, match="rejects"):
        chip.next_stop()


def test_a_placement_is_a_figure_laid_that_leaves_a_square_free(plain_c: Image) -> None:
    program = Program(plain_c, laid="solve", memory_end="_end", counts_start_and_end=True)
    # I fills the first five squares; there is no second I for the other five.
    for board, solutions, placements in (("5x1", 1, 0), ("10x1", 0, 1)):
        searched = search(program, board, to_the_end=True)
        assert searched.end is not None
        assert (searched.solutions, searched.end.placements) == (solutions, placements)


def test_a_source_that_does_not_compile_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "wrong.c"
    source.write_text("int main(void) { return unknown; }")
    with pytest.raises(UnusableInput, match=r"avr-gcc fails on .*wrong\.c:\n(?s:.*)unknown"):
        compiled(source, output=tmp_path / "build")


def test_without_the_compiler_its_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolMissing, match="apt-get install gcc-avr avr-libc"):
        compiled(ROOT / SOURCE, output=tmp_path / "build")
