# SPDX-License-Identifier: GPL-3.0-or-later
"""A serial port through pyserial, with words for all that goes wrong there."""

from __future__ import annotations

import errno
import re
import time

import serial

from pentavr.errors import MachineFault, UnusableInput
from pentavr.firmware.serial_ports import listed, no_permission

__all__ = ["PortLost", "SerialPort"]

POLL_S = 0.05
WRITE_S = 5.0
ADVICE = {
    errno.ENOENT: "there is no such port",
    errno.ENODEV: "nothing is connected to it",
    errno.ENXIO: "nothing is connected to it",
    errno.EIO: "nothing is connected to it",
    errno.EACCES: no_permission(),
    errno.EPERM: no_permission(),
    errno.EBUSY: "another program has it open",
    errno.EAGAIN: "another program has it open",
    errno.ENOTTY: "it is no serial port",
}


class PortLost(MachineFault):
    """A port that was open has gone: unplugged, or taken by another program."""


class SerialPort:
    """An open serial port, 8 data bits, no parity, 1 stop bit; what had come in before is dropped.

    `name` is a device, or one of pyserial's URLs such as `socket://host:port`. Raises UnusableInput, with the ports
    that there are, for one that cannot be opened.
    """

    def __init__(self, name: str, baud: int) -> None:
        self.name = name
        self.baud = baud
        try:
            self._serial = serial.serial_for_url(name, baud, timeout=POLL_S, write_timeout=WRITE_S, exclusive=True)
        except (OSError, ValueError) as error:
            raise UnusableInput(f"{name}: cannot open the port at {baud} baud: {_reason(error)}; {listed()}") from None

    def close(self) -> None:
        """Close it; a second call does nothing."""
        self._serial.close()

    def read(self, timeout_s: float) -> bytes:
        """Return what has come in, as soon as there is something; b"" if nothing comes in time."""
        deadline = time.monotonic() + timeout_s
        try:
            while True:
                content = bytes(self._serial.read(1))
                if content:
                    return content + bytes(self._serial.read(self._serial.in_waiting))
                if time.monotonic() >= deadline:
                    return b""
        except OSError as error:
            raise PortLost(f"{self.name}: the port is gone while it was read: {_reason(error)}") from None

    def write(self, content: bytes) -> None:
        """Send; raise PortLost where the port is gone or takes nothing for some seconds."""
        try:
            self._serial.write(content)
        except serial.SerialTimeoutException:
            raise PortLost(f"{self.name}: the port takes nothing for {WRITE_S:g} s") from None
        except OSError as error:
            raise PortLost(f"{self.name}: the port is gone while it was written to: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    # pyserial hides the number of what termios says in its own text.
    inner = re.search(r"\((\d+), '", str(error))
    number = getattr(error, "errno", None) or (int(inner[1]) if inner else 0)
    return ADVICE.get(number, str(error))
