# SPDX-License-Identifier: GPL-3.0-or-later
"""The header over each routine says the truth about its registers, its stack and its cycles."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping

import pytest

from pentavr.firmware.image import Image
from pentavr.firmware.images import source_folder
from pentavr.pentomino.board import Board
from pentavr.pentomino.catalogue import find
from routine_headers import parse_headers, register_names, registers_in_words
from routine_watch import Call, Ending, watch

HEADERS = parse_headers(source_folder())
NAMES = register_names((source_folder() / "registers.inc").read_text("utf-8"))
ROUTINES = sorted(name for name, header in HEADERS.items() if not header.never_returns)

BOARDS: dict[str, tuple[Board | bytes, int]] = {
    "3x20": (find("3x20"), 1),
    "20x3, one of each class": (find("20x3"), 0),
    "8x8-center-hole": (find("8x8-center-hole"), 1),
    "skewed20x3": (find("skewed20x3"), 1),
    "5x5": (find("5x5"), 1),
    "4x5, one of each class": (find("4x5"), 0),
    "X and I, one of each class": (Board.parse("..#..\n.###.\n..#..\n#####"), 0),
    "with figures": (Board.parse("IPP#\nIPP#\nIP##\nI###\nI###\n####\n####"), 1),
    "X at the centre": (Board.parse("##X##\n#XXX#\n##X##"), 0),
    "all laid": (Board.parse("IPP\nIPP\nIP.\nI..\nI.."), 1),
    "a part too small": (Board.parse("####.######"), 1),
    "no side": (b"\0\5", 1),
    "no square": (bytes((0, 0, 99, 0, 0, 5, 1)), 1),
    "misshapen": (bytes((9, 9, 9, 9, 9, 5, 1)), 1),
    "a piece twice": (bytes((10, 10, 10, 10, 10) * 2 + (5, 2)), 1),
}

WITHIN = {"swap_mirrors": "invert_way", "put_cross": "search_cross", "go_through_image": "compare_image"}
"""Called, too, each the tail of the routine that it stands in."""


@pytest.fixture(scope="module")
def calls(built_firmware: Image) -> Mapping[str, list[Call]]:
    seen: dict[str, list[Call]] = defaultdict(list)
    for name, (board, options) in BOARDS.items():
        for call in watch(built_firmware, HEADERS, name, board, options):
            seen[call.routine].append(call)
    return seen


@pytest.mark.parametrize("routine", ROUTINES)
def test_registers(calls: Mapping[str, list[Call]], routine: str) -> None:
    header, seen = HEADERS[routine], calls[routine]
    assert seen, "not called on any of the boards"
    changed = set().union(*(call.registers_changed() for call in seen))
    named = header.gives | header.clobbers

    def words(numbers: set[int] | frozenset[int]) -> str:
        return registers_in_words(numbers, NAMES)

    assert changed <= named, f"{header.place}: changes {words(changed - named)}: neither in OUT nor in CLOBBERS"
    assert named <= changed, f"{header.place}: never changes {words(named - changed)}"
    assert not header.gives & header.clobbers, f"{header.place}: in OUT and in CLOBBERS"


@pytest.mark.parametrize("routine", ROUTINES)
def test_variables(calls: Mapping[str, list[Call]], routine: str) -> None:
    header = HEADERS[routine]
    changed = set().union(*(call.variables_changed() for call in calls[routine]))
    assert changed <= header.gives_variables, f"{header.place}: OUT does not name {changed - header.gives_variables}"


@pytest.mark.parametrize("routine", ROUTINES)
def test_nothing_but_in_is_taken(calls: Mapping[str, list[Call]], routine: str) -> None:
    taken = frozenset().union(*(call.secretly_taken for call in calls[routine]))
    assert not taken, f"{HEADERS[routine].place}: takes {registers_in_words(taken, NAMES)}, too: IN does not say so"


@pytest.mark.parametrize("routine", ROUTINES)
def test_the_return(calls: Mapping[str, list[Call]], routine: str) -> None:
    header = HEADERS[routine]
    stays_away = any(call.plain.ending is Ending.REJECTED for call in calls[routine])
    assert header.may_not_return == stays_away, f"{header.place}: does it return from every board?"


@pytest.mark.parametrize("routine", ROUTINES)
def test_stack(calls: Mapping[str, list[Call]], routine: str) -> None:
    header = HEADERS[routine]
    bytes_over = []
    for board in BOARDS:
        here = {name: [call for call in calls[name] if call.board == board] for name in ROUTINES}
        figures = max((call.free_squares // 5 for call in here["search"]), default=0)
        deepest = {name: max((_deepest(call) for call in seen), default=0) for name, seen in here.items()}
        names = set(re.findall(r"[a-z]\w*", header.stack)) - {"figures"}
        if here[routine] and all(here[name] for name in names):
            bytes_over.append(deepest[routine] - _sum(header.stack, {**deepest, "figures": figures}))
    assert max(bytes_over) <= 0, f"{header.place}: takes {max(bytes_over)} bytes of stack more than {header.stack}"
    assert max(bytes_over) == 0, f"{header.place}: never takes the {header.stack} bytes of stack"


@pytest.mark.parametrize("routine", [name for name in ROUTINES if re.match(r"(about )?\d", HEADERS[name].cycles)])
def test_cycles(calls: Mapping[str, list[Call]], routine: str) -> None:
    header = HEADERS[routine]
    seen = [call for call in calls[routine] if call.plain.ending is Ending.RETURNED]
    if header.cycles.isdecimal():
        assert {call.plain.cycles for call in seen} == {int(header.cycles)}, header.place
    else:
        a_square = re.fullmatch(r"about (\d+) a (free )?square", header.cycles)
        assert a_square, f"{header.place}: expected CYCLES as a number, or about so many a square"
        most = max(seen, key=lambda call: call.plain.cycles)
        assert most.plain.cycles / most.free_squares == pytest.approx(int(a_square[1]), rel=0.1), header.place


def test_every_routine_that_is_called_has_a_header() -> None:
    for path in sorted(source_folder().glob("*.inc")):
        for called in re.findall(r"^\s+rcall\s+([a-z]\w+)", path.read_text("utf-8"), re.MULTILINE):
            assert called in HEADERS or called in WITHIN, f"{path.name}: {called}"


def _deepest(call: Call) -> int:
    return max(outcome.stack_bytes for outcome in call.outcomes)


def _sum(formula: str, values: Mapping[str, int]) -> int:
    """Work out sums of products of numbers and names."""
    return sum(
        math.prod(int(factor) if factor.isdecimal() else values[factor] for factor in term.split(" * "))
        for term in formula.split(" + ")
    )
