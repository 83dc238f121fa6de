# SPDX-License-Identifier: GPL-3.0-or-later
"""What a debugger or host may count on at the stops, beside the solutions themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentavr.firmware.build import build
from pentavr.firmware.image import Image
from pentavr.machine.chip import Chip, Option, Stop
from pentavr.machine.emulator import Reset
from pentavr.pentomino.board import Board
from pentavr.pentomino.catalogue import find
from pentavr.pentomino.solution import Solution

ODD = ".###.\n#####\n#...#\n##..#\n.#.#."
"""Fifteen free squares and a board that is not like any default one, nor like itself turned or mirrored."""

STOPS = ("board_ready", "solution_found", "no_more_solutions", "board_rejected")


def solve(board: Board | str, image: Image) -> tuple[list[Solution], int]:
    with Chip.emulated(board, image=image) as chip:
        return list(chip.solutions()), chip.cycles


def test_a_stop_is_a_nop_of_its_own(built_firmware: Image) -> None:
    for name in STOPS:
        address = built_firmware.code(name)
        assert built_firmware.flash[address : address + 2] == b"\0\0"
    assert b"\x98\x95" not in {built_firmware.flash[n : n + 2] for n in range(0, len(built_firmware.flash), 2)}, "BREAK"


@pytest.mark.parametrize(("options", "byte"), [(None, 0b001), (0b111, 0b111)])
def test_the_default_board_is_there_at_board_ready(tmp_path: Path, options: int | None, byte: int) -> None:
    board = Board.parse(ODD)
    defines = None if options is None else {"DEFAULT_OPTIONS": options}
    with Chip.emulated(image=build(board, output=tmp_path, defines=defines).image) as chip:
        squares = "255 0 0 0 255  0 0 0 0 0  0 255 255 255 0  0 0 255 255 0  255 0 255 0 255"
        assert list(chip.read("board", 27)) == [*map(int, squares.split()), 5, 5]
        assert (chip.read("board_width"), chip.read("board_height")) == (b"\x05", b"\x05")
        assert chip.read("board_options") == bytes((byte,))
        assert (chip.board_error, chip.solution_count) == (0, 0)
        assert not chip.machine.sreg & 0x80


def test_the_default_board_of_the_challenge_is_62_bytes_at_0x100(tmp_path: Path) -> None:
    with Chip.emulated(image=build(Board.rectangle(4, 15), output=tmp_path).image) as chip:
        assert chip.machine.image.sram("board") == 0x100
        assert chip.read("board", 62) == bytes(60) + bytes((4, 15))


def test_a_reset_brings_the_default_board_back(chip: Chip) -> None:
    default = chip.board
    chip.load(Board.parse("#####"))
    chip.options = Option(0)
    assert chip.next_stop() is Stop.SOLUTION_FOUND
    for cause in Reset:
        chip.boot(cause)
        assert chip.board == default
        assert chip.options == Option.ALL_SOLUTIONS
        assert chip.solution_count == 0


def test_the_chip_counts_its_solutions(chip: Chip) -> None:
    chip.load(Board.rectangle(5, 5))
    for number, solution in enumerate(chip.solutions(), 1):
        assert solution.index == chip.solution_count == number
        assert not chip.machine.sreg & 0x80
    assert chip.solution_count == number == 856


def test_the_count_carries_into_its_second_byte_and_on(chip: Chip) -> None:
    chip.load(Board.rectangle(3, 5))
    chip.next_stop()
    chip.write("solution_count", (0x00FFFFFF).to_bytes(4, "little"))
    chip.next_stop()
    assert chip.solution_count == 0x01000000


@pytest.mark.parametrize("name", ["3x5", "3x20", "8x8-center-hole"])
def test_what_is_written_after_board_ready_has_no_effect(chip: Chip, built_firmware: Image, name: str) -> None:
    expected, cycles = solve(name, built_firmware)
    board = find(name)
    size = len(board.cells)
    chip.load(board)
    found = []
    while chip.next_stop() is Stop.SOLUTION_FOUND:
        found.append(chip.read("board", size + 2))
        chip.write("board", b"\x2a" * (size + 2))
        chip.write("board_width", b"\x07")
        chip.write("board_height", b"\x00")
        chip.write("board_options", b"\0")
    assert found == [solution.board.to_sram() for solution in expected]
    assert chip.cycles == cycles
    assert chip.read("board", size) == board.cells


@pytest.mark.parametrize("drawing", ["###\n###\n###\n###\n###", ODD, "####.######", "IPP#\nIPP#\nIP##\nI.#.\nI..."])
def test_at_the_end_the_board_is_as_given_and_the_chip_stays(chip: Chip, drawing: str) -> None:
    given = Board.parse(drawing)
    chip.load(given)
    solutions = list(chip.solutions())
    for _ in range(3):
        assert chip.stop is Stop.NO_MORE_SOLUTIONS
        assert chip.board == given
        assert chip.solution_count == len(solutions)
        assert not chip.machine.sreg & 0x80
        assert chip.next_stop() is Stop.NO_MORE_SOLUTIONS


@pytest.mark.parametrize("drawing", ["#####", ".#.\n###\n.#.", "####.######"])
def test_the_chip_writes_the_sides_behind_the_squares(chip: Chip, drawing: str) -> None:
    board = Board.parse(drawing)
    chip.load(board)
    chip.write("board", board.cells + b"\xee\xee")
    while chip.stop is not Stop.NO_MORE_SOLUTIONS:
        chip.next_stop()
        assert chip.read("board", len(board.cells) + 2)[-2:] == bytes((board.width, board.height))


@pytest.mark.parametrize("name", ["3x20", pytest.param("4x15", marks=pytest.mark.slow)])
def test_a_board_lying_down_has_the_same_solutions_as_fast(built_firmware: Image, name: str) -> None:
    width, height = map(int, name.split("x"))
    standing, cycles = solve(name, built_firmware)
    lying, other_cycles = solve(f"{height}x{width}", built_firmware)
    assert {solution.image(4) for solution in standing} == set(lying)
    # The search is the same; writing a solution takes a little more for each row.
    assert other_cycles == pytest.approx(cycles, rel=0.01)


@pytest.mark.parametrize("name", ["3x20", "5x7"])
def test_the_search_takes_the_same_steps_whichever_way_the_board_lies(built_firmware: Image, name: str) -> None:
    width, height = map(int, name.split("x"))
    steps = []
    for board in (Board.rectangle(width, height), Board.rectangle(height, width)):
        with Chip.emulated(board, image=built_firmware) as chip:
            laid, over = (built_firmware.code(label) for label in ("figure_laid", "no_more_solutions"))
            stops = (laid, over)
            taken = 0
            chip.machine.run(stops)
            while chip.machine.pc == laid:
                taken += 1
                chip.machine.run(stops)
            steps.append(taken)
    assert steps[0] == steps[1] > 1000
