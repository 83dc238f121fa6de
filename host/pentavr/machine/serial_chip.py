# SPDX-License-Identifier: GPL-3.0-or-later
"""A real chip with the firmware on a serial port: what can be told to it, and what it says by itself.

    with SerialChip.open("/dev/ttyUSB0") as chip:
        chip.reset()
        chip.load(Board.rectangle(6, 10))
        chip.go()
        while not isinstance(message := chip.wait(10.0), Done):
            print(message)

`pentavr.machine.serial_search` makes a search of it that comes through resets and noise.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Self

from pentavr.errors import MachineFault, UnusableInput
from pentavr.firmware.serial_ports import listed
from pentavr.machine import line
from pentavr.machine.line import Accepted, Boot, Command, Message, Noise, Refusal, Refused, State, Status
from pentavr.machine.serial_port import PortLost, SerialPort
from pentavr.pentomino.board import Board

__all__ = ["CommandRefused", "NoAnswer", "SerialChip"]

GREETING_S = 6.0
"""Enough for the boot loader of an Arduino board, which opening the port may start, and for the chip itself."""
ANSWER_S = 1.0
"""Much more than the chip takes to answer; the time that bytes take on the line comes on top."""
GREETING_ANSWER_S = 0.25
"""As much as it takes; who greets may come too early, and a chip that was reset just now does not wait for long."""
WATCH_S = 0.1
TRIES = 3
"""How often a command is sent: noise may destroy it, or its answer."""
DAMAGED = (Refused(Refusal.NO_LINE), Refused(Refusal.TOO_LONG))
FRAME_BITS = 10


class NoAnswer(MachineFault):
    """Nothing comes back from the chip."""


class CommandRefused(MachineFault):
    """The chip does not do what it was told, not now at least."""


class SerialChip:
    """A chip on an open port. Use it as a context manager, or close it.

    Every wait has a limit. `watch`, if set, is called about ten times a second while the chip is waited for.
    """

    def __init__(self, port: SerialPort) -> None:
        self.watch: Callable[[], None] | None = None
        self._watch_at = 0.0
        self._port = port
        self._decoder = line.Decoder()
        self._read_ahead: deque[Message | Noise] = deque()
        self._queue: deque[Message | Noise] = deque()

    @classmethod
    def open(cls, name: str, *, baud: int = line.BAUD) -> Self:
        """Open a port and make sure that a chip with this firmware is there.

        Raises UnusableInput where the port cannot be opened, NoAnswer where no such chip answers.
        """
        chip = cls(SerialPort(name, baud))
        try:
            chip.greet()
        except BaseException:
            chip.close()
            raise
        return chip

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the port; the chip goes on with what it does."""
        self._port.close()

    @property
    def name(self) -> str:
        """The name of the port."""
        return self._port.name

    # --- commands ----------------------------------------------------------------------------------------------

    def greet(self) -> Status:
        """Wait until the chip answers; one that was reset just now is held READY by that.

        What it sends by itself meanwhile is there for `wait`. Raises NoAnswer that says what came instead.
        """
        deadline = time.monotonic() + GREETING_S
        while time.monotonic() < deadline:
            answer = self._try(Command.STATUS, answer_s=GREETING_ANSWER_S)
            if isinstance(answer, Status):
                return answer
        raise NoAnswer(f"{self.name}: no answer from the chip within {GREETING_S:g} s, {self._diagnosis()}")

    def status(self) -> Status:
        """Ask the chip how it is."""
        answer = self._ask(Command.STATUS)
        if not isinstance(answer, Status):
            raise self._refused(Command.STATUS, answer)
        return answer

    def reset(self) -> Boot:
        """Reset the chip, which then waits READY for a board; what it has sent and nobody has taken is dropped."""
        for _ in range(TRIES):
            self._queue.clear()
            self._do(Command.RESET)
            boot = self._await_boot()
            # Another reset on top, by a boot loader or a loose plug, and the chip starts by itself.
            if self.status().state is State.READY and boot is not None:
                self._queue.clear()
                return boot
        raise MachineFault(f"{self.name}: the chip does not wait for a board after its reset, in {TRIES} attempts")

    def load(self, board: Board, *, every: bool = True, stamp: int = 0) -> None:
        """Give a READY chip a board to search; `every` asks for turned and mirrored solutions, too.

        A chip that keeps progress goes on with the same board where it was, unless the `stamp` is another than before.
        """
        self._do(Command.LOAD, line.load_command(board, every=every, stamp=stamp))

    def go(self) -> None:
        """Have the chip start or go on, and send solution after solution."""
        self._do(Command.GO)

    def one(self) -> None:
        """Have the chip start or go on, and wait after the next solution."""
        self._do(Command.ONE)

    def next(self) -> None:
        """Have the chip go on from the solution that it waits after."""
        self._do(Command.NEXT)

    def let_go(self) -> None:
        """Have a chip that streams wait after its next solution; whether it has heard that is not waited for."""
        self._port.write(line.encode(Command.ONE))

    # --- what the chip says by itself --------------------------------------------------------------------------

    def wait(self, timeout_s: float) -> Message | Noise | None:
        """Return the next line that the chip has sent by itself, or noise; None if none comes in time."""
        deadline = time.monotonic() + timeout_s
        while True:
            message = self._queue.popleft() if self._queue else self._read(deadline - time.monotonic())
            if not isinstance(message, Accepted | Refused | Status):
                return message

    @property
    def has_more(self) -> bool:
        """Whether `wait` has something at hand."""
        return bool(self._queue)

    def reconnect(self, limit_s: float) -> None:
        """Open the port again as soon as it is back; raise PortLost if it does not come back in time."""
        self._port.close()
        deadline = time.monotonic() + limit_s
        while True:
            self._look()
            try:
                self._port = SerialPort(self._port.name, self._port.baud)
            except UnusableInput as error:
                if time.monotonic() >= deadline:
                    raise PortLost(f"the port has not come back within {limit_s:g} s: {error}") from None
                time.sleep(WATCH_S)
            else:
                self._decoder = line.Decoder()
                return

    # -----------------------------------------------------------------------------------------------------------

    def _do(self, command: Command, body: str | None = None) -> None:
        answer = self._ask(command, body)
        if not isinstance(answer, Accepted):
            raise self._refused(command, answer)

    def _ask(self, command: Command, body: str | None = None) -> Message:
        answer: Message | None = None
        for _ in range(TRIES):
            answer = self._try(command, body) or answer
            if answer is not None and answer not in DAMAGED:
                return answer
        if answer is not None:
            return answer
        raise NoAnswer(
            f"{self.name}: the chip does not answer the command {command}, sent {TRIES} times: "
            "has it lost its supply, or a wire?"
        )

    def _try(self, command: Command, body: str | None = None, *, answer_s: float = ANSWER_S) -> Message | None:
        """Send a command once and give its answer; what else comes goes into the queue."""
        content = line.encode(body or command)
        self._port.write(content)
        bits = FRAME_BITS * (len(content) + 2 * line.LONGEST_LINE)
        deadline = time.monotonic() + answer_s + bits / self._port.baud
        while (left := deadline - time.monotonic()) > 0:
            message = self._read(left)
            match message:
                case None:
                    break
                case Refused():
                    return message
                case Accepted() | Status():
                    wanted = command is Command.STATUS if isinstance(message, Status) else message.command is command
                    if wanted:
                        return message
                case _:
                    self._queue.append(message)
                    if command is Command.RESET and isinstance(message, Boot):
                        return Accepted(command)
        return None

    def _read(self, timeout_s: float) -> Message | Noise | None:
        """Give the next line from the port, past the queue."""
        deadline = time.monotonic() + timeout_s
        while not self._read_ahead:
            left = deadline - time.monotonic()
            self._read_ahead.extend(self._decoder.feed(self._port.read(max(min(left, WATCH_S), 0.0))))
            self._look()
            if left <= 0 and not self._read_ahead:
                return None
        message = self._read_ahead.popleft()
        if isinstance(message, Boot | Status) and message.version != line.VERSION:
            raise MachineFault(
                f"{self.name}: the chip speaks version {message.version} of the protocol, expected {line.VERSION}: "
                "flash the firmware that belongs to this pentavr, with `make flash`"
            )
        return message

    def _await_boot(self) -> Boot | None:
        deadline = time.monotonic() + ANSWER_S
        message: Message | Noise | None = None
        while time.monotonic() < deadline and not isinstance(message, Boot):
            message = self.wait(deadline - time.monotonic())
        return message if isinstance(message, Boot) else None

    def _look(self) -> None:
        if self.watch is not None and time.monotonic() >= self._watch_at:
            self._watch_at = time.monotonic() + WATCH_S
            self.watch()

    def _refused(self, command: Command, answer: Message) -> CommandRefused:
        reason = answer.reason.meaning if isinstance(answer, Refused) else f"{answer}"
        return CommandRefused(f"{self.name}: the chip refuses the command {command}: {reason}")

    def _diagnosis(self) -> str:
        """Say what came instead of an answer, and what that may mean."""
        noise = [message for message in self._queue if isinstance(message, Noise)]
        if len(noise) < len(self._queue):
            return "but lines of it come in: is the wire from here to its RXD pin in place?"
        if noise:
            return f"but {noise[0]}. Is {self._port.baud} the rate of its build, and this firmware in it?"
        return (
            "and nothing comes in: is it powered, does it run the image that `make flash` writes, is its TXD wired to "
            f"the adapter's RX and its RXD to TX, and is this the port? {listed()}"
        )
