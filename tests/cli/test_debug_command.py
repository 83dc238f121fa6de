# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr debug`: the real avr-gdb with our commands, on an emulated chip, and nothing left of either afterwards."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest

from pentavr.cli.main import main
from pentavr.firmware.avra import assemble
from pentavr.firmware.elf import write_elf
from pentavr.firmware.images import written_files
from pentavr.machine.gdb.server import listen
from processes import found

has_debugger = pytest.mark.skipif(shutil.which("avr-gdb") is None, reason="apt-get install gdb-avr")

TIME_LIMIT_S = 60
ROOT = Path(__file__).parents[2]
LIGHTS = ROOT / "tests" / "firmware" / "lights"
PROMPT = "(gdb) "
PENTAVR = (sys.executable, "-m", "pentavr")

Debug = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def lights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another program, just assembled, without an .elf."""
    folder = tmp_path_factory.mktemp("lights") / "lights"
    shutil.copytree(LIGHTS, folder)
    assemble(folder / "lights.asm", output=folder / "lights")
    return folder / "lights.hex"


# --- other programs ------------------------------------------------------------------------------------------------


@has_debugger
def test_any_program_of_avras_can_be_debugged(debug: Debug, lights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(lights.parent)
    done = debug("break count.inc:9", "continue", "list 9,9", "print history", "print speeds", "bt 1", "over", "board",
                 options=("--firmware", "lights.hex"))  # fmt: skip
    assert "code_0000 () at lights.asm:19\n" in done.stdout
    assert "Breakpoint 1, count_down () at count.inc:9\n9\t\trcall\tcount_down\n" in done.stdout
    assert "$1 = {0, 0, 0, 0, 0}\n$2 = {10, 20, 30}\n" in done.stdout
    assert "Commands:" not in done.stdout
    assert (
        "the program has no board_width: this command is for the firmware that solves pentomino boards" in done.stderr
    )
    assert sorted(path.name for path in lights.parent.glob("*.elf")) == []


@has_debugger
def test_an_elf_file_is_used_unless_it_is_older_than_the_program(debug: Debug, lights: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(lights.parent, folder)
    image, elf = folder / "lights.hex", folder / "lights.elf"
    write_elf(*written_files(image), output=elf, source_folder=Path("/nowhere/at/all"))
    place = "python print(gdb.newest_frame().find_sal().symtab.fullname())"
    assert "/nowhere/at/all/lights.asm" in debug(place, options=("--firmware", str(image))).stdout
    os.utime(elf, (1, 1))
    assert "/nowhere/at/all/" not in debug(place, options=("--firmware", str(image))).stdout


@has_debugger
def test_a_board_is_for_the_firmware_alone(debug: Debug, lights: Path) -> None:
    done = debug(options=("3x20", "--firmware", str(lights)))
    assert (done.returncode, done.stdout) == (2, "")
    assert "lights.hex: this program takes no board, it has no label board_ready" in done.stderr


# --- what can go wrong ---------------------------------------------------------------------------------------------


@has_debugger
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("5x17x2",), "no board '5x17x2'"),
        (("--firmware", "/nowhere/at/all.hex"), "all.lst: cannot read the listing"),
        (("--part", "atmega8"), "there is no part 'atmega8': choose one of atmega88, atmega88a, atmega88p"),
        (("--port", "65536"), "65536 is no port: they go from 0, which is any free one, to 65535"),
        (("3x20", "--connect", "127.0.0.1:1"), "--connect takes the chip as it is: give it its board in gdb"),
        (("--server", "--connect", "127.0.0.1:1"), "not allowed with argument"),
    ],
    ids=["board", "firmware", "part", "port", "board and connect", "server and connect"],
)
def test_wrong_usage_is_exit_code_2(debug: Debug, options: tuple[str, ...], message: str) -> None:
    done = debug(options=options)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


@has_debugger
def test_a_port_that_is_taken_is_told(debug: Debug) -> None:
    with listen() as listener:
        port = listener.getsockname()[1]
        for options in (("--port", str(port)), ("--port", str(port), "--server")):
            done = debug(options=options)
            assert (done.returncode, done.stdout) == (2, "")
            assert (
                f"port {port} of 127.0.0.1 cannot be used: Address already in use; give another --port" in done.stderr
            )


def test_without_avr_gdb_the_package_is_named(
    firmware: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["debug", "--firmware", str(firmware)]) == 3
    assert capsys.readouterr().err == (
        "pentavr: the debugger avr-gdb is missing; install gdb-avr: apt-get install gdb-avr\n"
    )


@has_debugger
def test_a_server_that_does_not_answer_is_told(debug: Debug) -> None:
    with listen() as listener:
        port = listener.getsockname()[1]
    done = debug("board", options=("--connect", f"127.0.0.1:{port}"))
    assert done.returncode == 4
    assert f"no gdb server answers at 127.0.0.1:{port}: " in done.stderr
    assert "Connection refused" in done.stderr


# --- on a terminal -------------------------------------------------------------------------------------------------

Spawn = Callable[..., "pexpect.spawn[str]"]


@pytest.fixture
def spawn(firmware: Path, environment: dict[str, str]) -> Iterator[Spawn]:
    """Give a function that starts a session on a terminal of its own and waits for its first prompt."""
    terminals = []

    def start(*options: str, **variables: str) -> pexpect.spawn[str]:
        terminal = pexpect.spawn(
            PENTAVR[0],
            [*PENTAVR[1:], "debug", "--firmware", str(firmware), *options],
            env={**environment, **variables},
            encoding="utf-8",
            timeout=TIME_LIMIT_S,
            dimensions=(50, 200),
        )
        terminals.append(terminal)
        terminal.expect_exact(PROMPT)
        return terminal

    yield start
    for terminal in terminals:
        terminal.close(force=True)


def say(terminal: pexpect.spawn[str], command: str, *, plain: bool = True) -> str:
    """Give a command and return all that comes before the next prompt, without colours unless they are wanted."""
    terminal.sendline(command)
    terminal.expect_exact(PROMPT)
    return re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]", "", str(terminal.before)) if plain else str(terminal.before)


def leave(terminal: pexpect.spawn[str], command: str = "quit") -> int:
    """End the session and give its exit code."""
    if command:
        terminal.sendline(command)
    terminal.expect(pexpect.EOF)
    terminal.close()
    return int(terminal.exitstatus)


@has_debugger
def test_the_board_is_coloured_on_a_terminal(spawn: Spawn) -> None:
    # Out of 256 colours or of all; the backgrounds are those of the twelve pieces.
    out = say(spawn(TERM="xterm-256color"), "next-solution", plain=False)
    assert len(set(re.findall(r"48;5;(\d+)m", out))) == 12
    out = say(spawn(COLORTERM="truecolor"), "next-solution", plain=False)
    assert len(set(re.findall(r"48;2;(\d+;\d+;\d+)m", out))) == 12
    for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        out = say(spawn(**plain), "next-solution", plain=False)
        assert "48;" not in out
        assert "└───" in out


@has_debugger
def test_ctrl_c_stops_the_chip_and_leaves_the_session(spawn: Spawn) -> None:
    terminal = spawn("3x20")
    # The search over, the chip stays at its end for ever.
    terminal.sendline("continue")
    terminal.expect_exact("Continuing.")
    # What comes before gdb has let the chip go is lost on gdb.
    for _ in range(12):
        terminal.sendintr()
        if terminal.expect_exact(["Program received signal SIGINT", pexpect.TIMEOUT], 5) == 0:
            break
    terminal.expect_exact(PROMPT)
    assert "in reset () at start.inc" in say(terminal, "bt") or "reset () at start.inc" in say(terminal, "frame")
    terminal.sendline("next-solution 1000000")
    terminal.sendintr()
    terminal.expect_exact(PROMPT)
    # At the prompt it is gdb's, too.
    terminal.sendintr()
    terminal.expect_exact(PROMPT)
    assert "solution_count" in say(terminal, "info address solution_count")
    assert leave(terminal) == 0


@has_debugger
@pytest.mark.parametrize("way", ["quit", "kill", "detach", "end of file"])
def test_a_session_ends_cleanly(spawn: Spawn, environment: dict[str, str], way: str) -> None:
    terminal = spawn()
    assert len(found(environment)) == 3
    if way == "end of file":
        terminal.sendeof()
        assert leave(terminal, "") == 0
    elif way == "quit":
        assert leave(terminal) == 0
    else:
        assert "The chip is not there any longer" in say(terminal, way)
        assert leave(terminal) == 0


@has_debugger
def test_two_sessions_go_side_by_side(spawn: Spawn) -> None:
    first, second = spawn("3x20"), spawn("4x15")
    assert "solution 1" in say(first, "next-solution")
    assert "solution 5" in say(second, "next-solution 5")
    assert "solution 2" in say(first, "next-solution")
    assert "$1 = {3, 20}" in say(first, "print/d (unsigned char[2])board_width")
    assert "$1 = {4, 15}" in say(second, "print/d (unsigned char[2])board_width")
    assert leave(first) == 0
    assert "solution 6" in say(second, "next-solution")
    assert leave(second) == 0


@has_debugger
@pytest.mark.parametrize("moment", ["at the prompt", "while the chip runs"])
def test_a_server_that_is_killed_is_told_and_nothing_is_left(
    spawn: Spawn, environment: dict[str, str], moment: str
) -> None:
    terminal = spawn("3x20")
    (server,) = found(environment, "machine.gdb.process")
    if moment == "while the chip runs":
        terminal.sendline("continue")
        terminal.expect_exact("Continuing.")
    os.kill(server, signal.SIGKILL)
    if moment == "at the prompt":
        terminal.sendline("stepi")
    terminal.expect_exact("The chip is not there any longer: its gdb server has ended")
    terminal.expect_exact(PROMPT)
    assert "no chip is connected" in say(terminal, "board")
    assert leave(terminal) == 4
    assert re.search(
        r"pentavr: the gdb server on port \d+ ended in the middle of the session, by SIGKILL", terminal.before
    )


@has_debugger
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_who_ends_the_command_ends_debugger_and_chip(
    spawn: Spawn, environment: dict[str, str], number: signal.Signals
) -> None:
    terminal = spawn()
    (command,) = found(environment, "-m pentavr debug")
    os.kill(command, number)
    assert leave(terminal, "") == 128 + number
