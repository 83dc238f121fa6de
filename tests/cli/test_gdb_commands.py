# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands inside avr-gdb, each in a real session on the emulated chip."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pentavr.firmware.images import load_image
from pentavr.pentomino import catalogue
from pentavr.pentomino.checker import violations
from simavr_gdb_server import simavr_gdb_server

pytestmark = pytest.mark.skipif(shutil.which("avr-gdb") is None, reason="apt-get install gdb-avr")

ROOT = Path(__file__).parents[2]

Debug = Callable[..., subprocess.CompletedProcess[str]]

FIRST_FIGURES = {
    "F": 1,
    "I": 9,
    "L": 11,
    "N": 19,
    "P": 27,
    "T": 35,
    "U": 39,
    "V": 43,
    "W": 47,
    "X": 51,
    "Y": 52,
    "Z": 60,
}
"""The first number of each piece, as the contract of the chip has it."""


def piece(number: int) -> str:
    return max((first, letter) for letter, first in FIRST_FIGURES.items() if first <= number)[1]


def letters(out: str) -> list[str]:
    """Take the boards drawn in letters out of what gdb printed: the runs of lines of squares."""
    runs = re.findall(r"(?:^[#.?FILNPTUVWXYZ]+\n)+", out, re.MULTILINE)
    return [run.strip() for run in runs]


def test_the_board_is_drawn_as_it_lies_in_the_sram(debug: Debug) -> None:
    done = debug("board", "next-solution", "print/d board", LC_ALL="C")
    assert done.returncode == 0, done.stderr
    given, solution = letters(done.stdout)
    assert given.split() == ["####"] * 15
    assert "4x15, 60 free squares, not searched yet\n" in done.stdout
    printed = re.search(r"^\$1 = \{(.*), 4, 15\}$", done.stdout, re.MULTILINE)
    assert printed is not None
    cells = bytes(int(square) for square in printed[1].split(", "))
    assert "".join(solution.split()) == "".join(piece(byte) for byte in cells)
    assert violations(4, 15, bytes(60), cells) == []
    assert "\nsolution 1\n" in done.stdout


def test_solutions_are_counted_to_the_last(debug: Debug) -> None:
    # 3x20 has two solutions, each in four images.
    done = debug("next-solution", "next-solution 2", "next-solution 100", "board", "next-solution", options=("3x20",))
    assert re.findall(r"^(solution \d+|no more .*)$", done.stdout, re.MULTILINE) == [
        "solution 1",
        "solution 3",
        "no more solutions; there were 8",
        "no more solutions; there were 8",
    ]
    assert "the search is over; `reset-chip` starts anew" in done.stderr


def test_next_solution_ends_at_a_breakpoint_of_the_user(debug: Debug) -> None:
    done = debug("break figure_laid", "next-solution", "info breakpoints", "next-solution zero", "next-solution 0")
    assert re.search(r"^Breakpoint 1, \w+ \(\) at tree\.inc:\d+$", done.stdout, re.MULTILINE)
    assert "solution" not in done.stdout.partition("Breakpoint 1, ")[2].partition("Num ")[0]
    # Those that the command has set are gone again.
    assert len(re.findall(r"^\d+ +breakpoint", done.stdout, re.MULTILINE)) == 1
    assert 'No symbol "zero"' in done.stderr
    assert "0 is no number of solutions: give 1 or more" in done.stderr


def test_boards_are_loaded_by_name_by_size_and_from_a_file(debug: Debug, tmp_path: Path) -> None:
    drawing = tmp_path / "my board.txt"
    drawing.write_text("IIIII\n" + 4 * "#####\n")
    done = debug(
        "load-board 8x8-center-hole", "load-board 5x3", f"load-board {drawing}", "print board_width",
        "print board_height", "next-solution", LC_ALL="C",
    )  # fmt: skip
    named, sized, filed, solution = letters(done.stdout)
    assert named.split() == ["########"] * 3 + ["###..###"] * 2 + ["########"] * 3
    assert sized.split() == ["#####"] * 3
    assert filed.split() == ["IIIII", *["#####"] * 4]
    assert "$1 = 5\n$2 = 5\n" in done.stdout
    assert solution.startswith("IIIII\n")
    assert "#" not in solution


def test_what_cannot_be_loaded_is_told(debug: Debug) -> None:
    done = debug(
        "load-board", "load-board 4x51", "load-board 8x8-center", "load-board 255x255", "print board_width",
        "next-solution", "load-board 6x10",
    )  # fmt: skip
    assert "load-board takes a board: a name, WxH as in 6x10, or a text file" in done.stderr
    assert "no board '8x8-center'" in done.stderr
    assert "255x255; the shorter side has 14 squares at most" in done.stderr
    assert "$1 = 4\n" in done.stdout
    assert "the chip reads its board at board_ready only; `reset-chip` takes it there" in done.stderr


def test_a_board_that_is_rejected_is_told_with_the_reason(debug: Debug) -> None:
    done = debug("load-board 3x3", "next-solution", "set var board_error = 99", "board")
    assert "rejected, board_error 6: the board has 9 free squares; expected a multiple of five" in done.stdout
    assert "rejected, board_error 99\n" in done.stdout


def test_reset_chip_begins_anew_with_the_default_board(debug: Debug) -> None:
    done = debug("next-solution 3", "reset-chip", "load-board 3x20", "next-solution", LC_ALL="C")
    _, default, loaded, _ = letters(done.stdout)
    assert default.split() == ["####"] * 15
    assert loaded.split() == ["###"] * 20
    assert done.stdout.endswith("solution 1\n[Inferior 1 (Remote target) detached]\n")


def test_pieces_are_named_before_in_and_after_the_search(debug: Debug) -> None:
    done = debug("load-board 5x3", "pieces", "reset-chip", "break figure_laid", "continue", "pieces", "delete",
                 "next-solution", "pieces")  # fmt: skip
    tallies = re.findall(r"^ ?(\d+) (laid|left): (.*)$", done.stdout, re.MULTILINE)
    assert tallies[:4] == [
        ("0", "laid", "none"),
        ("12", "left", "F I L N P T U V W X Y Z"),
        ("1", "laid", "X1"),
        ("11", "left", "F I L N P T U V W Y Z"),
    ]
    count, _, figures = tallies[4]
    assert count == "12"
    assert [name[0] for name in figures.split()] == list("FILNPTUVWXYZ")
    assert tallies[5] == ("0", "left", "none")


def test_the_numbers_of_the_grid_are_those_of_the_firmware(firmware: Path) -> None:
    symbols = {name.lower(): symbol for name, symbol in load_image(firmware).symbols.items()}
    source = (ROOT / "host" / "pentavr" / "cli" / "gdb" / "target.py").read_text()
    ours = dict(re.findall(r"^([A-Z_]+) = (0x[0-9A-F]+|\d+)$", source, re.MULTILINE))
    for name in ("GRID_STRIDE", "COVERED", "GRID_END_MARK", "TRANSPOSED", "LAID_BEFORE"):
        assert int(ours[name], 0) == symbols[name.lower()].value


LEVEL = re.compile(r"^ +(\d+)  (\w+) +tree\.inc:(\d+)$", re.MULTILINE)


@pytest.mark.parametrize("board", ["4x15", "15x4", "6x10"])
def test_the_levels_are_the_figures_on_the_stack(debug: Debug, board: str) -> None:
    done = debug("break figure_laid", "ignore 1 40", "continue", "bt", "level", "pieces", options=(board,), LC_ALL="C")
    tree = (ROOT / "firmware" / "tree.inc").read_text().splitlines()
    levels = LEVEL.findall(done.stdout)
    assert [int(depth) for depth, _, _ in levels] == list(range(1, len(levels) + 1))
    assert f"depth {len(levels)}\n" in done.stdout
    # Each line of the tree that lays a figure names it in its comment.
    assert [name for _, name, _ in levels] == [tree[int(line) - 1].split(";")[1].split()[0] for _, _, line in levels]
    # The same lines are in gdb's backtrace, the innermost first.
    traced = re.findall(r"^#\d+ +0x\w+ in \w+ \(\) at tree\.inc:(\d+)$", done.stdout, re.MULTILINE)
    assert traced == [line for _, _, line in levels][::-1]
    assert len(levels) >= 2
    (drawing,) = letters(done.stdout)
    assert drawing.count("#") == 60 - 5 * (len(levels) + 1)
    assert set(drawing) - set("#\n") == {name[0] for _, name, _ in levels} | {"X"}
    width, height = map(int, board.split("x"))
    assert [len(row) for row in drawing.split()] == [width] * height
    laid = re.search(r"^ *\d+ laid: (.*)$", done.stdout, re.MULTILINE)
    assert laid is not None
    assert {name[0] for name in laid[1].split()} == set(drawing) - set("#\n")


def test_at_a_solution_the_drawing_of_the_levels_is_the_solution(debug: Debug) -> None:
    # The first image of a solution is the grid as it is; of 15x4 the grid lies across.
    done = debug("next-solution", "level", options=("15x4",), LC_ALL="C")
    solution, drawing = letters(done.stdout)
    assert solution == drawing
    assert len(LEVEL.findall(done.stdout)) == 11


def test_outside_the_search_there_is_no_level(debug: Debug) -> None:
    done = debug("level", "load-board 3x20", "next-solution 9", "level")
    assert done.stderr.count("the search does not run: break figure_laid, and continue") == 2


def shown_lines(out: str) -> list[int]:
    return [int(line) for line in re.findall(r"^#0 .* at \S+:(\d+)$", out, re.MULTILINE)]


@pytest.mark.parametrize("server", ["ours", "simavr's"])
def test_over_steps_over_calls_and_through_jumps(
    debug: Debug, firmware: Path, server: str, request: pytest.FixtureRequest
) -> None:
    options: tuple[str, ...] = ()
    if server == "simavr's":
        pytest.importorskip("pysimavr", reason="simavr's library is there up to Python 3.11")
        serving = simavr_gdb_server(firmware)
        options = ("--connect", f"127.0.0.1:{serving.__enter__()}")
        request.addfinalizer(lambda: serving.__exit__(None, None, None))
    start = (ROOT / "firmware" / "start.inc").read_text().splitlines()
    ready = start.index("board_ready:") + 2
    stay = start.index("no_more_solutions:") + 2
    done = debug(
        "reset-chip", "load-board 3x20", "over", "over", "over", "break no_more_solutions", "continue", "over", "over",
        "over", options=options,
    )  # fmt: skip
    # The nop, take_board and find_symmetries; at the end the nop, then a jump back to it, again and again.
    assert shown_lines(done.stdout)[:3] == [ready + 1, ready + 2, ready + 3]
    assert shown_lines(done.stdout)[3] == stay + 1
    assert f"Breakpoint 1, reset () at start.inc:{stay}" in done.stdout


def test_over_passes_a_whole_search_and_is_back_on_its_level(debug: Debug) -> None:
    out = debug("break figure_laid", "ignore 1 6", "continue", "up").stdout
    (line,) = map(int, re.findall(r"^#1 .* at tree\.inc:(\d+)$", out, re.MULTILINE))
    # Below this line, which lays a figure, lies a whole search, which comes to it again and again.
    done = debug(f"tbreak tree.inc:{line}", "continue", "print $SP", "over", "print $SP", "info breakpoints")
    before, after = re.findall(r"^\$\d = (.*)$", done.stdout, re.MULTILINE)
    assert before == after
    tree = (ROOT / "firmware" / "tree.inc").read_text().splitlines()
    following = next(number for number in range(line + 1, line + 4) if not tree[number - 1].endswith(":"))
    assert shown_lines(done.stdout) == [following]
    assert "No breakpoints or watchpoints." in done.stdout


def test_over_leaves_a_routine_for_its_caller(debug: Debug) -> None:
    start = (ROOT / "firmware" / "start.inc").read_text().splitlines()
    called = 1 + start.index("        rcall   find_symmetries")
    done = debug("tbreak find_symmetries", "continue", *["over"] * 400)
    assert f"reset () at start.inc:{called + 1}" in done.stdout


def test_each_command_has_its_help(debug: Debug) -> None:
    names = ["board", "next-solution", "load-board", "pieces", "level", "over", "reset-chip"]
    done = debug("help user-defined", *(f"help {name}" for name in names), "complete load-board 8x8-c")
    assert [name for name in names if f"\n{name} -- " in done.stdout] == names
    assert "Usage: load-board NAME | WxH | FILE\n" in done.stdout
    assert "Usage: next-solution [N]\n" in done.stdout
    assert {f"load-board {name}" for name in catalogue.named() if name.startswith("8x8-c")} <= set(
        done.stdout.splitlines()
    )


@pytest.mark.parametrize("command", ["board", "pieces", "level", "over", "reset-chip"])
def test_what_a_command_has_no_use_for_is_refused(debug: Debug, command: str) -> None:
    done = debug(f"{command} 7")
    assert done.stderr == "what is '7' for? This command takes nothing\n"


def test_without_a_chip_the_commands_say_so(debug: Debug) -> None:
    done = debug("kill", "board", "next-solution")
    assert done.stderr.count("no chip is connected: start again with pentavr debug") == 2


def test_the_commands_work_behind_another_server(debug: Debug, firmware: Path) -> None:
    pytest.importorskip("pysimavr", reason="simavr's library is there up to Python 3.11")
    with simavr_gdb_server(firmware) as port:
        done = debug("print &board", "reset-chip", "load-board 3x20", "next-solution 2", "pieces", "level", "kill",
                     options=("--connect", f"127.0.0.1:{port}"), LC_ALL="C")  # fmt: skip
    assert "0x800100 <board>" in done.stdout
    default, loaded, solution, drawing = letters(done.stdout)
    assert default.split() == ["####"] * 15
    assert loaded.split() == ["###"] * 20
    assert violations(3, 20, bytes(60), bytes(FIRST_FIGURES[letter] for letter in "".join(solution.split())))
    assert sorted(solution.replace("\n", "")) == sorted("FILNPTUVWXYZ" * 5) == sorted(drawing.replace("\n", ""))
    assert "12 laid: " in done.stdout
    assert "depth 11" in done.stdout
