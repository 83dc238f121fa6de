# SPDX-License-Identifier: GPL-3.0-or-later
"""The assembler's object file: the source line of every word of code.

The layout, all numbers big-endian: u32 offset of the file names, u32 offset of the records, u8 record length (9), u8
number of files, the text "AVR Object File" with a NUL. A record is the word's address (24 bits), the word (16), the
file's number (8), the line (16) and 1 for a word that a macro put there (8). The names end in a NUL each, the last of
them in one more.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from pathlib import Path

from pentavr.errors import UnusableInput
from pentavr.firmware.image import SourceLine, WordAddress

__all__ = ["CodeWord", "ObjectFile", "read_object"]

HEADER = struct.Struct(">IIBB16s")
RECORD = struct.Struct(">BHHBHB")
SIGNATURE = b"AVR Object File\0"


@dataclass(frozen=True, slots=True)
class CodeWord:
    """One word of Flash and where it was written."""

    value: int
    source: SourceLine


@dataclass(frozen=True, slots=True)
class ObjectFile:
    """The words in the order of assembly; file names as the assembler met them, relative to where it ran."""

    files: tuple[str, ...]
    words: tuple[CodeWord, ...]


def read_object(path: Path) -> ObjectFile:
    """Read an object file; raise UnusableInput for one that is missing or damaged."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UnusableInput(f"{path}: cannot read the object file: {error.strerror}") from error
    try:
        names_at, records_at, record_length, file_count, signature = HEADER.unpack_from(content)
    except struct.error:
        raise UnusableInput(f"{path}: {len(content)} bytes are too few for an AVR object file") from None
    if signature != SIGNATURE:
        raise UnusableInput(f"{path}: no AVR object file: its header has {signature!r} in place of {SIGNATURE!r}")
    length, rest = divmod(names_at - records_at, RECORD.size)
    if record_length != RECORD.size or records_at < HEADER.size or length < 0 or rest or names_at > len(content):
        raise UnusableInput(
            f"{path}: damaged object file: records of {record_length} bytes from {records_at} to {names_at}, "
            f"expected records of {RECORD.size} bytes within {HEADER.size} to {len(content)}"
        )
    names = content[names_at:].split(b"\0")[:file_count]
    if len(names) < file_count or len(content[names_at:].split(b"\0")) <= file_count or not all(names):
        raise UnusableInput(f"{path}: damaged object file: {file_count} file names expected, the file ends before")
    files = tuple(map(os.fsdecode, names))
    return ObjectFile(files, tuple(_words(path, content[records_at:names_at], files)))


def _words(path: Path, records: bytes, files: tuple[str, ...]) -> list[CodeWord]:
    words = []
    for number, (bank, offset, value, file, line, macro) in enumerate(RECORD.iter_unpack(records)):
        if file >= len(files) or macro > 1 or line == 0:
            raise UnusableInput(
                f"{path}: damaged object file: record {number} names file {file} of {len(files)}, line {line}, "
                f"macro mark {macro}"
            )
        address = WordAddress(bank << 16 | offset)
        words.append(CodeWord(value, SourceLine(address, files[file], line, bool(macro))))
    return words
