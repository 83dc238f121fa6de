# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the command's module, run it, and turn whatever it raises into a message and an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from pentavr.errors import PentavrError

__all__ = ["COMMANDS", "main"]

COMMANDS = {
    "solve": "solve a board, on the emulated chip or a real one",
    "count": "count the solutions of a board, all and but for symmetry",
    "emulate": "run a chip whose serial line is a pseudo-terminal, to try the serial line without a chip",
    "monitor": "follow a chip on a serial port: draw, check and save what it finds",
    "build": "assemble the firmware, or see to its generated includes",
    "debug": "debug the firmware, or any program of avra's, in avr-gdb on an emulated chip",
    "elf": "describe an assembled program to a debugger: an ELF file with lines, labels and stack",
    "bench": "measure the firmware, the host and the solvers",
    "boards": "list the named boards and their known counts, or draw one",
    "check": "check what `solve --json` wrote, by code that shares nothing with the solver",
    "flash": "build the firmware and write it to a real chip, or compare it with what is there",
    "fuses": "read the fuses of a real chip and explain each bit, or write them",
    "size": "tell how much Flash and SRAM the firmware takes and leaves",
    "figures": "show the 63 numbered figures",
    "tromino": "tile a board less a square, or a region, with L-trominoes",
    "tangram": "dissect a shape into the seven pieces of the tangram, from a picture to a picture",
}
"""Name and summary of each command; module `pentavr.cli.NAME` has its `add_arguments(parser)` and `run(arguments)`."""

EXIT_CODES = """exit codes: 0 done; 1 no solution, or a check failed; 2 wrong usage or an unusable input;
3 a tool is missing; 4 chip or emulator fault, time or cycle limit; 130 interrupted"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        return _dispatch(words)
    except PentavrError as error:
        print(f"pentavr: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("pentavr: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader has what it wanted; without this, Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _dispatch(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="pentavr",
        description="Dissection puzzles: pentominoes on an ATmega88, grid tangrams and L-trominoes in Python.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    chosen = next((word for word in words if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        if name == chosen:
            module = import_module(f"pentavr.cli.{name}")
            module.add_arguments(command)
    arguments = parser.parse_args(words)
    status = import_module(f"pentavr.cli.{arguments.command}").run(arguments)
    sys.stdout.flush()
    return int(status)
