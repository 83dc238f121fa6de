# SPDX-License-Identifier: GPL-3.0-or-later
"""The real avr-gdb on the firmware behind our server, as an IDE uses it: the ELF file first, then the chip."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pentavr.firmware.build import build
from pentavr.machine.gdb.process import ServerProcess
from pentavr.machine.gdb.server import HOST, Target
from pentavr.pentomino import catalogue

pytestmark = pytest.mark.skipif(shutil.which("avr-gdb") is None, reason="apt-get install gdb-avr")

TIME_LIMIT_S = 60
SOURCES = Path(__file__).parents[3] / "firmware"

Debug = Callable[..., str]


def line_after(label: str, file: str) -> int:
    """Number the line that follows a label's own, where its instruction stands."""
    lines = (SOURCES / file).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 2) if line.startswith(f"{label}:"))


def text_of(file: str, number: int) -> str:
    return (SOURCES / file).read_text().splitlines()[number - 1]


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Target:
    return Target(build(catalogue.find("4x15"), output=tmp_path_factory.mktemp("build")).path)


@pytest.fixture(scope="module")
def server(target: Target) -> Iterator[ServerProcess]:
    with ServerProcess(target) as process:
        yield process


@pytest.fixture
def debug(target: Target, server: ServerProcess) -> Debug:
    """Give a function that runs commands in a session of their own and returns what gdb prints."""
    elf = target.path.with_suffix(".elf")

    def run(*commands: str) -> str:
        words = [f"file {elf}", f"target remote {HOST}:{server.port}", *commands]
        done = subprocess.run(
            ["avr-gdb", "-nx", "-batch", "-iex", f"add-auto-load-safe-path {elf}"]
            + [word for command in words for word in ("-ex", command)],
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        return done.stdout + done.stderr

    return run


def test_a_session_begins_at_board_ready_with_symbols_in_place(debug: Debug) -> None:
    out = debug("print &board", "info symbol $pc", "print &board_ready")
    assert f"reset () at start.inc:{line_after('board_ready', 'start.inc')}" in out
    assert "0x800100 <board>" in out
    place = re.search(r"^(reset \+ \d+) in section \.text$", out, re.MULTILINE)
    assert place is not None
    assert f"<{place[1].replace(' ', '')}>" in out


def test_a_label_stops_at_itself_and_the_source_is_listed(debug: Debug) -> None:
    number = line_after("solution_found", "output.inc")
    out = debug("break solution_found", "continue", "list", "print/d board", "x/62xb &board")
    assert f"Breakpoint 1, solution () at output.inc:{number}\n{number}\t{text_of('output.inc', number)}\n" in out
    for near in range(number - 5, number + 5):
        assert f"{near}\t{text_of('output.inc', near)}\n" in out
    printed = re.search(r"^\$1 = \{(.*)\}$", out, re.MULTILINE)
    dumped = re.findall(r"0x([0-9a-f]{2})\b", "".join(re.findall(r"^0x8001\w+ <board.*>:(.*)$", out, re.MULTILINE)))
    assert printed is not None
    squares = [int(square) for square in printed[1].split(", ")]
    assert squares == [int(byte, 16) for byte in dumped]
    assert squares[60:] == [4, 15]
    assert sorted(squares[:60].count(square) for square in set(squares[:60])) == [5] * 12


def test_a_line_within_an_include_stops(debug: Debug) -> None:
    number = line_after("next_square", "search.inc")
    out = debug(f"break search.inc:{number}", "continue", "info breakpoints")
    assert re.search(rf"Breakpoint 1, \w+ \(\) at search\.inc:{number}\n{number}\t        ld      tmp, Y\+\n", out)


def test_the_levels_of_the_search_are_told_apart(debug: Debug) -> None:
    out = debug("break figure_laid", "ignore 1 6", "continue", "bt")
    frames = re.findall(r"^#\d+ +(?:0x\w+ in )?(\S+) \(\) at (\S+)$", out, re.MULTILINE)
    # At figure_laid itself, then a figure a level, then what began the search.
    levels = [place for _, place in frames[1:] if place.startswith("tree.inc")]
    assert all(re.match(r"\s+LAY", text_of("tree.inc", int(place.partition(":")[2]))) for place in levels)
    assert len(levels) >= 1
    beneath = ["search", "search_position", "search_cross", "search_near_rows", "search_crosses", "reset"]
    assert [name for name, _ in frames[len(levels) + 1 :]] == beneath


def test_steps_go_line_by_line_into_calls_and_over_them(debug: Debug) -> None:
    ready, taking = line_after("board_ready", "start.inc"), line_after("take_board", "intake.inc")
    # Beside the call of `open`, which has nothing to do, into take_board and its first call.
    out = debug("step", "next", "step", "step", "bt", "finish", "finish", "next", "bt", "stepi", "next")
    assert f"{ready + 1}\t{text_of('start.inc', ready + 1)}\n" in out
    assert f"take_board () at intake.inc:{taking}\n" in out
    assert re.search(
        r"^#0 +check_sides \(\) at intake\.inc:\d+\n#1 .* in take_board .*\n#2 .* in reset ", out, re.MULTILINE
    )
    # finish twice comes back behind the call; next passes the call after that.
    assert f"reset () at start.inc:{ready + 3}\n" in out
    assert f"\n#0  reset () at start.inc:{ready + 4}\n" in out
    assert f"find_symmetries () at symmetry.inc:{line_after('find_symmetries', 'symmetry.inc')}" not in out


def test_next_passes_a_call_of_the_search_that_comes_back_through_itself(debug: Debug) -> None:
    out = debug("break figure_laid", "ignore 1 6", "continue", "up", "info symbol $pc")
    (line,) = re.findall(r"^#1 .* at tree\.inc:(\d+)$", out, re.MULTILINE)
    assert re.search(r"^\S+ \+ \d+ in section \.text$", out, re.MULTILINE)
    # Below this line, which lays a figure, lies a whole search, which comes to it again and again.
    depth = "python f = gdb.newest_frame(); n = 0\nwhile f: f = f.older(); n += 1\nprint('depth', n)"
    assert text_of("tree.inc", int(line)).strip().startswith("LAY")
    out = debug(f"tbreak tree.inc:{line}", "continue", depth, "next", depth, "bt 1")
    before, after = re.findall(r"^depth (\d+)$", out, re.MULTILINE)
    assert before == after
    (reached,) = re.findall(r"^#0 .* at tree\.inc:(\d+)$", out, re.MULTILINE)
    assert reached == str(int(line) + 1) or text_of("tree.inc", int(line) + 1).endswith(":")


def test_a_condition_counts_solutions(debug: Debug) -> None:
    out = debug("break solution_found if solution_count[0] == 3", "continue", "print solution_count")
    assert "$1 = {3, 0, 0, 0}" in out


def test_a_watchpoint_on_the_board_shows_who_writes_it(debug: Debug) -> None:
    out = debug("watch board[3]", "continue", "bt")
    assert "Hardware watchpoint 1: board[3]\n\nOld value = 0\nNew value = " in out
    assert re.search(r"^#0  write_image \(\) at output\.inc:\d+\n#1 .* in solution ", out, re.MULTILINE)


def test_a_read_watchpoint_shows_who_reads(debug: Debug) -> None:
    # Read once, on leaving board_ready.
    out = debug("rwatch board_width", "continue", "bt 1")
    assert "Hardware read watchpoint 1: board_width\n\nValue = 4\n" in out
    assert re.search(r"^#0  check_sides \(\) at intake\.inc:\d+$", out, re.MULTILINE)


def test_registers_and_memories_can_be_changed(debug: Debug) -> None:
    out = debug("set var $r16 = 0xa5", "print/x $r16", "set var board[7] = 0xff", "print/x board[7]",
                "set {unsigned char}0x810003 = 9", "x/1xb 0x810003", "set var $SREG = 0x80", "print/x $SREG",
                "print $SP")  # fmt: skip
    assert "$1 = 0xa5\n$2 = 0xff\n0x810003:\t0x09\n$3 = 0x80\n" in out


def test_a_program_that_was_spoilt_can_be_loaded_again(debug: Debug) -> None:
    out = debug("print/x {unsigned char}0", "set {unsigned char}0 = 0xee", "print/x {unsigned char}0", "load",
                "print/x {unsigned char}0")  # fmt: skip
    before, spoilt, after = re.findall(r"^\$\d = (\w+)$", out, re.MULTILINE)
    assert before == after != spoilt == "0xee"
    assert "Transfer rate" in out


def test_a_fault_is_told_in_words(debug: Debug) -> None:
    out = debug("set var $pc = 0x1ff0", "continue")
    assert "the chip stopped by itself after" in out
    assert "Program received signal SIGSEGV" in out


def test_a_session_ends_without_a_complaint(debug: Debug) -> None:
    out = debug("detach")
    assert "[Inferior 1 (Remote target) detached]" in out
    assert "emote" not in out.replace("(Remote target)", "")
    # The chip is there for the next.
    assert "$1 = 0" in debug("print board[7]")
