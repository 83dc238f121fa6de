# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers, strings and lengths as DWARF writes them."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from itertools import groupby

from pentavr.firmware.image import WordAddress

__all__ = [
    "ADDRESS_SIZE",
    "VERSION",
    "address",
    "block",
    "offset",
    "runs",
    "signed",
    "string",
    "unsigned",
    "with_length",
]

VERSION = 4
ADDRESS_SIZE = 4


def unsigned(value: int) -> bytes:
    """Encode a number as unsigned LEB128."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def signed(value: int) -> bytes:
    """Encode a number as signed LEB128."""
    out = bytearray()
    while not -0x40 <= value < 0x40:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value & 0x7F)
    return bytes(out)


def string(text: str) -> bytes:
    """Encode a name, ended by a NUL."""
    return text.encode("utf-8", errors="surrogateescape") + b"\0"


def address(value: int) -> bytes:
    """Encode an address of the target, in bytes."""
    return struct.pack("<I", value)


def offset(value: int) -> bytes:
    """Encode a place within a section."""
    return struct.pack("<I", value)


def block(content: bytes) -> bytes:
    """Put the length before, as LEB128."""
    return unsigned(len(content)) + content


def with_length(content: bytes) -> bytes:
    """Put the length before, as four bytes."""
    return struct.pack("<I", len(content)) + content


def runs(addresses: Iterable[WordAddress]) -> Iterator[tuple[WordAddress, WordAddress]]:
    """Give first and last of each run of consecutive addresses; they come in ascending order."""
    for _, run in groupby(enumerate(addresses), key=lambda pair: pair[1] - pair[0]):
        members = [member for _, member in run]
        yield members[0], members[-1]
