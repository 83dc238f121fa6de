# SPDX-License-Identifier: GPL-3.0-or-later
"""Programmers: the ways from this machine to a real chip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pentavr.firmware.parts import Part
from pentavr.firmware.serial_ports import require_port

__all__ = ["PROGRAMMERS", "TIME_LIMIT_S", "Connection", "Programmer", "connection"]

TIME_LIMIT_S = 120.0
"""Much more than the firmware takes through the slowest programmer."""

SLOW_BIT_CLOCK_US = 10.0
"""Slow enough for a chip as it leaves the factory: at 1 MHz the bit clock has to stay below 250 kHz."""
ARDUINO_BAUDS: Mapping[str, int] = {"atmega88": 19200, "atmega168": 19200, "atmega328p": 115200}
"""What answers on an Arduino board, by the chip's core: no board comes with an ATmega88, so it is the sketch ArduinoISP
there; the boot loader of the Diecimila; the boot loader of the Uno."""


@dataclass(frozen=True, slots=True)
class Programmer:
    """A kind of programmer: its name in avrdude, whether it is at a serial port, and what else avrdude has to know."""

    avrdude: str
    serial: bool = False
    baud: int | None = None
    bit_clock_us: float | None = None


PROGRAMMERS: Mapping[str, Programmer] = {
    "usbasp": Programmer("usbasp", bit_clock_us=SLOW_BIT_CLOCK_US),
    "usbtiny": Programmer("usbtiny", bit_clock_us=SLOW_BIT_CLOCK_US),
    "arduino": Programmer("arduino", serial=True),
    "arduino_as_isp": Programmer("stk500v1", serial=True, baud=19200),
    "stk500v1": Programmer("stk500v1", serial=True, baud=19200),
    "avrisp": Programmer("avrisp", serial=True, baud=19200),
}
"""Those that need no more than their name and port; any other name goes to avrdude as it is."""


@dataclass(frozen=True, slots=True)
class Connection:
    """The way to a chip: a programmer by its name in avrdude, with its port, speed and bit clock where it has them."""

    part: Part
    programmer: str
    port: str | None = None
    baud: int | None = None
    bit_clock_us: float | None = None
    time_limit_s: float = TIME_LIMIT_S

    def words(self) -> list[str]:
        """Give avrdude's options."""
        words = ["-p", self.part.avrdude, "-c", self.programmer]
        if self.port is not None:
            words += ["-P", self.port]
        if self.baud is not None:
            words += ["-b", str(self.baud)]
        if self.bit_clock_us is not None:
            words += ["-B", f"{self.bit_clock_us:g}"]
        return words

    def __str__(self) -> str:
        """Name programmer, port and speed."""
        at = "" if self.port is None else f" at {self.port}"
        return f"{self.programmer}{at}" + ("" if self.baud is None else f", {self.baud} baud")


def connection(
    part: Part,
    programmer: str,
    *,
    port: str | None = None,
    baud: int | None = None,
    bit_clock_us: float | None = None,
    time_limit_s: float = TIME_LIMIT_S,
) -> Connection:
    """Work out the way to a chip, with what is known of the programmer in place of what is not given.

    Raise UnusableInput, with the serial ports of this machine, for a port that is missing or not there.
    """
    known = PROGRAMMERS.get(programmer, Programmer(programmer))
    if port is not None or known.serial:
        require_port(port, f"the programmer {programmer}")
    if known.avrdude == "arduino":
        baud = baud or ARDUINO_BAUDS[part.core]
    return Connection(
        part, known.avrdude, port, baud or known.baud, bit_clock_us or known.bit_clock_us, time_limit_s=time_limit_s
    )
