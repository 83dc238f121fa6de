# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs end at the stops and limits that were asked for, to the instruction and to the cycle."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Collection, Iterator
from typing import Any, NoReturn

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pentavr.errors import LimitReached, UnusableInput
from pentavr.firmware.image import ByteAddress
from pentavr.machine.emulator import Emulator, Halt

Machine = Callable[..., Any]
"""Makes an Emulator; Any, for the tests write addresses as plain numbers."""

WANDER = """
        ldi r16, low(RAMEND)
        out SPL, r16
        ldi r16, high(RAMEND)
        out SPH, r16
        ldi r29, 2
        ldi r20, 99
next:   lsl r20                 ; an LFSR of eight bits chooses the way
        brcc even
        ldi r21, $1d
        eor r20, r21
even:   sbrs r20, 0
        lds r22, $300           ; as an opcode of its own: mulsu
        sbrc r20, 1
        rjmp left
        sbrc r20, 2
        sts $300, r20
        cpse r20, r21
        adiw r24, 1
        rjmp next
left:   rcall leaf
        rjmp next
leaf:   push r20
        ldd r0, Y+1
        pop r20
        ret
"""
"""A walk that branches, calls, and skips instructions of one word and of two."""

COUNTER = """
loop:   adiw r24, 1
stop:   nop
        rjmp loop
"""
COUNTER_PERIOD = 5


def trace(chip: Emulator, steps: int) -> Iterator[tuple[int, int]]:
    """Step through a program; yield the program counter and the cycles before each instruction."""
    for _ in range(steps):
        yield chip.pc, chip.cycles
        chip.step()


def test_every_choice_of_stops_is_met_as_by_single_steps(machine: Machine) -> None:
    walked = list(trace(machine(WANDER), 3000))
    addresses = sorted({pc for pc, _ in walked})
    assert len(addresses) == 25

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.sets(st.sampled_from(addresses), min_size=1))
    def check(stops: set[int]) -> None:
        chip = machine(WANDER)
        try:
            expected = [place for place in walked if place[0] in stops][:40]
            met = []
            for _ in expected:
                assert chip.run(stops) is Halt.STOP
                met.append((chip.pc, chip.cycles))
            assert met == expected
        finally:
            chip.close()

    check()


def test_a_stop_on_the_first_instruction_is_met_before_it_and_then_passed(machine: Machine) -> None:
    chip = machine("nop\n nop\n nop\n here: rjmp here\n")
    assert (chip.run((0,)), chip.pc, chip.cycles) == (Halt.STOP, 0, 0)
    assert chip.run((0,), max_cycles=100) is Halt.CYCLES
    chip.reset()
    assert (chip.run((0,)), chip.pc, chip.cycles) == (Halt.STOP, 0, 0)


def test_adjacent_stops_are_met_one_after_the_other(machine: Machine) -> None:
    chip = machine("nop\n nop\n nop\n here: rjmp here\n")
    assert [(chip.run((2, 4, 6)), chip.pc, chip.cycles) for _ in range(5)] == [
        (Halt.STOP, 2, 1),
        (Halt.STOP, 4, 2),
        (Halt.STOP, 6, 3),
        (Halt.STOP, 6, 5),
        (Halt.STOP, 6, 7),
    ]


def test_a_stop_is_met_again_each_time_round(machine: Machine) -> None:
    chip = machine(COUNTER)
    stops = (chip.image.code("stop"),)
    for turn in range(1, 50):
        assert chip.run(stops) is Halt.STOP
        assert chip.pc == stops[0]
        assert chip.cycles == COUNTER_PERIOD * (turn - 1) + 2
        assert int.from_bytes(chip.read_data(24, 2), "little") == turn


def test_a_stop_with_interrupts_on_is_met(machine: Machine) -> None:
    chip = machine(COUNTER.replace("loop:", "sei\n loop:"))
    stops = (chip.image.code("stop"),)
    for turn in range(1, 20):
        assert chip.run(stops, max_cycles=1000) is Halt.STOP
        assert chip.cycles == COUNTER_PERIOD * (turn - 1) + 3
        assert chip.sreg & 0x80


VECTOR_OC0A = 14
TIMER = """
        rjmp start
.org OC0Aaddr
        rjmp tick
start:  ldi r16, low(RAMEND)
        out SPL, r16
        ldi r16, high(RAMEND)
        out SPH, r16
        ldi r16, 1 << WGM01     ; clear on compare match, every 64 cycles
        out TCCR0A, r16
        ldi r16, 63
        out OCR0A, r16
        ldi r16, 1 << CS00
        out TCCR0B, r16
        ldi r16, 1 << OCIE0A
        sts TIMSK0, r16
        {enable}
loop:   adiw r24, 1
stop:   nop
        rjmp loop
tick:   adiw r26, 1
        reti
"""


def test_stops_in_the_program_and_in_its_interrupt_are_all_met(machine: Machine) -> None:
    chip = machine(TIMER.format(enable="sei"))
    met = dict.fromkeys((chip.image.code(name) for name in ("loop", "stop", "tick")), 0)
    for _ in range(1000):
        assert chip.run(met, max_cycles=1000) is Halt.STOP
        met[chip.pc] += 1
    loop, stop, tick = met.values()
    turns, ticks = (int.from_bytes(chip.read_data(register, 2), "little") for register in (24, 26))
    assert 0 <= tick - ticks <= 1
    assert ticks > 30
    # An interrupt that comes at a stop leads back to it.
    assert 0 <= loop - turns <= 1 + ticks
    assert -1 <= stop - turns <= ticks


def test_stops_do_not_shift_an_interrupt(backend: str, machine: Machine) -> None:
    if backend == "yasimavr":
        pytest.skip("there an interrupt may come an instruction early after a stop")
    program = TIMER.format(enable="sei")
    walked = list(trace(machine(program), 3000))
    chip = machine(program)
    stops = {chip.image.code(name) for name in ("stop", "loop", "tick")} | {2 * VECTOR_OC0A}
    for expected in (place for place in walked if place[0] in stops):
        assert chip.run(stops, max_cycles=1000) is Halt.STOP
        assert (chip.pc, chip.cycles) == expected


def test_an_interrupt_that_is_held_off_does_not_carry_the_chip_past_a_stop(machine: Machine) -> None:
    chip = machine(TIMER.format(enable="nop"))
    stops = (chip.image.code("stop"),)
    for turn in range(1, 2000):
        assert chip.run(stops, max_cycles=1000) is Halt.STOP
        assert int.from_bytes(chip.read_data(24, 2), "little") == turn
        assert chip.read_data(26, 2) == b"\0\0"


def test_a_cycle_limit_ends_at_the_first_instruction_at_or_after_it(machine: Machine) -> None:
    walked = list(trace(machine(WANDER), 200))
    for limit in range(1, 150):
        chip = machine(WANDER)
        assert chip.run(max_cycles=limit) is Halt.CYCLES
        assert (chip.pc, chip.cycles) == next(place for place in walked if place[1] >= limit)
        chip.close()


@pytest.mark.parametrize("around", [20_000, 1_000_000, 3_000_000])
def test_a_long_run_ends_as_exactly(machine: Machine, around: int) -> None:
    chip = machine("loop: nop\n nop\n rjmp loop\n")
    for more in range(-5, 6):
        chip.reset()
        limit = around + more
        assert chip.run(max_cycles=limit) is Halt.CYCLES
        turns, rest = divmod(limit, 4)
        assert (chip.cycles, chip.pc) == {
            0: (4 * turns, 0),
            1: (4 * turns + 1, 2),
            2: (4 * turns + 2, 4),
            3: (4 * turns + 4, 0),
        }[rest]


def test_limits_add_up_to_the_same_walk(machine: Machine) -> None:
    whole = machine(WANDER)
    whole.run(max_cycles=40_000)
    pieces = machine(WANDER)
    while pieces.cycles < 40_000:
        pieces.run(max_cycles=min(1 + pieces.cycles * 7919 % 900, 40_000 - pieces.cycles))
    assert (pieces.pc, pieces.cycles, pieces.sreg) == (whole.pc, whole.cycles, whole.sreg)
    assert pieces.read_data(0, 32) == whole.read_data(0, 32)


def test_a_stop_that_a_limit_falls_on_counts_as_met(machine: Machine) -> None:
    chip = machine(COUNTER)
    stops = (chip.image.code("stop"),)
    assert chip.run(stops, max_cycles=2) is Halt.STOP
    assert chip.run(stops, max_cycles=3) is Halt.CYCLES
    assert chip.run(stops, max_cycles=1) is Halt.STOP
    assert chip.read_data(24) == b"\2"


def test_no_cycles_are_no_run(machine: Machine) -> None:
    chip = machine(COUNTER)
    assert (chip.run(max_cycles=0), chip.pc, chip.cycles) == (Halt.CYCLES, 0, 0)


def test_a_time_limit_ends_a_run_that_can_go_on(machine: Machine) -> None:
    chip = machine(COUNTER)
    assert chip.run(timeout_s=0.02) is Halt.TIME
    assert chip.cycles > 0
    assert chip.run((chip.image.code("stop"),)) is Halt.STOP
    assert chip.cycles % COUNTER_PERIOD == 2


def run_until_ctrl_c(chip: Emulator, stops: Collection[ByteAddress], seconds: float) -> NoReturn:
    """Run from stop to stop; Ctrl-C comes after some time."""

    def interrupt() -> None:
        time.sleep(seconds)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    while True:
        chip.run(stops)


def test_ctrl_c_breaks_out_of_a_run_without_end(machine: Machine) -> None:
    chip = machine(COUNTER)
    with pytest.raises(KeyboardInterrupt):
        run_until_ctrl_c(chip, (), 0.05)
    assert chip.run((chip.image.code("stop"),), max_cycles=10) is Halt.STOP
    assert chip.cycles % COUNTER_PERIOD == 2


def test_ctrl_c_leaves_the_chip_between_two_instructions_wherever_it_comes(machine: Machine) -> None:
    chip = machine(COUNTER)
    stops = (chip.image.code("stop"),)
    program = chip.read_flash(0, 64)
    for _ in range(25):
        with pytest.raises(KeyboardInterrupt):
            run_until_ctrl_c(chip, stops, 0.005)
        assert chip.read_flash(0, 64) == program
        for _ in range(3):
            assert chip.run(stops, max_cycles=10) is Halt.STOP
            turn = (chip.cycles - 2) // COUNTER_PERIOD
            assert chip.cycles == COUNTER_PERIOD * turn + 2
            assert int.from_bytes(chip.read_data(24, 2), "little") == (turn + 1) % 0x10000


def test_a_run_outside_the_main_thread_works_and_leaves_ctrl_c_alone(machine: Machine) -> None:
    chip = machine(COUNTER)
    before = signal.getsignal(signal.SIGINT)
    halts = []
    thread = threading.Thread(target=lambda: halts.append(chip.run(max_cycles=3_000_000)))
    thread.start()
    thread.join()
    assert halts == [Halt.CYCLES]
    assert signal.getsignal(signal.SIGINT) is before


def test_a_program_that_feeds_the_watchdog_all_the_time_can_be_stopped(machine: Machine) -> None:
    chip = machine(
        """
        ldi r16, 1 << WDCE | 1 << WDE
        sts WDTCSR, r16
        ldi r16, 1 << WDE | 1 << WDP0
        sts WDTCSR, r16
loop:   wdr
        rjmp loop
        """
    )
    assert chip.run(max_cycles=1_000_000) is Halt.CYCLES
    assert chip.run(timeout_s=0.01) is Halt.TIME
    assert chip.read_data(0x54)[0] & 8 == 0


@pytest.mark.parametrize("stop", [1, -2, 8192, 0x10000])
def test_a_stop_outside_the_program_memory_is_refused(machine: Machine, stop: int) -> None:
    with pytest.raises(UnusableInput, match=r"\$"):
        machine(COUNTER).run((stop,))


def test_a_call_that_does_not_return_reaches_its_limit(machine: Machine) -> None:
    chip = machine("nop\nforever: rjmp forever\n")
    with pytest.raises(LimitReached, match=r"forever \(\$0002\) did not return within 1,000 cycles"):
        chip.call(chip.image.code("forever"), max_cycles=1000)


def test_a_break_in_the_program_is_a_nop_without_a_debugger(machine: Machine) -> None:
    chip = machine("nop\n break\n nop\n end: rjmp end\n")
    end = (chip.image.code("end"),)
    assert (chip.run(end), chip.cycles) == (Halt.STOP, 3)
    chip.reset()
    for expected in (1, 2, 3):
        chip.step()
        assert (chip.pc, chip.cycles) == (2 * expected, expected)


def test_a_sleeping_chip_wakes_by_a_timer_and_keeps_to_its_limits(machine: Machine) -> None:
    chip = machine(
        """
        rjmp start
.org OVF1addr
        reti
start:  ldi r16, low(RAMEND)
        out SPL, r16
        ldi r16, high(RAMEND)
        out SPH, r16
        ldi r16, 1 << TOIE1
        sts TIMSK1, r16
        ldi r16, 1 << CS12 | 1 << CS10  ; overflows after 65536 * 1024 cycles, 3.4 s
        sts TCCR1B, r16
        ldi r16, 1 << SE                ; idle
        out SMCR, r16
        sei
nap:    sleep
awake:  nop
        rjmp nap
        """
    )
    for turn in (1, 2, 3):
        assert chip.run((chip.image.code("awake"),)) is Halt.STOP
        assert abs(chip.cycles - turn * 65536 * 1024) < 3000
    assert chip.run(max_cycles=10_000_000) is Halt.CYCLES
    assert abs(chip.cycles - 3 * 65536 * 1024 - 10_000_000) < 3000
    before = chip.cycles
    chip.pc = chip.image.code("start")
    chip.step()
    assert (chip.pc, chip.cycles) == (chip.image.code("start") + 2, before + 1)
