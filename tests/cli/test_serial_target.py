# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands that take a chip on a serial port, on the real firmware behind a pseudo-terminal."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pentavr.cli.main import main
from pentavr.firmware.images import built_image
from pentavr.machine.emulator import Reset
from pentavr.machine.pty_line import PtyLine, flashed
from played_chip import PlayedChip, Works

PENTAVR = (sys.executable, "-m", "pentavr")


@pytest.fixture(scope="module")
def chip() -> Iterator[PtyLine]:
    with flashed(built_image()) as machine, PtyLine(machine, speed=10.0, limit_s=600.0) as line:
        yield line


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(each) for each in text.splitlines()]


@pytest.mark.parametrize(
    "words",
    ["solve 4x15", "solve 3x5 --all", "solve 3x20 --unique", "solve 5x5 --limit 4", "solve 1x10", "solve plus"],
)
def test_solve_writes_what_it_writes_on_the_emulator(
    capsys: pytest.CaptureFixture[str], chip: PtyLine, words: str, tmp_path: Path
) -> None:
    arguments = words.split()
    if arguments[1] == "plus":
        arguments[1] = str(tmp_path / "plus")
        (tmp_path / "plus").write_text(".#.\n###\n.#.\n")
    status, out, message = run(capsys, *arguments, "--target", f"serial:{chip.port}")
    assert (status, out) == run(capsys, *arguments)[:2]
    assert "cycles" not in out + message
    assert "MHz" not in out + message


def test_in_json_the_cycles_are_null_and_all_else_is_the_same(
    capsys: pytest.CaptureFixture[str], chip: PtyLine
) -> None:
    words = ("solve", "3x20", "--all", "--json")
    status, out, _ = run(capsys, *words, "--target", f"serial:{chip.port}")
    expected = [each | {"cycles": None} for each in lines(run(capsys, *words)[1])]
    assert (status, lines(out)) == (0, expected)


def test_count_tells_both_counts_without_cycles(capsys: pytest.CaptureFixture[str], chip: PtyLine) -> None:
    status, out, _ = run(capsys, "count", "3x5", "--target", f"serial:{chip.port}")
    assert (status, out) == (0, "3x5: 28 solutions, 7 but for turning and mirroring\n")
    _, out, _ = run(capsys, "count", "3x5", "--json", "--target", f"serial:{chip.port}")
    assert lines(out) == [{"board": "3x5", "all": 28, "unique": 7, "cycles": None, "seconds_at_20mhz": None}]


def test_a_board_that_cannot_be_searched_is_refused_before_it_goes_out(capsys: pytest.CaptureFixture[str]) -> None:
    with PlayedChip(Works()) as played:
        assert run(capsys, "solve", "4x4", "--target", f"serial:{played.port}")[0] == 2
        assert played.heard == []


def test_a_wrong_solution_is_exit_1(capsys: pytest.CaptureFixture[str]) -> None:
    works = Works(solutions=("PPFUUPPFFUPFFUU", "PPFUUPPFFUPFFUU"))
    with PlayedChip(works) as played:
        status, _, message = run(capsys, "solve", "5x3", "--all", "--target", f"serial:{played.port}")
    assert status == 1
    assert "it was there before" in message


def test_a_time_limit_is_exit_4(capsys: pytest.CaptureFixture[str], chip: PtyLine) -> None:
    status, out, message = run(
        capsys, "solve", "6x10", "--all", "--json", "--timeout", "0.5", "--target", f"serial:{chip.port}"
    )
    assert status == 4
    assert "0.5 s" in message
    assert lines(out)[-1]["done"] is False


@pytest.mark.parametrize("option", ["--max-cycles", "--firmware"])
def test_what_only_the_emulator_can_do_is_refused(capsys: pytest.CaptureFixture[str], option: str) -> None:
    status, _, message = run(capsys, "solve", option, "7", "--target", "serial:/dev/null")
    assert status == 2
    assert f"{option} is for the emulated chip" in message


@pytest.mark.parametrize("target", ["", "serial", "serial:", "/dev/ttyUSB0", "simavr"])
def test_another_target_is_wrong_usage(target: str) -> None:
    with pytest.raises(SystemExit) as exit_info:
        main(["solve", "--target", target])
    assert exit_info.value.code == 2


def test_a_missing_port_is_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, message = run(capsys, "solve", "--target", "serial:/dev/ttyMISSING")
    assert (status, out) == (2, "")
    assert "no such port" in message


def test_monitor_follows_from_where_solve_has_left_the_chip(
    capsys: pytest.CaptureFixture[str], chip: PtyLine, tmp_path: Path
) -> None:
    path = tmp_path / "found.json"
    run(capsys, "solve", "3x20", "--limit", "2", "--target", f"serial:{chip.port}")
    assert run(capsys, "monitor", "--port", chip.port, "--json", str(path))[0] == 0
    assert [each.get("index") for each in lines(path.read_text())] == [3, 4, 5, 6, 7, 8, None]
    assert run(capsys, "monitor", "--port", chip.port, "--reset", "--json", str(path))[0] == 0
    assert [each.get("index") for each in lines(path.read_text())] == [1, 2, 3, 4, 5, 6, 7, 8, None]
    assert lines(path.read_text())[-1]["done"] is True
    assert run(capsys, "check", str(path))[:2] == (0, "8 solutions, no violations\n")


def test_monitor_outlives_power_cuts_of_the_chip(
    capsys: pytest.CaptureFixture[str], chip: PtyLine, tmp_path: Path
) -> None:
    path = tmp_path / "found.json"
    run(capsys, "solve", "4x5", "--limit", "1", "--target", f"serial:{chip.port}")
    process = subprocess.Popen(
        [*PENTAVR, "monitor", "--port", chip.port, "--json", path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for _ in range(3):
        for _ in range(100):
            process.stdout.readline()
        chip.do(lambda machine: machine.reset(Reset.POWER_ON))
    _, message = process.communicate(timeout=120)
    assert process.returncode == 0
    assert message.count("the chip was reset: power-on") == 3
    found = lines(path.read_text())[:-1]
    _, out, _ = run(capsys, "solve", "4x5", "--all", "--json")
    assert found == [each | {"cycles": None} for each in lines(out)[found[0]["index"] - 1 : -1]]


def test_emulate_gives_a_port_and_ends_with_ctrl_c(capsys: pytest.CaptureFixture[str]) -> None:
    process = subprocess.Popen(
        [*PENTAVR, "emulate", "--speed", "10"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    port = process.stdout.readline().strip()
    try:
        assert re.fullmatch(r"/dev/\S+", port)
        status, out, _ = run(capsys, "solve", "3x20", "--all", "--target", f"serial:{port}")
        assert (status, len(out.split("\n\n"))) == (0, 8)
    finally:
        process.send_signal(signal.SIGINT)
        _, message = process.communicate(timeout=30)
    assert (process.returncode, message) == (130, "pentavr: interrupted\n")
