# SPDX-License-Identifier: GPL-3.0-or-later
"""The ELF file read back by pyelftools and by the GNU binutils for AVR."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from elftools.dwarf.callframe import FDE
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pentavr.errors import UnusableInput
from pentavr.firmware.elf import write_elf
from pentavr.firmware.images import written_files

needs_binutils = pytest.mark.skipif(shutil.which("avr-readelf") is None, reason="apt-get install binutils-avr")

# Addresses counted by hand: rjmp, a gap up to the 26 vectors' end, 6 bytes of masks, reset from $3A on.
CODE_SYMBOLS = {
    "masks": (0x34, 6, "STT_OBJECT"),
    "reset": (0x3A, 20, "STT_FUNC"),
    "done": (0x48, 0, "STT_NOTYPE"),
    "stay": (0x4C, 0, "STT_NOTYPE"),
    "count_down": (0x4E, 34, "STT_FUNC"),
    "bottom": (0x60, 0, "STT_NOTYPE"),
    "count_up": (0x6A, 0, "STT_NOTYPE"),
    "note": (0x70, 8, "STT_FUNC"),
    "noted": (0x76, 0, "STT_NOTYPE"),
}
DATA_SYMBOLS = {
    "pattern": (0x800100, 1, "STT_OBJECT"),
    "history": (0x800101, 5, "STT_OBJECT"),
    "finished": (0x800106, 1, "STT_OBJECT"),
    "first_pattern": (0x810000, 1, "STT_OBJECT"),
    "speeds": (0x810001, 3, "STT_OBJECT"),
}

# A macro's words are on the line of its call; each line once, where its first word is.
LINES = {
    (0x00, "lights.asm", 19),
    (0x34, "lights.asm", 21),
    (0x3A, "lights.asm", 23),
    (0x42, "lights.asm", 24),
    (0x44, "lights.asm", 25),
    (0x46, "lights.asm", 26),
    (0x48, "lights.asm", 28),
    (0x4C, "lights.asm", 29),
    (0x4E, "count.inc", 4),
    (0x50, "count.inc", 5),
    (0x52, "count.inc", 6),
    (0x58, "count.inc", 7),
    (0x5A, "count.inc", 8),
    (0x5C, "count.inc", 9),
    (0x5E, "count.inc", 10),
    (0x60, "count.inc", 12),
    (0x62, "count.inc", 13),
    (0x64, "count.inc", 14),
    (0x66, "count.inc", 15),
    (0x68, "count.inc", 16),
    (0x6A, "count.inc", 18),
    (0x6C, "count.inc", 19),
    (0x6E, "count.inc", 20),
    (0x70, "count.inc", 23),
    (0x72, "count.inc", 24),
    (0x74, "count.inc", 25),
    (0x76, "count.inc", 27),
}


@pytest.fixture(scope="module")
def elf(lights: Path) -> Any:
    with lights.open("rb") as file:
        yield ELFFile(file)


def test_the_header_names_the_machine(elf: Any) -> None:
    assert elf.header.e_machine == "EM_AVR"
    assert elf.header.e_type == "ET_EXEC"
    assert elf.header.e_entry == 0
    assert elf.header.e_flags == 4  # the ATmega88's core, avr4


def test_sections_lie_where_the_machine_has_them(elf: Any) -> None:
    placed = {
        section.name: (section["sh_addr"], section["sh_size"])
        for section in elf.iter_sections()
        if section["sh_flags"] & 2
    }
    assert placed == {".text": (0, 0x78), ".bss": (0x800100, 7), ".eeprom": (0x810000, 4)}
    assert elf.get_section_by_name(".eeprom").data() == bytes([0x15, 10, 20, 30])
    segments = {(segment["p_vaddr"], segment["p_filesz"], segment["p_memsz"]) for segment in elf.iter_segments()}
    assert segments == {(0, 0x78, 0x78), (0x800100, 0, 7), (0x810000, 4, 4)}


def test_text_is_what_the_hex_file_has(elf: Any, lights: Path) -> None:
    import intelhex

    flash = intelhex.IntelHex(str(lights.with_suffix(".hex")))
    flash.padding = 0xFF
    assert elf.get_section_by_name(".text").data() == bytes(flash.tobinarray(start=0, end=0x77))


def test_symbols_have_address_size_and_kind(elf: Any) -> None:
    table = elf.get_section_by_name(".symtab")
    assert isinstance(table, SymbolTableSection)
    symbols = {
        symbol.name: (symbol["st_value"], symbol["st_size"], symbol["st_info"]["type"])
        for symbol in table.iter_symbols()
        if symbol.name
    }
    assert symbols == CODE_SYMBOLS | DATA_SYMBOLS
    sections = {symbol.name: elf.get_section(symbol["st_shndx"]).name for symbol in table.iter_symbols() if symbol.name}
    assert sections["bottom"] == ".text"
    assert sections["history"] == ".bss"
    assert sections["speeds"] == ".eeprom"


def test_each_line_is_where_its_first_word_is(elf: Any) -> None:
    dwarf = elf.get_dwarf_info()
    (unit,) = dwarf.iter_CUs()
    program = dwarf.line_program_for_CU(unit)
    names = [entry.name.decode() for entry in program["file_entry"]]
    assert names[0] == "lights.asm"
    states = [entry.state for entry in program.get_entries() if entry.state is not None]
    rows = [(state.address, names[state.file - 1], state.line) for state in states if not state.end_sequence]
    assert set(rows) == LINES
    # Where a routine begins the row stands twice, so that gdb takes nothing for a compiler's prologue.
    assert {row for row in rows if rows.count(row) == 2} == {row for row in LINES if row[0] in {0x00, 0x3A, 0x4E, 0x70}}
    assert [state.address for state in states if state.end_sequence] == [0x02, 0x78]


def entries(elf: Any) -> dict[str, Any]:
    (unit,) = elf.get_dwarf_info().iter_CUs()
    return {
        die.attributes["DW_AT_name"].value.decode(): die for die in unit.iter_DIEs() if "DW_AT_name" in die.attributes
    }


def test_data_is_typed_by_its_size(elf: Any) -> None:
    found = entries(elf)
    for name, (address, size, _) in (DATA_SYMBOLS | {"masks": CODE_SYMBOLS["masks"]}).items():
        die = found[name]
        assert die.tag == "DW_TAG_variable"
        assert bytes(die.attributes["DW_AT_location"].value) == b"\x03" + address.to_bytes(4, "little")
        kind = die.get_DIE_from_attribute("DW_AT_type")
        if size == 1:
            assert kind.tag == "DW_TAG_subrange_type"
            assert kind.attributes["DW_AT_byte_size"].value == 1
        else:
            assert kind.tag == "DW_TAG_array_type"
            (bound,) = kind.iter_children()
            assert bound.attributes["DW_AT_count"].value == size


def test_routines_cover_their_code_and_have_their_labels(elf: Any) -> None:
    found = entries(elf)
    routines = {
        name: (die.attributes["DW_AT_low_pc"].value, die.attributes["DW_AT_high_pc"].value)
        for name, die in found.items()
        if die.tag == "DW_TAG_subprogram"
    }
    assert routines == {"code_0000": (0, 2), "reset": (0x3A, 20), "count_down": (0x4E, 34), "note": (0x70, 8)}
    labels = {
        name: die.get_parent().attributes["DW_AT_name"].value for name, die in found.items() if "label" in die.tag
    }
    assert labels == {
        "done": b"reset",
        "stay": b"reset",
        "bottom": b"count_down",
        "count_up": b"count_down",
        "noted": b"note",
    }
    assert "DW_AT_main_subprogram" in found["reset"].attributes
    assert found["note"].attributes["DW_AT_decl_line"].value == 23


def test_the_stack_is_told_for_every_instruction(elf: Any) -> None:
    rows: dict[int, Any] = {}
    for entry in elf.get_dwarf_info().CFI_entries():
        if isinstance(entry, FDE):
            assert entry.cie is not None
            assert entry.cie["return_address_register"] == 36
            for row in entry.get_decoded().table:
                rows[row["pc"]] = row
    depth = {pc: row["cfa"].offset for pc, row in rows.items()}
    # In count_down two bytes of return address, one of r18, then r30 and r31 around the call of note.
    assert depth == {
        0x00: 0,
        0x3A: 0,
        0x4E: 2,
        0x50: 3,
        0x62: 4,
        0x64: 5,
        0x68: 4,
        0x6A: 3,
        0x6E: 2,
        0x70: 2,
    }
    assert rows[0x64][36].arg == -1
    assert rows[0x64][18].arg == -2
    assert rows[0x6E][18].type == "SAME_VALUE"
    assert rows[0x3A][36].type == "UNDEFINED"


def tool(*command: str | Path) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
    return done.stdout


@needs_binutils
def test_readelf_reads_all_of_it_without_a_warning(lights: Path) -> None:
    out = tool("avr-readelf", "-a", "--debug-dump=abbrev,aranges,frames,info,rawline", lights)
    assert "Atmel AVR 8-bit microcontroller" in out
    assert "DW_AT_comp_dir" in out


@needs_binutils
def test_readelf_decodes_the_same_lines(lights: Path) -> None:
    out = tool("avr-readelf", "--debug-dump=decodedline", lights)
    found = re.findall(r"^(\S+\.(?:asm|inc)) +(\d+) +(?:0x)?([0-9a-f]+)", out, re.MULTILINE)
    assert {(int(address, 16), file, int(line)) for file, line, address in found} == LINES


@needs_binutils
def test_objdump_lists_the_same_symbols(lights: Path) -> None:
    out = tool("avr-objdump", "-t", lights)
    found = re.findall(r"^([0-9a-f]{8}) .{7} \.\w+\t([0-9a-f]{8}) (\w+)$", out, re.MULTILINE)
    assert {name: (int(value, 16), int(size, 16)) for value, size, name in found} == {
        name: (address, size) for name, (address, size, _) in (CODE_SYMBOLS | DATA_SYMBOLS).items()
    }


@needs_binutils
def test_objdump_disassembles_what_was_written(lights: Path) -> None:
    out = tool("avr-objdump", "-d", "-l", lights)
    assert "<count_down>" in out
    assert re.search(r"count\.inc:9\n +5c:\t.*\trcall\t\.-16 .*<count_down>", out)
    assert re.search(r"lights\.asm:23\n +3a:\t04 e0 +\tldi\tr16, 0x04", out)


@needs_binutils
def test_addr2line_finds_file_and_line(lights: Path) -> None:
    out = tool("avr-addr2line", "-f", "-e", lights, "0x54", "0x76", "0x40")
    names = [line.rpartition("/")[2] for line in out.splitlines()]
    assert names == ["count_down", "count.inc:6", "note", "count.inc:27", "reset", "lights.asm:23"]


@pytest.mark.parametrize(
    ("device", "flags"),
    [("ATmega88", 4), ("ATmega8", 4), ("ATmega328P", 5), ("ATmega128", 51), ("ATmega2560", 6), ("ATtiny85", 25),
     ("AT90S8515", 2)],
)  # fmt: skip
def test_the_core_follows_the_chip(tmp_path: Path, device: str, flags: int) -> None:
    from pentavr.firmware.avra import assemble

    source = tmp_path / "program.asm"
    source.write_text(f".device {device}\nstart:\n\trcall start\n")
    assemble(source, output=tmp_path / "out")
    write_elf(*written_files(tmp_path / "out.hex"), output=tmp_path / "out.elf")
    with (tmp_path / "out.elf").open("rb") as file:
        assert ELFFile(file).header.e_flags == flags


def test_the_same_program_gives_the_same_bytes(lights: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.elf"
    write_elf(*written_files(lights.with_suffix(".hex")), output=again, source_folder=lights.parent)
    assert again.read_bytes() == lights.read_bytes()


def test_files_of_two_programs_are_refused(lights: Path, tmp_path: Path) -> None:
    from pentavr.firmware.avra import assemble

    source = tmp_path / "other.asm"
    source.write_text(".device ATmega88\n\tnop\n\tldi r16, 7\n")
    assemble(source, output=tmp_path / "other")
    with pytest.raises(UnusableInput, match="are of two programs"):
        write_elf(
            tmp_path / "other.obj", lights.with_suffix(".map"), lights.with_suffix(".lst"), output=tmp_path / "out.elf"
        )
    assert not (tmp_path / "out.elf").exists()


def test_addresses_beyond_any_memory_are_refused(lights: Path, tmp_path: Path) -> None:
    files = written_files(lights.with_suffix(".hex"))
    listing = tmp_path / "far.lst"
    listing.write_text(files[2].read_text().replace("Start = 0x0100, End = 0x0106", "Start = 0x0100, End = 0xFFFFFFFF"))
    with pytest.raises(UnusableInput, match="0x100 to 0xffffffff are beyond any sram"):
        write_elf(files[0], files[1], listing, output=tmp_path / "out.elf")


def damaged(content: bytes, data: st.DataObject) -> bytes:
    """Cut, overwrite or put in a few bytes."""
    at = data.draw(st.integers(0, len(content)))
    more = data.draw(st.binary(max_size=12))
    over = data.draw(st.integers(0, 40))
    return content[:at] + more + (b"" if data.draw(st.booleans()) else content[at + over :])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), suffix=st.sampled_from([".obj", ".map", ".lst", ".eep.hex"]))
def test_damaged_files_give_our_own_error_or_an_elf_file(
    lights: Path, tmp_path: Path, data: st.DataObject, suffix: str
) -> None:
    files = []
    for path in written_files(lights.with_suffix(".hex")):
        copy = tmp_path / path.name
        content = path.read_bytes()
        copy.write_bytes(damaged(content, data) if path.name.endswith(suffix) else content)
        files.append(copy)
    output = tmp_path / "out.elf"
    output.unlink(missing_ok=True)
    try:
        write_elf(*files, output=output)
    except UnusableInput:
        assert not output.exists()
    else:
        with output.open("rb") as file:
            assert ELFFile(file).get_section_by_name(".text") is not None


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200), kind=st.sampled_from([0, 1, 2]))
def test_noise_gives_our_own_error(lights: Path, tmp_path: Path, content: bytes, kind: int) -> None:
    files = written_files(lights.with_suffix(".hex"))[:3]
    noise = tmp_path / "noise"
    noise.write_bytes(content)
    files[kind] = noise
    with pytest.raises(UnusableInput):
        write_elf(*files, output=tmp_path / "out.elf")
