# SPDX-License-Identifier: GPL-3.0-or-later
"""The header over each routine says the truth about its registers, its stack and its cycles."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import reduce
from operator import xor

import pytest

from pentavr.firmware.image import Image
from pentavr.firmware.images import source_folder
from pentavr.pentomino.board import Board
from pentavr.pentomino.catalogue import find
from routine_call import Call, Ending
from routine_headers import parse_headers, register_names, registers_in_words
from routine_watch import Run, watch

HEADERS = parse_headers(source_folder())
NAMES = register_names((source_folder() / "registers.inc").read_text("utf-8"))
ROUTINES = sorted(name for name, header in HEADERS.items() if not header.never_returns)


def _lines(*bodies: str) -> tuple[bytes, ...]:
    return tuple(f"${body}*{reduce(xor, body.encode()):02X}\n".encode() for body in bodies)


def _loaded(board: Board) -> str:
    content = board.to_sram()
    return (content[-2:] + content[:-2]).hex().upper()


RUNS: dict[str, Run] = {
    "3x20": Run(find("3x20")),
    "20x3, one of each class": Run(find("20x3"), 0),
    "8x8-center-hole": Run(find("8x8-center-hole")),
    "skewed20x3": Run(find("skewed20x3")),
    "5x5": Run(find("5x5")),
    "5x5, one of each class": Run(find("5x5"), 0),
    "4x5, one of each class": Run(find("4x5"), 0),
    "X and I, one of each class": Run(Board.parse("..#..\n.###.\n..#..\n#####"), 0),
    "with figures": Run(Board.parse("IPP#\nIPP#\nIP##\nI###\nI###\n####\n####")),
    "X at the centre": Run(Board.parse("##X##\n#XXX#\n##X##"), 0),
    "all laid": Run(Board.parse("IPP\nIPP\nIP.\nI..\nI..")),
    "a part too small": Run(Board.parse("####.######")),
    "no side": Run(b"\0\5"),
    "no square": Run(bytes((0, 0, 99, 0, 0, 5, 1))),
    "misshapen": Run(bytes((9, 9, 9, 9, 9, 5, 1))),
    "a piece twice": Run(bytes((10, 10, 10, 10, 10) * 2 + (5, 2))),
    "a host that asks": Run(
        find("8x8-center-hole"),
        0b010,
        (
            *(b"\n", b"$Q*51\r\n", b"$Q*52\n", b"Q*51\n", b"$Q*\n"),
            *_lines("X", "L0103", "L01020200zz0000", "L01050500", "L010314", "Q" * 20, "N", "g"),
            *_lines("L00" + _loaded(find("8x8-center-hole")), "G", "Q", "L0101", "G"),
        ),
        in_search=_lines("Q", "Q" * 20),
    ),
    "a host that waits": Run(find("20x3"), 0b011, _lines(*"QOQNLONXGQR", *"ORG")),
    "a host that goes on and on": Run(find("3x20"), 0b011, _lines("L" + "00" * 400, "G")),
    "nobody there": Run(find("5x5"), 0b010),
    "rejected on the line": Run(b"\0\5", 0b011, _lines("G", "Q", "G")),
    "kept": Run(find("4x15"), 0b101, cut_after=3),
    "loaded and kept": Run(None, 0b111, _lines("L00" + _loaded(find("8x8-center-hole")), "G"), cut_after=2),
}

HIGH_BYTES = 25, 27, 29, 31
"""Of r25:r24, X, Y and Z: only seldom does one change."""

RAMEND = 0x04FF

WITHIN = {
    "swap_mirrors": "invert_way",
    "put_cross": "search_cross",
    "begin_search": "search_position",
    "first_square": "search",
    "go_through_image": "compare_image",
    "count_up": "count_solution",
    "begin_line": "send_boot",
    "send_number": "send_boot",
    "send_count": "send_boot",
    "send_long": "send_boot",
    "send_sides": "send_boot",
    "next_hex_digit": "next_byte",
    "write_sum": "store_board",
    "read_sum": "read_record",
    "move_record": "read_record",
    "copy_count": "write_record",
    "reach_eeprom": "read_eeprom",
    "lay_record": "resume_search",
}
"""Called, too, each a part of the routine that it stands in."""


@pytest.fixture(scope="module")
def calls(built_firmware: Image) -> Mapping[str, list[Call]]:
    seen: dict[str, list[Call]] = defaultdict(list)
    for name, run in RUNS.items():
        for call in watch(built_firmware, HEADERS, name, run):
            seen[call.routine].append(call)
    return seen


@pytest.mark.parametrize("routine", ROUTINES)
def test_registers(calls: Mapping[str, list[Call]], routine: str) -> None:
    header, seen = HEADERS[routine], calls[routine]
    assert seen, "not called on any of the boards"
    changed = set().union(*(call.registers_changed() for call in seen))
    named = header.gives | header.clobbers
    unseen = {number for number in named - changed if number not in HIGH_BYTES or number - 1 not in changed}

    def words(numbers: set[int] | frozenset[int]) -> str:
        return registers_in_words(numbers, NAMES)

    assert changed <= named, f"{header.place}: changes {words(changed - named)}: neither in OUT nor in CLOBBERS"
    assert not unseen, f"{header.place}: never changes {words(unseen)}"
    assert not header.gives & header.clobbers, f"{header.place}: in OUT and in CLOBBERS"


@pytest.mark.parametrize("routine", ROUTINES)
def test_variables(calls: Mapping[str, list[Call]], routine: str) -> None:
    header = HEADERS[routine]
    # What interrupts and the hook change goes without saying where interrupts are used.
    others = () if header.interrupt else ("receive", "tick") if routine == "hook" else ("receive", "tick", "hook")
    at_any_time = frozenset().union(*(HEADERS[name].gives_variables for name in others))
    changed = set[str]()
    for call in calls[routine]:
        changed |= call.variables_changed() - (at_any_time if call.alert else set())
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
    for board, run in RUNS.items():
        here = {name: [call for call in calls[name] if call.board == board] for name in ROUTINES}
        deepest = {name: max(depths) for name, seen in here.items() if (depths := list(_depths(seen)))}
        deepest["figures"] = max((call.free_squares // 5 for call in here["search"]), default=0)
        formula, _, on_the_line = header.stack.partition("; with the line ")
        formula = on_the_line if on_the_line and run.options & 1 << 1 else formula
        if {routine, *re.findall(r"[a-z]\w+", formula.replace(" or ", " "))} <= deepest.keys():
            bytes_over.append(deepest[routine] - _sum(formula, deepest))
    assert max(bytes_over) <= 0, f"{header.place}: takes {max(bytes_over)} bytes of stack more than {header.stack}"
    assert max(bytes_over) == 0, f"{header.place}: takes {-max(bytes_over)} bytes of stack less than {header.stack}"


def test_stack_budget(calls: Mapping[str, list[Call]], built_firmware: Image) -> None:
    budget = (source_folder() / "main.asm").read_text("utf-8").partition("STACK BUDGET")[2]
    numbers = re.search(r"bytes = (\d+)\..*?(\d+) in all.*?There are (\d+)", budget, re.DOTALL)
    assert numbers, "the stack budget in main.asm"
    alone, on_the_line, there = map(int, numbers.groups())
    off = [call for call in calls["search_crosses"] if not RUNS[call.board].options & 1 << 1]
    assert max(_depths(off)) == alone
    deepest = {name: max(_depths(calls[name])) for name in ("write_image", "tell_solution", "receive", "tick")}
    more = deepest["tell_solution"] - deepest["write_image"] + max(deepest["receive"], deepest["tick"])
    assert alone + more == on_the_line
    assert RAMEND + 1 - built_firmware.sram("stack_limit") == there


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
    headed = {entry for header in HEADERS.values() for entry in header.entries}
    for path in sorted(source_folder().glob("*.inc")):
        for called in re.findall(r"^\s+rcall\s+([a-z]\w+)", path.read_text("utf-8"), re.MULTILINE):
            assert called in headed or called in WITHIN, f"{path.name}: {called}"


def _depths(calls: list[Call]) -> Iterator[int]:
    """Give the bytes of stack used, an interrupt that came in between left out."""
    for call in calls:
        for outcome in call.outcomes:
            if outcome.ending is Ending.RETURNED and (HEADERS[call.routine].interrupt or not outcome.ticks):
                yield outcome.stack_bytes


def _sum(formula: str, values: Mapping[str, int]) -> int:
    """Work out the greatest of sums of products of numbers and names."""
    return max(
        sum(
            math.prod(int(factor) if factor.isdecimal() else values[factor] for factor in term.split(" * "))
            for term in each.split(" + ")
        )
        for each in formula.split(" or ")
    )
