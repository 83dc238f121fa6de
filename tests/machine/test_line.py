# SPDX-License-Identifier: GPL-3.0-or-later
"""The protocol against lines typed here; their checksums were computed by perl."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentavr.errors import CheckFailed, MachineFault
from pentavr.machine.line import (
    LONGEST_LINE,
    Accepted,
    Boot,
    Cause,
    Command,
    Decoder,
    Done,
    Found,
    Message,
    Noise,
    Refusal,
    Refused,
    Rejected,
    State,
    Status,
    checksum,
    encode,
    load_command,
    parse,
    solution,
)
from pentavr.pentomino.board import Board, BoardError

LINES: dict[bytes, Message] = {
    b"$B,1,8*4B": Boot(1, Cause.WATCHDOG),
    b"$S,1,5,1,IIIII*2F": Found(1, 5, 1, "IIIII"),
    b"$D,8*50": Done(8),
    b"$X,6*42": Rejected(BoardError.FREE_SQUARES),
    b"$A,G*2A": Accepted(Command.GO),
    b"$E,4*5D": Refused(Refusal.NOT_NOW),
    b"$Q,2,17,305,4,15,1*52": Status(State.WAITING, 17, 305, 4, 15, 1),
}


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.decode())
@pytest.mark.parametrize("end", [b"\r\n", b"\n", b"\r"], ids=["CR LF", "LF", "CR"])
def test_every_line_of_the_chip_is_read(line: bytes, end: bytes) -> None:
    assert Decoder().feed(line + end) == [LINES[line]]


def test_the_checksum_is_that_of_nmea_0183() -> None:
    # The sentence that descriptions of NMEA 0183 use as their example.
    assert checksum(b"GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,") == 0x47


@pytest.mark.parametrize(
    ("body", "line"),
    [("Q", b"$Q*51\r\n"), ("G", b"$G*47\r\n"), ("O", b"$O*4F\r\n"), ("N", b"$N*4E\r\n"), ("R", b"$R*52\r\n")],
)
def test_commands_are_written(body: str, line: bytes) -> None:
    assert encode(Command(body)) == line


def test_a_board_is_written_as_options_sides_and_squares() -> None:
    plus = Board.parse(".#.\n###\n.#.")
    assert encode(load_command(plus, every=False)) == b"$L000303FF00FF000000FF00FF*4C\r\n"
    assert encode(load_command(plus, every=True)) == b"$L010303FF00FF000000FF00FF*4D\r\n"
    assert load_command(plus, every=True, stamp=31)[:3] == "LF9"
    laid = Board.parse("IIIII#####")
    assert load_command(laid, every=True) == "L010A01" + "0A" * 5 + "00" * 5


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"$D,8*51", "wrong checksum, expected 50"),
        (b"$D,9*50", "wrong checksum, expected 51"),
        (b"D,8*50", "not a line"),
        (b"$D,8", "not a line"),
        (b"$D,8*5", "not a line"),
        (b"$D,8*500", "not a line"),
        (b"$D,8*5G", "not a line"),
        (b"$*00", "no such thing"),
        (b"\x00\xff\x80", "not a line"),
        (encode("Z,1"), "no such thing"),
        (encode("D"), "parts"),
        (encode("D,"), "parts"),
        (encode("D,08"), "parts"),
        (encode("D,-8"), "parts"),
        (encode("D,8,8"), "parts"),
        (encode("D,8 "), "parts"),
        (encode("E,9"), "means nothing"),
        (encode("X,8"), "means nothing"),
        (encode("A,Y"), "means nothing"),
        (encode("Q,5,0,0,4,15,1"), "means nothing"),
        (encode("S,1,5,1,IIII"), "5x1 squares, but 4 letters"),
        (encode("S,1,5,1,IIIIIi"), "parts"),
        (encode("S,1,0,0,I"), "0x0 squares"),
        (encode("S,1,5,1,"), "parts"),
    ],
    ids=repr,
)
def test_noise_is_told_from_lines(line: bytes, fault: str) -> None:
    (noise,) = Decoder().feed(line.rstrip(b"\r\n") + b"\r\n")
    assert isinstance(noise, Noise)
    assert fault in noise.fault
    assert noise.content == line.rstrip(b"\r\n")


def test_lower_case_digits_of_a_checksum_are_read() -> None:
    assert Decoder().feed(b"$A,G*2a\n") == [Accepted(Command.GO)]


def test_a_line_that_breaks_off_does_not_take_the_next_one_with_it() -> None:
    noise, message = Decoder().feed(b"$S,3,4,15,LLL$B,1,8*4B\r\n")
    assert isinstance(noise, Noise)
    assert noise.content == b"$S,3,4,15,LLL"
    assert message == Boot(1, Cause.WATCHDOG)


def test_a_line_without_an_end_is_given_up_and_the_next_one_read() -> None:
    decoder = Decoder()
    for _ in range(100):
        assert decoder.feed(b"x" * 100) == []
    noise, message = decoder.feed(b"x\r\n$D,8*50\r\n")
    assert isinstance(noise, Noise)
    assert len(noise.content) <= LONGEST_LINE
    assert message == Done(8)


def test_what_is_shown_of_noise_is_printable_and_short() -> None:
    (noise,) = Decoder().feed(b"\x1b[2J" + bytes(range(128, 228)) + b"\n")
    assert str(noise).isprintable()
    assert len(str(noise)) < 250


@given(st.lists(st.sampled_from(sorted(LINES))), st.data())
def test_lines_come_in_whatever_pieces(lines: list[bytes], data: st.DataObject) -> None:
    content = b"".join(line + b"\r\n" for line in lines)
    decoder = Decoder()
    read: list[Message | Noise] = []
    while content:
        size = data.draw(st.integers(1, len(content)))
        read += decoder.feed(content[:size])
        content = content[size:]
    assert read == [LINES[line] for line in lines]


@given(st.binary(), st.sampled_from(sorted(LINES)))
def test_whatever_stands_before_it_a_line_is_read(garbage: bytes, line: bytes) -> None:
    read = Decoder().feed(garbage + line + b"\r\n")
    assert read[-1] == LINES[line]


@given(st.sampled_from(sorted(LINES)), st.data())
def test_no_single_flipped_bit_goes_unseen(line: bytes, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(line) - 1))
    bit = data.draw(st.integers(0, 7))
    damaged = bytearray(line + b"\r\n")
    damaged[place] ^= 1 << bit
    messages = [read for read in Decoder().feed(bytes(damaged)) if not isinstance(read, Noise)]
    # Bit 5 turns A to F in the checksum into a to f, which count the same.
    assert messages in ([], [LINES[line]])
    if messages:
        assert bytes(damaged).lower() == (line + b"\r\n").lower()
        assert place >= len(line) - 2


def test_what_a_body_lacks_is_said() -> None:
    with pytest.raises(ValueError, match="no such thing"):
        parse("")


class TestSolution:
    def test_letters_become_figures_by_their_shapes(self) -> None:
        # P5 is ##/##/.#, L5 is .#/.#/.#/##, I1 stands, V1 is #../#../###; P begins at 27, L at 11, I at 9, V at 43.
        read = solution(Found(12, 4, 5, "PPLIPPLIVPLIVLLIVVVI"))
        assert read.index == 12
        assert read.given == Board.rectangle(4, 5)
        p, l, i, v = 31, 15, 9, 43  # noqa: E741 - the letters of the pieces
        assert list(read.cells) == [p, p, l, i, p, p, l, i, v, p, l, i, v, l, l, i, v, v, v, i]

    def test_points_are_blocked_squares(self) -> None:
        read = solution(Found(1, 3, 3, ".X.XXX.X."))
        assert read.given == Board.parse(".#.\n###\n.#.")
        assert list(read.cells) == [255, 51, 255, 51, 51, 51, 255, 51, 255]

    def test_the_board_that_was_given_stays_with_it(self) -> None:
        given = Board.parse("IIIII")
        assert solution(Found(1, 5, 1, "IIIII"), given).given is given

    @pytest.mark.parametrize("letters", ["IIIIIIIIII", "LLLLYLYYYY", "IIIIILLLLI"])
    def test_letters_that_make_no_figures_are_a_failed_check(self, letters: str) -> None:
        with pytest.raises(CheckFailed, match="solution 7 of the chip"):
            solution(Found(7, 5, 2, letters))

    def test_a_solution_of_another_board_is_the_chips_fault(self) -> None:
        with pytest.raises(MachineFault, match="5x1, expected 1x5"):
            solution(Found(1, 5, 1, "IIIII"), Board.rectangle(1, 5))
