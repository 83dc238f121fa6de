# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from pentavr.cli.main import main
from pentavr.tromino import check, tile_at, tiling
from tromino_oracle import alike_neighbours, faults

N5 = Path(__file__).parents[1] / "tromino" / "n5.svg"

# A board of 4x4 less a square has one tiling, whichever square it is.
LESS_1_2 = "AACC\nAHHC\nM*HO\nMMOO\n"
BOXES_LESS_1_2 = """\
┌───────┬───────┐
│ A     │     C │
│   ┌───┴───┐   │
│   │     H │   │
├───┼───┐   ├───┤
│   │ * │   │   │
│   └───┼───┘   │
│ M     │     O │
└───────┴───────┘
"""


@pytest.fixture
def shown(capfdbinary: pytest.CaptureFixture[bytes]) -> Shown:
    return Shown(capfdbinary)


class Shown:
    """What a command prints, as text."""

    def __init__(self, capture: pytest.CaptureFixture[bytes]) -> None:
        self.capture = capture

    def by(self, *words: str, code: int = 0) -> tuple[str, str]:
        assert main(["tromino", *words]) == code
        out, err = self.capture.readouterr()
        return out.decode(), err.decode()

    def refusal(self, *words: str, code: int = 2) -> str:
        out, err = self.by(*words, code=code)
        assert out == ""
        return err


def test_the_board_is_printed_as_letters_and_a_star(shown: Shown) -> None:
    assert shown.by("2", "--hole", "1,2") == (LESS_1_2, "")
    assert shown.by("0") == ("*\n", "")


def test_a_seed_draws_the_same_hole_again_and_says_which(shown: Shown) -> None:
    board, told = shown.by("4", "--seed", "7")
    assert shown.by("4", "--seed", "7") == (board, told)
    x, y = told.removeprefix("pentavr: the hole is ").strip().split(",")
    assert board.splitlines()[int(y)][int(x)] == "*"
    assert shown.by("4", "--hole", f"{x},{y}") == (board, "")
    assert len({shown.by("4", "--seed", str(seed))[1] for seed in range(20)}) > 10


def test_a_hole_is_drawn_at_random_without_a_seed(shown: Shown) -> None:
    assert len({shown.by("9", "--at", "0,0")[1] for _ in range(8)}) > 1


def test_colours_are_three_digits(shown: Shown) -> None:
    assert shown.by("2", "--hole", "1,2", "--colours")[0] == "1122\n1332\n2*31\n2211\n"


def test_ids_are_the_numbers_in_the_order_of_laying(shown: Shown) -> None:
    out, _ = shown.by("3", "--hole", "2,5", "--ids")
    numbers = [[0 if word == "*" else int(word) for word in line.split()] for line in out.splitlines()]
    assert faults(numbers, [(2, 5)]) == []
    assert np.array_equal(numbers, tiling(3, (2, 5)))


def test_boxes_are_outlines(shown: Shown, tmp_path: Path) -> None:
    assert shown.by("2", "--hole", "1,2", "--box")[0] == BOXES_LESS_1_2
    target = tmp_path / "board.txt"
    assert shown.by("2", "--hole", "1,2", "--box", "-o", str(target)) == ("", "")
    assert target.read_text("utf-8") == BOXES_LESS_1_2
    assert "│ 1 │" in shown.by("1", "--hole", "0,0", "--box", "--ids", "--rows", "1:2")[0].replace("    ", "")


def test_rows_are_a_strip_of_the_board(shown: Shown) -> None:
    lines = shown.by("6", "--hole", "40,21")[0].splitlines(keepends=True)
    for rows, strip in (("20:24", lines[20:24]), (":3", lines[:3]), ("63:", lines[63:]), (":", lines)):
        assert shown.by("6", "--hole", "40,21", "--rows", rows)[0] == "".join(strip)
    huge = shown.by("22", "--hole", "0,9", "--rows", "9:10")[0]
    assert len(huge) == 2**22 + 1
    assert huge[0] == "*"
    for x in (1, 777, 2**22 - 1):
        tile = tile_at(22, (0, 9), x, 9)
        assert tile is not None
        assert huge[x] == tile.letter


def test_the_tile_over_one_square_of_any_board(shown: Shown) -> None:
    assert shown.by("2", "--hole", "1,2", "--at", "2,1")[0] == "1,1 2,1 2,2\n"
    assert shown.by("2", "--hole", "1,2", "--at", "1,2")[0] == "*\n"
    out, _ = shown.by("1000", "--hole", "0,0", "--at", f"{2**1000 - 1},{2**999}", "--json")
    record = json.loads(out)
    tile = tile_at(1000, (0, 0), 2**1000 - 1, 2**999)
    assert tile is not None
    assert record["tile"]["squares"] == [list(square) for square in tile.squares]
    assert record["tile"]["letter"] == tile.letter
    assert json.loads(shown.by("1", "--hole", "0,0", "--at", "0,0", "--json")[0]) == {"square": [0, 0], "tile": None}


def test_squares_of_more_digits_than_python_reads_by_itself(shown: Shown) -> None:
    out, _ = shown.by("20000", "--hole", "0,0", "--at", f"{decimals(2**20000 - 1)},0")
    assert len(out) > 3 * 6000


def decimals(number: int) -> str:
    """Write a number in decimals, however long it is."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return str(number)
    finally:
        sys.set_int_max_str_digits(limit)


def test_rectangles_less_one_square(shown: Shown) -> None:
    out, told = shown.by("5x8", "--hole", "1,2")
    assert told == ""
    lines = out.splitlines()
    assert [len(line) for line in lines] == [5] * 8
    assert lines[2][1] == "*"
    numbers = json.loads(shown.by("5x8", "--hole", "1,2", "--json")[0])["numbers"]
    assert faults(numbers, [(1, 2)]) == []
    assert alike_neighbours(numbers, lines) == []
    for seed in range(20):
        x, y = shown.by("5x5", "--seed", str(seed))[1].split()[-1].split(",")
        assert int(x) % 2 == int(y) % 2 == 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["5x8", "--hole", "2,1"], "5x8 less 2,1 has no tiling: the tile over the middle square of the short side"),
        (["2x8", "--hole", "1,2"], "cuts off a piece that is 2 wide and 1 or 2 long, and three divides neither"),
        (["5x5", "--hole", "1,2"], "so the hole must be one of the nine"),
        (["1x4"], "1x4 less a square has no tiling: a tile needs two rows and two columns"),
        (["5x6"], "5x6 less one square leaves 29 squares, which is no multiple of three"),
        (["3x5", "--hole", "none"], "the region has no tiling: it takes 5 tiles, and 6 of its squares"),
        (["4", "--hole", "0,0", "--hole", "5,5"], "the number of its squares, 254, is no multiple of three"),
        (["--region", "##/##"], "the number of its squares, 4, is no multiple of three"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_has_no_tiling_is_refused_with_the_reason(shown: Shown, words: list[str], reason: str) -> None:
    assert reason in shown.refusal(*words, code=1)


def test_the_number_of_tilings(shown: Shown) -> None:
    assert shown.by("3", "--hole", "0,0", "--count")[0] == "30355\n"
    assert json.loads(shown.by("3", "--hole", "0,0", "--count", "--json")[0]) == {"tilings": 30355}
    assert shown.by("4x9", "--hole", "none", "--count")[0] == "88\n"
    assert shown.by("3x5", "--hole", "none", "--count")[0] == "0\n"
    assert shown.by("2x5", "--hole", "0,0", "--count")[0] == "2\n"
    assert shown.by("--region", "##/#.", "--count")[0] == "1\n"


def test_several_holes(shown: Shown) -> None:
    holes = [(0, 0), (5, 5), (7, 7), (9, 9)]
    words = [word for x, y in holes for word in ("--hole", f"{x},{y}")]
    numbers = json.loads(shown.by("4", *words, "--json")[0])["numbers"]
    assert faults(numbers, holes) == []


# Each corner of the ring takes its two neighbours: there is one tiling.
RING = "####\n#..#\n#  #\n####\n"
RING_TILED = "1 1 2 2\n1 * * 2\n3 * * 4\n3 3 4 4\n"


def test_a_region_comes_from_a_file_from_standard_input_or_as_it_is(
    shown: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ring.txt"
    file.write_text(RING, encoding="utf-8")
    assert shown.by("--region", str(file), "--ids")[0] == RING_TILED
    assert shown.by("--region", "####/#..#/#**#/####", "--ids")[0] == RING_TILED
    monkeypatch.setattr(sys, "stdin", io.StringIO(RING))
    assert shown.by("--region", "-", "--ids")[0] == RING_TILED
    assert shown.by("--region", "###/###", "--hole", "0,0", "--hole", "1,0", "--hole", "0,1")[0].count("*") == 3


def test_a_search_has_its_time(shown: Shown) -> None:
    told = shown.refusal("6", "--hole", "none", "--hole", "1,1", code=2)
    assert "--hole 'none': expected X,Y" in told
    words = ("6", "--hole", "1,1", "--hole", "9,9", "--hole", "30,30", "--hole", "5,60", "--time-limit", "1e-9")
    assert "no tiling found in 1e-09 s" in shown.refusal(*words, code=4)


def test_files_of_every_format(shown: Shown, tmp_path: Path) -> None:
    board = tiling(3, (2, 5))
    files = {ending: tmp_path / f"board{ending}" for ending in (".txt", ".npy", ".json", ".svg", ".png", ".gif")}
    for file in files.values():
        assert shown.by("3", "--hole", "2,5", "-o", str(file)) == ("", "")
    assert files[".txt"].read_text("utf-8") == shown.by("3", "--hole", "2,5")[0]
    assert np.array_equal(np.load(files[".npy"]), board)
    check(np.load(files[".npy"]))
    assert json.loads(files[".json"].read_text("utf-8"))["numbers"] == board.tolist()
    assert files[".svg"].read_text("utf-8").count("<path") == 22
    with Image.open(files[".png"]) as picture:
        assert picture.size[0] == picture.size[1] > 8 * 40
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(file.name for file in files.values())


def test_files_of_colours_and_of_strips(shown: Shown, tmp_path: Path) -> None:
    colours, strip = tmp_path / "colours.npy", tmp_path / "strip.npy"
    shown.by("5", "--hole", "2,5", "--colours", "-o", str(colours))
    shown.by("5", "--hole", "2,5", "--rows", "4:9", "-o", str(strip))
    assert set(np.unique(np.load(colours))) == {0, 1, 2, 3}
    assert np.load(colours)[5, 2] == 0
    assert np.array_equal(np.load(strip), tiling(5, (2, 5))[4:9])


def test_the_picture_of_the_readme_is_what_the_command_draws(shown: Shown, tmp_path: Path) -> None:
    target = tmp_path / "n5.svg"
    assert shown.by("5", "--hole", "19,6", "--colours", "-o", str(target)) == ("", "")
    assert target.read_text("utf-8") == N5.read_text("utf-8")


def test_a_picture_as_large_as_viewers_open(shown: Shown, tmp_path: Path) -> None:
    target = tmp_path / "board.png"
    assert shown.by("9", "--hole", "2,5", "-o", str(target)) == ("", "")
    with Image.open(target) as picture:
        assert picture.size == (4096, 4096)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "no board: give N for 2^N x 2^N squares, WxH, or --region DRAWING"),
        (["-1"], "no board '-1': expected a whole number N from 0"),
        (["2.5"], "no board '2.5': expected a whole number N"),
        (["three"], "no board 'three'"),
        (["3x"], "no board '3x'"),
        (["0x4"], "a rectangle of 0x4: expected sides of 1 or more"),
        (["3", "--hole", "8,0"], "the hole 8,0 is off the board of n = 3: columns and rows go from 0 to 7"),
        (["3", "--hole", "-1,0"], "the hole -1,0 is off the board of n = 3"),
        (["3", "--hole", "5"], "--hole '5': expected X,Y, the column and the row"),
        (["4x4", "--hole", "0,4"], "the hole 0,4 is off the board of 4x4"),
        (["3", "--hole", "1,1", "--seed", "1"], "--hole and --seed do not go together: the seed is what a hole"),
        (["3", "--region", "##/#."], "BOARD and --region do not go together"),
        (["--region", "##/#.", "--seed", "1"], "--region and --seed do not go together"),
        (["3", "--at", "8,8", "--hole", "0,0"], "the square 8,8 is off the board"),
        (["3", "--at", "1,1", "--ids"], "--at and --ids do not go together"),
        (["3", "--count", "--rows", "1:2"], "--count and --rows do not go together"),
        (["3", "--box", "--json"], "--box and --json do not go together"),
        (["3", "--json", "-o", "x.txt"], "--output and --json do not go together"),
        (["3", "--rows", "5:2"], "--rows 5:2: expected 0 <= A < B <= 8, the number of rows"),
        (["3", "--rows", "0:9"], "--rows 0:9: expected 0 <= A < B <= 8"),
        (["3", "--rows", "-1:4"], "--rows -1:4: expected 0 <= A"),
        (["3", "--rows", "4"], "--rows '4': expected A:B"),
        (["1000", "--rows", "-1:4"], "B <= 2^1000, the number of rows"),
        (["1000"], "a row of n = 1000 has 2^1000 squares: rows go to n = 24; ask for a single square"),
        (["200000"], "a hole drawn on a board of n = 200000 would have more digits than one can read"),
        (["3", "--time-limit", "0"], "--time-limit 0: expected more than 0 seconds"),
        (["9", "--count"], "n = 9 is too large to go over square by square"),
        (["301x301", "--count"], "a field of 301x301: expected sides of 1 or more and at most 65,536 squares"),
        (["10", "--box"], "outlines of 1024x1024 squares: they go to 65,536 squares, which n = 8 has"),
        (["--region", "no/such.txt"], "--region no/such.txt: No such file or directory"),
        (["--region", "##/#?"], "--region ##/#?: "),
        (["--region", "."], "--region .: Is a directory"),
        (["10", "-o", "x.svg"], "no viewer opens an .svg of 1024x1024 squares; .svg goes to 262,144 squares (n = 9)"),
        (["14", "-o", "x.png"], "no viewer opens a .png of 16384x16384 squares; .svg goes to 262,144 squares (n = 9)"),
        (["1000", "-o", "x.png"], "rows go to n = 24"),
        (["8", "-o", "x.jpg"], "256x256 squares are too many for .jpg"),
        (["3", "-o", "x.doc"], "x.doc: no format goes by '.doc'; known are .txt, .json, .npy, .svg"),
        (["3", "-o", "board"], "board: no format goes by ''"),
        (["3", "--box", "-o", "x.svg"], "box drawing is text; name the file .txt"),
        (["3", "-o", "no/such/x.txt"], "no/such/x.txt: cannot be written: No such file or directory"),
        (["24", "-o", "x.npy"], "x.npy: would take 2 PiB, and "),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_cannot_be_done_is_refused_and_nothing_is_left_behind(
    shown: Shown, words: list[str], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert reason in shown.refusal(*words)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_stands_is_kept_until_the_new_one_is_whole(
    shown: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "board.txt"
    target.write_text("mine", encoding="utf-8")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10))
    assert "would take 72 bytes, and 10 bytes are free" in shown.refusal("3", "--hole", "0,0", "-o", str(target))
    assert target.read_text("utf-8") == "mine"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_told_in_a_line() -> None:
    with Path("/dev/full").open("wb") as full_disk:
        ended = subprocess.run(
            [sys.executable, "-m", "pentavr", "tromino", "10", "--hole", "0,0"],
            stdout=full_disk,
            stderr=subprocess.PIPE,
            timeout=120,
            check=False,
        )
    told = b"pentavr: standard output cannot be written: No space left on device\n"
    assert (ended.returncode, ended.stderr) == (2, told)


def test_a_reader_that_has_enough_ends_it_quietly() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as pipe:
        command = [sys.executable, "-m", "pentavr", "tromino", "16", "--hole", "0,0"]
        with subprocess.Popen(command, stdout=writing, stderr=subprocess.PIPE) as process:
            os.close(writing)
            assert pipe.read(17) == b"*ACCEEGGIIKKMMOOA"
            pipe.close()
            assert process.communicate(timeout=120)[1] == b""
            assert process.returncode == 0


def test_a_bar_runs_on_the_terminal_while_much_is_written_elsewhere(tmp_path: Path) -> None:
    leader, terminal = os.openpty()
    command = [sys.executable, "-m", "pentavr", "tromino", "13", "--hole", "0,0", "-o", str(tmp_path / "board.txt")]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80"}
    with (
        os.fdopen(leader, "rb", buffering=0) as screen,
        subprocess.Popen(command, stdout=terminal, stderr=terminal, env=environment) as process,
    ):
        os.close(terminal)
        seen = b""
        try:
            while chunk := screen.read(4096):
                seen += chunk
        except OSError:  # a terminal ends so on Linux
            pass
        assert process.wait(timeout=120) == 0
    assert b"8192/8192" in seen
    assert (tmp_path / "board.txt").stat().st_size == 2**13 * (2**13 + 1)
