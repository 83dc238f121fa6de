# SPDX-License-Identifier: GPL-3.0-or-later
"""The fixtures as another project's tests use them, taken from the plugin's own documentation."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

from pentavr.firmware.image import Image
from pentavr.machine import pytest_plugin

pytest_plugins = ("pytester",)

HEAD = """
from pentavr.firmware.avra import assemble
from pentavr.machine.chip import Stop
"""


def test_the_examples_of_the_documentation(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, firmware: Image
) -> None:
    examples = textwrap.dedent(
        "\n".join(line for line in str(pytest_plugin.__doc__).splitlines() if line[:1] in {"", " "})
    )
    assert examples.count("def test_") == 2
    monkeypatch.setattr("pentavr.firmware.images.built_image", lambda: firmware)
    pytester.makepyfile(HEAD + examples)
    pytester.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=2)


def test_each_test_has_a_fresh_chip(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, firmware: Image
) -> None:
    monkeypatch.setattr("pentavr.firmware.images.built_image", lambda: firmware)
    pytester.makepyfile(
        HEAD
        + """
import pytest
machines = []

@pytest.mark.parametrize("turn", range(3))
def test_fresh(chip, turn):
    for earlier in machines:
        with pytest.raises(ValueError):
            earlier.pc
    machines.append(chip.machine)
    assert chip.stop is Stop.BOARD_READY
    assert chip.next_stop() is Stop.SOLUTION_FOUND

def test_two_at_once(emulated, chip):
    one, two = emulated(chip.machine.image), emulated(chip.machine.image, clock_hz=8_000_000)
    one.step()
    assert (one.cycles > 0, two.cycles, two.clock_hz) == (True, 0, 8_000_000)
"""
    )
    pytester.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=4)


def test_loading_it_loads_nothing_else() -> None:
    script = (
        "import sys, pentavr.machine.pytest_plugin\n"
        "print(*sorted(name for name in sys.modules if name.startswith(('pentavr.', 'pysimavr', 'yasimavr'))))"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout.split() == ["pentavr.machine", "pentavr.machine.pytest_plugin"]
