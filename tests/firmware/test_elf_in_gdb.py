# SPDX-License-Identifier: GPL-3.0-or-later
"""The ELF file in the real avr-gdb, over simavr's gdb server."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pentavr.firmware.build import build
from pentavr.pentomino.board import Board
from simavr_gdb_server import simavr_gdb_server

pytest.importorskip("pysimavr", reason="simavr's library is there up to Python 3.11")
pytestmark = pytest.mark.skipif(shutil.which("avr-gdb") is None, reason="apt-get install gdb-avr")

TIME_LIMIT_S = 60


def debug(elf: Path, *commands: str, script: bool = True) -> str:
    """Connect gdb to a chip that has just been reset, run commands and give all that they print."""
    with simavr_gdb_server(elf.with_suffix(".hex")) as port:
        # simavr answers a question about relocation wrongly, so gdb must not know the file when it connects.
        steps = [f"target remote 127.0.0.1:{port}", f"file {elf}", *commands, "kill"]
        trust = [f"add-auto-load-safe-path {elf.parent}"] if script else ["set auto-load python-scripts off"]
        done = subprocess.run(
            ["avr-gdb", "-nx", "-batch", "-iex", *trust, *(word for step in steps for word in ("-ex", step))],
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT_S,
            check=False,
            stdin=subprocess.DEVNULL,
            cwd=elf.parent,
        )
    return done.stdout + done.stderr


def frames(out: str) -> list[tuple[str, str]]:
    """Give routine and place of each frame that a backtrace names."""
    return re.findall(r"^#\d+ +(?:0x[0-9a-f]+ in )?(\S+) \(\) at (\S+)$", out, re.MULTILINE)


def test_a_label_stops_at_itself(lights: Path) -> None:
    out = debug(lights, "break note", "break noted", "break done", "info breakpoints", "continue", "print/x $pc")
    stops = re.findall(r"breakpoint +keep y +0x0*([0-9a-f]+) in (\w+) at (\S+)", out)
    assert stops == [("70", "note", "count.inc:23"), ("76", "note", "count.inc:27"), ("48", "reset", "lights.asm:28")]
    assert "Breakpoint 1, note () at count.inc:23\n23\t\tldi\tr30, low(history)" in out


def test_a_line_within_an_include_stops(lights: Path) -> None:
    out = debug(lights, "break count.inc:9", "continue", "list", "info line count.inc:6")
    assert "Breakpoint 1, count_down () at count.inc:9\n9\t\trcall\tcount_down" in out
    assert "6\t\tSHOW\tr20" in out
    # The macro's three words, in bytes.
    assert 'Line 6 of "count.inc" starts at address 0x52 <count_down+4> and ends at 0x58 <count_down+10>.' in out


def test_the_stack_is_named_at_depth(lights: Path) -> None:
    out = debug(lights, "break note", "continue", "bt", "info registers r18", "frame 2", "print $r18", "print $r20")
    assert frames(out)[:5] == [
        ("note", "count.inc:23"),
        ("count_down", "count.inc:14"),
        ("count_down", "count.inc:9"),
        ("count_down", "count.inc:9"),
        ("reset", "lights.asm:26"),
    ]
    # The innermost of three calls has 1 in r18; what it found there, the middle one's 2, it has pushed.
    assert re.search(r"r18 +0x1 ", out)
    assert "$1 = 2" in out
    assert "$2 = 0" in out


@pytest.mark.parametrize("place", ["*0x4e", "*0x50", "*0x62", "*0x64", "*0x68", "*0x6e", "noted"])
def test_the_stack_is_named_wherever_it_grows_or_shrinks(lights: Path, place: str) -> None:
    out = debug(lights, f"break {place}", "continue", "bt")
    named = frames(out)
    # Beyond the innermost calls all frames lie at the recursive call, the last at the first.
    assert named[-1] == ("reset", "lights.asm:26")
    assert {frame for frame in named[2:-1] if frame[0] == "count_down"} <= {("count_down", "count.inc:9")}
    depth = {"*0x4e": 2, "*0x50": 2, "*0x62": 4, "*0x64": 4, "*0x68": 4, "*0x6e": 4, "noted": 5}
    assert len(named) == depth[place]


def test_stepping_goes_by_lines_and_over_calls(lights: Path) -> None:
    out = debug(lights, "break count_down", "continue", "step", "step", "step", "bt 1", "break bottom", "delete 1",
                "continue", "next", "next", "next", "bt 1", "finish")  # fmt: skip
    assert "5\t\tmov\tr18, r20\n6\t\tSHOW\tr20\n7\t\tdec\tr20\n#0  count_down () at count.inc:7" in out
    # `next` on the call of note comes out behind it.
    assert "#0  count_down () at count.inc:15" in out
    assert "count_down () at count.inc:10" in out


def test_data_is_printed_by_name(lights: Path) -> None:
    out = debug(lights, "break done", "continue", "print pattern", "print history", "print &history", "print masks",
                "whatis history", "print sizeof(history)", "x/2xb &history", "info address speeds")  # fmt: skip
    assert "$1 = 1\n" in out
    assert "$2 = {1, 0, 0, 0, 0}\n" in out
    assert "$3 = (byte (*)[5]) 0x800101 <history>\n" in out
    # simavr 1.6 does not let gdb read its EEPROM.
    assert 'Symbol "speeds" is static storage at address 0x810001.' in out
    assert "$4 = {1, 2, 4, 8, 16, 32}\n" in out
    assert "type = byte [5]\n" in out
    assert "$5 = 5\n" in out
    assert "0x800101 <history>:\t0x01\t0x00" in out


def test_without_our_unwinder_the_rest_works(lights: Path) -> None:
    out = debug(lights, "break note", "continue", "list", "print pattern", script=False)
    assert "Breakpoint 1, note () at count.inc:23" in out
    assert "$1 = 1" in out


def test_code_that_nothing_called_has_no_caller(lights: Path) -> None:
    out = debug(lights, "bt", "break done", "continue", "bt", "python print(gdb.selected_frame().older())")
    assert frames(out) == [("code_0000", "lights.asm:19"), ("reset", "lights.asm:28")]
    assert "None\n" in out
    assert "Error" not in out


@pytest.fixture(scope="module")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = build(Board.rectangle(4, 15), output=tmp_path_factory.mktemp("build"))
    return built.path.with_suffix(".elf")


def test_the_levels_of_the_search_are_named(firmware: Path) -> None:
    out = debug(firmware, "break board_ready", "break solution_found", "continue", "continue", "bt", "print board")
    assert "Breakpoint 1, reset () at start.inc" in out
    named = [frame for frame in frames(out) if frame[1].startswith("tree.inc")]
    # X is laid first; the other eleven pieces are a level each.
    assert len(named) == 11
    assert frames(out)[-1][0] == "reset"
    board = re.search(r"^\$1 = \{(.*), 4, 15\}$", out, re.MULTILINE)
    assert board is not None
    squares = board[1].split(", ")
    assert len(squares) == 60
    assert len(set(squares)) == 12
    # Each level stands at the line that lays its figure.
    lines = (Path(__file__).parents[2] / "firmware" / "tree.inc").read_text(encoding="utf-8").splitlines()
    laid = {re.split(r"[\s,]+", lines[int(place.rpartition(":")[2]) - 1].strip())[1] for _, place in named}
    assert laid == set(squares) - {"51"}
