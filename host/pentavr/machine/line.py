# SPDX-License-Identifier: GPL-3.0-or-later
r"""What the chip and a host say to each other over a serial line.

    >>> encode("Q")
    b'$Q*51\r\n'
    >>> parse("S,7,5,1,IIIII")
    Found(number=7, width=5, height=1, letters='IIIII')

A line is `$`, a body, `*`, the exclusive or of the body's characters as two hex digits, CR, LF, much as NMEA 0183 has
it. The parts of a body have commas between them; numbers are decimal.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, IntFlag, StrEnum
from functools import reduce
from operator import xor

from pentavr.errors import CheckFailed, MachineFault, UnusableInput
from pentavr.pentomino.board import Board, BoardError
from pentavr.pentomino.figures import PIECES
from pentavr.pentomino.solution import Solution

__all__ = [
    "BAUD",
    "CLOCKS_PER_TICK",
    "LONGEST_LINE",
    "STAMPS",
    "VERSION",
    "Accepted",
    "Boot",
    "Cause",
    "Command",
    "Decoder",
    "Done",
    "Found",
    "Message",
    "Noise",
    "Refusal",
    "Refused",
    "Rejected",
    "State",
    "Status",
    "checksum",
    "encode",
    "load_command",
    "parse",
    "solution",
]

BAUD = 38_400
"""What the firmware is built with unless its build says otherwise."""
VERSION = 1
"""Of what is said and understood; the chip names its own in `Boot` and `Status`."""
CLOCKS_PER_TICK = 65_536 * 64
STAMPS = 32
LONGEST_LINE = 400
"""Bytes, more than the chip ever sends: the largest board that it takes has 294 squares."""


class Command(StrEnum):
    """What the host can tell the chip to do, by the letter that says it; the board follows LOAD."""

    LOAD = "L"
    GO = "G"
    ONE = "O"
    NEXT = "N"
    STATUS = "Q"
    RESET = "R"


class State(IntEnum):
    """What the chip is at."""

    READY = 0
    SEARCHING = 1
    WAITING = 2
    DONE = 3
    REJECTED = 4

    @property
    def meaning(self) -> str:
        """Say it in words."""
        return {
            State.READY: "it is ready for a board",
            State.SEARCHING: "it searches",
            State.WAITING: "it waits after a solution",
            State.DONE: "its search is over",
            State.REJECTED: "it has rejected its board",
        }[self]


class Refusal(IntEnum):
    """Why the chip does not do what it was told."""

    NO_LINE = 1
    TOO_LONG = 2
    UNKNOWN = 3
    NOT_NOW = 4

    @property
    def meaning(self) -> str:
        """Say it in words."""
        return {
            Refusal.NO_LINE: "it is no line of the protocol, or came through with errors",
            Refusal.TOO_LONG: "it is too long for the chip",
            Refusal.UNKNOWN: "the chip does not know it",
            Refusal.NOT_NOW: "this is not the time for it",
        }[self]


class Cause(IntFlag):
    """What has reset the chip: its register MCUSR, which a boot loader may have cleared, or a command."""

    POWER_ON = 1
    EXTERNAL = 2
    BROWN_OUT = 4
    WATCHDOG = 8
    COMMAND = 16

    @property
    def meaning(self) -> str:
        """Say it in words, the most telling one where there are several."""
        for cause, words in (
            (Cause.WATCHDOG, "watchdog: the search had hung"),
            (Cause.POWER_ON, "power-on"),
            (Cause.BROWN_OUT, "brown-out: the supply voltage was too low"),
            (Cause.EXTERNAL, "reset pin"),
            (Cause.COMMAND, "command"),
        ):
            if cause in self:
                return words
        return "its boot loader hides why"


@dataclass(frozen=True, slots=True)
class Boot:
    """The chip has been reset; `version` is that of its protocol."""

    version: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class Found:
    """A solution: its number from 1, the sides, and a letter a square, row by row, `.` for a blocked one."""

    number: int
    width: int
    height: int
    letters: str

    @property
    def text(self) -> str:
        """Draw it, a row a line."""
        starts = range(0, len(self.letters), self.width)
        return "\n".join(self.letters[start : start + self.width] for start in starts)


@dataclass(frozen=True, slots=True)
class Done:
    """The search is over; there are so many solutions."""

    solutions: int


@dataclass(frozen=True, slots=True)
class Rejected:
    """The board cannot be searched."""

    error: BoardError


@dataclass(frozen=True, slots=True)
class Accepted:
    """The command was understood and is being done."""

    command: Command


@dataclass(frozen=True, slots=True)
class Refused:
    """The command, or what came for one, is not done."""

    reason: Refusal


@dataclass(frozen=True, slots=True)
class Status:
    """The answer to a question: `solutions` so far, `ticks` of CLOCKS_PER_TICK clocks since the reset."""

    state: State
    solutions: int
    ticks: int
    width: int
    height: int
    version: int


@dataclass(frozen=True, slots=True)
class Noise:
    """Bytes that are no line of the protocol, their first ones at least, and what is wrong with them."""

    content: bytes
    fault: str

    def __str__(self) -> str:
        shown = self.content[:40].decode("ascii", "backslashreplace")
        return f"{self.fault}: {shown!r}{'...' if len(self.content) > 40 else ''}"


Message = Boot | Found | Done | Rejected | Accepted | Refused | Status

_NUMBER = "(0|[1-9][0-9]{0,9})"
_FORMS: dict[str, tuple[re.Pattern[str], Callable[..., Message]]] = {
    letter: (re.compile(",".join((letter, *parts))), make)
    for letter, parts, make in (
        ("B", [_NUMBER] * 2, lambda version, cause: Boot(int(version), Cause(int(cause)))),
        ("S", [_NUMBER] * 3 + [f"([{PIECES}.]+)"], lambda n, w, h, letters: Found(int(n), int(w), int(h), letters)),
        ("D", [_NUMBER], lambda solutions: Done(int(solutions))),
        ("X", [_NUMBER], lambda error: Rejected(BoardError(int(error)))),
        ("A", ["([A-Z])"], lambda letter: Accepted(Command(letter))),
        ("E", [_NUMBER], lambda reason: Refused(Refusal(int(reason)))),
        ("Q", [_NUMBER] * 6, lambda state, *rest: Status(State(int(state)), *map(int, rest))),
    )
}


def checksum(body: bytes) -> int:
    """Return the exclusive or of the bytes."""
    return reduce(xor, body, 0)


def encode(body: str) -> bytes:
    """Make a line of a body, its ends included."""
    content = body.encode("ascii")
    return b"$%b*%02X\r\n" % (content, checksum(content))


def load_command(board: Board, *, every: bool, stamp: int = 0) -> str:
    """Give the body that loads a board; `every` asks for turned and mirrored solutions, too.

    A chip that keeps progress goes on with the same board from its last record if `stamp`, of 0 to STAMPS - 1, is the
    same as before, too, and else starts afresh.
    """
    options = every | stamp << 3
    return Command.LOAD + bytes((options, board.width, board.height, *board.cells)).hex().upper()


def parse(body: str) -> Message:
    """Read the body of a line that the chip sent; ValueError says what is wrong with it."""
    pattern, make = _FORMS.get(body[:1], (None, None))
    if pattern is None or make is None:
        raise ValueError("the chip says no such thing")
    form = pattern.fullmatch(body)
    if form is None:
        raise ValueError("parts are missing, or are not what they should be")
    try:
        message = make(*form.groups())
    except ValueError as error:
        raise ValueError(f"a part means nothing: {error}") from None
    if isinstance(message, Found) and len(message.letters) != message.width * message.height:
        raise ValueError(f"{message.width}x{message.height} squares, but {len(message.letters)} letters")
    return message


class Decoder:
    """Cuts what comes over the line, in whatever pieces, into messages and noise."""

    def __init__(self) -> None:
        self._begun = bytearray()
        self._is_too_long = False

    def feed(self, content: bytes) -> list[Message | Noise]:
        """Take the next bytes and return what is complete by them."""
        complete: list[Message | Noise] = []
        for piece in content.splitlines(keepends=True):
            self._begun += piece
            if piece.endswith((b"\r", b"\n")):
                complete += self._end_line()
            elif len(self._begun) > LONGEST_LINE:
                self._is_too_long = True
                del self._begun[LONGEST_LINE:]
        return complete

    def _end_line(self) -> list[Message | Noise]:
        line = bytes(self._begun).rstrip(b"\r\n")
        is_too_long, self._is_too_long = self._is_too_long, False
        self._begun.clear()
        if is_too_long:
            return [Noise(line[:LONGEST_LINE], "a line that does not end")]
        if not line:
            return []
        # What a reset or noise has cut off may run into the next line.
        cut, dollar, rest = line.rpartition(b"$")
        before: list[Message | Noise] = [Noise(cut, "a line that breaks off")] if cut else []
        return [*before, _decode(dollar + rest)]


def _decode(line: bytes) -> Message | Noise:
    form = re.fullmatch(rb"\$([ -)+-~]*)\*([0-9A-Fa-f]{2})", line)
    if form is None:
        return Noise(line, "not a line of the form $...*hh")
    body, digits = form.groups()
    if int(digits, 16) != checksum(body):
        return Noise(line, f"wrong checksum, expected {checksum(body):02X}")
    try:
        return parse(body.decode("ascii"))
    except ValueError as error:
        return Noise(line, str(error))


def solution(found: Found, given: Board | None = None) -> Solution:
    """Recognise the figures of a solution by the shapes that the letters make.

    `given` is the board that was to be searched; without it, one with all those squares free. Raises CheckFailed where
    the letters do not make figures, MachineFault where the solution is one of a board of other sides.
    """
    try:
        board = Board.parse(found.text, source=f"solution {found.number} of the chip")
    except UnusableInput as error:
        raise CheckFailed(f"{error}\n{found.text}") from error
    if given is None:
        given = Board(board.width, board.height, bytes(0xFF if mark == "." else 0 for mark in found.letters))
    if (board.width, board.height) != (given.width, given.height):
        raise MachineFault(
            f"the chip sends a solution of a board of {board.width}x{board.height}, expected "
            f"{given.width}x{given.height}: it searches another board"
        )
    return Solution(given, board.cells, found.number)
