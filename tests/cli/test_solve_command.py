# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr solve`, on the real firmware in the emulator."""

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
from PIL import Image

from exact_cover_reference import solve_by_exact_cover
from pentavr.cli.main import main
from pentavr.firmware.images import built_path
from pentavr.pentomino.board import Board
from pentavr.pentomino.catalogue import find

PENTAVR = (sys.executable, "-m", "pentavr")

CORNERED = """\
LLLL#
L####
#####
"""
"""Ten free squares beside a laid L."""


def solve(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["solve", *words])
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_the_first_solution_of_4x15_is_what_is_asked_for_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = solve(capsys)
    assert status == 0
    assert [len(row) for row in out.split()] == [4] * 15
    assert sorted(re.sub(r"\s", "", out)) == sorted("FILNPTUVWXYZ" * 5)


def test_a_piped_solution_is_a_board_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    _, first, _ = solve(capsys, "6x10")
    path = tmp_path / "solved.txt"
    path.write_text(first)
    status, again, message = solve(capsys, str(path), "--all")
    assert (status, again) == (0, first)
    assert ": 1 solution;" in message


def test_all_solutions_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = solve(capsys, "3x5", "--all", "--json")
    *found, last = lines(out)
    assert status == 0
    assert {bytes(each["cells"]) for each in found} == solve_by_exact_cover(find("3x5"))
    assert [each["index"] for each in found] == list(range(1, 29))
    assert all((each["width"], each["height"]) == (3, 5) for each in found)
    assert [each["cycles"] for each in found] == sorted({each["cycles"] for each in found})
    assert last == {"done": True, "solutions": 28, "cycles": last["cycles"]}
    assert last["cycles"] > found[-1]["cycles"]


def test_blocked_squares_are_255_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = solve(capsys, "plus", "--json")
    assert lines(out)[0]["cells"] == [255, 51, 255, 51, 51, 51, 255, 51, 255]


def test_a_limit_ends_the_search_with_done_false(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = solve(capsys, "3x20", "--limit", "3", "--json")
    *found, last = lines(out)
    assert (status, len(found), last["done"], last["solutions"]) == (0, 3, False, 3)


def test_unique_leaves_one_solution_of_each_class(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = solve(capsys, "3x20", "--unique")
    assert len(out.split("\n\n")) == 2
    _, out, _ = solve(capsys, "4x15", "--unique", "--json")
    assert lines(out)[-1]["solutions"] == 368
    _, out, _ = solve(capsys, "4x15", "--unique", "--limit", "2", "--json")
    assert lines(out)[-1]["solutions"] == 2


def test_a_laid_figure_stays(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text(CORNERED)
    status, out, _ = solve(capsys, str(path), "--all", "--json")
    found = {bytes(each["cells"]) for each in lines(out)[:-1]}
    assert status == 0
    assert found == solve_by_exact_cover(Board.parse(CORNERED))
    given = {(place, number) for place, number in enumerate(Board.parse(CORNERED).cells) if number}
    assert len(given) == 5
    assert all(given <= set(enumerate(cells)) for cells in found)


@pytest.mark.parametrize("board", ["cross-x3", "cross-x4", "chevron-x", "diamond-v-x", "1x10"])
def test_no_solution_is_exit_1(capsys: pytest.CaptureFixture[str], board: str) -> None:
    status, out, message = solve(capsys, board)
    assert (status, out) == (1, "")
    assert message.startswith(f"{board}: no solutions;")


def test_a_part_that_is_no_multiple_of_five_ends_at_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "parts.txt"
    path.write_text("\n".join(["######"] * 4 + ["......"] + ["######"] * 6))
    status, out, _ = solve(capsys, str(path), "--json")
    assert status == 1
    assert lines(out) == [{"done": True, "solutions": 0, "cycles": lines(out)[0]["cycles"]}]
    assert lines(out)[0]["cycles"] < 1_000_000, "50 ms at 20 MHz"


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        ("", "empty"),
        ("####\n###\n####", "line 2"),
        ("\n".join(["#" * 59]), "59"),
        ("\n".join(["#" * 61]), "61"),
        ("\n".join(["#" * 15] * 15), "14"),
        ("\n".join(["#" * 10] * 30), "SRAM"),
        ("\n".join(["#" * 13] * 5), "60"),
        ("LLL.\n####\n####", "line 1"),
        ("LLLL\nL...\nLLLL\nL...", "L"),
        ("##?##", "?"),
    ],
    ids=["empty", "ragged", "59", "61", "side of 15", "too large", "65", "in part", "twice", "unknown mark"],
)
def test_an_unusable_board_is_exit_2_and_prints_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, drawing: str, message: str
) -> None:
    path = tmp_path / "board.txt"
    path.write_text(drawing)
    status, out, error = solve(capsys, str(path), "--json", "--svg", str(tmp_path / "sheet.svg"))
    assert (status, out) == (2, "")
    assert error.startswith("pentavr: ")
    assert message in error
    assert not (tmp_path / "sheet.svg").exists()


def test_an_unknown_board_is_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, error = solve(capsys, "4x51x")
    assert (status, out) == (2, "")
    assert "4x51x" in error


@pytest.mark.parametrize(
    "words",
    [
        "--limit 0",
        "--limit x",
        "--timeout -1",
        "--max-cycles 0",
        "--all --limit 2",
        "a b",
        "--svg a.gif",
        "--png missing/a.png",
    ],
)
def test_wrong_usage_is_exit_2(words: str) -> None:
    with pytest.raises(SystemExit) as exit_info:
        main(["solve", *words.split()])
    assert exit_info.value.code == 2


def test_a_cycle_limit_is_exit_4_and_keeps_what_was_found(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.svg"
    status, out, error = solve(capsys, "4x15", "--all", "--json", "--max-cycles", "400000", "--svg", str(sheet))
    *found, last = lines(out)
    assert status == 4
    assert "400,000 cycles" in error
    assert last == {"done": False, "solutions": len(found), "cycles": last["cycles"]}
    assert found
    assert all(each["cycles"] <= 400_000 for each in found)
    assert sheet.read_text().count("solution ") >= len(found)


def test_a_time_limit_is_exit_4(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, error = solve(capsys, "diamond", "--all", "--json", "--timeout", "0.2")
    assert status == 4
    assert lines(out)[-1]["done"] is False
    assert "0.2 s" in error


@pytest.fixture
def copied_build(tmp_path: Path) -> Path:
    for suffix in (".hex", ".map", ".lst"):
        content = built_path().with_suffix(suffix).read_bytes()
        (tmp_path / f"copy{suffix}").write_bytes(content)
    return tmp_path / "copy.hex"


def test_another_build_of_the_firmware_can_be_used(capsys: pytest.CaptureFixture[str], copied_build: Path) -> None:
    assert solve(capsys, "3x20", "--firmware", str(copied_build))[0] == 0


def test_a_truncated_hex_file_is_exit_2(capsys: pytest.CaptureFixture[str], copied_build: Path) -> None:
    content = copied_build.read_text()
    copied_build.write_text(content[: len(content) // 2])
    status, out, error = solve(capsys, "3x20", "--firmware", str(copied_build))
    assert (status, out) == (2, "")
    assert "copy.hex" in error


def test_a_wrong_checksum_is_exit_2(capsys: pytest.CaptureFixture[str], copied_build: Path) -> None:
    first, rest = copied_build.read_text().split("\n:", 1)
    copied_build.write_text(f"{first}\n:{rest[:10]}{'7' if rest[10] != '7' else '8'}{rest[11:]}")
    status, out, error = solve(capsys, "3x20", "--firmware", str(copied_build))
    assert (status, out) == (2, "")
    assert "copy.hex" in error


def test_firmware_that_never_stops_runs_into_the_cycle_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from intelhex import IntelHex

    for suffix in (".map", ".lst"):
        (tmp_path / f"stuck{suffix}").write_bytes(built_path().with_suffix(suffix).read_bytes())
    stuck = IntelHex(str(built_path()))
    stuck[0], stuck[1] = 0xFF, 0xCF  # rjmp to itself, at the reset vector
    stuck.write_hex_file(str(tmp_path / "stuck.hex"))
    status, out, error = solve(capsys, "3x20", "--firmware", str(tmp_path / "stuck.hex"))
    assert (status, out) == (4, "")
    assert "board_ready" in error


def test_sheets_are_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    svg, png = tmp_path / "all.svg", tmp_path / "all.png"
    assert solve(capsys, "3x20", "--all", "--svg", str(svg), "--png", str(png))[0] == 0
    assert svg.read_text().count("solution 8 of 3x20") >= 1
    with Image.open(png) as picture:
        assert len(set(picture.convert("RGB").resize((400, 400)).get_flattened_data())) > 12


def test_ctrl_c_in_the_middle_is_exit_130_and_the_json_is_ended() -> None:
    process = subprocess.Popen(
        [*PENTAVR, "solve", "8x8-hole2x2-r0c0", "--all", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    rest, error = process.communicate(timeout=30)
    assert process.returncode == 130
    assert error == b"pentavr: interrupted\n"
    *_, last = lines((first + rest).decode())
    assert last["done"] is False


def test_a_closed_pipe_ends_quietly() -> None:
    process = subprocess.Popen(
        [*PENTAVR, "solve", "4x15", "--all"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=30) == 0
    process.stderr.close()


def in_a_terminal(*words: str) -> str:
    """Run pentavr with a terminal for its output, and give what it writes there."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", COLUMNS="80", LINES="50")
        os.environ.pop("NO_COLOR", None)
        os.execv(sys.executable, [*PENTAVR, *words])  # noqa: S606 - the child of a fork becomes the command
    written = b""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        written += part
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    return written.decode()


def test_a_terminal_gets_a_coloured_drawing_with_cycles_and_time() -> None:
    shown = in_a_terminal("solve", "4x15")
    assert len(set(re.findall(r"\x1b\[[\d;]*48;2;(\d+;\d+;\d+)", shown))) >= 12, "a colour for each piece"
    cycles = re.search(r"solution 1 of 4x15: ([\d,]+) cycles, ([\d.]+) ms at 20 MHz", shown)
    assert cycles is not None
    assert float(cycles[2]) == pytest.approx(int(cycles[1].replace(",", "")) / 20_000, rel=0.01)


def test_a_terminal_gets_a_progress_bar_for_long_work() -> None:
    shown = in_a_terminal("count", "6x10")
    assert "searched" in shown
    assert re.search(r"[\d,]+ found", shown)
