# SPDX-License-Identifier: GPL-3.0-or-later
"""Intel HEX files as the bytes of a Flash."""

from __future__ import annotations

import io
from pathlib import Path

from pentavr.errors import UnusableInput

__all__ = ["read_hex"]

ERASED = 0xFF
END_RECORD = 1


def read_hex(path: Path, *, size: int) -> bytes:
    """Read the contents of a memory of `size` bytes, from address 0 to the last one written.

    Bytes that the file leaves out are 0xFF, as erased Flash is. Raise UnusableInput, with the line where there is one,
    for a file that is missing, cut off, damaged or larger than the memory.
    """
    import intelhex

    try:
        text = path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise UnusableInput(f"{path}: cannot read it as Intel HEX: {error}") from error
    _find_end_record(path, text)
    memory = intelhex.IntelHex()
    memory.padding = ERASED
    try:
        memory.loadhex(io.StringIO(text))
    except intelhex.HexReaderError as error:
        raise UnusableInput(f"{path}: damaged Intel HEX: {error}; build or fetch the file again") from error
    last = memory.maxaddr()
    if last is None:
        raise UnusableInput(f"{path}: an Intel HEX file without any data")
    if last >= size:
        raise UnusableInput(
            f"{path}: writes address 0x{last:04x}, but the memory ends at 0x{size - 1:04x}: made for a larger chip?"
        )
    return bytes(memory.tobinarray(start=0, end=last))


def _find_end_record(path: Path, text: str) -> None:
    """Tell a file that was cut off between two lines, which its checksums cannot."""
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        if line.strip().upper() == ":00000001FF":
            if any(later.strip() for later in lines[number:]):
                raise UnusableInput(f"{path}:{number}: the end record is not the last; two files in one?")
            return
    raise UnusableInput(
        f"{path}:{len(lines)}: ends without the end record :00000001FF; the file is cut off, build or fetch it again"
    )
