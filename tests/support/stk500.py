# SPDX-License-Identifier: GPL-3.0-or-later
"""A chip behind an STK500 v1 programmer, played on a pseudo-terminal for the real avrdude.

Two programmers: the boot loader of an Arduino board, which writes its own chip's Flash and reaches nothing else, and
the sketch ArduinoISP, which passes programming instructions on to a chip at the board's pins. The commands are those of
Atmel's application note AVR061, the instructions those of the data sheet's section on serial programming.
"""

from __future__ import annotations

import contextlib
import os
import select
import threading
import tty
from dataclasses import dataclass, field

__all__ = ["LineCut", "PlayedChip", "Programmer"]

END = 0x20
IN_SYNC, NO_SYNC, OK = b"\x14", b"\x15", b"\x10"

GET_SYNC, GET_PARAMETER, SET_PARAMETER, SET_DEVICE, SET_DEVICE_EXT = 0x30, 0x41, 0x40, 0x42, 0x45
ENTER, LEAVE, ERASE, LOAD_ADDRESS, UNIVERSAL = 0x50, 0x51, 0x52, 0x55, 0x56
PROGRAM_PAGE, READ_PAGE, READ_SIGNATURE = 0x64, 0x74, 0x75
ARGUMENT_BYTES = {GET_PARAMETER: 1, SET_PARAMETER: 2, SET_DEVICE: 20, SET_DEVICE_EXT: 5, LOAD_ADDRESS: 2, UNIVERSAL: 4}

READ_FUSE = {0x5000: "lfuse", 0x5808: "hfuse", 0x5008: "efuse"}
WRITE_FUSE = {0xACA0: "lfuse", 0xACA8: "hfuse", 0xACA4: "efuse"}


@dataclass
class PlayedChip:
    """The memories that a programmer reaches; `stuck` is an address of Flash whose byte always reads as 0."""

    signature: bytes
    flash_size: int
    stuck: int | None = None
    fuses: dict[str, int] = field(default_factory=lambda: {"lfuse": 0x62, "hfuse": 0xDF, "efuse": 0xF9})
    erased: int = 0

    def __post_init__(self) -> None:
        self.flash = bytearray(b"\xff" * self.flash_size)

    def erase(self) -> None:
        self.flash[:] = b"\xff" * self.flash_size
        self.erased += 1

    def write(self, address: int, content: bytes) -> None:
        """Program erased or written Flash: bits only ever go from 1 to 0."""
        for offset, byte in enumerate(content):
            self.flash[address + offset] &= byte
        if self.stuck is not None:
            self.flash[self.stuck] = 0

    def instruction(self, a: int, b: int, c: int, d: int) -> int:
        """Carry out one serial programming instruction and give the byte that comes back with its last."""
        code = a << 8 | b
        if code == 0xAC80:
            self.erase()
        elif code in WRITE_FUSE:
            self.fuses[WRITE_FUSE[code]] = d
        elif code in READ_FUSE:
            return self.fuses[READ_FUSE[code]]
        elif a == 0x30:
            return self.signature[c & 3]
        elif a in (0x20, 0x28):
            return self.flash[2 * (b << 8 | c) + (a == 0x28)]
        return d


class LineCut(Exception):
    """The host has sent as many bytes as the line was to carry."""


class Programmer:
    """A programmer at `port`, to be used as a context manager.

    `isp` chooses ArduinoISP, else it is a boot loader. Once it has received so many bytes, `silent_after` ends its
    answers, and `cut_after` the line itself.
    """

    def __init__(
        self, chip: PlayedChip, *, isp: bool = False, silent_after: int | None = None, cut_after: int | None = None
    ) -> None:
        self.chip = chip
        self.isp = isp
        self.silent_after = silent_after
        self.cut_after = cut_after
        self._address = 0
        self._received = 0

    def __enter__(self) -> Programmer:
        self._line, self._far_end = os.openpty()
        tty.setraw(self._far_end)
        self.port = os.ttyname(self._far_end)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stopped.set()
        self._thread.join(10)
        assert not self._thread.is_alive()

    def _run(self) -> None:
        with contextlib.suppress(LineCut):
            while True:
                answer = self._answer(self._read(1)[0])
                if self.silent_after is None or self._received <= self.silent_after:
                    os.write(self._line, answer)
        os.close(self._far_end)
        os.close(self._line)

    def _read(self, size: int) -> bytes:
        content = b""
        while len(content) < size:
            while not select.select([self._line], [], [], 0.02)[0]:
                if self._stopped.is_set():
                    raise LineCut
            content += os.read(self._line, size - len(content))
        self._received += size
        if self.cut_after is not None and self._received >= self.cut_after:
            raise LineCut
        return content

    def _answer(self, command: int) -> bytes:
        content = b""
        if command in (PROGRAM_PAGE, READ_PAGE):
            head = self._read(3)
            size = head[0] << 8 | head[1]
            content = self._read(size) if command == PROGRAM_PAGE else b""
            memory = chr(head[2])
        else:
            content = self._read(ARGUMENT_BYTES.get(command, 0))
        if self._read(1)[0] != END:
            return NO_SYNC
        answer = b""
        if command == GET_PARAMETER:
            answer = b"\x02"
        elif command == READ_SIGNATURE:
            answer = self.chip.signature
        elif command == LOAD_ADDRESS:
            self._address = 2 * int.from_bytes(content, "little")
        elif command == UNIVERSAL:
            answer = bytes((self.chip.instruction(*content) if self.isp else 0,))
        elif command == PROGRAM_PAGE and memory == "F":
            if not self.isp:
                self.chip.flash[self._address : self._address + size] = b"\xff" * size
            self.chip.write(self._address, content)
        elif command == READ_PAGE and memory == "F":
            answer = bytes(self.chip.flash[self._address : self._address + size])
        return IN_SYNC + answer + OK
