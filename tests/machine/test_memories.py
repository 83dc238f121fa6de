# SPDX-License-Identifier: GPL-3.0-or-later
"""What resets, memories and the serial line of an emulated chip do, and that it gives back what it took."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pentavr.errors import ToolMissing, UnusableInput
from pentavr.firmware.image import ByteAddress, Image
from pentavr.firmware.parts import ATMEGA88, PARTS, Part, part
from pentavr.machine import backends
from pentavr.machine.backends import emulate, installed
from pentavr.machine.emulator import Halt, Reset

Machine = Callable[..., Any]
"""Makes an Emulator; Any, for the tests write addresses as plain numbers."""
Assemble = Callable[[str], Image]

LOOP = "loop: nop\n rjmp loop\n"
MCUSR = 0x54
PORF, EXTRF, WDRF = 1, 2, 8


class TestReset:
    def test_power_on_clears_all_but_the_eeprom(self, machine: Machine) -> None:
        chip = machine("ldi r16, 7\n sts $4ff, r16\n sts $100, r16\nhere: rjmp here\n")
        for _ in range(2):
            chip.write_eeprom(0, b"kept")
            chip.run(max_cycles=100)
            assert (chip.read_data(0x100), chip.read_data(0x4FF), chip.read_data(16)) == (b"\7", b"\7", b"\7")
            chip.reset()
            assert (chip.pc, chip.cycles, chip.sp, chip.sreg) == (0, 0, 0x4FF, 0)
            assert chip.read_data(0, 32) == bytes(32)
            assert chip.read_data(0x100, 0x400) == bytes(0x400)
            assert chip.read_eeprom(0, 5) == b"kept\xff"
            assert chip.read_data(MCUSR) == bytes((PORF,))

    def test_an_external_reset_keeps_what_the_pin_keeps(self, machine: Machine) -> None:
        chip = machine("ldi r16, 7\n sts $4ff, r16\n sts $100, r16\n ldi r17, 1\n out DDRB, r17\nhere: rjmp here\n")
        chip.run(max_cycles=100)
        cycles = chip.cycles
        chip.reset(Reset.EXTERNAL)
        assert (chip.pc, chip.cycles, chip.sp) == (0, cycles, 0x4FF)
        assert (chip.read_data(0x100), chip.read_data(0x4FF), chip.read_data(16)) == (b"\7", b"\7", b"\7")
        assert chip.read_data(0x24) == b"\0"
        assert chip.read_data(MCUSR)[0] & EXTRF
        chip.reset(Reset.POWER_ON)
        assert chip.read_data(MCUSR) == bytes((PORF,))

    def test_the_watchdog_bites_and_says_so(self, machine: Machine) -> None:
        chip = machine(
            """
start:  in r20, MCUSR
        ldi r16, 0
        out MCUSR, r16
        sbrc r20, WDRF
        rjmp bitten
        ldi r16, 1 << WDCE | 1 << WDE
        sts WDTCSR, r16
        ldi r16, 1 << WDE       ; 16 ms, 320000 cycles at 20 MHz
        sts WDTCSR, r16
hang:   rjmp hang
bitten: nop
        rjmp bitten
            """
        )
        assert chip.run((chip.image.code("bitten"),), max_cycles=1_000_000) is Halt.STOP
        assert 300_000 < chip.cycles < 340_000
        assert chip.read_data(20)[0] & WDRF
        chip.reset()
        assert chip.read_data(MCUSR) == bytes((PORF,))

    def test_power_comes_back_after_a_cut_at_any_moment(self, machine: Machine) -> None:
        chip = machine("ldi r16, 7\n sts $100, r16\nhere: adiw r24, 1\n rjmp here\n")
        for cycles in range(1, 40):
            chip.run(max_cycles=cycles)
            chip.reset()
            assert (chip.pc, chip.cycles, chip.read_data(0x100)) == (0, 0, b"\0")


class TestMemories:
    def test_registers_and_sram_are_what_the_program_sees(self, machine: Machine) -> None:
        chip = machine("lds r1, $4ff\n st X, r1\n mov r2, r16\nhere: rjmp here\n")
        chip.write_data(16, b"\x5a")
        chip.write_data(26, bytes((0x23, 0x01)))
        chip.write_data(0x4FF, b"\xa5")
        chip.run((chip.image.code("here"),))
        assert chip.read_data(0x123) == b"\xa5"
        assert chip.read_data(1, 2) == b"\xa5\x5a"
        assert len(chip.read_data(0, 0x500)) == 0x500
        assert chip.read_data(0x80, 0x100)[0x123 - 0x80] == 0xA5

    @pytest.mark.parametrize("flags", [0, 0x01, 0x7F, 0x80, 0xFF])
    def test_the_status_register(self, machine: Machine, flags: int) -> None:
        chip = machine("in r16, SREG\n cli\n sez\nhere: rjmp here\n")
        chip.write_data(0, bytes(range(8)))
        chip.sreg = flags
        assert (chip.sreg, chip.read_data(0x5F)) == (flags, bytes((flags,)))
        assert chip.read_data(0, 8) == bytes(range(8))
        chip.run((chip.image.code("here"),))
        assert chip.read_data(16) == bytes((flags,))
        assert chip.sreg == flags & 0x7F | 0x02

    def test_pc_and_sp_can_be_set(self, machine: Machine) -> None:
        chip = machine("nop\nhere: pop r16\n push r17\n rjmp here\n")
        chip.write_data(0x301, b"\x77")
        chip.sp = 0x300
        chip.pc = chip.image.code("here")
        chip.step()
        assert (chip.read_data(16), chip.sp, chip.read_data(0x5D, 2)) == (b"\x77", 0x301, b"\x01\x03")

    def test_flash_reads_as_the_program_has_it(self, machine: Machine) -> None:
        chip = machine(
            "ldi r31, $1f\n ldi r30, $ff\n lpm r0, Z\n ldi r31, 0\n ldi r30, 0\n lpm r1, Z\nhere: rjmp here\n"
        )
        chip.run((chip.image.code("here"),))
        assert chip.read_data(0, 2) == bytes((0xFF, chip.image.flash[0]))
        assert chip.read_flash(0, len(chip.image.flash)) == chip.image.flash
        assert chip.read_flash(len(chip.image.flash), 100) == b"\xff" * 100

    def test_flash_can_be_programmed(self, machine: Machine, assembled: Assemble) -> None:
        chip = machine(LOOP)
        other = assembled("ldi r16, 9\nthere: rjmp there\n")
        stops = (other.code("there"),)
        assert chip.run(stops) is Halt.STOP
        chip.write_flash(0, other.flash)
        chip.reset()
        assert chip.run(stops) is Halt.STOP
        assert chip.read_data(16) == b"\x09"

    def test_the_eeprom_passes_both_ways(self, machine: Machine) -> None:
        chip = machine(
            """
        ldi r16, 3              ; EEPROM[3] to r20
        out EEARL, r16
        sbi EECR, EERE
        in r20, EEDR
        ldi r16, low($1ff)      ; $5a to EEPROM[$1ff]
        ldi r17, high($1ff)
        out EEARL, r16
        out EEARH, r17
        ldi r16, $5a
        out EEDR, r16
        sbi EECR, EEMPE
        sbi EECR, EEPE
wait:   sbic EECR, EEPE
        rjmp wait
here:   rjmp here
            """
        )
        assert chip.read_eeprom(0, 0x200) == b"\xff" * 0x200
        chip.write_eeprom(2, b"\1\x42\3")
        chip.run((chip.image.code("here"),), max_cycles=1_000_000)
        assert chip.read_data(20) == b"\x42"
        assert chip.read_eeprom(0x1FE, 2) == b"\xff\x5a"

    @pytest.mark.parametrize(
        ("access", "message"),
        [
            (lambda chip: chip.read_data(0x4FF, 2), r"data space of the atmega88 ends at \$04ff"),
            (lambda chip: chip.read_data(-1), "data space"),
            (lambda chip: chip.write_data(0x4FF, b"ab"), "data space"),
            (lambda chip: chip.write_data(0x25, b"\1"), "only the chip writes those"),
            (lambda chip: chip.write_data(0x1F, b"ab"), "only the chip writes those"),
            (lambda chip: chip.write_data(0xFF, b"ab"), "only the chip writes those"),
            (lambda chip: chip.read_flash(0x1FFF, 2), r"Flash of the atmega88 ends at \$1fff"),
            (lambda chip: chip.write_flash(-2, b"ab"), "Flash"),
            (lambda chip: chip.read_eeprom(0x1FF, 2), r"EEPROM of the atmega88 ends at \$01ff"),
            (lambda chip: chip.write_eeprom(0x200, b"a"), "EEPROM"),
        ],
    )
    def test_what_lies_outside_is_refused(
        self, machine: Machine, access: Callable[[Any], object], message: str
    ) -> None:
        with pytest.raises(UnusableInput, match=message):
            access(machine(LOOP))


ECHO = """
        rjmp start
.org URXCaddr
        rjmp heard
start:  ldi r16, low(RAMEND)
        out SPL, r16
        ldi r16, high(RAMEND)
        out SPH, r16
        ldi r16, 10             ; 113636 bits a second at 20 MHz
        sts UBRR0L, r16
        ldi r16, 1 << RXEN0 | 1 << TXEN0{interrupt}
        sts UCSR0B, r16
        {enable}
ready:  nop
loop:   adiw r24, 1
        {poll}
        rjmp loop
heard:  lds r18, UDR0
        inc r18
        sts UDR0, r18
        {end}
"""
ECHO_BY_INTERRUPT = ECHO.format(interrupt=" | 1 << RXCIE0", enable="sei", poll="", end="reti")
ECHO_BY_POLLING = ECHO.format(
    interrupt="", enable="", poll="lds r17, UCSR0A\n sbrc r17, RXC0\n rjmp heard", end="rjmp loop"
)


class TestSerialLine:
    @pytest.mark.parametrize("program", [ECHO_BY_INTERRUPT, ECHO_BY_POLLING], ids=["interrupt", "polling"])
    def test_every_byte_goes_in_and_comes_out(self, machine: Machine, program: str) -> None:
        chip = machine(program)
        chip.run((chip.image.code("ready"),))
        sent = bytes(range(256)) * 3
        chip.feed_serial(sent[:100])
        chip.feed_serial(sent[100:])
        heard = b""
        for _ in range(200):
            chip.run(max_cycles=20_000)
            heard += chip.take_serial()
        assert heard == bytes((byte + 1) % 256 for byte in sent)

    def test_a_byte_takes_the_time_of_its_frame(self, machine: Machine) -> None:
        chip = machine(ECHO_BY_POLLING)
        chip.run((chip.image.code("ready"),))
        started = chip.cycles
        chip.feed_serial(b"abc")
        for count in (1, 2, 3):
            assert chip.run((chip.image.code("heard"),), max_cycles=100_000) is Halt.STOP
            # Ten bits of 16 * 11 cycles; simavr takes eleven.
            assert 10 * 176 * count - 100 <= chip.cycles - started <= 11 * 176 * (count + 1)

    def test_stops_are_exact_while_bytes_pass(self, machine: Machine) -> None:
        chip = machine(ECHO_BY_INTERRUPT)
        chip.run((chip.image.code("ready"),))
        chip.feed_serial(b"stop me")
        stops = (chip.image.code("loop"), chip.image.code("heard"))
        seen = dict.fromkeys(stops, 0)
        for _ in range(8000):
            assert chip.run(stops, max_cycles=100) is Halt.STOP
            seen[chip.pc] += 1
        assert chip.take_serial() == b"tupq!nf"
        assert seen[stops[1]] == 7

    def test_a_reset_and_a_receiver_that_is_off_lose_what_is_on_the_line(self, machine: Machine) -> None:
        chip = machine(ECHO_BY_POLLING)
        chip.run((chip.image.code("ready"),))
        chip.feed_serial(b"lost" * 10)
        chip.run(max_cycles=4000)
        chip.take_serial()
        chip.reset()
        chip.run((chip.image.code("ready"),))
        chip.feed_serial(b"x")
        chip.run(max_cycles=50_000)
        assert chip.take_serial() == b"y"

        deaf = machine(LOOP)
        deaf.feed_serial(b"hello")
        assert deaf.run(max_cycles=100_000) is Halt.CYCLES
        assert deaf.take_serial() == b""


class TestMachines:
    def test_two_at_once_keep_apart(self, machine: Machine) -> None:
        first, second = machine("here: adiw r24, 1\n rjmp here\n"), machine("nop\nhere: adiw r26, 1\n rjmp here\n")
        for turn in range(1, 20):
            assert first.run((2,)) is Halt.STOP
            assert second.run((4,)) is Halt.STOP
            assert (first.pc, first.read_data(24), first.cycles) == (2, bytes((turn,)), 4 * turn - 2)
            assert (second.pc, second.read_data(26), second.cycles) == (4, bytes((turn,)), 4 * turn - 1)
        first.close()
        assert second.run((4,)) is Halt.STOP

    @pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
    def test_a_thousand_leave_no_file_thread_process_or_memory(self, backend: str, assembled: Assemble) -> None:
        def taken() -> tuple[int, int, int]:
            process = Path("/proc/self")
            pages = int((process / "statm").read_text().split()[1])
            return len(list((process / "fd").iterdir())), len(list((process / "task").iterdir())), pages * 4

        image = assembled(LOOP)

        def use(count: int) -> None:
            for _ in range(count):
                with emulate(image, backend=backend) as chip:
                    assert chip.run((ByteAddress(0),), max_cycles=100) is Halt.STOP

        use(50)
        files, threads, kilobytes = taken()
        use(1000)
        assert taken()[:2] == (files, threads)
        assert taken()[2] - kilobytes < 10_000
        with pytest.raises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)

    def test_a_closed_one_says_so(self, machine: Machine) -> None:
        chip = machine(LOOP)
        chip.close()
        chip.close()
        for use in (
            chip.run,
            chip.step,
            chip.reset,
            chip.take_serial,
            lambda: chip.pc,
            lambda: chip.cycles,
            lambda: chip.read_data(0x100),
            lambda: chip.write_flash(0, b""),
        ):
            with pytest.raises(ValueError, match="closed"):
                use()

    @pytest.mark.parametrize("each", PARTS, ids=lambda part: part.name)
    def test_each_part_has_its_memories(self, machine: Machine, each: Part) -> None:
        chip = machine(LOOP, part=each)
        top = each.ramend
        assert chip.sp == top
        chip.write_data(top, b"\x11")
        chip.write_flash(each.flash_size - 1, b"\x22")
        chip.write_eeprom(each.eeprom_size - 1, b"\x33")
        assert chip.read_data(top) + chip.read_flash(each.flash_size - 1, 1) == b"\x11\x22"
        assert chip.read_eeprom(each.eeprom_size - 1, 1) == b"\x33"
        assert chip.run((0,)) is Halt.STOP

    def test_a_program_that_does_not_fit_is_refused(self, machine: Machine) -> None:
        with pytest.raises(UnusableInput, match=r"takes 8194 bytes.*atmega88 has 8192"):
            machine(Image(bytes(8194), {}))


class TestChoice:
    def test_an_unknown_part_or_emulator_is_refused(self, assembled: Assemble) -> None:
        with pytest.raises(UnusableInput, match=r"choose one of atmega88, .*, atmega168, atmega328p"):
            part("z80")
        assert part("ATmega88") is ATMEGA88
        with pytest.raises(UnusableInput, match="choose one of simavr, yasimavr"):
            emulate(assembled(LOOP), backend="avr8js")

    @pytest.mark.parametrize(("name", "package"), [("simavr", "pysimavr"), ("yasimavr", "yasimavr")])
    def test_a_missing_package_is_named(
        self, monkeypatch: pytest.MonkeyPatch, assembled: Assemble, name: str, package: str
    ) -> None:
        for module in (package, f"{package}.swig", f"{package}.device_library"):
            monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(ToolMissing, match=f"the Python package {package}"):
            emulate(assembled(LOOP), backend=name)

    def test_without_any_emulator_the_package_for_this_python_is_named(
        self, monkeypatch: pytest.MonkeyPatch, assembled: Assemble
    ) -> None:
        monkeypatch.setattr(backends, "find_spec", lambda _: None)
        assert installed() == ()
        with pytest.raises(ToolMissing, match="pysimavr" if sys.version_info < (3, 12) else "yasimavr"):
            emulate(assembled(LOOP))
