# SPDX-License-Identifier: GPL-3.0-or-later
"""What the firmware takes, to the cycle and to the byte: a record that changes only with its reason in the commit."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentavr.firmware.build import build
from pentavr.firmware.image import Image
from pentavr.firmware.parts import SRAM_START
from pentavr.machine.backends import installed
from pentavr.machine.chip import Chip, Stop
from pentavr.pentomino import catalogue

README = Path(__file__).parents[2] / "README.md"

# For each board the cycles from board_ready to the first arrival at figure_laid, to the first solution and to the end
# of the search, all solutions with their images, and the bytes of stack.
RECORD: dict[str, tuple[int, int | None, int, int]] = {
    "3x20": (22_998, 60_419, 321_825, 58),
    "4x15": (20_585, 41_026, 13_720_068, 58),
    "5x12": (19_142, 27_117, 58_624_481, 58),
    "6x10": (18_085, 81_692, 173_746_708, 58),
    "8x8-center-hole": (23_417, 1_436_293, 20_037_407, 59),
    "aztec-diamond-x": (33_303, None, 6_259_564, 46),
    "8x8-hole2x2-r1c0": (15_496, 351_148, 634_700_613, 58),
}
FLASH_BYTES = 8_146
SRAM_BYTES = 796

SLOW = {"8x8-hole2x2-r1c0"}


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """Build the firmware of the challenge, whatever board the built one has."""
    return build(catalogue.find("4x15"), output=tmp_path_factory.mktemp("firmware")).image


# yasimavr counts four cycles for an rcall, the data sheet and simavr three.
@pytest.mark.skipif("simavr" not in installed(), reason="cycles are those that simavr counts")
@pytest.mark.parametrize("board", [pytest.param(b, marks=pytest.mark.slow if b in SLOW else ()) for b in RECORD])
def test_cycles_and_stack(image: Image, board: str) -> None:
    with Chip.emulated(board, image=image, backend="simavr") as chip:
        chip.machine.run((image.code("figure_laid"),))
        set_up = chip.cycles
        chip.boot()
        chip.load(catalogue.find(board))
        first = chip.cycles if chip.next_stop() is Stop.SOLUTION_FOUND else None
        while chip.stop is Stop.SOLUTION_FOUND:
            chip.next_stop()
        taken = set_up, first, chip.cycles, chip.stack_depth
    row = f'    "{board}": ({", ".join("None" if number is None else f"{number:_}" for number in taken)}),'
    assert taken == RECORD[board], f"changed; with its reason in the commit it becomes\n{row}"


@pytest.mark.parametrize("board", RECORD)
def test_the_readme_says_the_same(board: str) -> None:
    _, first, whole, _ = RECORD[board]
    (row,) = (line for line in README.read_text(encoding="utf-8").splitlines() if line.startswith(f"| {board} |"))
    assert row.split(" | ")[2:4] == ["-" if first is None else f"{first:,}", f"{whole:,}"]


def test_memory(image: Image) -> None:
    flash, sram = len(image.flash), image.sram("stack_limit") - SRAM_START
    rows = f"FLASH_BYTES = {flash:_}\nSRAM_BYTES = {sram:_}"
    assert (flash, sram) == (FLASH_BYTES, SRAM_BYTES), f"changed; with its reason in the commit it becomes\n{rows}"
