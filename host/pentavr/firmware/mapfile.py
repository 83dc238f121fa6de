# SPDX-License-Identifier: GPL-3.0-or-later
"""The assembler's map: every name of the source with its value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from pentavr.errors import UnusableInput
from pentavr.firmware.image import Segment, Symbol

__all__ = ["device_of", "flash_bytes_of", "read_map"]

LINE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\t+([CVL])\t([0-9a-f]+)\t(-?[0-9]+)", re.ASCII)


def read_map(path: Path, label_segments: Mapping[str, Segment]) -> dict[str, Symbol]:
    """Read all symbols, by name.

    The map does not tell the segments apart: they come from the listing, by label in lower case. A label that the
    listing does not show (`.nolist`) counts as code. Raise UnusableInput, with the line, for a map that is missing or
    damaged.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise UnusableInput(f"{path}: cannot read the map: {error.strerror}") from error
    symbols = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        match = LINE.fullmatch(line.rstrip())
        if match is None:
            raise UnusableInput(
                f"{path}:{number}: no line of a map: {line[:60]!r}; expected name, kind C, V or L, value in hex, value"
            )
        name, kind, value = match[1], match[2], int(match[4])
        segment = label_segments.get(name.lower(), Segment.CODE) if kind == "L" else Segment.CONSTANT
        if kind == "L" and value < 0:
            raise UnusableInput(f"{path}:{number}: label {name} at the negative address {value}")
        symbols[name] = Symbol(name, value, segment)
    if not symbols:
        raise UnusableInput(f"{path}: a map without any name")
    return symbols


def device_of(symbols: Mapping[str, Symbol]) -> str | None:
    """Give the name of the chip that the source asks for by `.device`, None where it asks for none.

    The assembler numbers its chips: `__DEVICE__` is the number, and a constant `__NAME__` has it for each of them.
    """
    number = symbols.get("__DEVICE__")
    if number is None or number.value == 0:
        return None
    chips = (name for name in symbols if re.fullmatch("__AT[A-Za-z0-9]+__", name))
    return next((chip.strip("_") for chip in chips if symbols[chip].value == number.value), None)


def flash_bytes_of(symbols: Mapping[str, Symbol]) -> int | None:
    """Give the size of the chip's Flash in bytes, None where the source names no chip."""
    words = symbols.get("__FLASH_SIZE__")
    return 2 * words.value if words is not None and words.value > 0 else None
