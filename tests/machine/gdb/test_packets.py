# SPDX-License-Identifier: GPL-3.0-or-later
"""What the gdb server answers over a raw socket: good packets and bad ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gdb_client import Client, serving
from pentavr.firmware.avra import assemble
from pentavr.machine.gdb.process import ServerProcess
from pentavr.machine.gdb.server import Target

PLACE = 0x800100
"""Where the program of conftest.py keeps its variable."""


def test_registers_are_read_and_written(client: Client) -> None:
    # 32 registers, SREG, SP and PC in bytes, low byte first; the stack begins at RAMEND, $04ff.
    fresh = "00" * 32 + "00" + "ff04" + "00000000"
    assert client.ask("?") == "S05"
    assert client.ask("g") in (fresh, fresh.replace("ff04", "0000"))
    changed = "".join(f"{number:02x}" for number in range(32)) + "81" + "0004" + "04000000"
    assert client.ask(f"G{changed}") == "OK"
    assert client.ask("g") == changed
    assert client.ask("P10=a5") == "OK"
    assert client.ask("p10") == "a5"
    assert client.ask("P21=fe04") == "OK"
    assert client.ask("p21") == "fe04"
    assert client.ask("p22") == "04000000"


def test_steps_and_stops(client: Client) -> None:
    assert client.ask("s") == "S05"
    assert client.ask("p22") == "04000000"
    assert client.ask("s") == "S05"
    assert client.ask("p10") == "5a"
    assert client.ask("Z0,10,2") == "OK"
    assert client.ask("Z1,8,2") == "OK"
    assert client.ask("c") == "S05"
    assert client.ask("p22") == "08000000"
    assert client.ask("c") == "S05"
    assert client.ask("p22") == "10000000"
    assert client.ask("m800100,2") == "5a00"
    # At end it would stop again and again; with no stop left it goes on until Ctrl-C.
    assert client.ask("z0,10,2") == client.ask("z1,8,2") == "OK"
    client.order("c")
    client.send(b"\x03")
    assert client.reply() == "S02"
    assert client.ask("p22") == "12000000"
    # The carry that sec has set.
    assert client.ask("p20") == "01"


def test_a_watched_byte_stops_the_chip_when_it_changes(client: Client) -> None:
    assert client.ask(f"Z2,{PLACE:x},1") == "OK"
    assert client.ask("c") == f"T05watch:{PLACE:x};"
    assert client.ask(f"m{PLACE:x},1") == "01"
    assert client.ask("Z0,12,2") == "OK"
    assert client.ask("c") == f"T05watch:{PLACE:x};"
    assert client.ask(f"m{PLACE:x},1") == "5a"
    assert client.ask("c") == "S05"
    assert client.ask("p22") == "12000000"
    assert client.ask("z0,12,2") == "OK"
    client.order("c")
    client.send(b"\x03")
    assert client.reply() == "S02"
    assert client.ask(f"z2,{PLACE:x},1") == "OK"
    client.order("c")
    client.send(b"\x03")
    assert client.reply() == "S02"


ACCESSES = """
.include "m88def.inc"
        ldi XL, low(0x0200)     ; byte 0
        ldi XH, high(0x0200)
        ldi YL, low(0x01e0)
        ldi YH, high(0x01e0)
        ldi ZL, low(0x0201)
        ldi ZH, high(0x0201)
        lds r0, 0x0200          ; byte 12
        ld  r1, X               ; byte 16
        ld  r2, X+              ; byte 18
        ld  r3, -X              ; byte 20
        ldd r4, Y+32            ; byte 22
        ld  r5, -Z              ; byte 24
        ld  r6, Z+              ; byte 26
        lpm r7, Z               ; byte 28
        sts 0x0200, r0          ; byte 30
        st  X, r0               ; byte 34
        std Y+32, r0            ; byte 36
        st  -Z, r0              ; byte 38
        ldi r16, 0x02           ; byte 40
        out SPH, r16
        ldi r16, 0x00
        out SPL, r16
        push r0                 ; byte 48
        pop  r0                 ; byte 50
        ldd r8, Y+33            ; byte 52
end:    rjmp end                ; byte 54
"""
READS = [12, 16, 18, 20, 22, 24, 26, 50]
WRITES = [30, 34, 36, 38, 48]
"""Where the program above reads and writes $0200, counted by hand."""


@pytest.fixture
def accesses(tmp_path: Path, backend: str) -> Iterator[Client]:
    source = tmp_path / "accesses.asm"
    source.write_text(ACCESSES)
    assemble(source, output=tmp_path / "accesses")
    with serving(Target(tmp_path / "accesses.hex"), backend) as number:
        made = Client(number)
        yield made
        made.close()


@pytest.mark.parametrize(
    ("kind", "name", "places"), [(3, "rwatch", READS), (4, "awatch", sorted(READS + WRITES))], ids=["read", "access"]
)
def test_a_watched_byte_stops_the_chip_when_it_is_used(
    accesses: Client, kind: int, name: str, places: list[int]
) -> None:
    assert accesses.ask(f"Z{kind},800200,1") == "OK"
    assert accesses.ask("Z0,36,2") == "OK"
    seen = []
    while accesses.ask("c") == f"T05{name}:800200;":
        seen.append(int(accesses.ask("p22")[:2], 16))
    # The chip stops behind the instruction: two bytes on, four with an address in the second word.
    assert seen == [place + (4 if place in (12, 30) else 2) for place in places]
    assert accesses.ask(f"z{kind},800200,1") == "OK"


def test_memories_are_read_and_written(client: Client) -> None:
    assert client.ask("m2,2") == "1122"
    assert client.ask(f"M{PLACE + 1:x},2:beef") == "OK"
    assert client.ask(f"m{PLACE:x},3") == "00beef"
    # Binary, with the escapes for # and }.
    assert client.ask(b"X800200,3:}\x03}\x5d\x41") == "OK"
    assert client.ask("m800200,3") == "237d41"
    assert client.ask("M2,2:3344") == "OK"
    assert client.ask("m2,2") == "3344"
    assert client.ask("M810001,1:2a") == "OK"
    assert client.ask("m810000,2").endswith("2a")
    # An I/O register is the program's to write; behind the SRAM there is nothing, but for what gdb looks for there.
    assert client.ask("M800025,1:ff") == "E01"
    assert client.ask("m8004ff,3") == "000000"
    assert client.ask("m800500,5") == "E01"
    assert client.ask("m2000,2") == "E01"
    assert client.ask("m810200,1") == "E01"
    assert client.ask("Z2,800500,1") == "E01"


def test_monitor_counts_and_resets(client: Client) -> None:
    def monitor(command: str) -> str:
        return bytes.fromhex(client.ask("qRcmd," + command.encode().hex())).decode()

    assert client.ask("Z0,10,2") == "OK"
    assert client.ask("c") == "S05"
    # rjmp 2, ldi 1 and 1, sts 2 and 2 cycles.
    assert monitor("cycles") == "8 cycles since power-on\n"
    assert "reset vector" in monitor("reset")
    assert client.ask("p22") == "00000000"
    assert monitor("cycles") == "0 cycles since power-on\n"
    assert "monitor cycles" in monitor("what")


def test_a_chip_that_faults_says_so(client: Client) -> None:
    # Past the data behind the reset vector the Flash is erased up to its end.
    assert client.ask("P22=00100000") == "OK"
    client.order("c")
    told = client.reply()
    assert told.startswith("O")
    assert "the chip stopped by itself" in bytes.fromhex(told[1:]).decode()
    assert client.reply() == "S0b"
    assert client.ask("?") == "S0b"


def test_a_damaged_packet_is_asked_for_again_and_a_lost_answer_repeated(client: Client) -> None:
    client.send(b"$m2,2#00")
    assert client.read(1) == b"-"
    assert client.ask("m2,2") == "1122"
    client.send(b"-")
    assert client.reply() == "1122"
    assert client.ask("QStartNoAckMode") == "OK"
    client.send(b"$m2,2#00")
    assert client.reply() == "1122"


@pytest.mark.parametrize("junk", ["m", "m2", "mzz,1", "m-1,1", "M2", "M2,1:zz", "G0", "Pzz=00", "P7=", "p", "p99", "Z0",
                                  "Z0,1,2", "Z0,9999,2", "P22=ff", "P22=00009900", "qRcmd,0", "X800100:"])  # fmt: skip
def test_what_cannot_be_is_answered_by_an_error(client: Client, junk: str) -> None:
    assert client.ask(junk) in ("E01", "OK") if junk.startswith(("G", "X", "P7")) else "E01"
    assert client.ask("m2,2") == "1122"


@pytest.mark.parametrize("unknown", ["", "vMustReplyEmpty", "vCont?", "qOffsets", "qTStatus", "QFoo", "Z3,100,1",
                                     "z4,810100,1", "Z5,0,2", "!", "~"])  # fmt: skip
def test_what_is_unknown_is_answered_by_nothing(client: Client, unknown: str) -> None:
    assert client.ask(unknown) == ""


@pytest.fixture(scope="module")
def lasting_port(program: Path) -> Iterator[int]:
    with ServerProcess(Target(program)) as process:
        yield process.port


@settings(max_examples=200, deadline=None)
@given(packets=st.lists(st.binary(min_size=1, max_size=40), min_size=1, max_size=5))
def test_no_packet_kills_the_server(lasting_port: int, packets: list[bytes]) -> None:
    client = Client(lasting_port)
    try:
        for packet in packets:
            # Those that set the chip running or end the session do what they are meant to.
            if packet[:1] not in b"cCsSDk":
                client.ask(b"".join(b"}%c" % (byte ^ 0x20) if byte in b"#$}" else b"%c" % byte for byte in packet))
        assert client.ask("?") == "S05"
    finally:
        client.close()


def test_noise_between_packets_is_passed_over(client: Client) -> None:
    client.send(b"\x00\xffhello+\x03")
    assert client.ask("m2,2") == "1122"
