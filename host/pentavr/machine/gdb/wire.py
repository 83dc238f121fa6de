# SPDX-License-Identifier: GPL-3.0-or-later
"""The line to gdb: packets with checksums, Ctrl-C between them, and what else can end a wait."""

from __future__ import annotations

import select
import socket
from typing import IO, Any

__all__ = ["PACKET_SIZE", "Closed", "Port", "Unneeded", "Wire"]

INTERRUPT = b"\x03"
PACKET_SIZE = 0x4000
"""The longest packet that gdb may send, in bytes."""
BUFFER_LIMIT = 4 * PACKET_SIZE
ESCAPE, ESCAPE_MASK = 0x7D, 0x20
STALL_S = 10
"""How long gdb may leave an answer unread."""


class Closed(Exception):
    """The session is over: gdb has gone, has asked for it, or has broken the rules."""


class Unneeded(Exception):
    """Nobody needs the server any longer."""


class Port:
    """The port that gdb connects to, one after the other; who calls during a session is turned away.

    `lifeline` is a pipe whose other end is held open as long as the server is needed.
    """

    def __init__(self, listener: socket.socket, lifeline: IO[bytes] | None = None) -> None:
        self._listener = listener
        self._lifeline = lifeline

    def accept(self) -> socket.socket:
        """Wait for the next connection."""
        self._wait([self._listener], None)
        return self._listener.accept()[0]

    def has_sent(self, connection: socket.socket, timeout_s: float | None) -> bool:
        """Tell whether anything has come, or has ended, on the line of this session; None waits for it."""
        while True:
            ready = self._wait([connection, self._listener], timeout_s)
            if self._listener in ready and connection not in ready:
                # Else the session may just be ending: then whoever calls is the next.
                self._listener.accept()[0].close()
            if connection in ready or timeout_s is not None:
                return connection in ready

    def _wait(self, ends: list[socket.socket], timeout_s: float | None) -> list[Any]:
        lifelines = [] if self._lifeline is None else [self._lifeline]
        waiting: list[Any] = [*ends, *lifelines]
        ready, _, _ = select.select(waiting, [], [], timeout_s)
        if self._lifeline in ready:
            raise Unneeded
        return ready


class Wire:
    """The connection of one session."""

    def __init__(self, port: Port, connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.settimeout(STALL_S)
        self.acknowledges = True
        self._port = port
        self._connection = connection
        self._buffer = bytearray()
        self._last = b""

    def receive(self) -> bytes:
        """Wait for the next packet and give its content; a Ctrl-C before it has come too late for anything."""
        while (packet := self._take()) is None:
            self._listen(None)
        return packet

    def is_interrupted(self) -> bool:
        """Tell without waiting whether gdb wants the chip to stop."""
        self._listen(0)
        # Nothing else is to come while the chip runs; what does come is left for later.
        found = self._buffer.find(INTERRUPT)
        if found >= 0:
            del self._buffer[: found + 1]
        return found >= 0

    def send(self, content: bytes) -> None:
        """Send one packet."""
        self._last = b"$%b#%02x" % (content, sum(content) & 0xFF)
        self._transmit(self._last)

    def _listen(self, timeout_s: float | None) -> None:
        """Take in what has arrived; with a timeout of None wait until something has."""
        if not self._port.has_sent(self._connection, timeout_s):
            return
        try:
            arrived = self._connection.recv(PACKET_SIZE)
        except OSError as error:
            raise Closed(f"the line to gdb broke: {error.strerror}") from error
        if not arrived:
            raise Closed("gdb has gone")
        self._buffer += arrived
        if len(self._buffer) > BUFFER_LIMIT:
            raise Closed("what came was no packet of gdb's")

    def _take(self) -> bytes | None:
        """Take the next whole packet off what has arrived."""
        buffer = self._buffer
        while buffer:
            if buffer[0] == ord("$"):
                end = buffer.find(b"#")
                if end < 0 or len(buffer) < end + 3:
                    return None
                content, checksum = bytes(buffer[1:end]), bytes(buffer[end + 1 : end + 3])
                del buffer[: end + 3]
                if self._is_good(content, checksum):
                    return _unescaped(content)
            elif buffer.pop(0) == ord("-"):
                self._transmit(self._last)
        return None

    def _is_good(self, content: bytes, checksum: bytes) -> bool:
        if not self.acknowledges:
            return True
        good = checksum.lower() == b"%02x" % (sum(content) & 0xFF)
        self._transmit(b"+" if good else b"-")
        return good

    def _transmit(self, content: bytes) -> None:
        try:
            self._connection.sendall(content)
        except OSError as error:
            raise Closed(f"the line to gdb broke: {error}") from error


def _unescaped(content: bytes) -> bytes:
    plain = bytearray()
    escaped = False
    for byte in content:
        if escaped:
            plain.append(byte ^ ESCAPE_MASK)
        elif byte != ESCAPE:
            plain.append(byte)
        escaped = byte == ESCAPE and not escaped
    return bytes(plain)
