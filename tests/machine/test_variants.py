# SPDX-License-Identifier: GPL-3.0-or-later
"""The firmware built for each chip, and run on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from checked import checked_solutions
from pentavr.errors import UnusableInput
from pentavr.firmware.build import build
from pentavr.firmware.image import ByteAddress, Image
from pentavr.firmware.parts import ATMEGA88, PARTS, Part, part
from pentavr.machine.backends import emulate
from pentavr.machine.chip import STACK_PAINT, Chip, Option
from pentavr.machine.emulator import Reset
from pentavr.pentomino import catalogue

# The vectors up to the last one that is used, the words in each, and RAMEND, from the data sheets.
VECTORS = 19
WORDS = {"atmega88": 1, "atmega168": 2, "atmega328p": 2}
RAMEND = {"atmega88": 0x4FF, "atmega168": 0x4FF, "atmega328p": 0x8FF}

CORES = [each for each in PARTS if each.name == each.core]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("variants")


def built(folder: Path, each: Part) -> Image:
    """Build for a part, once a folder."""
    return build(catalogue.find("4x15"), output=folder / each.core, part=each).image


@pytest.mark.parametrize("each", CORES, ids=lambda each: each.name)
def test_each_vector_leads_where_it_should(folder: Path, backend: str, each: Part) -> None:
    image = built(folder, each)
    targets = []
    with emulate(image, part=each, backend=backend) as machine:
        for number in range(VECTORS):
            machine.pc = ByteAddress(2 * WORDS[each.name] * number)
            machine.step()
            targets.append(machine.pc)
    # By the data sheet's table of vectors, counted from 0, timer 1 overflows at 13 and a byte has come in at 18.
    used = {0: "reset", 13: "tick", 18: "receive"}
    assert targets == [image.code(used.get(number, "unexpected_interrupt")) for number in range(VECTORS)]


def test_the_brothers_of_the_88_take_the_same_image(tmp_path: Path) -> None:
    images = {
        build(catalogue.find("4x15"), output=tmp_path, part=each).path.read_bytes()
        for each in PARTS
        if each.core == "atmega88"
    }
    assert len(images) == 1


@pytest.mark.parametrize("each", CORES, ids=lambda each: each.name)
def test_the_stack_is_painted_up_to_the_last_byte(folder: Path, backend: str, each: Part) -> None:
    image = built(folder, each)
    with Chip.emulated("4x15", image=image, backend=backend) as chip:
        assert (chip.machine.part, each.ramend) == (each, RAMEND[each.name])
        painted = bytes((STACK_PAINT,)) * chip.stack_room
        chip.machine.write_data(image.sram("stack_limit"), bytes(chip.stack_room))
        chip.boot(Reset.EXTERNAL)
        found = chip.machine.read_data(image.sram("stack_limit"), chip.stack_room)
        assert image.sram("stack_limit") + len(found) == RAMEND[each.name] + 1
        # place_board was called, and place_default_board by it: two return addresses.
        assert found[:-4] == painted[:-4]
        assert found[-4:-2] != painted[:2] != found[-2:]


@pytest.mark.parametrize("name", ["atmega88", "atmega88pa", "atmega168", "atmega328p"])
def test_every_variant_solves_4x15(folder: Path, name: str) -> None:
    image = built(folder, part(name))
    with Chip.emulated(options=Option.ALL_SOLUTIONS, image=image, part=part(name)) as chip:
        assert len(checked_solutions(chip)) == 1472


def test_without_a_part_the_emulator_is_that_of_the_image(folder: Path) -> None:
    with emulate(built(folder, part("atmega328p"))) as machine:
        assert machine.part is part("atmega328p")
    with emulate(Image(b"\xff\xcf", {})) as machine:
        assert machine.part is ATMEGA88


def test_an_image_for_another_chip_is_not_emulated(folder: Path) -> None:
    image = built(folder, ATMEGA88)
    other = {**image.symbols, "__DEVICE__": image.symbols["__ATmega8__"]}
    with pytest.raises(UnusableInput, match="no part 'ATmega8'"):
        emulate(Image(image.flash, other))
