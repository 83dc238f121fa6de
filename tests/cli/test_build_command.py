# SPDX-License-Identifier: GPL-3.0-or-later
"""`pentavr build`, in a checkout and from an installed wheel."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

import pytest

from pentavr.cli.main import main
from pentavr.errors import UnusableInput
from pentavr.firmware import images

ROOT = Path(__file__).parents[2]

PROGRAM = """\
.device ATmega88
start:
\trjmp start
.include "default_board.inc"
"""


@pytest.fixture
def firmware(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with a small program in place of the firmware, the working directory within it."""
    folder = tmp_path / "checkout" / "firmware"
    folder.mkdir(parents=True)
    (folder / "main.asm").write_text(PROGRAM)
    monkeypatch.setattr(images, "checkout", lambda: folder.parent)
    monkeypatch.chdir(folder.parent)
    return folder


def test_build_tells_the_flash_used(firmware: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # One rjmp, two bytes of sides, eight of 60 squares.
    assert main(["build"]) == 0
    assert capsys.readouterr().out == "build/pentavr.hex: atmega88, board 4x15, 12 bytes of Flash used, 8180 left\n"
    assert main(["build"]) == 0
    assert (
        capsys.readouterr().out
        == "build/pentavr.hex: atmega88, board 4x15, 12 bytes of Flash used, 8180 left, up to date\n"
    )
    assert images.built_path() == firmware.parent / "build" / "pentavr.hex"
    assert images.built_image().code("default_board") == 2


@pytest.mark.usefixtures("firmware")
def test_build_takes_a_board_and_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    Path("cross.txt").write_text(".#.\n###\n.#.\n")
    assert main(["build", "--board", "cross.txt", "--output", "a/b", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "image": "a/b/pentavr.hex",
        "mcu": "atmega88",
        "board": "cross.txt",
        "flash_bytes_used": 6,
        "flash_bytes_left": 8186,
        "assembled": True,
    }


@pytest.mark.usefixtures("firmware")
@pytest.mark.parametrize(
    ("board", "message"), [("nonesuch", "no board 'nonesuch'"), ("7x9", "63 free squares"), ("15x15", "14 squares")]
)
def test_an_unusable_board_is_exit_code_2(board: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--board", board]) == 2
    assert message in capsys.readouterr().err
    assert not Path("build").exists()


def test_a_fault_in_the_source_is_told_by_file_and_line(firmware: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (firmware / "main.asm").write_text(PROGRAM + "\tldi r16, 256\n")
    assert main(["build"]) == 2
    assert "  firmware/main.asm:5: warning: Constant out of range" in capsys.readouterr().err
    assert not Path("build/pentavr.hex").exists()


@pytest.mark.usefixtures("firmware")
def test_without_avra_the_exit_code_is_3(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert main(["build"]) == 3
    assert "apt-get install avra" in capsys.readouterr().err


@pytest.mark.usefixtures("firmware")
def test_the_image_is_asked_for_before_it_is_built() -> None:
    with pytest.raises(UnusableInput, match=r"build/pentavr\.hex: the firmware is not built yet; run make"):
        images.built_image()


def test_generated_includes_are_written_and_compared(firmware: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--check"]) == 1
    assert main(["build", "--generate"]) == 0
    assert main(["build", "--check"]) == 0
    assert (firmware / "figures.inc").read_bytes() == (ROOT / "firmware" / "figures.inc").read_bytes()
    capsys.readouterr()
    (firmware / "figures.inc").write_text("; edited\n")
    assert main(["build", "--check"]) == 1
    shown = capsys.readouterr()
    assert "-; edited" in shown.out
    assert "run pentavr build --generate" in shown.err


def run(*command: str | Path, cwd: Path, environment: Mapping[str, str], status: int = 0) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=dict(environment),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
def test_a_wheel_carries_image_and_sources(tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(ROOT / "host", project / "host", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "firmware", project / "firmware")
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, project / name)
    (project / "firmware" / "main.asm").write_text(PROGRAM)
    libraries = sysconfig.get_path("purelib")
    outside = {**os.environ, "PYTHONPATH": libraries}
    uv = Path(sys.executable).with_name("uv")
    build_wheel = (uv, "build", "--wheel", "--python", sys.executable, "--out-dir", tmp_path / "dist")

    assert "run make first" in run(*build_wheel, cwd=project, environment=outside, status=2)

    inside = {**os.environ, "PYTHONPATH": f"{project / 'host'}:{libraries}"}
    run(sys.executable, "-m", "pentavr", "build", cwd=project, environment=inside)
    run(*build_wheel, cwd=project, environment=outside)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path, environment=outside)
    python = tmp_path / "venv" / "bin" / "python"
    install = (uv, "pip", "install", "--python", python, "--no-deps", wheel)
    run(*install, cwd=tmp_path, environment=os.environ)

    without_avra = {**outside, "PATH": "/nowhere"}
    load = "from pentavr.firmware.images import built_image; print(built_image().code('default_board'))"
    assert run(python, "-c", load, cwd=tmp_path, environment=without_avra) == "2\n"
    assert "apt-get install avra" in run(
        python, "-m", "pentavr", "build", cwd=tmp_path, environment=without_avra, status=3
    )
    out = run(python, "-m", "pentavr", "build", "--board", "1x5", cwd=tmp_path, environment=outside)
    assert out == "build/pentavr.hex: atmega88, board 1x5, 6 bytes of Flash used, 8186 left\n"
    if shutil.which("avr-gdb"):
        # The sources that it lists are those of the wheel.
        out = run(
            python, "-m", "pentavr", "debug", "--batch", "--ex", "list main.asm:1,3", cwd=tmp_path, environment=outside
        )
        assert "1\t.device ATmega88\n2\tstart:\n3\t\trjmp start\n" in out
    for option in ("--check", "--generate"):
        out = run(python, "-m", "pentavr", "build", option, cwd=tmp_path, environment=outside, status=2)
        assert "this is an installed package" in out


def test_build_is_for_a_chip_a_clock_and_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--mcu", "ATmega328P", "--f-cpu", "16000000", "--baud", "9600", "--default-options", "0b111"]
    assert main(["build", *words, "--output", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith(f"{tmp_path}/pentavr.hex: atmega328p, board 4x15, ")
    image = images.load_image(tmp_path / "pentavr.hex")
    values = {name: image.symbols[name].value for name in ("F_CPU", "BAUD", "UBRR_VALUE", "RAMEND", "INT_VECTORS_SIZE")}
    assert values == {"F_CPU": 16_000_000, "BAUD": 9600, "UBRR_VALUE": 103, "RAMEND": 0x8FF, "INT_VECTORS_SIZE": 52}
    assert image.flash[image.code("options_at_reset")] == 0b111


def test_a_baud_error_fails_the_build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--f-cpu", "8000000", "--baud", "57600", "--output", str(tmp_path)]) == 2
    message = capsys.readouterr().err
    assert "firmware/clock.inc:" in message
    assert message.endswith("error: at F_CPU the serial line would be over 2 % faster than BAUD\n")
    assert not (tmp_path / "pentavr.hex").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--mcu", "atmega8"], "no part 'atmega8': choose one of atmega88, "),
        (["--f-cpu", "20MHz"], "'20MHz' is no whole number"),
        (["--baud", "0"], "'0' is no whole number from 1 to"),
        (["--default-options", "256"], "'256' is no byte"),
        (["--default-options", "all"], "'all' is no byte"),
    ],
)
def test_an_unusable_option_is_exit_code_2(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    try:
        status = main(["build", *words, "--output", str(tmp_path)])
    except SystemExit as end:
        status = int(end.code or 0)
    assert status == 2
    assert message in capsys.readouterr().err
