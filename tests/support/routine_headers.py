# SPDX-License-Identifier: GPL-3.0-or-later
"""The comments over the firmware's routines, read as the contracts that they are.

A header names, by the words in front of them: what the routine takes (IN) and gives (OUT), which other registers it
changes (CLOBBERS), its STACK in bytes and its CYCLES. What follows `=` or `:` behind a name is for people. A header may
stand over several routines; what it says holds for all of them together, each may do less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Header", "T", "parse_headers", "register_names", "registers_in_words"]

RULE = re.compile(r";-{60,}")
TITLE = re.compile(r"; (\w+(?:, \w+)*) - (.*)")
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
    """The contract of a routine, or several: registers by number, T included, and the names of variables.

    `name` is the first of the `entries`.
    """

    name: str
    entries: tuple[str, ...]
    place: str
    interrupt: bool
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
    """Read all headers in the folder's includes, by the name of their first routine."""
    names = register_names((folder / "registers.inc").read_text("utf-8"))
    drafts: dict[str, Draft] = {}
    for path in sorted(folder.glob("*.inc")):
        for draft in _drafts(path):
            assert draft.name not in drafts, f"{draft.place}: a second header for {draft.name}"
            drafts[draft.name] = draft
    return {name: _header(name, drafts, names) for name in drafts}


@dataclass(frozen=True, slots=True)
class Draft:
    """A header as it stands there: the lines of each field."""

    place: str
    entries: tuple[str, ...]
    interrupt: bool
    fields: Mapping[str, list[str]]

    @property
    def name(self) -> str:
        """Give the first name."""
        return self.entries[0]


def _drafts(path: Path) -> Iterator[Draft]:
    """Read the headers of an include, and check that the routines stand below."""
    lines = path.read_text("utf-8").splitlines()
    rules = [index for index, line in enumerate(lines) if RULE.fullmatch(line)]
    assert len(rules) % 2 == 0, f"{path.name}: a header has a rule above and below"
    ends = (*rules[2::2], len(lines))[: len(rules) // 2]
    for above, below, end in zip(rules[::2], rules[1::2], ends, strict=True):
        place = f"{path.name}:{above + 2}"
        head = lines[above + 1]
        if head.endswith(",") and " - " not in head:
            head += lines[above + 2].removeprefix(";")
        title = TITLE.fullmatch(head)
        assert title, f"{place}: expected '; name - what it does' or '; name, name - what they do'"
        entries = tuple(title[1].split(", "))
        assert LABEL.match(lines[below + 1]), f"{place}: no label below the header"
        labels = [found[1] for line in lines[below + 1 : end] if (found := LABEL.match(line))]
        assert entries[0] == labels[0], f"{place}: the header of {entries[0]} stands over {labels[0]}"
        missing = set(entries).difference(labels)
        assert not missing, f"{place}: no {', '.join(sorted(missing))} below the header"
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
        yield Draft(place, entries, title[2].startswith("interrupt:"), fields)


def _header(name: str, drafts: Mapping[str, Draft], names: Mapping[str, frozenset[int]]) -> Header:
    """Read the header that stands over a routine, alone or with others."""
    draft = next(each for each in drafts.values() if name in each.entries)
    fields = draft.fields

    def text(key: str) -> str:
        return " ".join(fields.get(key, ()))

    def others(key: str) -> Iterator[Header]:
        """Give the headers that a field refers to."""
        for item in _items(fields.get(key, ())):
            if found := re.fullmatch(r"what `(\w+)` (?:takes|gives|clobbers)", item):
                yield _header(found[1], drafts, names)

    def registers(key: str) -> frozenset[int]:
        return frozenset().union(*(_numbers(item, names) for item in _items(fields.get(key, ()))))

    gives = registers("OUT").union(*(other.gives for other in others("OUT")))
    clobbers = registers("CLOBBERS").union(*(other.clobbers for other in others("CLOBBERS")))
    if text("CLOBBERS").startswith("all but "):
        clobbers = frozenset(range(T + 1)) - gives - clobbers
    given = text("OUT")
    jump = re.search(r"jumps to (\w+)", given)
    return Header(
        name=draft.name,
        entries=draft.entries,
        place=draft.place,
        interrupt=draft.interrupt,
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
    return [re.split(r" =|: |(?<=T) flag", word)[0] for word in words]


def _numbers(item: str, names: Mapping[str, frozenset[int]]) -> frozenset[int]:
    span = RANGE.fullmatch(item)
    if span:
        return frozenset(range(int(span[1]), int(span[2]) + 1))
    parts = item.split(":")
    if all(part in names for part in parts):
        return frozenset().union(*(names[part] for part in parts))
    return frozenset()
