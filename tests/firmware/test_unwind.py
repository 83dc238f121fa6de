# SPDX-License-Identifier: GPL-3.0-or-later
"""The bytes on the stack at each instruction, followed by hand in small programs."""

from __future__ import annotations

from pathlib import Path

from pentavr.firmware.avra import assemble
from pentavr.firmware.image import Segment
from pentavr.firmware.images import written_files
from pentavr.firmware.program import Program, read_program
from pentavr.firmware.unwind import follow, main_routine, routines


def program_of(folder: Path, text: str, device: str = "ATmega88") -> Program:
    source = folder / "program.asm"
    source.write_text(f".device {device}\n{text}", encoding="utf-8")
    assemble(source, output=folder / "out")
    return read_program(*written_files(folder / "out.hex"))


def depths(program: Program) -> dict[int, int | str]:
    """Bytes pushed before the instruction on each source line; `top` for code that nothing called, `?` unknown."""
    states = follow(program)
    found: dict[int, int | str] = {}
    for line in program.lines:
        if line.address in states:
            state = states[line.address]
            if state is None:
                found[line.line] = "?"
            else:
                found[line.line] = f"top {len(state.pushed)}" if state.outermost else len(state.pushed)
    return found


def test_pushes_are_counted_along_branches_and_skips(tmp_path: Path) -> None:
    text = """\
    rcall routine
end: rjmp end
routine:
    push r16
    sbrc r16, 0
    rjmp other
    push r17
    pop r17
both:
    pop r16
    ret
other:
    breq both
    push r18
    push r19
    cpse r18, r19
    lds r18, 0x100
    pop r19
    pop r18
    rjmp both
"""
    assert depths(program_of(tmp_path, text)) == {
        2: "top 0",
        3: "top 0",
        5: 0,
        6: 1,
        7: 1,
        8: 1,
        9: 2,
        11: 1,
        12: 0,
        14: 1,
        15: 1,
        16: 2,
        17: 3,
        18: 3,
        19: 3,
        20: 2,
        21: 1,
    }


def test_a_search_that_calls_itself_and_is_entered_twice(tmp_path: Path) -> None:
    text = """\
    rcall first
end: rjmp end
first:
    push r28
    rjmp level
again:
    push r28
level:
    brne leave
    rcall again
leave:
    pop r28
    ret
"""
    program = program_of(tmp_path, text)
    assert depths(program) == {2: "top 0", 3: "top 0", 5: 0, 6: 1, 8: 0, 10: 1, 11: 1, 13: 1, 14: 0}
    states = follow(program)
    by_line = {line.line: states[line.address] for line in program.lines}
    level = by_line[10]
    assert level is not None
    assert level.pushed == (28,)


def test_where_ways_of_different_depth_meet_nothing_is_said(tmp_path: Path) -> None:
    text = """\
    rcall routine
end: rjmp end
routine:
    breq deep
    rjmp met
deep:
    push r16
met:
    nop
    ret
"""
    assert depths(program_of(tmp_path, text)) == {2: "top 0", 3: "top 0", 5: 0, 6: 0, 8: 0, 10: "?", 11: "?"}


def test_a_stack_pointer_that_is_written_is_followed_only_outside_routines(tmp_path: Path) -> None:
    text = """\
    ldi r16, 4
    out 0x3e, r16
    rcall routine
end: rjmp end
routine:
    in r28, 0x3d
    out 0x3d, r28
    ret
"""
    assert depths(program_of(tmp_path, text)) == {2: "top 0", 3: "top 0", 4: "top 0", 5: "top 0", 7: 0, 8: 0, 9: "?"}


def test_a_stack_that_is_set_anew_is_the_outermost_wherever_the_jump_comes_from(tmp_path: Path) -> None:
    text = """\
    rjmp reset
reset:
    cli
    ldi r16, 4
    out 0x3e, r16
    ldi r16, 0xff
    out 0x3d, r16
main:
    rcall routine
    rjmp main
routine:
    push r16
    rjmp reset
"""
    program = program_of(tmp_path, text)
    # Up to the first write both ways meet; from there on it does not matter which it was.
    assert depths(program) == {
        2: "top 0", 4: "?", 5: "?", 6: "?", 7: "top 0", 8: "top 0", 10: "top 0", 11: "top 0", 13: 0, 14: 1
    }  # fmt: skip
    assert main_routine(program, routines(program), follow(program)) is not None


def test_taking_the_return_address_apart_is_the_end_of_knowledge(tmp_path: Path) -> None:
    text = """\
    rcall routine
end: rjmp end
routine:
    pop r16
    pop r17
    rjmp end
"""
    # The end is reached from the outermost code and, at no known depth, from the routine.
    assert depths(program_of(tmp_path, text)) == {2: "top 0", 3: "?", 5: 0, 6: "?", 7: "?"}


def test_only_what_is_pushed_on_entering_is_the_callers(tmp_path: Path) -> None:
    text = """\
    rcall routine
end: rjmp end
routine:
    push r2
    push r3
    ldi r16, 1
    push r16
    rcall PC+1
    nop
    pop r0
    pop r0
    pop r16
    pop r3
    pop r2
    ret
"""
    program = program_of(tmp_path, text)
    states = follow(program)
    pushed = {line.line: state.pushed for line in program.lines if (state := states[line.address])}
    assert pushed[8] == (2, 3)
    assert pushed[9] == (2, 3, None)
    assert pushed[10] == (2, 3, None, None, None)
    assert pushed[16] == ()


def test_interrupts_and_pointers_enter_as_calls_do(tmp_path: Path) -> None:
    text = """\
    rjmp reset
    rjmp handler
reset:
    ldi r30, low(task)
    ldi r31, high(task)
    icall
end: rjmp end
handler:
    push r16
    pop r16
    reti
task:
    push r17
    pop r17
    ret
"""
    expected = {2: "top 0", 3: 0, 5: "top 0", 6: "top 0", 7: "top 0", 8: "top 0"}
    assert depths(program_of(tmp_path, text)) == expected | {10: 0, 11: 1, 12: 0, 14: 0, 15: 1, 16: 0}


def test_jmp_and_call_are_followed(tmp_path: Path) -> None:
    text = "    call routine\nend: jmp end\nroutine:\n    push r16\n    jmp leave\nleave:\n    pop r16\n    ret\n"
    program = program_of(tmp_path, text, device="ATmega328P")
    assert depths(program) == {2: "top 0", 3: "top 0", 5: 0, 6: 1, 8: 1, 9: 0}


PARTS = """\
    rjmp reset
table: .db 1, 2, 3, 4
reset:
    rcall one
again:
    rjmp again
trap: rjmp trap
one:
    breq one_end
    rjmp one_more
one_more:
    nop
one_end:
    ret
fallen_from:
    nop
two:
    ret
    rcall two
    rcall fallen_from
"""


def test_code_is_parted_into_routines(tmp_path: Path) -> None:
    program = program_of(tmp_path, PARTS)
    parts = routines(program)
    # Word addresses counted by hand: table 1-2, reset 3, again 4, trap 5, one 6, ...
    assert [(part.name, part.start, part.end) for part in parts] == [
        ("code_0000", 0, 1),
        ("reset", 3, 5),
        ("trap", 5, 6),
        ("one", 6, 10),
        ("fallen_from", 10, 11),
        ("two", 11, 14),
    ]
    main = main_routine(program, parts, follow(program))
    assert main is not None
    assert main.name == "reset"


def test_labels_have_the_size_of_what_they_name(tmp_path: Path) -> None:
    text = """\
    nop
table: .db 1, 2, 3, 4, 5, 6
    nop
.dseg
board: .byte 62
.org 0x200
alias:
word: .byte 2
last: .byte 1
end_of_data:
.eseg
kept: .db 1, 2, 3
"""
    program = program_of(tmp_path, text)
    sizes = {(label.name, label.segment): (label.address, label.size) for label in program.labels}
    assert sizes == {
        ("table", Segment.CODE): (1, 3),
        ("board", Segment.SRAM): (0x100, 62),
        ("alias", Segment.SRAM): (0x200, 2),
        ("word", Segment.SRAM): (0x200, 2),
        ("last", Segment.SRAM): (0x202, 1),
        ("end_of_data", Segment.SRAM): (0x203, 0),
        ("kept", Segment.EEPROM): (0, 3),
    }
    assert program.eeprom == b"\x01\x02\x03"


def test_a_program_without_calls_has_no_main_routine(tmp_path: Path) -> None:
    program = program_of(tmp_path, "end: rjmp end\n")
    assert main_routine(program, routines(program), follow(program)) is None
