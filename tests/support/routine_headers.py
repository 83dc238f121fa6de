# SPDX-License-Identifier: GPL-3.0-or-later
"""The comments over the firmware's routines, read as the contracts that they are.

A header names, by the words in front of them: what the routine takes (IN) and gives (OUT), which other registers it
changes (CLOBBERS), its STACK in bytes and its CYCLES. What follows `=` or `:` behind a name is for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Header", "T", "parse_headers", "register_names", "registers_in_words"]

RULE = re.compile(r";-{60,}")
TITLE = re.compile(r"; (\w+) - (.*)")
FIELD = re.compile(r";   (IN|OUT|CLOBBERS|STACK|CYCLES) +(.*)")
MORE = re.compile(r"; {13}(\S.*)")
LABEL = re.compile(r"(\w+):")
RANGE = re.compile(r"r(\d+)-r(\d+)")

FLAGS = {"C": 1 << 0, "Z": 1 << 1}
T = 32
"""The number by which the flag T counts as one more register."""
POINTERS = {"X": {26, 27}, "Y": {28, 29}, "Z": {30, 31}, "XL": {26}, "XH": {27}, "YL": {28}, "YH": {29}, "ZL": {30}}


@dataclass(frozen=True, slots=True)
class Header:
    """The contract of a routine: registers by number, T included, and the names of variables."""

    name: str
    place: str
    takes: frozenset[int]
    gives: frozenset[int]
    gives_flags: int
    gives_variables: frozenset[str]
    clobbers: frozenset[int]
    stack: str
    cycles: str
    jumps_to: str | None
    may_not_return: bool
    never_returns: bool = field(default=False)


def register_names(source: str) -> dict[str, frozenset[int]]:
    """Read the `.def` lines, and give the numbers behind each name; a pair has a name less its _l and _h."""
    names = {f"r{number}": {number} for number in range(32)}
    names.update(POINTERS, ZH={31}, T={T})
    for name, number in re.findall(r"^\.def +(\w+) *= *r(\d+)", source, re.MULTILINE):
        names[name] = {int(number)}
        if name.endswith(("_l", "_h")):
            names.setdefault(name[:-2], set()).add(int(number))
    return {name: frozenset(numbers) for name, numbers in names.items()}


def registers_in_words(numbers: frozenset[int] | set[int], names: Mapping[str, frozenset[int]]) -> str:
    """Name registers as the source does, for a message."""
    own = {next(iter(n)): name for name, n in names.items() if len(n) == 1}
    return ", ".join(own.get(number, f"r{number}") for number in sorted(numbers))


def parse_headers(folder: Path) -> dict[str, Header]:
    """Read the headers of all routines in the folder's includes, by name."""
    names = register_names((folder / "registers.inc").read_text("utf-8"))
    drafts: dict[str, tuple[str, dict[str, list[str]]]] = {}
    for path in sorted(folder.glob("*.inc")):
        for name, line, fields in _drafts(path):
            assert name not in drafts, f"{path.name}:{line}: a second header for {name}"
            drafts[name] = f"{path.name}:{line}", fields
    return {name: _header(name, place, drafts, names) for name, (place, _) in drafts.items()}


def _drafts(path: Path) -> Iterator[tuple[str, int, dict[str, list[str]]]]:
    """Yield the name, the line and the fields' lines of each header, and check that the routine stands below it."""
    lines = path.read_text("utf-8").splitlines()
    rules = [index for index, line in enumerate(lines) if RULE.fullmatch(line)]
    assert len(rules) % 2 == 0, f"{path.name}: a header has a rule above and below"
    for above, below in zip(rules[::2], rules[1::2], strict=True):
        place = f"{path.name}:{above + 2}"
        title = TITLE.fullmatch(lines[above + 1])
        assert title, f"{place}: expected '; name - what it does'"
        label = LABEL.match(lines[below + 1])
        assert label, f"{place}: no label below the header"
        assert label[1] == title[1], f"{place}: the header of {title[1]} stands over {label[1]}"
        fields: dict[str, list[str]] = {}
        last = None
        for line in lines[above + 2 : below]:
            if found := FIELD.fullmatch(line):
                assert found[1] not in fields, f"{place}: {found[1]} twice"
                last = fields[found[1]] = [found[2]]
            elif last is not None and (found := MORE.fullmatch(line)):
                last.append(found[1])
            else:
                last = None
        yield title[1], above + 2, fields


def _header(
    name: str, place: str, drafts: Mapping[str, tuple[str, dict[str, list[str]]]], names: Mapping[str, frozenset[int]]
) -> Header:
    fields = drafts[name][1]

    def text(key: str) -> str:
        return " ".join(fields.get(key, ()))

    def others(key: str) -> Iterator[Header]:
        """Give the headers that a field refers to."""
        for item in _items(fields.get(key, ())):
            if found := re.fullmatch(r"what `(\w+)` (?:takes|gives|clobbers)", item):
                yield _header(found[1], place, drafts, names)

    def registers(key: str) -> frozenset[int]:
        return frozenset().union(*(_numbers(item, names) for item in _items(fields.get(key, ()))))

    gives = registers("OUT").union(*(other.gives for other in others("OUT")))
    clobbers = registers("CLOBBERS").union(*(other.clobbers for other in others("CLOBBERS")))
    if text("CLOBBERS").startswith("all but "):
        clobbers = frozenset(range(T + 1)) - gives - clobbers
    given = text("OUT")
    jump = re.search(r"jumps to (\w+)", given)
    return Header(
        name=name,
        place=place,
        takes=registers("IN").union(names["zero"], *(other.takes for other in others("IN"))),
        gives=gives,
        gives_flags=sum(FLAGS[flag] for flag in set(re.findall(r"\b([CZ]) flag", given))),
        gives_variables=frozenset(_items(fields.get("OUT", ()))).union(
            *(each.gives_variables for each in others("OUT"))
        ),
        clobbers=clobbers,
        stack=text("STACK"),
        cycles=text("CYCLES"),
        jumps_to=jump[1] if jump else None,
        may_not_return="does not return" in given,
        never_returns="STACK" not in fields,
    )


def _items(lines: list[str] | tuple[str, ...]) -> list[str]:
    """Take the names, or what stands in their place, out of a field: what comes before `=` or `:` between commas."""
    items = (item for line in lines for item in re.split(r"[,;]", line))
    words = (item.strip().removeprefix("and ").removeprefix("all but ") for item in items)
    return [re.split(r" =|: ", word)[0] for word in words]


def _numbers(item: str, names: Mapping[str, frozenset[int]]) -> frozenset[int]:
    span = RANGE.fullmatch(item)
    if span:
        return frozenset(range(int(span[1]), int(span[2]) + 1))
    parts = item.split(":")
    if all(part in names for part in parts):
        return frozenset().union(*(names[part] for part in parts))
    return frozenset()
