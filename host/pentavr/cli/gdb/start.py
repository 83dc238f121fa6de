# SPDX-License-Identifier: GPL-3.0-or-later
"""How a session in avr-gdb begins, and what it says when the chip goes away in the middle of it."""

from __future__ import annotations

import sys

import gdb

from pentavr.cli.gdb import commands, target

__all__ = ["start"]

FAULT = 4
"""The exit code for a chip that is not there."""


def start(address: str, elf: str) -> None:
    """Load the ELF file, connect to the gdb server at `host:port` and define the commands."""
    commands.define()
    # Whatever is not saved can be had again: no questions when leaving.
    gdb.execute("set confirm off")
    gdb.execute("set tcp auto-retry off")
    gdb.execute(f"add-auto-load-safe-path {elf}")
    load = 'file "{}"'.format(elf.replace("\\", "\\\\").replace('"', '\\"'))
    gdb.execute(load, to_string=True)
    try:
        gdb.execute(f"target remote {address}", to_string=True)
    except gdb.error as error:
        print(f"pentavr: no gdb server answers at {address}: {error}", file=sys.stderr)
        gdb.execute(f"quit {FAULT}")
    # simavr's own server has gdb move what lies in SRAM; loaded once more it is where it was.
    gdb.execute(load, to_string=True)
    gdb.events.connection_removed.connect(lambda _: gdb.events.before_prompt.connect(_tell))
    if target.is_for_boards():
        print("Commands: board, next-solution, load-board, pieces, level, over, reset-chip; try `help board`.")


def _tell() -> None:
    gdb.events.before_prompt.disconnect(_tell)
    print("The chip is not there any longer: its gdb server has ended, or this session. `quit`, and start again.")
