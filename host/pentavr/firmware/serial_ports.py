# SPDX-License-Identifier: GPL-3.0-or-later
"""The serial ports of this machine."""

from __future__ import annotations

import os
from pathlib import Path

from pentavr.errors import UnusableInput

__all__ = ["listed", "no_permission", "require_port", "serial_ports"]


def serial_ports() -> list[tuple[str, str]]:
    """List the ports with what stands behind them, in words, those that are plugged in over USB first."""
    from serial.tools import list_ports

    found = [(port.vid is None, port.device, port.description) for port in list_ports.comports()]
    return [(device, "" if text in (None, "n/a") else text) for _, device, text in sorted(found)]


def require_port(port: str | None, user: str) -> None:
    """Raise UnusableInput, with a list of the ports there are, where a port is not given or not there.

    `user` says who needs it. A name that is no path, as `usb` or `COM3`, is left to whoever opens it.
    """
    if port is None:
        raise UnusableInput(f"{user} is at a serial port: say which, --port or PORT=; {listed()}")
    if not port.startswith("/"):
        return
    if not Path(port).exists():
        raise UnusableInput(f"there is no port {port}; {listed()}")
    if not os.access(port, os.R_OK | os.W_OK):
        raise UnusableInput(f"{port}: {no_permission()}")


def no_permission() -> str:
    """Say what to do where a port may not be opened."""
    return "no permission to use it; join the group that owns it, dialout on Debian, and log in again"


def listed() -> str:
    """Say in a clause which ports there are."""
    ports = serial_ports()
    if not ports:
        return "this machine has none: is the board plugged in?"
    lines = (f"\n  {device}" + (f"  {text}" if text else "") for device, text in ports)
    return "the serial ports here are" + "".join(lines)
