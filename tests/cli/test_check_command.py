# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exact_cover_reference import solve_by_exact_cover
from pentavr.cli.main import main
from pentavr.pentomino.catalogue import find
from pentavr.pentomino.checker import class_key

Run = Callable[..., tuple[int, list[str], str]]
Line = dict[str, Any]

ALL_OF_3X5 = [list(cells) for cells in sorted(solve_by_exact_cover(find("3x5")))]


def solve_log(solutions: list[list[int]] = ALL_OF_3X5, width: int = 3, height: int = 5) -> list[Line]:
    lines: list[Line] = [
        {"index": index, "width": width, "height": height, "cells": list(cells), "cycles": 1000 * index}
        for index, cells in enumerate(solutions, 1)
    ]
    return [*lines, {"done": True, "solutions": len(lines), "cycles": 1000 * len(lines) + 500}]


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(log: list[Line] | str | bytes, *options: str) -> tuple[int, list[str], str]:
        path = tmp_path / "log.json"
        text = "".join(f"{json.dumps(line)}\n" for line in log) if isinstance(log, list) else log
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        status = main(["check", str(path), *options])
        shown = capsys.readouterr()
        return status, shown.out.splitlines(), shown.err

    return run


def test_a_whole_output_is_without_violation(check: Run) -> None:
    assert check(solve_log()) == (0, ["28 solutions, no violations"], "")
    assert check(solve_log(), "--board", "3x5") == (0, ["28 solutions, no violations"], "")


def test_an_output_of_no_solutions_is_fine(check: Run) -> None:
    assert check(solve_log([])) == (0, ["no solutions, no violations"], "")
    assert check(solve_log([]), "--board", "aztec-diamond-x") == (0, ["no solutions, no violations"], "")


def test_an_output_that_a_limit_ended_is_fine_and_said_not_to_be_all(check: Run) -> None:
    log = solve_log(ALL_OF_3X5[:4])
    log[-1]["done"] = False
    assert check(log, "--board", "3x5") == (0, ["4 solutions, no violations, not all"], "")


def test_one_of_each_class_is_fine_too(check: Run) -> None:
    unique = list({class_key(3, 5, [0] * 15, cells): cells for cells in ALL_OF_3X5}.values())
    assert len(unique) == 7
    assert check(solve_log(unique), "--board", "3x5", "--unique") == (0, ["7 solutions, no violations"], "")
    status, lines, _ = check(solve_log(), "--unique")
    assert status == 1
    assert sum("turned or mirrored" in line for line in lines) == 21
    assert lines[-2] == "line 29: 28 solutions, but 3x5 has 28, 7 of them unique"


def test_standard_input_is_read_by_default(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    data = "".join(f"{json.dumps(line)}\n" for line in solve_log()).encode()
    for words in (["check"], ["check", "-"]):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert main(words) == 0
        assert capsys.readouterr().out == "28 solutions, no violations\n"


def damaged(damage: Callable[[list[Line]], object]) -> list[Line]:
    log = solve_log()
    damage(log)
    return log


def set_cell(line: int, place: int, number: int) -> Callable[[list[Line]], object]:
    return lambda log: log[line - 1]["cells"].__setitem__(place, number)


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (set_cell(3, 0, 0), ["line 3: square (0, 0) is not covered", "line 3: figure "]),
        (set_cell(3, 14, 255), ["line 3: square (2, 4) is blocked, and was given free", "line 3: figure "]),
        (set_cell(3, 4, 64), ["line 3: square (1, 1) holds 64, which is no figure number", "line 3: figure "]),
        (set_cell(3, 4, -1), ["line 3: square (1, 1) holds -1, which is no figure number", "line 3: figure "]),
        (lambda log: log[4].update(cells=log[1]["cells"]), ["line 5: the same solution as in line 2"]),
        (lambda log: log[4]["cells"].pop(), ["line 5: the solution has 14 squares, expected 3 x 5 = 15"]),
        (lambda log: log[4].update(width=5, height=3), ["line 5: the board is 5x3, expected 3x5"]),
        (lambda log: log[4].update(index=6), ["line 5: index 6, expected 5", "line 6: index 6, expected 7"]),
        (lambda log: log[4].update(index=4), ["line 5: index 4, expected 5", "line 6: index 6, expected 5"]),
        (lambda log: log[4].update(cycles=4000), ["line 5: 4000 cycles, expected more than the 4000 before"]),
        (
            lambda log: log.pop(4),
            [
                "line 5: index 6, expected 5",
                "line 28: 28 solutions are said to be there, 27 are",
                "line 28: 27 solutions, but 3x5 has 28, 7 of them unique",
            ],
        ),
        (lambda log: log[-1].update(solutions=27), ["line 29: 27 solutions are said to be there, 28 are"]),
        (
            lambda log: log[-1].update(cycles=27999),
            ["line 29: 27999 cycles in all, fewer than the 28000 of the last solution"],
        ),
        (lambda log: log.pop(), ['line 29: the line that ends the output, {"done": ..., "solutions": ..., "cycles": ']),
        (lambda log: log.clear(), ['line 1: the line that ends the output, {"done": ']),
        (lambda log: log.append(log[-1]), ["line 30: a line after the one that ends the output"]),
        (lambda log: log.append(log[0]), ["line 30: a line after the one that ends the output"]),
    ],
)
def test_damage_is_told_with_its_line(check: Run, damage: Callable[[list[Line]], object], expected: list[str]) -> None:
    status, lines, _ = check(damaged(damage), "--board", "3x5")
    assert status == 1
    *found, summary = lines
    assert len(found) == len(expected)
    for line, beginning in zip(found, expected, strict=True):
        assert line.startswith(beginning)
    assert summary.split(", ")[1] == f"{len(expected)} violation{'s' if len(expected) > 1 else ''}"


def test_solutions_of_another_board_are_violations(check: Run) -> None:
    assert check(solve_log(), "--board", "4x5")[1][0] == "line 1: the board is 3x5, expected 4x5"


def test_a_laid_figure_must_be_where_it_was(check: Run, tmp_path: Path) -> None:
    board = tmp_path / "laid.txt"
    board.write_text("L##\nL##\nL##\nLL#\n###\n", encoding="utf-8")
    with_l = [cells for cells in ALL_OF_3X5 if [cells[place] for place in (0, 3, 6, 9, 10)] == [11] * 5]
    without = next(cells for cells in ALL_OF_3X5 if cells not in with_l)
    assert check(solve_log(with_l), "--board", str(board))[0] == 0
    status, lines, _ = check(solve_log([*with_l, without]), "--board", str(board))
    assert status == 1
    assert lines[0].startswith(f"line {len(with_l) + 1}: the laid figure 11 on square (0, 0) has changed to ")


def test_without_a_board_the_first_solution_tells_the_blocked_squares(check: Run) -> None:
    anvil = [list(cells) for cells in solve_by_exact_cover(find("anvil"))]
    log = solve_log(anvil * 2, 3, 4)
    assert check(log)[1][0] == "line 2: the same solution as in line 1"
    log[1]["cells"][3] = 1
    assert check(log)[1][0] == "line 2: the blocked square (0, 1) has changed to 1"


def test_a_chip_without_a_cycle_counter_is_fine(check: Run) -> None:
    log = solve_log()
    for line in log:
        line["cycles"] = None
    assert check(log) == (0, ["28 solutions, no violations"], "")


def test_json_has_an_object_a_violation_and_one_that_counts(check: Run) -> None:
    status, lines, _ = check(damaged(lambda log: log[4].update(index=6)), "--json")
    assert status == 1
    assert [json.loads(line) for line in lines] == [
        {"line": 5, "violation": "index 6, expected 5"},
        {"line": 6, "violation": "index 6, expected 7"},
        {"solutions": 28, "violations": 2, "done": True},
    ]


GOOD_LINE = json.dumps(solve_log()[0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "line 1, column 1: not JSON"),
        (GOOD_LINE + "\n" + GOOD_LINE[:-1], "line 2, column 124: not JSON"),
        (GOOD_LINE + "\n\n", "line 2, column 1: not JSON"),
        (b"\xff\xfe", "line 1: not JSON"),
        ("[" * 100_000, "line 1: not JSON"),
        ("1" * 10_000, "line 1: not JSON"),
        ("[1, 2]", "line 1: expected an object"),
        ("null", "line 1: expected an object"),
        ("{}", 'line 1: "index" is missing; `pentavr solve --json` writes index, width, height, cells, cycles'),
        (GOOD_LINE.replace('"cells"', '"cell"'), 'line 1: "cells" is missing'),
        (GOOD_LINE.replace('"width": 3', '"width": "3"'), "line 1: \"width\" is '3', expected a number from 1 to 255"),
        (GOOD_LINE.replace('"width": 3', '"width": 0'), 'line 1: "width" is 0'),
        (GOOD_LINE.replace('"height": 5', '"height": 256'), 'line 1: "height" is 256'),
        (GOOD_LINE.replace('"index": 1', '"index": true'), 'line 1: "index" is True, expected a number'),
        (GOOD_LINE.replace("[", "[1.5, "), 'line 1: "cells" is [1.5, '),
        (GOOD_LINE.replace("[", '["a", '), "expected a list of integers"),
        ('{"done": 1, "solutions": 0, "cycles": 0}', 'line 1: "done" is 1, expected true or false'),
        ('{"done": true, "solutions": 0}', 'line 1: "cycles" is missing; `pentavr solve --json` writes done'),
    ],
)
def test_what_solve_does_not_write_is_unusable_input(check: Run, text: str | bytes, message: str) -> None:
    status, _, errors = check(text)
    assert status == 2
    assert message in errors
    assert errors.startswith("pentavr: ")


def test_files_that_cannot_be_read_are_unusable_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path, tmp_path / "nothing"):
        assert main(["check", str(path)]) == 2
        assert "cannot be read" in capsys.readouterr().err


def test_an_unknown_board_is_unusable_input(check: Run) -> None:
    status, lines, errors = check(solve_log(), "--board", "3x5x")
    assert (status, lines) == (2, [])
    assert "no board '3x5x'" in errors


def test_a_reader_that_goes_away_ends_the_check_quietly(tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    log.write_text("".join(f"{json.dumps(line)}\n" for line in solve_log([[0] * 15] * 5000)), encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "pentavr", "check", str(log)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"line 1: square (0, 0) is not covered\n"
    process.stdout.close()
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, b"")
