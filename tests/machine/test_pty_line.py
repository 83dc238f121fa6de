# SPDX-License-Identifier: GPL-3.0-or-later
"""The real firmware and the real pyserial, with a pseudo-terminal between them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
import serial

from pentavr.errors import MachineFault, UnusableInput
from pentavr.firmware.build import build
from pentavr.firmware.image import ByteAddress, Image
from pentavr.firmware.parts import ATMEGA88
from pentavr.machine.chip import Chip, Option
from pentavr.machine.emulator import Emulator, Reset
from pentavr.machine.line import Boot, Cause, Done, Found, State
from pentavr.machine.pty_line import PtyLine, flashed
from pentavr.machine.serial_chip import CommandRefused, SerialChip
from pentavr.machine.serial_search import SerialSearch
from pentavr.pentomino import catalogue
from pentavr.pentomino.board import Board
from pentavr.pentomino.solution import Solution
from plugged_chip import seeded

Connected = Callable[..., PtyLine]

LAID = Board.parse("LLLL#\nL####\n#####")
SPEED = 10.0
LIMIT_S = 100.0


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """Build the firmware with 3x20 as its default board."""
    return build(catalogue.find("3x20"), output=tmp_path_factory.mktemp("line")).image


@pytest.fixture
def connected(image: Image) -> Iterator[Connected]:
    """Give a function that powers a chip and connects its line to a pseudo-terminal."""
    lines: list[tuple[PtyLine, Emulator]] = []

    def make(options: Option | None = None, *, speed: float | None = SPEED, limit_s: float = 120.0) -> PtyLine:
        machine = flashed(image, options)
        lines.append((PtyLine(machine, speed=speed, limit_s=limit_s), machine))
        return lines[-1][0]

    yield make
    for line, machine in lines:
        line.close()
        machine.close()


def searching(port: str, board: Board, *, every: bool = True, stream: bool = True) -> SerialSearch:
    """Search over the line as `pentavr solve` does, for a limited time."""
    return SerialSearch(SerialChip.open(port), board, every=every, stream=stream, timeout_s=LIMIT_S)


def at_the_stops(image: Image, board: Board | str, *, every: bool) -> list[Solution]:
    with Chip.emulated(board, image=image, options=Option(int(every))) as chip:
        return list(chip.solutions())


def test_any_program_for_serial_ports_can_read_along(connected: Connected) -> None:
    with serial.Serial(connected().port, 38400, timeout=LIMIT_S) as port:
        port.readline()  # until it speaks it does not listen; this is whatever is left of the first line
        port.write(b"$R*52\r\n")
        assert port.read_until(b"$A,R*3F\r\n").endswith(b"$A,R*3F\r\n")
        assert port.readline() == b"$B,1,16*74\r\n"
        port.write(b"$G*47\r\n")
        lines = [port.readline() for _ in range(10)]
    assert lines[0] == b"$A,G*2A\r\n"
    assert [line[:10] for line in lines[1:9]] == [f"$S,{number},3,20,".encode() for number in range(1, 9)]
    assert lines[9] == b"$D,8*50\r\n"


def test_a_chip_is_driven_by_hand(connected: Connected, image: Image) -> None:
    with SerialChip.open(connected().port) as chip:
        assert chip.reset() == Boot(1, Cause.COMMAND)
        with pytest.raises(CommandRefused, match="not the time"):
            chip.next()
        chip.load(Board.rectangle(5, 3))
        status = chip.status()
        assert (status.state, status.width, status.height) == (State.READY, 5, 3)
        expected = at_the_stops(image, Board.rectangle(5, 3), every=True)
        chip.one()
        for number in (1, 2, 3):
            found = chip.wait(10.0)
            assert isinstance(found, Found)
            assert (found.number, found.text) == (number, expected[number - 1].text())
            assert chip.wait(0.2) is None
            assert chip.status().state is State.WAITING
            chip.next()
        chip.go()
        last = None
        while not isinstance(last, Done):
            last = chip.wait(10.0)
            assert last is not None
        assert last == Done(28)


@pytest.mark.parametrize(
    ("board", "every", "stream"),
    [("3x20", True, True), ("3x5", True, False), ("3x10", False, True), (LAID, True, True), ("1x10", True, True)],
    ids=str,
)
def test_a_search_is_as_at_the_stops(
    connected: Connected, image: Image, board: str | Board, every: bool, stream: bool
) -> None:
    given = catalogue.find(board) if isinstance(board, str) else board
    line = connected(speed=None)
    for _ in range(2):
        with searching(line.port, given, every=every, stream=stream) as search:
            found = list(search.solutions())
        assert found == at_the_stops(image, given, every=every)
        assert [each.index for each in found] == list(range(1, len(found) + 1))


def test_a_search_may_be_left_and_another_begun(connected: Connected, image: Image) -> None:
    line = connected()
    for board in ("4x15", "5x12", "3x20"):
        with searching(line.port, catalogue.find(board)) as search:
            solutions = search.solutions()
            found = [next(solutions) for _ in range(3)]
        assert found == at_the_stops(image, "3x20", every=True)[:3] if board == "3x20" else len(set(found)) == 3


def test_a_board_that_the_chip_rejects(connected: Connected) -> None:
    with (
        searching(connected().port, Board.rectangle(2, 2)) as search,
        pytest.raises(UnusableInput, match="the chip rejects the board: the board has 4 free squares"),
    ):
        list(search.solutions())


@pytest.mark.slow
@pytest.mark.parametrize("options", [None, Option.ALL_SOLUTIONS | Option.STREAM], ids=["kept", "forgotten"])
@pytest.mark.parametrize("stream", [True, False])
def test_power_cuts_leave_no_trace_in_a_search(
    connected: Connected, image: Image, options: Option | None, stream: bool
) -> None:
    chance = seeded(3)
    line = connected(options)
    cuts = {chance.randrange(2, 60) for _ in range(5)}
    with searching(line.port, catalogue.find("4x5"), stream=stream) as search:
        found = []
        for solution in search.solutions():
            found.append(solution)
            if solution.index in cuts:
                line.do(lambda machine: machine.reset(Reset.POWER_ON))
    assert found == at_the_stops(image, "4x5", every=True)


def test_a_chip_that_nobody_reads_loses_nothing(connected: Connected, image: Image) -> None:
    line = connected(speed=None)
    with searching(line.port, catalogue.find("4x15"), every=False) as search:
        solutions = search.solutions()
        found = [next(solutions)]
        threading.Event().wait(1.5)  # long enough for all the buffers to be full
        found += solutions
    assert found == at_the_stops(image, "4x15", every=False)


class TestPtyLine:
    def test_what_stops_the_chip_is_told(self, image: Image) -> None:
        def lose_its_way(machine: Emulator) -> None:
            machine.sreg = 0
            machine.pc = ByteAddress(ATMEGA88.flash_size - 2)
            machine.write_flash(machine.pc, bytes(2))  # nop, and then nothing more

        with flashed(image) as machine:
            line = PtyLine(machine, speed=None)
            line.do(lose_its_way)
            with pytest.raises(MachineFault, match="past the end of its Flash"):
                line.do(lambda each: each.run(max_cycles=1_000_000))
            line.join()
            with pytest.raises(MachineFault, match="past the end of its Flash"):
                line.close()

    def test_its_time_is_limited(self, image: Image) -> None:
        with flashed(image) as machine, PtyLine(machine, limit_s=0.1) as line:
            line.join()
            with pytest.raises(MachineFault, match="does not run any more"):
                line.do(lambda each: each.cycles)

    def test_the_speed_is_held(self, image: Image) -> None:
        with flashed(image) as machine, PtyLine(machine, speed=0.001) as line:
            threading.Event().wait(0.5)
            assert line.do(lambda each: each.cycles) < 1_000_000
