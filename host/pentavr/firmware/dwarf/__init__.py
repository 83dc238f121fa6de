# SPDX-License-Identifier: GPL-3.0-or-later
"""What a debugger is told of a program: lines, routines, data and the stack. Source: the DWARF 4 standard."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pentavr.firmware.dwarf.entries import abbreviations, information, ranges
from pentavr.firmware.dwarf.frames import frames
from pentavr.firmware.dwarf.lines import line_program
from pentavr.firmware.program import Program
from pentavr.firmware.unwind import Routine, follow, main_routine

__all__ = ["sections"]

UNWINDER = Path(__file__).parents[1] / "gdb_unwinder.py"
SCRIPT_ENTRY = b"\x04"
"""A Python script with its text, as gdb reads them in .debug_gdb_scripts."""


def sections(program: Program, routines: Sequence[Routine], *, source_folder: str) -> dict[str, bytes]:
    """Give the contents of the debugging sections by name; source names count from `source_folder`."""
    states = follow(program)
    return {
        ".debug_abbrev": abbreviations(),
        ".debug_aranges": ranges(program),
        ".debug_frame": frames(program, routines, states),
        ".debug_gdb_scripts": _unwinder(),
        ".debug_info": information(program, routines, main_routine(program, routines, states), source_folder),
        ".debug_line": line_program(program, routines),
    }


def _unwinder() -> bytes:
    """Give the entry that makes gdb run our unwinder, in a name space of its own."""
    text = UNWINDER.read_text(encoding="utf-8")
    return SCRIPT_ENTRY + f"pentavr-unwinder\nexec({text!a}, {{'__name__': 'pentavr_unwinder'}})\n\0".encode()
