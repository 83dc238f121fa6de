# SPDX-License-Identifier: GPL-3.0-or-later
"""What firmware/README.md and its drawing say is so."""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import textwrap
import xml.etree.ElementTree as ET
from importlib import import_module
from pathlib import Path

import pytest

from pentavr.errors import UnusableInput
from pentavr.firmware.avra import assemble
from pentavr.firmware.fuses import BrownOut, Clock, diagram, plan
from pentavr.firmware.parts import part

ROOT = Path(__file__).parents[2]
PATH = "/usr/bin:/bin"
README = (ROOT / "firmware" / "README.md").read_text(encoding="utf-8")
MAKE_LINES = sorted(set(re.findall(r"^ +(make .+)$", README, re.MULTILINE)))
BAUD_ROWS = re.findall(r"^\| (\d{7,8}) \| (.+) \|$", README, re.MULTILINE)

# The pins that are used, from the data sheet's drawing of the PDIP package.
PINS = {
    1: "RESET",
    2: "RXD",
    3: "TXD",
    7: "VCC",
    8: "GND",
    9: "XTAL1",
    10: "XTAL2",
    17: "MOSI",
    18: "MISO",
    19: "SCK",
    20: "AVCC",
    22: "GND",
}
SPARE = {
    4: "PD2",
    5: "PD3",
    6: "PD4",
    11: "PD5",
    12: "PD6",
    13: "PD7",
    14: "PB0",
    15: "PB1",
    16: "PB2",
    21: "AREF",
    23: "PC0",
    24: "PC1",
    25: "PC2",
    26: "PC3",
    27: "PC4",
    28: "PC5",
}


@pytest.mark.parametrize(
    ("name", "clock", "brown_out"),
    [
        ("atmega88", Clock.CRYSTAL, BrownOut.AT_4_3_V),
        ("atmega328p", Clock.CRYSTAL, BrownOut.AT_4_3_V),
        ("atmega88", Clock.RC, BrownOut.AT_2_7_V),
    ],
)
def test_the_fuses_are_drawn_as_they_are_written(name: str, clock: Clock, brown_out: BrownOut) -> None:
    fuses = plan(part(name), clock=clock, brown_out=brown_out, keep_eeprom=False)
    assert textwrap.indent(diagram(part(name), fuses), "    ") in README


def test_the_speeds_of_the_serial_line(tmp_path: Path) -> None:
    (header,) = re.findall(r"^\| `F_CPU` \| (.+) \|$", README, re.MULTILINE)
    source = tmp_path / "clock.asm"
    source.write_text('.include "m88def.inc"\n.include "clock.inc"\n\tnop\n')
    assert [clock for clock, _ in BAUD_ROWS] == ["20000000", "16000000", "8000000"]
    for clock, row in BAUD_ROWS:
        for baud, said in zip(header.split(" | "), row.split(" | "), strict=True):
            defines = {"F_CPU": int(clock), "BAUD": int(baud)}
            try:
                values = assemble(
                    source, output=tmp_path / "clock", include=[ROOT / "firmware"], defines=defines
                ).symbols
            except UnusableInput:
                assert said == "fails"
                continue
            clocks_per_bit = (8 if values["USE_2X"].value else 16) * (values["UBRR_VALUE"].value + 1)
            assert said == f"{int(clock) / clocks_per_bit / int(baud) - 1:+.1%}".replace("%", " %")


@pytest.mark.parametrize("line", MAKE_LINES)
def test_every_line_for_make_is_a_command_of_ours(line: str) -> None:
    make = ["make", "-n", *shlex.split(line)[1:]]
    done = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True, env={"PATH": PATH})
    (command,) = [shlex.split(said) for said in done.stdout.splitlines() if said.startswith(".venv/bin/pentavr")]
    parser = argparse.ArgumentParser()
    import_module(f"pentavr.cli.{command[1]}").add_arguments(parser)
    parser.parse_args(command[2:])


def test_there_are_lines_for_make() -> None:
    assert len(MAKE_LINES) >= 8


def test_the_pins_of_the_drawing_are_those_of_the_chip() -> None:
    texts: dict[str, list[tuple[int, int, str]]] = {"number": [], "name": [], "spare": []}
    drawing = ET.parse(ROOT / "firmware" / "wiring.svg")  # noqa: S314 - a file of our own
    for group in drawing.getroot().iter("{http://www.w3.org/2000/svg}g"):
        kind = group.get("class", "").split(" ")[0]
        if kind in texts:
            texts[kind] += [(int(text.get("x", "")), int(text.get("y", "")), text.text or "") for text in group]
    # A pin's name stands a little lower than its number, on the same side of the chip's middle at x = 490.
    numbers = {(x < 490, y + 13): int(text) for x, y, text in texts["number"]}
    assert {numbers[x < 490, y]: text for x, y, text in texts["name"]} == PINS
    assert {numbers[x < 490, y]: text for x, y, text in texts["spare"]} == SPARE
