# SPDX-License-Identifier: GPL-3.0-or-later
"""The serial line of the firmware, on the emulated chip: what it says, and what it makes of what it is told."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pentavr.firmware.build import build
from pentavr.firmware.image import ByteAddress, Image
from pentavr.machine.chip import Chip, Option
from pentavr.machine.emulator import Reset
from pentavr.pentomino import catalogue
from pentavr.pentomino.board import Board
from played_chip import line
from plugged_chip import seeded
from wired_chip import SECOND, WiredChip

Wired = Callable[..., WiredChip]
Solutions = Callable[..., list[str]]

STREAM = Option.ALL_SOLUTIONS | Option.STREAM
ALONE = STREAM | Option.KEEP_PROGRESS


@pytest.fixture(scope="session")
def short_firmware(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """Build the firmware with 3x20 as its default board."""
    return build(catalogue.find("3x20"), output=tmp_path_factory.mktemp("short")).image


@pytest.fixture
def wired(short_firmware: Image, backend: str) -> Iterator[Wired]:
    """Give a function that powers a chip of its own."""
    chips: list[WiredChip] = []

    def make(options: Option = STREAM, image: Image = short_firmware, clock_hz: int = SECOND) -> WiredChip:
        chips.append(WiredChip(image, options, clock_hz=clock_hz, backend=backend))
        return chips[-1]

    yield make
    for chip in chips:
        chip.machine.close()


LAID = Board.parse("LLLL#\nL####\n#####")


def load(board: Board, options: int = 1) -> str:
    return "L" + bytes((options, board.width, board.height, *board.cells)).hex().upper()


@pytest.fixture(scope="session")
def solutions(short_firmware: Image) -> Solutions:
    """Give a function that tells what the chip sends of a board, by its solutions at the stops."""

    def lines(board: str | Board = "3x20", *, every: bool = True) -> list[str]:
        with Chip.emulated(board, image=short_firmware, options=Option(int(every))) as chip:
            return [
                f"S,{each.index},{each.given.width},{each.given.height},{each.text().replace(chr(10), '')}"
                for each in chip.solutions()
            ]

    return lines


class TestAlone:
    def test_without_a_host_it_says_who_it_is_and_begins(self, wired: Wired, solutions: Solutions) -> None:
        chip = wired()
        assert chip.expect("B.*") == "B,1,1"
        chip.run(SECOND)
        assert chip.bodies == []
        assert chip.until("D.*") == [*solutions(), "D,8"]

    def test_all_it_sends_is_printable_lines(self, wired: Wired) -> None:
        chip = wired()
        chip.machine.run(max_cycles=3 * SECOND)
        sent = chip.machine.take_serial()
        assert len(sent) > 500
        assert set(sent) <= {13, 10, *range(32, 127)}

    def test_a_board_without_a_solution(self, wired: Wired, tmp_path: Path) -> None:
        image = build(catalogue.find("1x10"), output=tmp_path).image
        assert wired(image=image).until("D.*") == ["B,1,1", "D,0"]

    def test_the_causes_of_a_reset(self, wired: Wired) -> None:
        chip = wired()
        chip.run(SECOND // 4)
        chip.machine.reset(Reset.EXTERNAL)
        chip.run(SECOND // 4)
        assert chip.bodies == ["B,1,1", "B,1,2"]

    def test_a_hung_search_is_reset_by_the_watchdog_and_says_so(self, wired: Wired, solutions: Solutions) -> None:
        chip = wired(ALONE)
        place = chip.machine.image.code("figure_laid")
        chip.expect("S,2,.*", cycles=10 * SECOND)
        before = chip.machine.read_flash(place, 2)
        chip.machine.write_flash(place, bytes.fromhex("ffcf"))  # rjmp to itself
        assert chip.expect("B.*", cycles=10 * SECOND) == "B,1,8"
        assert chip.machine.cycles > 8 * SECOND
        chip.machine.write_flash(place, before)
        assert chip.until("D.*") == [*solutions(), "D,8"]

    @pytest.mark.parametrize("moment", ["ready", "waiting", "done", "rejected"])
    def test_the_watchdog_lets_a_chip_wait_as_long_as_it_likes(self, wired: Wired, moment: str) -> None:
        slow = SECOND // 10  # eight seconds of this clock are sixteen million cycles
        chip = wired(ALONE, clock_hz=slow)
        chip.expect("B.*")
        chip.ask(load(Board.rectangle(4, 1) if moment == "rejected" else catalogue.find("1x5")))
        if moment != "ready":
            chip.ask("G" if moment == "done" else "O")
            chip.expect({"waiting": "S.*", "done": "D.*", "rejected": "X.*"}[moment])
        chip.run(30 * slow)
        assert chip.bodies == []
        assert chip.ask("Q").startswith({"ready": "Q,0", "waiting": "Q,2", "done": "Q,3", "rejected": "Q,4"}[moment])

    def test_the_watchdog_lets_a_long_line_go_out_slowly(self, wired: Wired, tmp_path: Path) -> None:
        # At 300 baud and 8 MHz the 314 characters of a solution take ten seconds and more, the watchdog bites after 8.
        board = Board.parse("\n".join([".............."] * 20 + ["#####........."]))
        image = build(board, output=tmp_path, defines={"F_CPU": 8_000_000, "BAUD": 300}).image
        chip = wired(ALONE, image, clock_hz=8_000_000)
        assert chip.expect("B.*", cycles=SECOND) == "B,1,1"
        assert chip.until("D.*|B.*")[-1] == "D,1"

    @pytest.mark.parametrize("options", [Option(0), Option.ALL_SOLUTIONS, Option.ALL_SOLUTIONS | Option.KEEP_PROGRESS])
    def test_with_the_line_off_nothing_is_sent_and_nothing_taken(self, wired: Wired, options: Option) -> None:
        chip = wired(options)
        chip.machine.feed_serial(line("R") + line("Q"))
        assert chip.run(10 * SECOND, (chip.machine.image.code("no_more_solutions"),))
        chip.run(SECOND)
        assert chip.bodies == []
        assert not chip.machine.sreg & 0x80 or options & Option.KEEP_PROGRESS


class TestCommands:
    def test_a_word_from_a_host_in_time_has_the_chip_wait_for_more(self, wired: Wired) -> None:
        chip = wired(ALONE)
        chip.expect("B.*")
        chip.run(SECOND)
        assert re.fullmatch(r"Q,0,0,\d+,3,20,1", chip.ask("Q"))
        chip.run(2 * SECOND)
        assert chip.bodies == []
        assert chip.ask("Q").startswith("Q,0,")

    def test_after_a_reset_by_command_it_waits_until_told_to_go(self, wired: Wired, solutions: Solutions) -> None:
        chip = wired(ALONE)
        chip.expect("S,1,.*", cycles=3 * SECOND)
        assert chip.ask("R") == "A,R"
        assert chip.expect("B.*") == "B,1,16"
        chip.run(20 * SECOND)
        assert chip.bodies == []
        assert chip.ask("G") == "A,G"
        assert chip.until("D.*") == [*solutions(), "D,8"]

    def test_after_any_other_reset_it_does_not(self, wired: Wired) -> None:
        chip = wired()
        chip.expect("B.*")
        assert chip.ask("R") == "A,R"
        chip.expect("B.*")
        chip.power_cut()
        assert chip.expect("B.*") == "B,1,1"
        chip.expect("S,1,.*", cycles=3 * SECOND)

    def test_a_boot_loader_that_hides_the_cause_hinders_nothing(self, wired: Wired) -> None:
        chip = wired()
        chip.expect("B.*")
        chip.machine.pc = ByteAddress(0)  # its own cause was read and cleared before
        assert chip.expect("B.*") == "B,1,0"
        chip.expect("S,1,.*", cycles=3 * SECOND)

    def test_ticks_are_counted_since_the_reset(self, wired: Wired) -> None:
        chip = wired()
        chip.expect("B.*")
        for _ in range(3):
            ticks = int(chip.ask("Q").split(",")[3])
            assert abs(ticks - chip.machine.cycles / (65_536 * 64)) < 1.1
            chip.run(SECOND)

    def test_go_streams(self, wired: Wired, solutions: Solutions) -> None:
        chip = wired()
        chip.expect("B.*")
        assert chip.ask("G") == "A,G"
        assert chip.until("D.*") == [*solutions(), "D,8"]
        assert chip.ask("Q").startswith("Q,3,8,")

    def test_one_after_the_other(self, wired: Wired, solutions: Solutions) -> None:
        chip = wired(ALONE)
        chip.expect("B.*")
        assert chip.ask("O") == "A,O"
        for number, solution in enumerate(solutions()[:5], 1):
            assert chip.expect("S.*") == solution
            assert chip.ask("Q").startswith(f"Q,2,{number},")
            chip.run(SECOND // 2)
            assert chip.bodies == []
            assert chip.ask("N" if number % 2 else "O") == f"A,{'N' if number % 2 else 'O'}"
        assert chip.expect("S.*") == solutions()[5]
        assert chip.ask("G") == "A,G"
        assert chip.until("D.*") == [*solutions()[6:], "D,8"]

    def test_a_stream_can_be_held_and_let_go_again(self, wired: Wired, solutions: Solutions) -> None:
        chip = wired()
        chip.expect("B.*")
        chip.ask("G")
        chip.expect("S,2,.*")
        assert chip.ask("O") == "A,O"
        chip.run(SECOND)
        held = len(chip.bodies)
        assert chip.bodies == solutions()[2 : 2 + held]
        chip.bodies.clear()
        assert held <= 2
        assert chip.ask("Q").startswith("Q,2,")
        assert chip.ask("G") == "A,G"
        assert chip.until("D.*") == [*solutions()[2 + held :], "D,8"]

    @pytest.mark.parametrize("every", [True, False])
    @pytest.mark.parametrize("board", ["3x5", "4x5", "8x8-center-hole", "3x15", LAID], ids=str)
    def test_a_board_is_loaded(self, wired: Wired, solutions: Solutions, board: str | Board, every: bool) -> None:
        given = catalogue.find(board) if isinstance(board, str) else board
        chip = wired()
        chip.expect("B.*")
        assert chip.ask(load(given, int(every))) == "A,L"
        assert chip.ask("Q").split(",")[4:6] == [str(given.width), str(given.height)]
        assert chip.ask("G") == "A,G"
        found = chip.until("D.*")
        assert found == [*solutions(given, every=every), f"D,{len(found) - 1}"]

    def test_the_largest_board_is_loaded(self, wired: Wired) -> None:
        board = Board.parse("\n".join(["IIIII" + "." * 9, *["." * 14] * 20]))
        chip = wired()
        chip.expect("B.*")
        assert chip.ask(load(board)) == "A,L"
        chip.ask("G")
        assert chip.until("D.*") == [f"S,1,14,21,IIIII{'.' * 289}", "D,1"]

    def test_a_board_that_was_searched_before_starts_afresh_by_another_stamp(
        self, wired: Wired, solutions: Solutions
    ) -> None:
        chip = wired(ALONE)
        place = chip.machine.image.code("board_ready")
        found = solutions("4x15", every=False)
        for stamp, first in ((0, 1), (0, 2), (8, 1), (8, 2), (0xF8, 1)):
            chip.power_cut()
            assert chip.run(SECOND, (place,))
            chip.machine.write_data(chip.machine.image.sram("record_ticks"), b"\1")
            chip.expect("B.*")
            assert chip.ask(load(catalogue.find("4x15"), stamp)) == "A,L"
            chip.ask("G")
            number = int(chip.expect("S.*").split(",")[1])
            assert number == first if first == 1 else number > 1
            assert chip.until("S,.*") == [found[number]]
            chip.run(SECOND)

    @pytest.mark.parametrize("bits", [2, 4, 6, 8, 0xFE])
    def test_of_the_options_only_bit_0_is_heeded(self, wired: Wired, solutions: Solutions, bits: int) -> None:
        chip = wired()
        chip.expect("B.*")
        assert chip.ask(load(catalogue.find("3x5"), bits)) == "A,L"
        chip.ask("G")
        assert chip.until("D.*") == [*solutions("3x5", every=False), "D,7"]

    @pytest.mark.parametrize(
        ("drawing", "reason"),
        [("#" * 15 + "\n" + "\n".join(["#" * 15] * 14), 1), ("####", 6), ("\n".join(["#" * 13] * 5), 7)],
    )
    def test_a_board_that_cannot_be_searched_is_rejected(self, wired: Wired, drawing: str, reason: int) -> None:
        chip = wired(ALONE)
        chip.expect("B.*")
        assert chip.ask(load(Board.parse(drawing))) == "A,L"
        assert chip.ask("G") == "A,G"
        assert chip.expect("X.*") == f"X,{reason}"
        assert chip.ask("Q").startswith("Q,4,0,")

    def test_a_loaded_board_is_gone_after_a_reset(self, wired: Wired) -> None:
        chip = wired()
        chip.expect("B.*")
        chip.ask(load(catalogue.find("3x5")))
        assert chip.ask("R") == "A,R"
        assert chip.expect("B.*") == "B,1,16"
        assert chip.ask("Q").split(",")[4:6] == ["3", "20"]

    @pytest.mark.parametrize("cause", ["R", "power"])
    @pytest.mark.parametrize("every", [True, False])
    def test_with_progress_kept_a_loaded_board_is_kept_too(
        self, wired: Wired, solutions: Solutions, cause: str, every: bool
    ) -> None:
        chip = wired(ALONE)
        chip.expect("B.*")
        assert chip.ask(load(LAID, int(every))) == "A,L"
        if cause == "R":
            chip.ask("R")
            chip.expect("B.*")
            chip.ask("G")
        else:
            chip.power_cut()
            chip.expect("B.*")
        found = chip.until("D.*")
        assert found == [*solutions(LAID, every=every), f"D,{len(found) - 1}"]

    def test_every_command_at_every_time(self, wired: Wired) -> None:
        chip = wired()
        board = load(catalogue.find("3x20"))
        chip.expect("B.*")
        assert chip.ask("N") == "E,4"
        chip.ask("O")
        assert chip.ask("N") == "E,4"
        chip.expect("S,1,.*")
        assert [chip.ask(each) for each in ("L", board)] == ["E,4", "E,2"], "there is no room for a board now"
        chip.ask("G")
        chip.until("D.*")
        assert [chip.ask(each) for each in ("L", "G", "O", "N")] == ["E,4"] * 4
        assert chip.ask(board) == "E,2"
        assert chip.ask("Q").startswith("Q,3,")
        assert chip.ask("R") == "A,R"
        chip.expect("B.*")
        chip.ask(load(Board.rectangle(4, 1)))
        chip.ask("G")
        chip.expect("X.*")
        assert [chip.ask(each) for each in ("L", "G", "O", "N")] == ["E,4"] * 4
        assert chip.ask("R") == "A,R"

    @pytest.mark.parametrize("moment", ["ready", "searching", "waiting", "done", "rejected"])
    def test_a_reset_at_every_time(self, wired: Wired, moment: str) -> None:
        chip = wired(ALONE)
        chip.expect("B.*")
        if moment == "rejected":
            chip.ask(load(Board.rectangle(4, 1)))
        if moment != "ready":
            chip.ask("O" if moment == "waiting" else "G")
        if moment in {"waiting", "done", "rejected"}:
            chip.expect({"waiting": "S,1,.*", "done": "D.*", "rejected": "X.*"}[moment], cycles=10 * SECOND)
        assert chip.ask("R") == "A,R"
        assert chip.expect("B.*") == "B,1,16"
        assert chip.ask("Q").startswith("Q,0,0,")


GARBAGE = {
    b"hello\n": "E,1",
    b"$\n": "E,1",
    b"$*00\n": "E,3",
    b"$Q\n": "E,1",
    b"$Q*\n": "E,1",
    b"$Q*5\n": "E,1",
    b"$Q*50\n": "E,1",
    b"$Q*5x\n": "E,1",
    b"$Q*511\n": "E,1",
    b"Q*51\n": "E,1",
    b" $Q*51\n": "E,1",
    b"$Z*5A\n": "E,3",
    b"$q*71\n": "E,3",
    b"\x00\xff\x80\n": "E,1",
    line("L"): "E,1",
    line("L01"): "E,1",
    line("L010101"): "E,1",
    line("L0102020000"): "E,1",
    line("L01020200000000"): "A,L",
    line("L0102020000000000"): "E,1",
    line("L010202000000GG"): "E,1",
    line("L0102020000000"): "E,1",
    b"x" * 100 + b"\n": "E,1",
    b"x" * 700 + b"\n": "E,2",
    b"$" * 1500 + b"\n": "E,2",
}


class TestGarbage:
    @pytest.mark.parametrize(("content", "answer"), GARBAGE.items(), ids=lambda each: repr(each)[:24])
    def test_it_is_answered_and_the_next_line_understood(self, wired: Wired, content: bytes, answer: str) -> None:
        chip = wired()
        chip.expect("B.*")
        assert chip.send(content) == answer
        assert chip.ask("Q").startswith("Q,0,")
        assert chip.bodies == []

    def test_an_empty_line_is_nothing(self, wired: Wired) -> None:
        chip = wired()
        chip.expect("B.*")
        assert chip.send(b"\n\r\n\r\r\n" + line("O")) == "A,O"
        assert chip.bodies == []

    def test_lower_case_digits_and_line_feeds_alone_will_do(self, wired: Wired) -> None:
        chip = wired()
        chip.expect("B.*")
        board = "L010501ff0a0a0000"
        assert chip.send(line(board).replace(b"\r", b"").lower().replace(b"$l", b"$L")) == "A,L"
        assert chip.send(b"$O*4f\n") == "A,O"

    @pytest.mark.parametrize("seed", range(5))
    def test_whatever_comes_in_the_search_is_undisturbed(self, wired: Wired, solutions: Solutions, seed: int) -> None:
        chance = seeded(seed)
        harmless = [each for each, answer in GARBAGE.items() if answer != "A,L"] + [line("Q"), line("N")]
        chip = wired(ALONE)
        chip.expect("B.*")
        chip.ask("G")
        heard: list[str] = []
        while not heard or heard[-1][0] != "D":
            for _ in range(chance.randrange(4)):
                junk = bytes(each for each in chance.randbytes(chance.randrange(60)) if each not in b"$")
                chip.machine.feed_serial(chance.choice((chance.choice(harmless)[:200], junk)))
            chip.run(chance.randrange(2_000_000))
            heard += [each for each in chip.bodies if each[0] not in "EQ"]
            answers = {each[:2] for each in chip.bodies if each[0] in "EQ"}
            assert answers <= {"E,", "Q,"}
            chip.bodies.clear()
        assert heard == [*solutions(), "D,8"]

    def test_a_command_in_the_middle_of_a_solution_is_answered_after_it(
        self, wired: Wired, solutions: Solutions
    ) -> None:
        chip = wired()
        chip.expect("B.*")
        chip.ask("G")
        middle = (chip.machine.image.code("send_letter"),)
        heard = []
        for number, command in enumerate(("Q", "N", "Z", "O"), 1):
            for _ in range(3 * 7 * number):
                assert chip.run(10 * SECOND, middle)
            answer = chip.ask(command)
            assert answer[:2] == {"Q": "Q,", "N": "E,", "Z": "E,", "O": "A,"}[command]
            heard += chip.bodies
            chip.bodies.clear()
        assert len(heard) >= 3
        chip.ask("G")
        assert heard + chip.until("D.*") == [*solutions(), "D,8"]
