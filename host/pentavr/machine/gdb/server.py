# SPDX-License-Identifier: GPL-3.0-or-later
"""The server: an emulated chip behind a port of this machine."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pentavr.errors import UnusableInput
from pentavr.firmware.hexfile import read_hex
from pentavr.firmware.image import Image
from pentavr.firmware.images import load_image
from pentavr.firmware.parts import ATMEGA88, Part
from pentavr.machine.backends import emulate
from pentavr.machine.chip import Chip, Stop
from pentavr.machine.emulator import Emulator
from pentavr.machine.gdb.session import Session
from pentavr.machine.gdb.wire import Closed, Port, Wire
from pentavr.pentomino.board import Board

__all__ = ["HOST", "Target", "listen", "serve"]

HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be debugged: a program's .hex on a part; its .map and .lst lie beside it, its .eep.hex may.

    Each session finds the chip freshly switched on: at its reset vector, or, with the firmware for pentominoes, at
    `board_ready`, this board in the place of its default one if there is one.
    """

    path: Path
    part: Part = ATMEGA88
    board: Board | None = None

    def emulated(self) -> Emulator:
        """Emulate the chip; raises what `load_image` and `emulate` raise, UnusableInput for a board without use."""
        image = load_image(self.path)
        if self.board is not None and not _takes_boards(image):
            raise UnusableInput(f"{self.path}: this program takes no board, it has no label {Stop.BOARD_READY.value}")
        eeprom = self.path.with_suffix(".eep.hex")
        kept = read_hex(eeprom, size=self.part.eeprom_size) if eeprom.exists() else b""
        machine = emulate(image, part=self.part)
        try:
            machine.write_eeprom(0, kept)
            self.switch_on(machine)
        except BaseException:
            machine.close()
            raise
        return machine

    def switch_on(self, machine: Emulator) -> None:
        """Bring the chip to where a session begins."""
        if _takes_boards(machine.image):
            chip = Chip(machine)
            if self.board is not None:
                chip.load(self.board)
        else:
            machine.reset()


def _takes_boards(image: Image) -> bool:
    return Stop.BOARD_READY.value in image.symbols


def listen(port: int = 0) -> socket.socket:
    """Open a port that only this machine can reach; 0 is any free one. Raises UnusableInput for one that is taken."""
    try:
        return socket.create_server((HOST, port))
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise UnusableInput(
            f"port {port} of {HOST} cannot be used: {reason}; give another --port, or 0 for any free one"
        ) from error


def serve(target: Target, machine: Emulator, port: Port, report: Callable[[str], None] = lambda _: None) -> None:
    """Serve one session after the other; only Unneeded, or an error, ends it. `report` hears how sessions go."""
    while True:
        with port.accept() as connection:
            report("gdb has connected")
            try:
                Session(machine, Wire(port, connection)).run()
            except Closed as reason:
                report(str(reason))
        target.switch_on(machine)
