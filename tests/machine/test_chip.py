# SPDX-License-Identifier: GPL-3.0-or-later
"""The chip with the real firmware, from stop to stop; and what becomes of firmware that does not keep the contract."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pentavr.errors import LimitReached, MachineFault, UnusableInput
from pentavr.firmware.image import Image, SramAddress
from pentavr.machine.backends import emulate
from pentavr.machine.chip import STACK_PAINT, Chip, Option, Stop
from pentavr.machine.emulator import Emulator, Halt, Reset
from pentavr.pentomino.board import Board

Solver = Callable[..., Chip]
Assemble = Callable[[str], Image]

CROSS = Board.parse(".#.\n###\n.#.\n")


@pytest.fixture
def solver(backend: str, firmware: Image) -> Iterator[Solver]:
    """Give a function that makes a chip with the firmware; each is closed at the end of the test."""
    chips: list[Chip] = []

    def make(board: Board | str | None = None, **options: Any) -> Chip:
        chips.append(Chip.emulated(board, image=firmware, backend=backend, **options))
        return chips[-1]

    yield make
    for chip in chips:
        chip.close()


class TestSearch:
    def test_the_readme_example(self, backend: str, firmware: Image) -> None:
        with Chip.emulated("3x20", image=firmware, backend=backend) as chip:
            solutions = list(chip.solutions())
        assert len(set(solutions)) == 8

    def test_the_bytes_at_the_first_stop(self, solver: Solver) -> None:
        chip = solver("4x15")
        assert (chip.stop, chip.board.text()) == (Stop.BOARD_READY, "\n".join(["####"] * 15))
        assert chip.next_stop() is Stop.SOLUTION_FOUND
        raw = chip.machine.read_data(SramAddress(0x100), 62)
        assert raw[-2:] == b"\x04\x0f"
        assert all(1 <= byte <= 63 for byte in raw[:-2])
        assert len(set(raw[:-2])) == 12
        assert chip.solution().cells == raw[:-2] == chip.board.cells

    @pytest.mark.parametrize(
        ("board", "every", "unique"), [("1x5", 1, 1), ("3x5", 28, 7), (CROSS, 1, 1), ("3x20", 8, 2)]
    )
    def test_all_solutions_or_one_of_each_class(
        self, solver: Solver, board: Board | str, every: int, unique: int
    ) -> None:
        assert len(set(solver(board, options=Option.ALL_SOLUTIONS).solutions())) == every
        assert len(set(solver(board, options=Option(0)).solutions())) == unique

    def test_solutions_are_numbered_and_counted(self, solver: Solver) -> None:
        chip = solver("3x20")
        for number, solution in enumerate(chip.solutions(), start=1):
            assert (solution.index, chip.solution_count) == (number, number)
            assert solution.given == Board.rectangle(3, 20)
        assert (chip.stop, chip.solution_count, chip.board) == (Stop.NO_MORE_SOLUTIONS, 8, Board.rectangle(3, 20))

    def test_the_chip_stays_at_the_end(self, solver: Solver) -> None:
        chip = solver("1x5")
        assert [chip.next_stop() for _ in range(4)] == [Stop.SOLUTION_FOUND] + 3 * [Stop.NO_MORE_SOLUTIONS]
        assert list(chip.solutions()) == []

    def test_an_iteration_can_be_taken_up_again(self, solver: Solver) -> None:
        chip = solver("3x20")
        first = next(chip.solutions())
        rest = list(chip.solutions())
        assert len({first, *rest}) == 8

    def test_a_board_with_figures_laid_is_completed(self, solver: Solver) -> None:
        whole = next(solver("3x20").solutions()).board
        keep = sorted(whole.laid())[:9]
        given = Board(3, 20, bytes(byte if byte in keep else 0 for byte in whole.cells))
        assert whole in {solution.board for solution in solver(given).solutions()}

    def test_cycles_count_from_leaving_board_ready(self, solver: Solver) -> None:
        chip = solver("3x20")
        assert chip.cycles == 0
        counts = []
        for _ in chip.solutions():
            counts.append(chip.cycles)
        counts.append(chip.cycles)
        assert counts == sorted(set(counts))
        assert counts[0] > 100

        again = solver("3x20")
        stop = chip.machine.image.code("solution_found")
        ready = again.machine.cycles
        assert again.machine.run((stop,)) is Halt.STOP
        assert again.machine.cycles - ready == counts[0]


class TestBoards:
    def test_the_default_board_and_options_are_those_of_the_build(self, solver: Solver) -> None:
        chip = solver()
        assert (chip.board, chip.options) == (Board.rectangle(4, 15), Option.ALL_SOLUTIONS)

    @pytest.mark.parametrize(
        ("board", "code", "message"),
        [
            (Board.rectangle(15, 15), 1, "15x15; the shorter side has 14 squares at most"),
            (Board.rectangle(2, 40), 2, "takes 757 bytes"),
            (Board(1, 5, bytes((0, 64, 0, 0, 0))), 3, r"square \(0, 1\) holds 64"),
            (Board(1, 5, bytes((9, 9, 9, 9, 0))), 4, r"figure 9 \(I1\)"),
            (Board(2, 5, bytes((9,) * 10)), 5, "piece I is laid 2 times"),
            (Board.parse("####\n" * 14 + "###.\n"), 6, "59 free squares; expected a multiple of five"),
            (Board.parse("####\n" * 15 + "#...\n"), 6, "61 free squares; expected a multiple of five"),
            (Board.rectangle(5, 13), 7, "65 free squares; the 12 unused pieces cover 60"),
        ],
    )
    def test_a_rejected_board_says_why(self, solver: Solver, board: Board | str, code: int, message: str) -> None:
        chip = solver(board)
        for _ in range(2):
            with pytest.raises(UnusableInput, match=message):
                chip.next_stop()
            assert (chip.stop, chip.board_error) == (Stop.BOARD_REJECTED, code)

    def test_a_board_beyond_the_srams_end_does_not_get_there(self, solver: Solver) -> None:
        chip = solver()
        with pytest.raises(UnusableInput, match="40x40; the shorter side"):
            chip.load(Board.rectangle(40, 40))
        assert chip.board == Board.rectangle(4, 15)

    def test_a_board_may_be_written_by_hand(self, solver: Solver) -> None:
        chip = solver()
        chip.machine.write_data(SramAddress(0x100), bytes(15) + bytes((3, 5)))
        chip.write("board_width", b"\3")
        chip.write("board_height", b"\5")
        assert len(list(chip.solutions())) == 28

    def test_sides_that_no_sram_holds_are_for_the_chip_to_reject(self, solver: Solver) -> None:
        chip = solver()
        chip.write("board_width", b"\xff")
        chip.write("board_height", b"\xff")
        with pytest.raises(MachineFault, match=r"a board of 255x255, .* is not in the SRAM"):
            chip.board  # noqa: B018 - reading it is the test
        with pytest.raises(UnusableInput, match="rejects the board: it is 255x255"):
            chip.next_stop()
        assert chip.board_error == 1

    def test_a_new_board_needs_a_reset(self, solver: Solver) -> None:
        chip = solver("1x5")
        chip.next_stop()
        with pytest.raises(UnusableInput, match=r"a board at board_ready only: reset it first, with boot\(\)"):
            chip.load(CROSS)
        with pytest.raises(UnusableInput, match="options at board_ready only"):
            chip.options = Option(0)
        for cause in Reset:
            chip.boot(cause)
            assert (chip.stop, chip.cycles, chip.solution_count) == (Stop.BOARD_READY, 0, 0)
            assert chip.board == Board.rectangle(4, 15)
            chip.load(CROSS)
            assert len(list(chip.solutions())) == 1

    def test_there_is_a_solution_at_its_stop_only(self, solver: Solver) -> None:
        chip = solver("1x5")
        for _ in range(3):
            if chip.stop is Stop.SOLUTION_FOUND:
                assert chip.solution().cells == bytes((chip.solution().cells[0],)) * 5
            else:
                with pytest.raises(UnusableInput, match="no solution to read"):
                    chip.solution()
            chip.next_stop()

    def test_unknown_symbols_and_boards_are_refused(self, solver: Solver) -> None:
        with pytest.raises(UnusableInput, match="no sram symbol 'bord'"):
            solver().read("bord")
        with pytest.raises(UnusableInput, match="no board '4y15'"):
            solver("4y15")


class TestLimits:
    def test_a_cycle_limit_is_for_the_whole_search(self, solver: Solver) -> None:
        chip = solver("4x15", max_cycles=400_000)
        with pytest.raises(LimitReached, match=r"within the limit of 400,000 cycles: .* is at \w+"):
            list(chip.solutions())
        assert 400_000 <= chip.cycles < 400_010
        found = chip.solution_count
        assert found > 0
        with pytest.raises(LimitReached):
            chip.next_stop()
        chip.max_cycles = None
        assert found + len(list(chip.solutions())) == 1472

    def test_a_time_limit_too(self, solver: Solver) -> None:
        chip = solver("6x10", timeout_s=0.01)
        with pytest.raises(LimitReached, match=r"within the limit of 0\.01 s"):
            list(chip.solutions())

    def test_limits_begin_anew_with_a_reset(self, solver: Solver) -> None:
        chip = solver("3x5", max_cycles=100_000)
        for _ in range(3):
            chip.boot()
            chip.load(Board.rectangle(3, 5))
            assert len(list(chip.solutions())) == 28


class TestStack:
    def test_its_depth_is_that_of_the_lowest_stack_pointer(self, solver: Solver) -> None:
        chip = solver("3x5")
        chip.machine.run((chip.machine.image.code("take_board"),))
        lowest = chip.machine.sp
        ends = chip.machine.image.code("no_more_solutions")
        while chip.machine.pc != ends:
            chip.machine.step()
            lowest = min(lowest, chip.machine.sp)
        # The byte at the stack pointer is the next to be used.
        assert chip.stack_depth == 0x4FF - lowest

    def test_it_leaves_room(self, solver: Solver) -> None:
        chip = solver("4x15")
        list(chip.solutions())
        assert 20 < chip.stack_depth < chip.stack_room
        assert chip.stack_room == 0x500 - chip.machine.image.symbols["stack_limit"].value

    def test_its_paint_is_the_firmwares(self, firmware: Image) -> None:
        assert firmware.symbols["STACK_PAINT"].value == STACK_PAINT


def test_the_options_are_the_firmwares(firmware: Image) -> None:
    assert 1 << firmware.symbols["ALL_SOLUTIONS"].value == Option.ALL_SOLUTIONS


STRANGE = """
        .dseg
board:          .byte 62
board_width:    .byte 1
board_height:   .byte 1
board_options:  .byte 1
board_error:    .byte 1
solution_count: .byte 4
stack_limit:
        .cseg
        {start}
board_ready:    nop
        {search}
solution_found: nop
no_more_solutions: nop
        rjmp no_more_solutions
board_rejected: nop
        rjmp board_rejected
"""


class TestStrangeFirmware:
    def chip(self, backend: str, image: Image, **limits: Any) -> Chip:
        return Chip.emulated(image=image, backend=backend, **limits)

    def test_one_that_never_gets_ready(self, backend: str, assembled: Assemble) -> None:
        image = assembled(STRANGE.format(start="hang: rjmp hang", search=""))
        with pytest.raises(LimitReached, match=r"did not come to board_ready within 10,000,000 cycles.*at hang"):
            self.chip(backend, image)

    def test_one_that_is_rejected_before_it_is_ready(self, backend: str, assembled: Assemble) -> None:
        image = assembled(STRANGE.format(start="rjmp board_rejected", search=""))
        with pytest.raises(LimitReached, match="board_rejected"):
            self.chip(backend, image)

    def test_one_that_never_stops(self, backend: str, assembled: Assemble) -> None:
        image = assembled(STRANGE.format(start="", search="search: rjmp search"))
        with (
            self.chip(backend, image, max_cycles=1_000_000) as chip,
            pytest.raises(LimitReached, match=r"1,000,000 cycles.*is at search"),
        ):
            chip.next_stop()

    def test_one_that_starts_over(self, backend: str, assembled: Assemble) -> None:
        image = assembled(STRANGE.format(start="", search="rjmp 0"))
        with self.chip(backend, image) as chip, pytest.raises(MachineFault, match="came back to board_ready"):
            chip.next_stop()

    def test_one_that_crashes(self, backend: str, assembled: Assemble) -> None:
        image = assembled(STRANGE.format(start="", search="lds r0, $600"))
        with self.chip(backend, image) as chip, pytest.raises(MachineFault, match="SRAM"):
            chip.next_stop()

    def test_one_that_rejects_for_an_unheard_of_reason(self, backend: str, assembled: Assemble) -> None:
        image = assembled(STRANGE.format(start="", search="ldi r16, 99\n sts board_error, r16\n rjmp board_rejected"))
        with self.chip(backend, image) as chip, pytest.raises(UnusableInput, match="board_error 99"):
            chip.next_stop()

    def test_one_that_spoils_the_sides_of_the_board(self, backend: str, assembled: Assemble) -> None:
        image = assembled(STRANGE.format(start="", search="ldi r16, 7\n sts board + 5, r16"))
        with self.chip(backend, image) as chip:
            chip.load(Board.rectangle(1, 5))
            chip.next_stop()
            with pytest.raises(MachineFault, match=r"sides \(7, 5\), expected \(1, 5\)"):
                chip.solution()

    @pytest.mark.parametrize("label", [stop.value for stop in Stop])
    def test_one_without_a_label_of_the_contract(self, backend: str, assembled: Assemble, label: str) -> None:
        source = STRANGE.format(start="", search="").replace(label, "another_label")
        with pytest.raises(UnusableInput, match=f"no code symbol '{label}'"):
            self.chip(backend, assembled(source))

    @pytest.mark.parametrize("symbol", ["board", "solution_count"])
    def test_one_without_a_symbol_of_the_contract(self, backend: str, assembled: Assemble, symbol: str) -> None:
        source = STRANGE.format(start="", search="").replace(f"{symbol}:", "another:")
        with pytest.raises(UnusableInput, match=f"no sram symbol '{symbol}'"):
            self.chip(backend, assembled(source))

    def test_a_failed_start_closes_the_machine(
        self, backend: str, assembled: Assemble, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made: list[Emulator] = []

        def remember(*arguments: Any, **options: Any) -> Emulator:
            made.append(emulate(*arguments, **options))
            return made[-1]

        monkeypatch.setattr("pentavr.machine.chip.emulate", remember)
        with pytest.raises(LimitReached):
            self.chip(backend, assembled(STRANGE.format(start="hang: rjmp hang", search="")))
        with pytest.raises(ValueError, match="closed"):
            made[0].step()


def test_a_board_can_come_from_a_file(solver: Solver, tmp_path: Path) -> None:
    drawing = tmp_path / "cross.txt"
    drawing.write_text(CROSS.text())
    assert [solution.text() for solution in solver(str(drawing)).solutions()] == [".X.\nXXX\n.X."]
