# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr debug --server`, the launch.json that the README shows for it, and the sessions that the README shows."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

from pentavr.cli import debug as command
from pentavr.cli.main import main
from pentavr.firmware.images import IMAGE_NAME
from pentavr.machine.gdb.server import listen

has_debugger = pytest.mark.skipif(shutil.which("avr-gdb") is None, reason="apt-get install gdb-avr")

TIME_LIMIT_S = 60
ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "README.md").read_text(encoding="utf-8").partition("## In a debugger\n")[2].partition("\n## ")[0]

Debug = Callable[..., subprocess.CompletedProcess[str]]


@contextmanager
def served(environment: dict[str, str], *options: str, sessions: int = 0) -> Iterator[subprocess.Popen[str]]:
    """Run the server for some sessions, and end it as a user does, with Ctrl-C."""
    words = [sys.executable, "-m", "pentavr", "debug", "--server", *options]
    with subprocess.Popen(
        words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    ) as process:
        try:
            yield process
            process.send_signal(signal.SIGINT)
            assert process.wait(TIME_LIMIT_S) == 130
            assert process.stderr is not None
            lines = process.stderr.read().splitlines()
            assert lines == [
                *["pentavr: gdb has connected", "pentavr: gdb has detached"] * sessions,
                "pentavr: interrupted",
            ]
        finally:
            process.kill()


@has_debugger
def test_the_server_serves_one_session_after_the_other(
    debug: Debug, firmware: Path, environment: dict[str, str]
) -> None:
    with served(environment, "3x20", "--firmware", str(firmware), sessions=2) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        told = re.fullmatch(rf"gdb server on 127\.0\.0\.1:(\d+), atmega88, {re.escape(str(firmware))}\n", line)
        assert told is not None
        for _ in range(2):
            done = debug("next-solution", "print solution_count[0]", options=("--connect", f"127.0.0.1:{told[1]}"))
            assert "solution 1\n$1 = 1\n" in done.stdout


def test_the_port_is_told_as_json(firmware: Path, environment: dict[str, str]) -> None:
    with listen() as listener:
        port = listener.getsockname()[1]
    with served(environment, "--firmware", str(firmware), "--port", str(port), "--json") as server:
        assert server.stdout is not None
        assert json.loads(server.stdout.readline()) == {"host": "127.0.0.1", "port": port}


def test_the_server_needs_no_avr_gdb(firmware: Path, environment: dict[str, str]) -> None:
    with served({**environment, "PATH": "/nowhere"}, "--firmware", str(firmware)) as server:
        assert server.stdout is not None
        assert server.stdout.readline().startswith("gdb server on ")


# --- VS Code -------------------------------------------------------------------------------------------------------

CPPDBG_KEYS = {
    "MIMode", "additionalSOLibSearchPath", "args", "avoidWindowsConsoleRedirection", "coreDumpPath",
    "customLaunchSetupCommands", "cwd", "debugServerArgs", "debugServerPath", "debuginfod", "deploySteps", "envFile",
    "environment", "externalConsole", "filterStderr", "filterStdout", "hardwareBreakpoints", "launchCompleteCommand",
    "logging", "miDebuggerArgs", "miDebuggerPath", "miDebuggerServerAddress", "pipeTransport",
    "postRemoteConnectCommands", "program", "serverLaunchTimeout", "serverStarted", "setupCommands",
    "showDisplayString", "sourceFileMap", "stopAtConnect", "stopAtEntry", "svdPath", "symbolLoadInfo",
    "targetArchitecture", "unknownBreakpointHandling", "useExtendedRemote", "variables", "visualizerFile",
}  # fmt: skip
"""The properties of a launch with type cppdbg, from Extension/tools/OptionsSchema.json of vscode-cpptools."""
ANY_LAUNCH_KEYS = {"name", "type", "request", "preLaunchTask", "postDebugTask", "internalConsoleOptions"}


@pytest.fixture(scope="module")
def configuration() -> dict[str, object]:
    (block,) = re.findall(r"^```json\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)
    launch = json.loads(block)
    assert launch["version"] == "0.2.0"
    (found,) = launch["configurations"]
    return dict(found)


def test_the_launch_configuration_fits_the_extension_and_the_project(configuration: dict[str, object]) -> None:
    assert configuration.keys() <= CPPDBG_KEYS | ANY_LAUNCH_KEYS
    assert (configuration["type"], configuration["request"], configuration["MIMode"]) == ("cppdbg", "launch", "gdb")
    assert configuration["program"] == f"${{workspaceFolder}}/build/{IMAGE_NAME}.elf"
    makefile = (ROOT / "Makefile").read_text()
    assert configuration["debugServerPath"] == "${workspaceFolder}/.venv/bin/pentavr"
    assert re.search(r"^BIN +:= \.venv/bin$", makefile, re.MULTILINE)
    assert "gdb-avr" in makefile
    assert configuration["filterStdout"] is True


@has_debugger
def test_the_launch_configuration_works_as_the_extension_uses_it(
    configuration: dict[str, object], firmware: Path, environment: dict[str, str]
) -> None:
    words = shlex.split(str(configuration["debugServerArgs"]))
    assert words[:2] == ["debug", "--server"]
    port = words[words.index("--port") + 1]
    assert configuration["miDebuggerServerAddress"] == f"127.0.0.1:{port}"
    # Any free port instead, so that the test disturbs nobody.
    words[words.index("--port") + 1] = "0"
    with served(environment, *words[2:], "--firmware", str(firmware), sessions=1) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        assert re.search(str(configuration["serverStarted"]), line)
        address = line.split(",")[0].split()[-1]
        elf = firmware.with_suffix(".elf")
        number = next(
            number
            for number, text in enumerate((ROOT / "firmware" / "output.inc").read_text().splitlines(), 1)
            if text.startswith("solution_found:")
        )
        setup = configuration["setupCommands"]
        assert isinstance(setup, list)
        orders = [
            *(each["text"].replace("${workspaceFolder}/build", str(firmware.parent)) for each in setup),
            f"-file-exec-and-symbols {elf}",
            f"-target-select remote {address}",
            f"-break-insert output.inc:{number + 1}",
            "-exec-continue",
        ]
        debugger = pexpect.spawn(
            str(configuration["miDebuggerPath"]), ["-nx", "-q", "--interpreter=mi"], env=environment, encoding="utf-8",
            timeout=TIME_LIMIT_S,
        )  # fmt: skip
        debugger.setecho(False)
        for order in orders:
            debugger.expect_exact("(gdb)")
            debugger.sendline(order)
        debugger.expect(r'\*stopped,reason="breakpoint-hit".*?func="solution".*?line="(\d+)"')
        assert int(debugger.match[1]) == number + 1
        debugger.expect_exact("(gdb)")
        debugger.sendline("-data-read-memory-bytes &board 62")
        debugger.expect(r'begin="0x0*800100".*contents="([0-9a-f]{124})"')
        assert debugger.match[1].endswith("040f")
        debugger.sendline("-stack-list-frames")
        debugger.expect(r'func="search_crosses"')
        debugger.sendline("-gdb-exit")
        debugger.expect(pexpect.EOF)
        debugger.close()


# --- the README ----------------------------------------------------------------------------------------------------

PROMPT = "(gdb) "


def shape(text: str) -> list[str]:
    """Give the lines of an output without what may change with each build: numbers, and how the tree is parted."""
    lines: list[str] = []
    for line in text.replace("\r", "").splitlines():
        masked = re.sub(r"\b0x[0-9a-f]+\b|\d+", "1", line.rstrip())
        masked = re.sub(r"\b\w+ \(\) at tree\.inc", "routine () at tree.inc", masked)
        masked = re.sub(r"^ *1 (laid|left): .*", r"1 \1:", masked)
        masked = re.sub(r"^#1 +1 in routine \(\) at tree\.inc:1$", "#1 levels", masked)
        if masked and not (masked == "#1 levels" and lines[-1:] == [masked]):
            lines.append(masked)
    return lines


@has_debugger
def test_the_sessions_in_the_readme_are_as_they_are_shown(firmware: Path, environment: dict[str, str]) -> None:
    blocks = re.findall(r"^```console\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)
    shown = "".join(blocks).split(PROMPT)
    assert shown[0].startswith("$ make debug\n")
    assert len(shown) > 8
    terminal = pexpect.spawn(
        sys.executable, ["-m", "pentavr", "debug", "--firmware", str(firmware)], dimensions=(60, 120),
        env={**environment, "TERM": "dumb"}, encoding="utf-8", timeout=TIME_LIMIT_S, echo=False,
    )  # fmt: skip
    terminal.expect_exact(PROMPT)
    assert shape(terminal.before) == shape(shown[0])[1:]
    for each in shown[1:]:
        order, _, expected = each.partition("\n")
        terminal.sendline(order)
        terminal.expect_exact(PROMPT)
        seen, told = shape(terminal.before), shape(expected)
        if told[:1] == ["..."]:
            assert seen[-len(told) + 1 :] == told[1:]
        else:
            assert seen == told, order
    terminal.sendline("quit")
    terminal.expect(pexpect.EOF)
    terminal.close()


def test_the_commands_in_the_readme_are_those_that_there_are() -> None:
    table = re.findall(r"^\| `([a-z-]+)[^`]*` \|", SECTION, re.MULTILINE)
    assert table == ["board", "next-solution", "load-board", "pieces", "level", "over", "reset-chip"]
    assert all(name in command.EPILOG for name in table)


def test_the_options_in_the_readme_are_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["debug", "--help"])
    known = set(re.findall(r"--[a-z]+", capsys.readouterr().out))
    shown = set(re.findall(r"(?<=[ `])--[a-z]+", SECTION))
    assert shown <= known
    assert {"--server", "--port", "--connect", "--firmware", "--batch", "--ex"} <= shown
