# SPDX-License-Identifier: GPL-3.0-or-later
"""A small program behind the gdb server, and a client of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gdb_client import Client, serving
from pentavr.firmware.avra import assemble
from pentavr.machine.gdb.server import Target

PROGRAM = """
.include "m88def.inc"
.dseg
place:  .byte 2
.eseg
kept:   .db 7, 8, 9
.cseg
        rjmp start          ; byte 0
table:  .db 0x11, 0x22      ; byte 2
start:  ldi r16, 0x5a       ; byte 4
        ldi r17, 0x01       ; byte 6
        sts place, r17      ; byte 8
        sts place, r16      ; byte 12
        sec                 ; byte 16
end:    rjmp end            ; byte 18
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("program")
    source = folder / "program.asm"
    source.write_text(PROGRAM)
    assemble(source, output=folder / "program")
    return folder / "program.hex"


@pytest.fixture
def port(program: Path, backend: str) -> Iterator[int]:
    with serving(Target(program), backend) as number:
        yield number


@pytest.fixture
def client(port: int) -> Iterator[Client]:
    made = Client(port)
    yield made
    made.close()
