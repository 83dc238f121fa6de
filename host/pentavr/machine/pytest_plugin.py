# SPDX-License-Identifier: GPL-3.0-or-later
r'''Fixtures for tests of firmware; pytest has them wherever pentavr is installed.

`chip` is an emulated chip with the built firmware, fresh from its reset and stopped at `board_ready`:

    def test_the_first_solution_is_there_within_a_hundredth_of_a_second(chip):
        assert chip.next_stop() is Stop.SOLUTION_FOUND
        assert chip.cycles < 200_000

`emulated` puts any program on a chip of its own, and takes the options of `pentavr.machine.backends.emulate`:

    def test_the_sum_of_two_registers(emulated, tmp_path):
        source = tmp_path / "sum.asm"
        source.write_text("""
            .include "m88def.inc"
            sum:    add r24, r22
                    ret
        """)
        machine = emulated(assemble(source, output=tmp_path / "sum"))
        machine.write_data(22, bytes((40, 0, 2)))
        assert machine.call(machine.image.code("sum")) == 5
        assert machine.read_data(24) == b"\x2a"

This module is loaded by every run of pytest, so it imports the rest only when a test asks for it.
'''

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pentavr.firmware.image import Image
    from pentavr.machine.chip import Chip
    from pentavr.machine.emulator import Emulator

__all__ = ["built_firmware", "chip", "emulated"]


@pytest.fixture(scope="session")
def built_firmware() -> Image:
    """Load the built image of the firmware, once for all tests."""
    from pentavr.firmware.images import built_image

    return built_image()


@pytest.fixture
def chip(built_firmware: Image) -> Iterator[Chip]:
    """Emulate a chip with the built firmware, stopped at `board_ready`."""
    from pentavr.machine.chip import Chip

    with Chip.emulated(image=built_firmware) as made:
        yield made


@pytest.fixture
def emulated() -> Iterator[Callable[..., Emulator]]:
    """Give a function that puts an image on an emulated chip, as often as it is called."""
    from pentavr.machine.backends import emulate

    with ExitStack() as machines:
        yield lambda image, **options: machines.enter_context(emulate(image, **options))
