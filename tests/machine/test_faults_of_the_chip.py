# SPDX-License-Identifier: GPL-3.0-or-later
"""A chip that leaves its memories or sleeps for ever is a fault, not a run without end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pentavr.errors import MachineFault
from pentavr.machine.emulator import Reset

Machine = Callable[..., Any]
"""Makes an Emulator; Any, for the tests write addresses as plain numbers."""


class TestFaults:
    """What the chip cannot go on from is raised, again at each attempt, until a reset."""

    def check(self, chip: Any, what: str) -> None:
        with pytest.raises(MachineFault, match=what):
            chip.run(max_cycles=1_000_000)
        with pytest.raises(MachineFault, match="reset the chip to go on"):
            chip.run(max_cycles=10)
        with pytest.raises(MachineFault, match="reset the chip to go on"):
            chip.step()
        for cause in (Reset.EXTERNAL, Reset.POWER_ON):
            chip.reset(cause)
            assert chip.pc == 0
            chip.step()
            assert chip.read_data(16) == b"\7"
            with pytest.raises(MachineFault, match=what):
                chip.run(max_cycles=1_000_000)

    def test_running_past_the_end_of_flash(self, machine: Machine) -> None:
        self.check(machine("ldi r16, 7\n ldi r17, 8\n"), "past the end of its Flash")

    def test_writing_past_the_end_of_sram(self, machine: Machine) -> None:
        self.check(machine("ldi r16, 7\n ldi r31, $50\n st Z, r16\nhere: rjmp here\n"), "SRAM")

    def test_reading_past_the_end_of_sram(self, machine: Machine) -> None:
        self.check(machine("ldi r16, 7\n lds r17, $500\nhere: rjmp here\n"), "SRAM")

    def test_sleeping_with_interrupts_off(self, machine: Machine) -> None:
        program = "ldi r16, 7\n ldi r17, 1 << SE\n out SMCR, r17\nhere: sleep\n rjmp here\n"
        self.check(machine(program), "sleeps with interrupts off")

    def test_memories_outlive_a_fault_and_an_external_reset(self, machine: Machine) -> None:
        chip = machine("ldi r16, 7\n sts $123, r16\n lds r17, $500\n")
        chip.write_eeprom(5, b"kept")
        chip.write_flash(0x1000, b"kept, too")
        with pytest.raises(MachineFault):
            chip.run(max_cycles=100)
        cycles = chip.cycles
        chip.reset(Reset.EXTERNAL)
        assert chip.read_data(0x123) == b"\7"
        assert chip.read_eeprom(5, 4) == b"kept"
        assert chip.read_flash(0x1000, 9) == b"kept, too"
        assert chip.cycles == cycles

    def test_a_fault_names_the_place_by_its_label(self, machine: Machine) -> None:
        chip = machine("nop\nculprit: nop\n lds r17, $500\n nop\n")
        with pytest.raises(MachineFault, match=r"culprit \+ [26] \(\$000[48]\)"):
            chip.run()
