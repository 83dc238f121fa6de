# SPDX-License-Identifier: GPL-3.0-or-later
"""The assembler's listing: what its map and object file leave out, namely segments, and code told from data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pentavr.errors import UnusableInput
from pentavr.firmware.image import Segment, WordAddress

__all__ = ["Block", "Instruction", "Listing", "read_listing"]

CODE_LINE = re.compile(r"C:([0-9a-f]{6}) ([0-9a-f]{4})(?: ([0-9a-f]{4}))?\s+(\S.*)", re.ASCII | re.IGNORECASE)
DATA_LINE = re.compile(r"C:([0-9a-f]{6}) (?:[0-9a-f]{2})+(?: ; zero byte added)?\s*", re.ASCII | re.IGNORECASE)
OTHER_SEGMENT = re.compile(r"[DE]:[0-9a-f]{6}\s+(\S.*)", re.ASCII | re.IGNORECASE)
MACRO_CALL = re.compile(r"C:[0-9a-f]{6}\s+\+\s+(\S.*)", re.ASCII | re.IGNORECASE)
LABEL = re.compile(r"\s*([a-z_][a-z0-9_]*):\s*(.*)", re.ASCII | re.IGNORECASE)
DIRECTIVE = re.compile(r"[.#]\s*([a-z]+)\b", re.ASCII | re.IGNORECASE)
SOURCE_COLUMN = 9

BLOCK = re.compile(r" +(code|data|EEPROM) +:  Start = 0x([0-9A-F]{1,8}), End = 0x([0-9A-F]{1,8}), .*", re.ASCII)

SEGMENT_DIRECTIVES = {"cseg": Segment.CODE, "dseg": Segment.SRAM, "eseg": Segment.EEPROM}
BLOCK_SEGMENTS = {"code": Segment.CODE, "data": Segment.SRAM, "EEPROM": Segment.EEPROM}
OPENING = {"if", "ifdef", "ifndef"}


@dataclass(frozen=True, slots=True)
class Instruction:
    """An assembled instruction; the text is the source's, without its label, macro arguments filled in."""

    address: WordAddress
    words: tuple[int, ...]
    text: str

    @property
    def mnemonic(self) -> str:
        """The first word of the text, in lower case."""
        return self.text.split(maxsplit=1)[0].lower()


@dataclass(frozen=True, slots=True)
class Block:
    """A run of addresses without a gap in one segment, the end not included; code counts in words."""

    segment: Segment
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Listing:
    """What a listing tells; the labels' names are in lower case, as the assembler takes them for the same."""

    instructions: tuple[Instruction, ...]
    data: tuple[WordAddress, ...]
    labels: Mapping[str, Segment]
    blocks: tuple[Block, ...]
    directives: tuple[str, ...]
    open_conditions: int


def read_listing(path: Path) -> Listing:
    """Read a listing; raise UnusableInput for a file that is missing or no listing."""
    try:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise UnusableInput(f"{path}: cannot read the listing: {error.strerror}") from error
    # The assembler ends lines by \n alone; a form feed within a comment ends none.
    lines = text.replace("\r\n", "\n").split("\n")
    if not any(line.startswith("AVRA ") for line in lines[:3]):
        raise UnusableInput(f"{path}: no listing: the assembler's name is not in its first lines")
    return _parse(path, lines)


def _parse(path: Path, lines: list[str]) -> Listing:
    instructions: list[Instruction] = []
    data: list[WordAddress] = []
    labels: dict[str, Segment] = {}
    blocks: list[Block] = []
    directives: list[str] = []
    segment = Segment.CODE
    open_conditions = 0
    for number, line in _outside_macro_definitions(lines):
        words: tuple[int, ...] = ()
        address = WordAddress(0)
        if match := DATA_LINE.fullmatch(line):
            data.append(WordAddress(int(match[1], 16)))
            continue
        if match := BLOCK.fullmatch(line):
            blocks.append(Block(BLOCK_SEGMENTS[match[1]], int(match[2], 16), int(match[3], 16) + 1))
            continue
        if match := CODE_LINE.fullmatch(line):
            address = WordAddress(int(match[1], 16))
            words = tuple(int(word, 16) for word in (match[2], match[3]) if word)
            text = match[4]
        elif match := MACRO_CALL.fullmatch(line) or OTHER_SEGMENT.fullmatch(line):
            text = match[1]
        elif line.startswith("C:"):
            raise UnusableInput(f"{path}:{number}: no line of a listing: {line[:60]!r}; assemble the program again")
        elif line[:SOURCE_COLUMN].strip():
            continue  # the head, data of the EEPROM, and the summary at the end
        else:
            text = line
        text = text.strip()
        if match := LABEL.fullmatch(text):
            labels[match[1].lower()] = segment
            text = match[2]
        if words and text:
            instructions.append(Instruction(address, words, text))
        elif match := DIRECTIVE.match(text):
            name = match[1].lower()
            segment = SEGMENT_DIRECTIVES.get(name, segment)
            open_conditions += (name in OPENING) - (name == "endif")
            directives.append(text)
    return Listing(tuple(instructions), tuple(data), labels, tuple(blocks), tuple(directives), open_conditions)


def _outside_macro_definitions(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Give each line and its number, without those that only define macros: their calls are listed in full."""
    defining = False
    for number, line in enumerate(lines, start=1):
        directive = DIRECTIVE.match(line.strip())
        name = directive[1].lower() if directive else ""
        if name == "macro":
            defining = True
        elif name in {"endm", "endmacro"}:
            defining = False
        elif not defining:
            yield number, line
