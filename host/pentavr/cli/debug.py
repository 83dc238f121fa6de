# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr debug`: avr-gdb on an emulated chip, at the level of the source; or the chip alone, for an IDE."""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from pentavr.machine.gdb.server import Target

__all__ = ["add_arguments", "run"]

PACKAGE = Path(__file__).parents[1]
END_TIMEOUT_S = 5

NO_MODULE = "pentavr: avr-gdb finds no Python module of its own, which Debian has in gdb: apt-get install gdb"
OLD_PYTHON = "pentavr: avr-gdb has Python {}.{} in it, where the commands need 3.11: install a newer gdb-avr"

EPILOG = """\
The session begins at board_ready with the board in place; any other program, given by --firmware, at its reset vector.
Beside gdb's own commands there are board, next-solution, load-board, pieces, level, over and reset-chip: `help board`.
With --connect they work on whatever chip a gdb server stands in front of, a real one behind a debugWIRE server, too."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.epilog = EPILOG
    parser.add_argument(
        "board",
        nargs="?",
        metavar="BOARD",
        help="a name that `pentavr boards` lists, WxH, or a text file; without it the default board of the build",
    )
    parser.add_argument(
        "--firmware",
        type=Path,
        metavar="HEX",
        help="any program; beside its .hex what else avra wrote: .map, .lst, .obj",
    )
    parser.add_argument("--part", default="atmega88", help="the part that is emulated (%(default)s)")
    parser.add_argument(
        "--port", type=_port, default=0, metavar="N", help="the port of this machine for the gdb server (any free one)"
    )
    way = parser.add_mutually_exclusive_group()
    way.add_argument(
        "--server", action="store_true", help="serve the chip to any gdb, one session after the other, until Ctrl-C"
    )
    way.add_argument("--connect", metavar="HOST:PORT", help="emulate nothing: use the gdb server that is there")
    parser.add_argument("--json", action="store_true", help="with --server, tell host and port as one JSON object")
    parser.add_argument(
        "--ex", action="append", default=[], metavar="COMMAND", help="a gdb command to begin with; may be repeated"
    )
    parser.add_argument("--batch", action="store_true", help="leave gdb after these commands")


def run(arguments: argparse.Namespace) -> int:
    """Debug, or serve."""
    from pentavr.firmware.images import built_path

    path = arguments.firmware or built_path()
    if arguments.server:
        return _serve(_target(arguments, path), arguments)
    debugger = _debugger()
    with ExitStack() as stack:
        elf = _elf(path, stack)
        if arguments.connect:
            _refuse_board(arguments)
            return _run(_command(debugger, arguments.connect, elf, arguments))
        from pentavr.machine.gdb.process import ServerProcess
        from pentavr.machine.gdb.server import HOST

        server = stack.enter_context(ServerProcess(_target(arguments, path), arguments.port))
        status = _run(_command(debugger, f"{HOST}:{server.port}", elf, arguments))
        server.check()
        return status


def _target(arguments: argparse.Namespace, path: Path) -> Target:
    from pentavr.firmware.parts import part
    from pentavr.machine.gdb.server import Target
    from pentavr.pentomino import catalogue

    board = None if arguments.board is None else catalogue.find(arguments.board)
    return Target(path, part(arguments.part), board)


def _refuse_board(arguments: argparse.Namespace) -> None:
    from pentavr.errors import UnusableInput

    if arguments.board is not None:
        raise UnusableInput("--connect takes the chip as it is: give it its board in gdb, by load-board")


def _debugger() -> str:
    from pentavr.errors import ToolMissing

    found = shutil.which("avr-gdb")
    if found is None:
        raise ToolMissing("the debugger avr-gdb is missing; install gdb-avr: apt-get install gdb-avr")
    return found


def _elf(path: Path, stack: ExitStack) -> Path:
    """Give the ELF file beside the .hex; where there is none, or an older one, write it for this session."""
    from pentavr.firmware.elf import write_elf
    from pentavr.firmware.images import built_path, source_folder, written_files

    beside = path.with_suffix(".elf")
    if beside.exists() and (not path.exists() or beside.stat().st_mtime >= path.stat().st_mtime):
        return beside.absolute()
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="pentavr-"))
    elf = Path(folder) / beside.name
    write_elf(*written_files(path), output=elf, source_folder=source_folder() if path == built_path() else None)
    return elf


def _serve(target: Target, arguments: argparse.Namespace) -> int:
    from pentavr.machine.gdb.server import HOST, listen, serve
    from pentavr.machine.gdb.wire import Port

    with listen(arguments.port) as listener, target.emulated() as machine:
        port = listener.getsockname()[1]
        text = f"gdb server on {HOST}:{port}, {target.part.name}, {target.path}"
        print(json.dumps({"host": HOST, "port": port}) if arguments.json else text, flush=True)
        serve(target, machine, Port(listener), report=lambda said: print(f"pentavr: {said}", file=sys.stderr))
    return 0


def _command(debugger: str, address: str, elf: Path, arguments: argparse.Namespace) -> list[str]:
    # The Python in gdb is not this one, and may be older.
    script = (
        "import sys, importlib.util",
        f"importlib.util.find_spec('gdb') or (print({NO_MODULE!r}), __import__('_gdb').execute('quit 3'))",
        f"sys.version_info < (3, 11) and (print({OLD_PYTHON!r}.format(*sys.version_info)), gdb.execute('quit 3'))",
        f"sys.path.append({str(PACKAGE.parent)!r})",
        "from pentavr.cli.gdb.start import start",
        f"start({address!r}, {str(elf)!r})",
    )
    return [
        debugger,
        "-q",
        *(["-batch"] if arguments.batch else []),
        *("-iex", "set debuginfod enabled off"),
        *("-ex", f"python {'; '.join(script)}"),
        *(word for command in arguments.ex for word in ("-ex", command)),
    ]


def _run(command: list[str]) -> int:
    """Run the debugger on this terminal; Ctrl-C is for it, and it is gone when this is left."""
    with _signals():
        process = subprocess.Popen(command)
        try:
            return process.wait()
        finally:
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(END_TIMEOUT_S)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


@contextmanager
def _signals() -> Iterator[None]:
    def ignore(_number: int, _frame: FrameType | None) -> None:
        # Not SIG_IGN, which the debugger would inherit.
        pass

    def leave(number: int, _frame: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    handlers = {signal.SIGINT: ignore, signal.SIGTERM: leave, signal.SIGHUP: leave}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port: they go from 0, which is any free one, to 65535")
    return port
