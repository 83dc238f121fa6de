# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr monitor`, on a chip that the test plays."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pentavr.cli import monitor as command
from pentavr.cli.main import main
from pentavr.machine import serial_chip
from played_chip import SOLUTIONS, PlayedChip, Works, line

PENTAVR = (sys.executable, "-m", "pentavr")
DRAWN = ["PPFUU\nPPFFU\nPFFUU", "PPUUU\nPPUYU\nPYYYY", "UUFFP\nUFFPP\nUUFPP", "UUPPV\nUPPPV\nUUVVV"]


def solution(number: int) -> bytes:
    return line(f"S,{number},5,3,{SOLUTIONS[number - 1]}")


class Says(Works):
    """Answers as a chip does, and after the command to go says what it is told to say."""

    def __init__(self, *parts: bytes, state: int = 0) -> None:
        super().__init__()
        self.state = state
        self._parts = list(parts)

    def search(self) -> bytes:
        self.state = 1
        return self._parts.pop(0) if self._parts else b""


@pytest.fixture(autouse=True)
def _impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "SILENCE_S", 0.3)
    monkeypatch.setattr(serial_chip, "ANSWER_S", 0.2)
    monkeypatch.setattr(serial_chip, "GREETING_S", 1.0)


def monitor(capsys: pytest.CaptureFixture[str], chip: Works, *words: str) -> tuple[int, str, str]:
    with PlayedChip(chip) as played:
        status = main(["monitor", "--port", played.port, *words])
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(each) for each in text.splitlines()]


def test_solutions_come_out_in_letters_as_from_solve(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, message = monitor(capsys, Works())
    assert status == 0
    assert out == "\n\n".join(DRAWN) + "\n"
    assert "the search is over: 4 solutions, 4 received and checked" in message


def test_the_json_is_what_check_reads(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    assert monitor(capsys, Works(), "--json", str(path))[:2] == (0, "\n\n".join(DRAWN) + "\n")
    *found, last = lines(path.read_text())
    assert [(each["index"], each["width"], each["height"], each["cycles"]) for each in found] == [
        (number, 5, 3, None) for number in (1, 2, 3, 4)
    ]
    # P1 is ##/##/#. and F3 is F1, .##/##./.#., turned by half a turn; U4 is U1, #.#/###, turned by three quarters.
    p, f, u = 27, 1 + 2, 39 + 3
    assert found[0]["cells"] == [p, p, f, u, u, p, p, f, f, u, p, f, f, u, u]
    assert last == {"done": True, "solutions": 4, "cycles": None}
    # The board has more solutions than this chip has found: that, and nothing else, is for `check` to say.
    main(["check", str(path)])
    complaint, total = capsys.readouterr().out.splitlines()
    assert "4 solutions, but 3x5 has 28" in complaint
    assert total == "4 solutions, 1 violation"


def test_json_on_standard_output_is_all_that_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = monitor(capsys, Works(), "--json", "-")
    assert status == 0
    assert [each.get("index") for each in lines(out)] == [1, 2, 3, 4, None]


def test_no_solution_is_exit_1(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, message = monitor(capsys, Works(solutions=()), "--json", "-")
    assert (status, lines(out)) == (1, [{"done": True, "solutions": 0, "cycles": None}])
    assert "no solution" in message


def test_a_chip_that_waits_is_told_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    chip = Says(solution(3) + solution(4) + line("D,4"), state=2)
    status, out, message = monitor(capsys, chip)
    assert (status, out) == (0, "\n\n".join(DRAWN[2:]) + "\n")
    assert "it waits after a solution: it is told to go on" in message
    assert "4 solutions, followed from number 3 on, 2 received and checked" in message


def test_what_was_missed_at_the_beginning_is_not_called_all(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    chip = Says(solution(3) + solution(4) + line("D,4"), state=2)
    path = tmp_path / "found.json"
    assert monitor(capsys, chip, "--json", str(path))[0] == 0
    assert lines(path.read_text())[-1] == {"done": False, "solutions": 2, "cycles": None}


def test_a_search_that_is_over_already(capsys: pytest.CaptureFixture[str]) -> None:
    chip = Works()
    chip.state, chip.sent = 3, 4
    status, out, message = monitor(capsys, chip)
    assert (status, out) == (0, "")
    assert "the search is over: 4 solutions, 0 received" in message
    assert "--reset" in message


def test_a_reset_begins_it_again(capsys: pytest.CaptureFixture[str]) -> None:
    chip = Works()
    chip.state, chip.sent = 3, 4
    assert monitor(capsys, chip, "--reset")[1] == "\n\n".join(DRAWN) + "\n"


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (0, "its boot loader hides why"),
        (1, "power-on"),
        (2, "reset pin"),
        (4, "brown-out"),
        (5, "power-on"),
        (8, "watchdog: the search had hung"),
        (16, "command"),
    ],
)
def test_a_reset_is_told_with_its_cause_and_repeats_are_dropped(
    capsys: pytest.CaptureFixture[str], cause: int, words: str
) -> None:
    boot = line(f"B,1,{cause}")
    chip = Says(solution(1) + solution(2) + boot, solution(2) + solution(3) + solution(4) + line("D,4"))
    status, out, message = monitor(capsys, chip)
    assert (status, out) == (0, "\n\n".join(DRAWN) + "\n")
    assert f"the chip was reset: {words}" in message


def test_a_solution_that_noise_has_destroyed_is_reported_and_missed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "found.json"
    chip = Says(solution(1) + solution(2).replace(b"P", b"Z", 1) + solution(3) + solution(4) + line("D,4"))
    status, out, message = monitor(capsys, chip, "--json", str(path))
    assert status == 4
    assert out == "\n\n".join((DRAWN[0], *DRAWN[2:])) + "\n"
    assert "noise on the line: wrong checksum" in message
    assert "solution 2 did not come through" in message
    assert lines(path.read_text())[-1] == {"done": False, "solutions": 3, "cycles": None}


def test_what_was_lost_may_still_come_after_a_reset_and_is_saved_in_its_place(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "found.json"
    chip = Says(solution(1) + solution(3) + line("B,1,1"), b"".join(map(solution, (1, 2, 3, 4))) + line("D,4"))
    status, _, message = monitor(capsys, chip, "--json", str(path))
    assert status == 0
    assert "solution 2 did not come through" in message
    assert [each.get("index") for each in lines(path.read_text())] == [1, 2, 3, 4, None]


@pytest.mark.parametrize(
    "letters",
    ["PPFUUPPFFUPFFUP", "PPFUUPPFFUPFFU.", "PPPUUPPFFUPFFUU"],
    ids=["a wrong shape", "four squares", "six squares"],
)
def test_a_wrong_solution_is_exit_1(capsys: pytest.CaptureFixture[str], letters: str) -> None:
    status, out, message = monitor(capsys, Says(solution(2) + line(f"S,3,5,3,{letters}")))
    assert (status, out) == (1, DRAWN[1] + "\n")
    assert "solution 3 of the chip" in message


def test_the_same_solution_by_another_number_is_exit_1(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, message = monitor(capsys, Says(solution(1) + line(f"S,2,5,3,{SOLUTIONS[0]}")))
    assert status == 1
    assert "it was there before" in message


def test_a_rejected_board_is_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, message = monitor(capsys, Says(line("X,5")))
    assert status == 2
    assert "a piece is laid twice" in message


def test_another_search_is_followed_from_its_beginning(capsys: pytest.CaptureFixture[str]) -> None:
    chip = Says(solution(1) + line("B,1,1"), line("S,1,5,1,IIIII") + line("D,1"))
    status, out, message = monitor(capsys, chip)
    assert (status, out) == (0, DRAWN[0] + "\n\nIIIII\n")
    assert "the chip has begun another search" in message


def test_another_search_does_not_go_into_the_same_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    chip = Says(solution(1) + line("B,1,1"), line("S,1,5,1,IIIII") + line("D,1"))
    assert monitor(capsys, chip, "--json", str(path))[0] == 4
    assert [each.get("index") for each in lines(path.read_text())] == [1, None]


class TestFile:
    def test_it_is_gone_on_with(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        path = tmp_path / "found.json"
        monitor(capsys, Says(solution(1) + solution(2) + line("X,1")), "--json", str(path))
        assert [each.get("index") for each in lines(path.read_text())] == [1, 2, None]
        status, out, _ = monitor(capsys, Says(b"".join(map(solution, (2, 3, 4))) + line("D,4")), "--json", str(path))
        assert (status, out) == (0, "\n\n".join(DRAWN[2:]) + "\n")
        assert [each.get("index") for each in lines(path.read_text())] == [1, 2, 3, 4, None]
        assert lines(path.read_text())[-1]["done"] is True

    def test_a_line_that_was_cut_off_is_left_out(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        path = tmp_path / "found.json"
        monitor(capsys, Works(), "--json", str(path))
        whole = path.read_text()
        path.write_text(whole[: whole.index('"index": 3') + 20])
        monitor(capsys, Works(), "--json", str(path))
        assert path.read_text() == whole

    def test_solutions_of_another_search_are_left_alone(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        path = tmp_path / "found.json"
        monitor(capsys, Says(line("S,1,5,1,IIIII") + line("D,1")), "--json", str(path))
        before = path.read_text()
        status, _, message = monitor(capsys, Works(), "--json", str(path))
        assert status == 4
        assert "another search" in message
        assert path.read_text().startswith(before.splitlines()[0])

    @pytest.mark.parametrize(
        "content", ["hello\n", "[1]\n", '{"index": 1}\n', '{"width": 1, "height": 1, "cells": [1]}\n']
    )
    def test_what_is_no_such_file_is_left_alone(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str
    ) -> None:
        path = tmp_path / "notes.txt"
        path.write_text(content)
        status, _, message = monitor(capsys, Works(), "--json", str(path))
        assert status == 2
        assert f"{path}, line 1" in message
        assert path.read_text() == content

    def test_a_device_is_written_to_and_not_replaced(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert monitor(capsys, Works(), "--json", "/dev/null")[0] == 0
        assert Path("/dev/null").is_char_device()

    def test_a_folder_that_is_not_there(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        status, _, message = monitor(capsys, Works(), "--json", str(tmp_path / "no" / "found.json"))
        assert status == 2
        assert "found.json" in message


class TestAbsence:
    def test_a_chip_without_power_is_waited_for(self, capsys: pytest.CaptureFixture[str]) -> None:
        class Cut(Says):
            questions = 0

            def __call__(self, command: str) -> bytes:
                if self.state == 1 and command == "Q":
                    self.questions += 1
                    if self.questions <= 5:
                        return b""
                    self.state = 0
                    return self.boot(1)
                return super().__call__(command)

        chip = Cut(solution(1) + solution(2), solution(2) + solution(3) + solution(4) + line("D,4"))
        status, out, message = monitor(capsys, chip)
        assert (status, out) == (0, "\n\n".join(DRAWN) + "\n")
        assert message.count("waiting for it") == 1
        assert message.index("waiting for it") < message.index("the chip is back") < message.index("power-on")

    def test_a_chip_that_stays_away_is_exit_4(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(command, "ABSENCE_S", 0.5)

        class Gone(Says):
            def search(self) -> bytes:
                self.is_silent = True
                return super().search()

        chip = Gone(solution(1))
        status, _, message = monitor(capsys, chip)
        assert status == 4
        assert "does not answer" in message

    def test_a_port_that_goes_and_comes_back(self, tmp_path: Path) -> None:
        port = tmp_path / "port"
        first = PlayedChip(Says(solution(1) + solution(2)))
        second = PlayedChip(Says(solution(2) + solution(3) + solution(4) + line("D,4")))
        port.symlink_to(first.port)
        with first, second:
            process = subprocess.Popen(
                [*PENTAVR, "monitor", "--port", port], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            assert process.stdout is not None
            for _ in range(7):
                process.stdout.readline()
            first.unplug()
            port.unlink()
            time.sleep(0.2)
            port.symlink_to(second.port)
            out, message = process.communicate(timeout=60)
        assert process.returncode == 0
        assert out == "\n" + "\n\n".join(DRAWN[2:]) + "\n"
        assert "the port is gone" in message
        assert "the chip is back" in message


def test_without_a_port_the_ports_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["monitor"]) == 2
    assert "--port" in (message := capsys.readouterr().err)
    assert "the serial ports here are" in message or "this machine has none" in message


def test_a_missing_port_is_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["monitor", "--port", "/dev/ttyMISSING"]) == 2
    assert "no such port" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--baud", "0"], ["--baud", "fast"], ["extra"]])
def test_wrong_usage_is_exit_2(words: list[str]) -> None:
    with pytest.raises(SystemExit) as exit_info:
        main(["monitor", "--port", "x", *words])
    assert exit_info.value.code == 2


def test_ctrl_c_is_exit_130_and_the_json_is_ended(tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    with PlayedChip(Says(solution(1))) as played:
        process = subprocess.Popen(
            [*PENTAVR, "monitor", "--port", played.port, "--json", path],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        first = "".join(process.stdout.readline() for _ in range(3))
        process.send_signal(signal.SIGINT)
        rest, message = process.communicate(timeout=30)
    assert (first + rest, process.returncode) == (DRAWN[0] + "\n", 130)
    assert message.endswith("pentavr: interrupted\n")
    assert "Traceback" not in message
    assert lines(path.read_text())[-1] == {"done": False, "solutions": 1, "cycles": None}


def test_a_terminal_gets_coloured_drawings_with_captions_and_messages_above() -> None:
    chip = Says(solution(1), solution(2) + solution(3) + solution(4) + line("D,4"))
    with PlayedChip(chip) as played:
        pid, terminal = pty.fork()
        if pid == 0:
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", COLUMNS="80", LINES="30")
            os.environ.pop("NO_COLOR", None)
            os.execv(sys.executable, [*PENTAVR, "monitor", "--port", played.port])  # noqa: S606 - the child of a fork
        written, deadline = b"", time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                written += os.read(terminal, 65536)
            except OSError:
                break
            if b"solution 1 of 5x3" in written and chip.state == 1:
                chip.state = 0
                played.say(line("B,1,8"))
        os.close(terminal)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    shown = written.decode()
    assert "solution 1 of 5x3" in shown
    assert "solution 4 of 5x3" in shown
    assert "the chip was reset: watchdog" in shown
    assert shown.rindex("solution 4 of 5x3") < shown.index("the search is over")
    assert len(set(re.findall(r"48;2;(\d+;\d+;\d+)", shown))) >= 4, "a colour for each of P, F, U and V"
