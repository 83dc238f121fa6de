# SPDX-License-Identifier: GPL-3.0-or-later
"""A search that outlives power cuts, on the emulated chip: what comes out is what comes out without them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pentavr.firmware.build import build
from pentavr.firmware.image import Image
from pentavr.machine.chip import Chip, Option
from pentavr.pentomino import catalogue
from pentavr.pentomino.board import Board
from plugged_chip import KEEPING, TICK, PluggedChip, seeded

Building = Callable[[str], Image]
Undisturbed = Callable[[str, Option], dict[int, bytes]]

WDRF = 3
IN_A_CORNER = "\n".join(["#" * 6 + "." * 8] * 10 + ["." * 14] * 11)
"""6x10 in a corner of the largest board that the chip takes, which has no symmetry then."""
UNIQUE = Option.KEEP_PROGRESS


@pytest.fixture(scope="module")
def building(tmp_path_factory: pytest.TempPathFactory) -> Building:
    """Give a function that builds the firmware with a default board."""
    images: dict[str, Image] = {}

    def image(board: str) -> Image:
        if board not in images:
            images[board] = build(catalogue.find(board), output=tmp_path_factory.mktemp("build")).image
        return images[board]

    return image


@pytest.fixture(scope="module")
def undisturbed(building: Building) -> Undisturbed:
    """Give a function that tells the solutions by number, as a chip finds them that keeps nothing and is left alone."""
    known: dict[tuple[str, Option], dict[int, bytes]] = {}

    def solutions(board: str, options: Option) -> dict[int, bytes]:
        key = board, options & Option.ALL_SOLUTIONS
        if key not in known:
            with Chip.emulated(image=building(board), options=key[1]) as chip:
                known[key] = {each.index: each.cells for each in chip.solutions()}
        return known[key]

    return solutions


def pull_the_plug(chip: PluggedChip, seed: int, *, cuts: int = 10_000) -> None:
    """Cut the power at seeded moments, in the end rarely enough for the search to come to its end."""
    chance = seeded(seed)
    for _ in range(cuts):
        if chip.run(chance.choice((chance.randrange(TICK // 2), chance.randrange(3 * TICK)))):
            return
        chip.cut()
    raise AssertionError(f"no end after {cuts} cuts: {chip.records} records")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("search", "seed", "at_least"),
    [
        (("6x10", KEEPING), 1, 60),
        (("6x10", KEEPING), 2, 60),
        (("6x10", KEEPING), 3, 60),
        (("6x10", UNIQUE), 4, 40),
        (("5x12", KEEPING), 5, 20),
        (("8x8-center-hole", KEEPING), 6, 5),
        (("5x9", UNIQUE), 7, 20),
    ],
    ids=str,
)
def test_solutions_before_and_after_cuts_are_those_of_an_undisturbed_run(
    building: Building, undisturbed: Undisturbed, search: tuple[str, Option], seed: int, at_least: int
) -> None:
    board, options = search
    with PluggedChip(building(board), options=options) as chip:
        pull_the_plug(chip, seed)
        assert chip.cuts >= at_least
        assert chip.heard == undisturbed(board, options)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 12, 13])
def test_cuts_between_the_bytes_of_a_record(building: Building, undisturbed: Undisturbed, seed: int) -> None:
    chance = seeded(seed)
    with PluggedChip(building("6x10")) as chip:
        size = chip.image.symbols["RECORD_SIZE"].value
        while not chip.run(1_000_000_000, eeprom_bytes=chance.randrange(3 * size)):
            if chance.random() < 0.5:
                chip.leave_half_written(chance)
            chip.cut()
        assert chip.cuts >= 30
        assert chip.heard == undisturbed("6x10", KEEPING)


def test_a_cut_before_each_byte_of_a_record(building: Building, undisturbed: Undisturbed) -> None:
    chance = seeded(21)
    with PluggedChip(building("6x10")) as chip:
        size = chip.image.symbols["RECORD_SIZE"].value
        assert not chip.run(1_000_000_000, eeprom_bytes=3 * size)
        chip.cut()
        snapshot, recorded = chip.machine.read_eeprom(0, 512), chip.recorded
        for place in range(size + 1):
            for half in (False, True):
                chip.machine.write_eeprom(0, snapshot)
                chip.recorded = recorded
                chip.cut()
                assert not chip.run(3 * TICK, eeprom_bytes=place)
                if half:
                    chip.leave_half_written(chance)
                chip.cut()
                assert not chip.run(TICK // 2)
                assert chip.recorded == recorded if place < size else chip.recorded > recorded
        whole = undisturbed("6x10", KEEPING)
        assert len(chip.heard) > 20
        assert chip.heard == {number: whole[number] for number in chip.heard}


def test_records_go_round_the_whole_eeprom(building: Building) -> None:
    with PluggedChip(building("6x10")) as chip:
        chip.run(40 * TICK)
        size = chip.image.symbols["RECORD_SIZE"].value
        places = len(chip.writes) // size
        assert len(chip.writes) == places * size
        # A board of 60 squares takes 65 bytes at the beginning; what is left over at the end is less than a record.
        assert min(chip.writes) == 3 + 60 + 2
        assert 512 - size <= max(chip.writes) < 512
        assert chip.records > 2 * places
        assert max(chip.writes.values()) - min(chip.writes.values()) <= 1


def test_the_number_of_a_record_may_run_over(building: Building, undisturbed: Undisturbed) -> None:
    with PluggedChip(building("6x10")) as chip:
        assert not chip.run(TICK // 2)
        chip.machine.write_data(chip.image.sram("record"), (0xFFFC).to_bytes(2, "little"))
        # Each cut is after some more records, and `heard` is told where the newest one was.
        while not chip.run(5 * TICK // 2):
            chip.cut()
        assert chip.records > 20
        assert chip.heard == undisturbed("6x10", KEEPING)


@pytest.fixture(scope="module")
def eeprom(building: Building) -> bytes:
    """Give the EEPROM of a chip that has recorded some of its search of 6x10."""
    with PluggedChip(building("6x10")) as chip:
        assert not chip.run(5 * TICK)
        assert chip.recorded > 10
        return chip.machine.read_eeprom(0, 512)


class TestAfresh:
    """What begins at its first solution, although there are records of another search."""

    def begin(self, image: Image, *, eeprom: bytes, board: str, options: Option = KEEPING) -> None:
        with PluggedChip(image, options=options, board=catalogue.find(board)) as chip:
            chip.machine.write_eeprom(0, eeprom)
            chip.cut()
            assert not chip.run(TICK)
            assert min(chip.heard) == 1

    def test_a_search_that_was_recorded_does_not(self, building: Building, eeprom: bytes) -> None:
        with pytest.raises(AssertionError, match="newest record"):
            self.begin(building("6x10"), eeprom=eeprom, board="6x10")

    @pytest.mark.parametrize("board", ["10x6", "5x12", "8x8-center-hole"])
    def test_another_board(self, building: Building, eeprom: bytes, board: str) -> None:
        self.begin(building("6x10"), eeprom=eeprom, board=board)

    def test_other_options(self, building: Building, eeprom: bytes) -> None:
        self.begin(building("6x10"), eeprom=eeprom, board="6x10", options=UNIQUE)

    def test_another_build(self, building: Building, eeprom: bytes) -> None:
        self.begin(building("4x15"), eeprom=eeprom, board="6x10")

    @pytest.mark.parametrize("byte", [0x00, 0xFF])
    def test_an_empty_eeprom(self, building: Building, byte: int) -> None:
        self.begin(building("6x10"), eeprom=bytes((byte,)) * 512, board="6x10")

    @pytest.mark.parametrize("seed", range(20))
    def test_an_eeprom_full_of_anything(self, building: Building, seed: int) -> None:
        self.begin(building("6x10"), eeprom=seeded(seed).randbytes(512), board="6x10")


class TestWatchdog:
    EIGHT_S = 160_000_000

    def hang(self, chip: PluggedChip, label: str) -> bytes:
        """Have the program go round in a circle from a label on, and give what stood there."""
        place = chip.image.code(label)
        before = chip.machine.read_flash(place, 2)
        chip.machine.write_flash(place, bytes.fromhex("ffcf"))  # rjmp to itself
        return before

    @pytest.mark.parametrize("label", ["figure_laid", "next_square", "write_row", "hook", "record_level"])
    def test_a_search_that_hangs_is_reset_and_goes_on(
        self, building: Building, undisturbed: Undisturbed, label: str
    ) -> None:
        with PluggedChip(building("6x10")) as chip:
            assert not chip.run(2 * TICK)
            before = self.hang(chip, label)
            with pytest.raises(AssertionError, match="the chip came to board_ready"):
                chip.run(2 * self.EIGHT_S)
            assert chip.machine.read_data(chip.image.sram("reset_cause")) == bytes((1 << WDRF,))
            chip.machine.write_flash(chip.image.code(label), before)
            chip.wake_up()
            assert chip.run(10_000_000_000)
            assert chip.heard == undisturbed("6x10", KEEPING)

    def test_a_chip_that_keeps_nothing_has_no_watchdog(self, building: Building) -> None:
        with PluggedChip(building("6x10"), options=Option.ALL_SOLUTIONS) as chip:
            assert not chip.run(TICK)
            self.hang(chip, "figure_laid")
            assert not chip.run(2 * self.EIGHT_S)

    @pytest.mark.slow
    @pytest.mark.parametrize("board", ["6x10", "8x8-without-corners", "6x10 in 14x21"])
    def test_no_search_that_runs_is_reset(self, building: Building, board: str) -> None:
        given = Board.parse(IN_A_CORNER) if "in" in board else catalogue.find(board)
        with PluggedChip(building("6x10"), board=given) as chip:
            chip.machine.write_data(chip.image.sram("record_ticks"), b"\x20")
            chip.run(4 * self.EIGHT_S)
            assert chip.machine.cycles > self.EIGHT_S
