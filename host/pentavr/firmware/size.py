# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of a chip's memories an assembled firmware takes, by its parts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import PurePath

from pentavr.errors import UnusableInput
from pentavr.firmware.image import Image
from pentavr.firmware.parts import Part

__all__ = ["Use", "flash_use", "sram_use"]


@dataclass(frozen=True, slots=True)
class Use:
    """A memory by name, its size, and the bytes that each part of the firmware takes of it, in order of address."""

    memory: str
    size: int
    used: int
    parts: tuple[tuple[str, int], ...]

    @property
    def left(self) -> int:
        """Give the bytes that nothing takes."""
        return self.size - self.used


def flash_use(image: Image, part: Part) -> Use:
    """Tell the use of Flash by source file; by nothing where the image comes without its object file."""
    words = Counter(PurePath(line.file).name for line in sorted(image.lines, key=lambda line: line.address))
    return Use("Flash", part.flash_size, len(image.flash), tuple((name, 2 * count) for name, count in words.items()))


def sram_use(image: Image, part: Part) -> Use:
    """Tell the use of SRAM; what is left is the stack's. Raise UnusableInput for an image of another firmware."""
    start, grid_limit = _constant(image, "SRAM_START"), _constant(image, "GRID_LIMIT")
    stack_limit = image.sram("stack_limit")
    parts = (("board and grid", grid_limit - start), ("variables", stack_limit - grid_limit))
    return Use("SRAM", part.sram_size, stack_limit - start, parts)


def _constant(image: Image, name: str) -> int:
    symbol = image.symbols.get(name)
    if symbol is None:
        raise UnusableInput(f"the firmware has no constant {name}: its map belongs to another program; build it again")
    return symbol.value
