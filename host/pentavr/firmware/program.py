# SPDX-License-Identifier: GPL-3.0-or-later
"""An assembled program put together from object file, map and listing, for whoever describes it to a debugger."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from pentavr.errors import UnusableInput
from pentavr.firmware.hexfile import read_hex
from pentavr.firmware.image import Segment, SourceLine, Symbol, WordAddress
from pentavr.firmware.listing import Block, Listing, read_listing
from pentavr.firmware.mapfile import device_of, flash_bytes_of, read_map
from pentavr.firmware.objfile import CodeWord, read_object

__all__ = ["Label", "Program", "read_program"]

LARGEST_FLASH_WORDS = 1 << 17
LARGEST_DATA_ADDRESS = 0xFFFF


@dataclass(frozen=True, slots=True)
class Label:
    """A label and how much it names: words in code, bytes in SRAM and EEPROM, up to the next label or gap."""

    name: str
    segment: Segment
    address: int
    size: int


@dataclass(frozen=True, slots=True)
class Program:
    """Words of Flash by address, the line of each, which of them are instructions, and the labels by address."""

    device: str | None
    flash_words: int
    words: Mapping[WordAddress, int]
    lines: tuple[SourceLine, ...]
    instructions: frozenset[WordAddress]
    labels: tuple[Label, ...]
    files: tuple[str, ...]
    eeprom: bytes = b""
    """What the program wants the EEPROM to hold from address 0 on, so far as that was given."""

    @property
    def start(self) -> WordAddress:
        """The first word's address."""
        return self.lines[0].address

    @property
    def end(self) -> WordAddress:
        """One past the last word's address."""
        return WordAddress(self.lines[-1].address + 1)

    def labelled(self, segment: Segment) -> list[Label]:
        """Give the labels of one segment by address."""
        return [label for label in self.labels if label.segment is segment]


def read_program(object_path: Path, map_path: Path, listing_path: Path, eeprom_path: Path | None = None) -> Program:
    """Read what the assembler wrote of one program; raise UnusableInput where files are damaged or do not agree."""
    listing = read_listing(listing_path)
    symbols = read_map(map_path, listing.labels)
    object_file = read_object(object_path)
    flash_words = (flash_bytes_of(symbols) or 2 * LARGEST_FLASH_WORDS) // 2
    words = _by_address(object_path, object_file.words, min(flash_words, LARGEST_FLASH_WORDS))
    instructions = frozenset(each.address for each in listing.instructions)
    for instruction in listing.instructions:
        found = words.get(instruction.address)
        if found is None or found.value != instruction.words[0]:
            has = "nothing" if found is None else f"{found.value:04x}"
            raise UnusableInput(
                f"{object_path} and {listing_path} are of two programs: at word 0x{instruction.address:04x} the "
                f"listing has {instruction.words[0]:04x}, the object file {has}; assemble the program again"
            )
    return Program(
        device=device_of(symbols),
        flash_words=flash_words,
        words={address: word.value for address, word in words.items()},
        lines=tuple(word.source for word in words.values()),
        instructions=instructions,
        labels=tuple(_labels(map_path, symbols.values(), _blocks(listing_path, words, listing))),
        files=object_file.files,
        eeprom=b"" if eeprom_path is None else read_hex(eeprom_path, size=LARGEST_DATA_ADDRESS + 1),
    )


def _by_address(path: Path, words: Iterable[CodeWord], limit: int) -> dict[WordAddress, CodeWord]:
    found: dict[WordAddress, CodeWord] = {}
    for word in words:
        address = word.source.address
        if address >= limit:
            raise UnusableInput(f"{path}: a word at address 0x{address:x}, but the Flash has 0x{limit:x} words")
        if address in found:
            raise UnusableInput(f"{path}: two words at address 0x{address:04x}")
        found[address] = word
    if not found:
        raise UnusableInput(f"{path}: an object file without any code")
    return dict(sorted(found.items()))


def _labels(path: Path, symbols: Iterable[Symbol], blocks: Iterable[Block]) -> list[Label]:
    labels = []
    for segment in (Segment.CODE, Segment.SRAM, Segment.EEPROM):
        limit = LARGEST_FLASH_WORDS if segment is Segment.CODE else LARGEST_DATA_ADDRESS
        here = sorted((symbol for symbol in symbols if symbol.segment is segment), key=lambda symbol: symbol.value)
        addresses = sorted({symbol.value for symbol in here})
        these = [block for block in blocks if block.segment is segment]
        for symbol in here:
            if symbol.value > limit:
                raise UnusableInput(f"{path}: label {symbol.name} at 0x{symbol.value:x} is beyond any {segment.value}")
            size = _end(symbol.value, addresses, these) - symbol.value
            labels.append(Label(symbol.name, segment, symbol.value, size))
    return labels


def _blocks(path: Path, words: Iterable[WordAddress], listing: Listing) -> list[Block]:
    """Give the runs of addresses, those of code parted where instructions and data meet."""
    for block in listing.blocks:
        if block.end > LARGEST_DATA_ADDRESS + 1:
            raise UnusableInput(
                f"{path}: addresses 0x{block.start:x} to 0x{block.end - 1:x} are beyond any {block.segment.value}"
            )
    code = {each.address + index for each in listing.instructions for index in range(len(each.words))}
    blocks = [block for block in listing.blocks if block.segment is not Segment.CODE]
    for _, run in groupby(enumerate(words), key=lambda pair: (pair[1] - pair[0], pair[1] in code)):
        members = [address for _, address in run]
        blocks.append(Block(Segment.CODE, members[0], members[-1] + 1))
    return blocks


def _end(address: int, addresses: list[int], blocks: list[Block]) -> int:
    """Give where what begins at a label ends: at the next label, or with the run of addresses that it lies in."""
    ends = [block.end for block in blocks if block.start <= address < block.end]
    following = addresses[bisect_right(addresses, address) :][:1]
    return min([*ends, *following], default=address) if ends else address
