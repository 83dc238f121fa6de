# SPDX-License-Identifier: GPL-3.0-or-later
"""Sessions with the gdb server: how they begin and end, and what is left of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gdb_client import Client
from pentavr.errors import MachineFault, UnusableInput
from pentavr.firmware.parts import ATMEGA88
from pentavr.machine.gdb.process import ServerProcess
from pentavr.machine.gdb.server import Target, listen
from pentavr.pentomino.board import Board
from processes import found, none_left

PLACE = 0x800100
"""Where the program of conftest.py keeps its variable."""


def test_what_is_no_packet_at_all_ends_the_session(port: int) -> None:
    client = Client(port)
    try:
        for _ in range(64):
            client.send(b"$" + b"a" * 4096)
        assert client.is_closed()
    except OSError:
        pass
    client.close()
    following = Client(port)
    assert following.ask("m2,2") == "1122"
    following.close()


def test_a_second_gdb_is_turned_away(client: Client, port: int) -> None:
    assert client.ask("?") == "S05"
    second = Client(port)
    assert second.is_closed()
    second.close()
    assert client.ask("m2,2") == "1122"


@pytest.mark.parametrize("goodbye", ["D", "k", None])
def test_each_session_finds_a_fresh_chip(port: int, goodbye: str | None) -> None:
    client = Client(port)
    assert client.ask("P10=77") == "OK"
    assert client.ask("P22=04000000") == "OK"
    assert client.ask(f"M{PLACE:x},1:77") == "OK"
    if goodbye:
        client.order(goodbye)
        if goodbye == "D":
            assert client.reply() == "OK"
        assert client.is_closed()
    client.close()
    following = Client(port)
    assert following.ask("p10") == following.ask(f"m{PLACE:x},1") == "00"
    assert following.ask("p22") == "00000000"
    following.close()


def test_a_gdb_that_goes_away_while_the_chip_runs_is_noticed(port: int) -> None:
    client = Client(port)
    client.order("c")
    client.close()
    following = Client(port)
    assert following.ask("p22") == "00000000"
    following.close()


def test_the_eeprom_holds_what_the_program_wants_there(program: Path) -> None:
    with ServerProcess(Target(program)) as process:
        client = Client(process.port)
        assert client.ask("m810000,4") == "070809ff"
        client.close()


def test_the_port_is_open_to_this_machine_alone() -> None:
    with listen() as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


def test_a_port_that_is_taken_is_told(program: Path) -> None:
    with listen() as listener:
        taken = listener.getsockname()[1]
        with pytest.raises(
            UnusableInput, match=rf"port {taken} of 127\.0\.0\.1 cannot be used: .*in use; give another"
        ):
            ServerProcess(Target(program), taken)


def test_what_keeps_the_server_from_starting_is_told_in_its_own_words(program: Path, tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match=r"program\.hex: this program takes no board, it has no label board_ready"):
        ServerProcess(Target(program, ATMEGA88, Board.rectangle(4, 15)))
    with pytest.raises(UnusableInput, match=r"none\.lst"):
        ServerProcess(Target(tmp_path / "none.hex"))


def test_a_server_that_is_killed_is_told(program: Path) -> None:
    with ServerProcess(Target(program)) as process:
        process.check()
        os.kill(process.pid, signal.SIGKILL)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        with pytest.raises(MachineFault, match=rf"server on port {process.port} ended .* by SIGKILL"):
            process.check()


STARTER = """
import sys, time
from pathlib import Path
from pentavr.machine.gdb.process import ServerProcess
from pentavr.machine.gdb.server import Target
process = ServerProcess(Target(Path(sys.argv[1])))
print(process.port, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("runs", [False, True], ids=["waiting", "running"])
def test_the_server_does_not_outlive_who_started_it(program: Path, runs: bool) -> None:
    with none_left() as environment:
        command = [sys.executable, "-c", STARTER, str(program)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as starter:
            assert starter.stdout is not None
            client = Client(int(starter.stdout.readline()))
            assert client.ask("?") == "S05"
            if runs:
                client.order("c")
            assert len(found(environment)) == 2
            starter.kill()
        client.close()
