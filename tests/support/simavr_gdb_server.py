# SPDX-License-Identifier: GPL-3.0-or-later
"""simavr's own gdb server, as somebody else's to connect to."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["simavr_gdb_server"]

SERVER = """
import ctypes, signal, sys
from pathlib import Path
from pysimavr.swig import simavr
from pentavr.firmware.images import load_image

signal.alarm(60)
flash = load_image(Path(sys.argv[1])).flash
chip = simavr.avr_make_mcu_by_name("atmega88")
simavr.avr_init(chip)
ctypes.memmove(int(chip.flash), flash, len(flash))
chip.codeend = 8191
chip.gdb_port = int(sys.argv[2])
chip.state = simavr.cpu_Stopped
simavr.avr_gdb_init(chip)
print("ready", flush=True)
while simavr.avr_run(chip) not in (simavr.cpu_Done, simavr.cpu_Crashed):
    pass
"""


@contextmanager
def simavr_gdb_server(image: Path) -> Iterator[int]:
    """Serve a chip to gdb on a free port; the process is gone afterwards."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-c", SERVER, str(image), str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            while process.stdout.readline() != "ready\n":
                assert process.poll() is None
            yield port
        finally:
            process.kill()
