# SPDX-License-Identifier: GPL-3.0-or-later
"""The host's side of the serial line, by pyserial, against a chip that the test plays."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from pentavr.errors import LimitReached, MachineFault, UnusableInput
from pentavr.machine import serial_chip, serial_search
from pentavr.machine.line import Boot, Cause, Found, Noise, State
from pentavr.machine.serial_chip import CommandRefused, NoAnswer, SerialChip
from pentavr.machine.serial_port import PortLost, SerialPort
from pentavr.machine.serial_search import SerialSearch
from pentavr.pentomino.board import Board
from played_chip import SOLUTIONS, PlayedChip, Works, line

BOARD = Board.rectangle(5, 3)


@pytest.fixture(autouse=True)
def _impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serial_chip, "GREETING_S", 0.6)
    monkeypatch.setattr(serial_chip, "ANSWER_S", 0.3)
    monkeypatch.setattr(serial_search, "SILENCE_S", 0.2)


def letters(search: SerialSearch) -> list[tuple[int, str]]:
    return [(each.index, each.text().replace("\n", "")) for each in search.solutions()]


def told(played: PlayedChip) -> str:
    """Give the letters of the commands that have come, questions left out."""
    return "".join(command[0] for command in played.heard if command != "Q")


EVERY_ONE = list(enumerate(SOLUTIONS, 1))


class TestPort:
    def test_a_port_that_is_not_there(self) -> None:
        with pytest.raises(UnusableInput, match=r"/dev/ttyMISSING: cannot open .* no such port; th"):
            SerialPort("/dev/ttyMISSING", 38400)

    def test_what_is_no_serial_port(self) -> None:
        with pytest.raises(UnusableInput, match="it is no serial port"):
            SerialPort("/dev/null", 38400)

    def test_a_port_that_another_program_has(self) -> None:
        with PlayedChip(Works()) as played:
            port = SerialPort(played.port, 38400)
            with pytest.raises(UnusableInput, match="another program has it open"):
                SerialPort(played.port, 38400)
            port.close()
            SerialPort(played.port, 38400).close()

    def test_a_port_that_goes_is_lost_in_reading_and_in_writing(self) -> None:
        with PlayedChip(Works()) as played:
            port = SerialPort(played.port, 38400)
            played.unplug()
            with pytest.raises(PortLost, match=f"{played.port}: the port is gone"):
                port.read(1.0)
            with pytest.raises(PortLost, match=f"{played.port}: the port is gone"):
                port.write(b"x")
            port.close()


class TestGreeting:
    def test_a_chip_answers_how_it_is(self) -> None:
        with PlayedChip(Works()) as played, SerialChip.open(played.port) as chip:
            status = chip.status()
        assert (status.state, status.solutions, status.ticks) == (State.READY, 0, 7)
        assert (status.width, status.height, status.version) == (5, 3, 1)

    def test_nothing_comes(self) -> None:
        with PlayedChip(lambda _: b"") as played, pytest.raises(NoAnswer, match="nothing comes in: is it powered"):
            SerialChip.open(played.port)

    def test_only_noise_comes(self) -> None:
        with PlayedChip(lambda _: b"\xf8\x80\x0a\xfe\n") as played, pytest.raises(NoAnswer, match="Is 38400 the rate"):
            SerialChip.open(played.port)

    def test_the_chip_does_not_hear_us(self) -> None:
        solution = line("S,1,5,1,IIIII")
        with PlayedChip(lambda _: solution) as played, pytest.raises(NoAnswer, match="RXD"):
            SerialChip.open(played.port)

    def test_another_version(self) -> None:
        with (
            PlayedChip(Works(version=2)) as played,
            pytest.raises(MachineFault, match="version 2 of the protocol, expected 1: flash"),
        ):
            SerialChip.open(played.port)

    def test_another_version_after_a_reset(self) -> None:
        works = Works()
        with PlayedChip(works) as played, SerialChip.open(played.port) as chip:
            works.version = 3
            with pytest.raises(MachineFault, match="version 3"):
                chip.reset()

    def test_a_chip_that_comes_up_late_is_waited_for(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(serial_chip, "GREETING_S", 10.0)
        works = Works()
        unheard = [b"\x00\xff\n", works.boot(1)]
        with (
            PlayedChip(lambda command: unheard.pop(0) if unheard else works(command)) as played,
            SerialChip.open(played.port) as chip,
        ):
            assert isinstance(chip.wait(0.0), Noise)
            assert chip.wait(0.0) == Boot(1, Cause.POWER_ON)


class TestCommands:
    def test_what_the_chip_says_by_itself_is_kept_while_an_answer_is_waited_for(self) -> None:
        works = Works()
        with PlayedChip(works) as played, SerialChip.open(played.port) as chip:
            played.say(line("S,1,5,1,IIIII") + b"~~~~\r\n")
            assert chip.status().state is State.READY
            assert chip.wait(1.0) == Found(1, 5, 1, "IIIII")
            assert isinstance(chip.wait(1.0), Noise)
            assert chip.wait(0.1) is None

    def test_a_board_goes_out_in_one_line(self) -> None:
        with PlayedChip(Works()) as played, SerialChip.open(played.port) as chip:
            chip.load(Board.parse("IIIII\n#####"), every=False)
        assert played.heard[-1] == "L000502" + "0A" * 5 + "00" * 5

    @pytest.mark.parametrize("damage", [line("E,1"), line("E,2"), b"", b"$A,\xff*2A\r\n"], ids=repr)
    def test_a_command_or_answer_that_is_damaged_on_its_way_is_sent_again(self, damage: bytes) -> None:
        works, spoilt = Works(), [damage]
        with (
            PlayedChip(lambda command: works(command) if command == "Q" or not spoilt else spoilt.pop()) as played,
            SerialChip.open(played.port) as chip,
        ):
            chip.go()
        assert played.heard[-2:] == ["G", "G"]

    def test_a_command_that_never_arrives_whole(self) -> None:
        works = Works()
        with (
            PlayedChip(lambda command: works(command) if command == "Q" else line("E,1")) as played,
            SerialChip.open(played.port) as chip,
            pytest.raises(CommandRefused, match="came through with errors"),
        ):
            chip.go()

    def test_a_command_at_the_wrong_time(self) -> None:
        with (
            PlayedChip(Works()) as played,
            SerialChip.open(played.port) as chip,
            pytest.raises(CommandRefused, match="the command N: this is not the time for it"),
        ):
            chip.next()

    def test_a_chip_that_falls_silent(self) -> None:
        works = Works()
        with PlayedChip(works) as played, SerialChip.open(played.port) as chip:
            works.is_silent = True
            with pytest.raises(NoAnswer, match="does not answer the command Q, sent 3 times"):
                chip.status()

    def test_a_chip_that_does_not_wait_after_its_reset(self) -> None:
        works = Works()

        def hasty(command: str) -> bytes:
            answer = works(command)
            works.state = 1
            return answer

        with (
            PlayedChip(hasty) as played,
            SerialChip.open(played.port) as chip,
            pytest.raises(MachineFault, match="does not wait for a board after its reset"),
        ):
            chip.reset()


class TestSearch:
    def search(self, played: PlayedChip, **options: bool | float) -> SerialSearch:
        return SerialSearch(SerialChip.open(played.port), BOARD, **options)  # type: ignore[arg-type]

    def test_the_solutions_in_order_all_streamed(self) -> None:
        with PlayedChip(Works()) as played, self.search(played) as search:
            assert letters(search) == EVERY_ONE
            assert (search.solution_count, search.cycles) == (4, None)
        assert told(played) == "RLG"
        assert played.heard[-2][2:] in {bits + "0503" + "00" * 15 for bits in "19"}, "bit 0 set, bits 1 and 2 not"

    def test_the_solutions_one_at_a_time(self) -> None:
        with PlayedChip(Works()) as played, self.search(played, stream=False, every=False) as search:
            solutions = search.solutions()
            assert [next(solutions).index, next(solutions).index] == [1, 2]
        assert told(played) == "RLON"
        assert played.heard[-3][2:] in {bits + "0503" + "00" * 15 for bits in "08"}

    def test_no_solution(self) -> None:
        with PlayedChip(Works(solutions=())) as played, self.search(played) as search:
            assert letters(search) == []

    def test_a_search_that_is_left_has_the_chip_wait(self) -> None:
        class Endless(Works):
            def search(self) -> bytes:
                return line(f"S,1,5,3,{SOLUTIONS[0]}")

        with PlayedChip(Endless()) as played:
            with self.search(played) as search:
                next(search.solutions())
            played.await_command("O")

    def test_a_board_that_the_chip_rejects(self) -> None:
        class Rejects(Works):
            def search(self) -> bytes:
                return line("X,6")

        with (
            PlayedChip(Rejects()) as played,
            self.search(played) as search,
            pytest.raises(UnusableInput, match="the chip rejects the board: the free squares"),
        ):
            letters(search)

    @pytest.mark.parametrize("stream", [True, False])
    @pytest.mark.parametrize("lost", [1, 2, 4])
    def test_a_solution_that_noise_has_destroyed_is_found_again(self, lost: int, stream: bool) -> None:
        class Noisy(Works):
            spoilt = False

            def __call__(self, command: str) -> bytes:
                answer = super().__call__(command)
                solution = f"$S,{lost},".encode()
                if solution in answer and not self.spoilt:
                    self.spoilt = True
                    answer = answer.replace(solution, b"$S,\xa4,")
                return answer

        with PlayedChip(Noisy()) as played, self.search(played, stream=stream) as search:
            assert letters(search) == EVERY_ONE
        assert played.heard.count("R") >= 2

    def test_the_last_line_may_be_lost(self) -> None:
        class Mumbles(Works):
            asked = 0

            def __call__(self, command: str) -> bytes:
                return super().__call__(command).replace(b"$D", b"")

        with PlayedChip(Mumbles()) as played, self.search(played) as search:
            assert letters(search) == EVERY_ONE

    def test_after_a_power_cut_a_chip_that_has_kept_its_progress_goes_on_from_there(self) -> None:
        class Keeps(Works):
            cut = False
            record = 0

            def __call__(self, command: str) -> bytes:
                if command[:1] == "L":
                    self.record = 0
                return super().__call__(command)

            def search(self) -> bytes:
                self.sent = max(self.sent, self.record)
                if self.cut:
                    return super().search()
                self.cut, self.record = True, 2
                first = b"".join(line(f"S,{n},5,3,{each}") for n, each in EVERY_ONE[:3])
                return first + b"$S,4,5,3,UU" + self.boot(1)

        with PlayedChip(Keeps()) as played, self.search(played) as search:
            assert letters(search) == EVERY_ONE
        assert told(played) == "RLGG"

    def test_a_chip_with_records_of_an_earlier_search_is_made_to_start_afresh(self) -> None:
        class Remembers(Works):
            loads: tuple[str, ...] = ()

            def __call__(self, command: str) -> bytes:
                if command[:1] == "L":
                    self.loads += (command,)
                return super().__call__(command)

            def search(self) -> bytes:
                self.sent = 2 if len(self.loads) == 1 else 0
                return super().search()

        works = Remembers()
        with PlayedChip(works) as played, self.search(played) as search:
            assert letters(search) == EVERY_ONE
        first, second = works.loads
        assert first[:3] != second[:3]
        assert first[3:] == second[3:]

    def test_after_a_power_cut_a_chip_that_has_forgotten_its_board_is_told_again(self) -> None:
        class Forgets(Works):
            cut = loaded = False

            def __call__(self, command: str) -> bytes:
                self.loaded |= command[:1] == "L"
                return super().__call__(command)

            def search(self) -> bytes:
                if not self.cut:
                    self.cut, self.loaded = True, False
                    return line(f"S,1,5,3,{SOLUTIONS[0]}") + line(f"S,2,5,3,{SOLUTIONS[1]}") + self.boot(1)
                if not self.loaded:
                    return line(f"S,1,5,3,{SOLUTIONS[0]}") + line(f"S,2,5,3,{SOLUTIONS[3]}")
                return super().search()

        with PlayedChip(Forgets()) as played, self.search(played) as search:
            assert letters(search) == EVERY_ONE
        assert told(played) == "RLGGRLG"

    def test_a_chip_that_is_reset_again_and_again_is_given_up(self) -> None:
        class Hangs(Works):
            def search(self) -> bytes:
                return line(f"S,1,5,3,{SOLUTIONS[0]}") + self.boot(8)

        with (
            PlayedChip(Hangs()) as played,
            self.search(played) as search,
            pytest.raises(MachineFault, match=r"solution 2 .* 5 attempts: the chip was reset \(watchdog"),
        ):
            letters(search)

    def test_a_time_limit(self) -> None:
        class Thinks(Works):
            def search(self) -> bytes:
                self.state = 1
                return b""

        with (
            PlayedChip(Thinks()) as played,
            self.search(played, timeout_s=0.5) as search,
            pytest.raises(LimitReached, match=r"limit of 0\.5 s, solutions so far: 0;"),
        ):
            letters(search)

    def test_whoever_watches_is_called_while_the_chip_thinks(self) -> None:
        class Thinks(Works):
            def search(self) -> bytes:
                self.state = 1
                return b""

        seen: list[int] = []
        with PlayedChip(Thinks()) as played, self.search(played, timeout_s=0.5) as search:
            search.watch = lambda each: seen.append(each.solution_count)
            with pytest.raises(LimitReached):
                letters(search)
        assert seen

    def test_a_port_that_goes_and_comes_back(self, tmp_path: Path) -> None:
        port = tmp_path / "port"
        first, second = PlayedChip(Works()), PlayedChip(Works())
        port.symlink_to(first.port)
        with first, second, SerialSearch(SerialChip.open(str(port)), BOARD, stream=False) as search:
            solutions = search.solutions()
            found = [next(solutions), next(solutions)]
            first.unplug()
            port.unlink()
            threading.Timer(0.3, port.symlink_to, [second.port]).start()
            found += solutions
        assert [(each.index, each.text().replace("\n", "")) for each in found] == EVERY_ONE

    def test_a_port_that_does_not_come_back(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(serial_search, "ABSENCE_S", 0.3)
        with PlayedChip(Works()) as played, self.search(played, stream=False) as search:
            solutions = search.solutions()
            next(solutions)
            played.unplug()
            with pytest.raises(PortLost, match=r"has not come back within 0\.3 s"):
                next(solutions)
