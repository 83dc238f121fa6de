# SPDX-License-Identifier: GPL-3.0-or-later
"""The assembler, avra, behind one function.

avra ends with exit code 0 after many a fault (a missing source, an operand cut to its low bits, an instruction that
the chip lacks, a jump that wraps round the end of Flash), so nothing of what it says is taken on trust here. Another
assembler of the AVRASM dialect could stand behind the same function.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pentavr.errors import LimitReached, ToolMissing, UnusableInput
from pentavr.firmware.image import Image
from pentavr.firmware.images import load_image
from pentavr.firmware.listing import Instruction, Listing, read_listing
from pentavr.firmware.mapfile import device_of, flash_bytes_of
from pentavr.firmware.objfile import read_object
from pentavr.firmware.outfile import write_whole

__all__ = ["OUTPUT_SUFFIXES", "assemble"]

OUTPUT_SUFFIXES = (".hex", ".map", ".lst", ".obj")
EEPROM_SUFFIX = ".eep.hex"

TIME_LIMIT_S = 60
MESSAGE = re.compile(r"(?P<file>.+?)\((?P<line>\d+)\) : (?P<text>.*)")
IGNORED_PRAGMA = re.compile(r".*\(\d+\) : PRAGMA .* directive currently ignored")
WARNING = re.compile(r"Warning\s*:", re.IGNORECASE)
LISTING_DATE = re.compile(rb"^(AVRA +Ver\. \S+ .*) \w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$", re.MULTILINE)
GIVING_UP = "Maximum error count reached. Exiting..."
LOST_DATA = re.compile(r"""\.db\b.*?"[^"]*'[^"]*"\s*,""", re.IGNORECASE)

SMALL_CHIPS_WITH_JMP = {"AT90USB82", "ATmega8U2"}
"""8 KiB of Flash and yet `jmp` and `call`; all others need more Flash to have them."""


def assemble(
    source: Path,
    *,
    output: Path,
    include: Sequence[Path] = (),
    defines: Mapping[str, int] | None = None,
) -> Image:
    """Assemble a program and write its image, map, listing and object file.

    `output` is the outputs' path without their endings, `build/pentavr` say: .hex, .map, .lst, .obj, and .eep.hex where
    the program has EEPROM contents. Those of an earlier run are gone even if this one fails. The source's own folder
    is searched for includes before `include`; file names in the outputs are relative to it.

    Raise UnusableInput, with the assembler's messages by file and line, for a source with any fault or warning, for
    an instruction that the chip lacks and for a jump past the end of Flash; ToolMissing without avra; LimitReached if
    it does not end.
    """
    if not source.is_file():
        raise UnusableInput(f"{source}: no such source file")
    if not output.parent.is_dir():
        raise UnusableInput(f"{output.parent}: the folder for the outputs does not exist; make it first")
    for folder in include:
        if not folder.is_dir():
            raise UnusableInput(f"{folder}: the folder to search for includes does not exist")
    targets = {suffix: output.with_name(output.name + suffix) for suffix in (*OUTPUT_SUFFIXES, EEPROM_SUFFIX)}
    for target in targets.values():
        target.unlink(missing_ok=True)
    # Short plain names for avra, whose buffers are small and whose names go through printf.
    with tempfile.TemporaryDirectory(prefix="pentavr-") as scratch:
        made = {suffix: Path(scratch) / f"out{suffix}" for suffix in targets}
        messages = _run(source, made, include, defines or {})
        missing = [suffix for suffix in OUTPUT_SUFFIXES if not made[suffix].is_file()]
        if missing:
            raise UnusableInput(f"{_near(source)}: avra wrote no {', '.join(missing)}{_indented(messages)}")
        _drop_date(made[".lst"])
        image = load_image(made[".hex"])
        faults = list(_faults(image, made))
        if faults:
            raise UnusableInput(f"{_near(source)}: assembled, but not what it says{_indented(faults)}")
        for suffix in OUTPUT_SUFFIXES:
            write_whole(targets[suffix], made[suffix].read_bytes())
        if made[EEPROM_SUFFIX].is_file() and made[EEPROM_SUFFIX].read_text(encoding="ascii").count(":") > 1:
            write_whole(targets[EEPROM_SUFFIX], made[EEPROM_SUFFIX].read_bytes())
    return image


def _run(source: Path, made: Mapping[str, Path], include: Sequence[Path], defines: Mapping[str, int]) -> list[str]:
    """Run avra in the source's folder and return its messages; raise for any fault or warning."""
    command = ["avra", "--max_errors", "50"]
    for option, suffix in (("-o", ".hex"), ("-m", ".map"), ("-l", ".lst"), ("-d", ".obj"), ("-e", EEPROM_SUFFIX)):
        command += [option, str(made[suffix])]
    for folder in include:
        command += ["-I", os.path.relpath(folder, source.parent)]
    for name, value in defines.items():
        command += ["-D", f"{name}={value}"]
    # A name that begins with a dash would be taken for an option.
    command.append(f"./{source.name}" if source.name.startswith("-") else source.name)
    try:
        done = subprocess.run(
            command, cwd=source.parent, capture_output=True, timeout=TIME_LIMIT_S, check=False, stdin=subprocess.DEVNULL
        )
    except FileNotFoundError:
        raise ToolMissing("the assembler avra is missing; install avra: apt-get install avra") from None
    except subprocess.TimeoutExpired:
        raise LimitReached(
            f"{source}: avra did not end within {TIME_LIMIT_S} s; an include that includes itself?"
        ) from None
    text = (done.stderr + done.stdout).decode("utf-8", errors="surrogateescape")
    said = [line.rstrip() for line in text.splitlines() if line.strip() and not IGNORED_PRAGMA.fullmatch(line.rstrip())]
    said = [line for line in said if not line.startswith(("AVRA: ", "Pass ", "done")) and not line.endswith(GIVING_UP)]
    messages = [_located(line, source.parent) for line in said]
    if done.returncode < 0:
        raise UnusableInput(f"{_near(source)}: avra crashed (signal {-done.returncode}){_indented(messages)}")
    if done.returncode != 0:
        raise UnusableInput(f"{_near(source)}: avra cannot assemble it{_indented(messages)}")
    if any(WARNING.search(line) for line in messages) or re.search(r"\(\d+ warnings?\)", text):
        raise UnusableInput(f"{_near(source)}: avra has warnings, which count as faults{_indented(messages)}")
    return messages


def _located(message: str, folder: Path) -> str:
    """Turn avra's `file(line) : text` into `path:line: text` as seen from where we run."""
    match = MESSAGE.fullmatch(message)
    if match is None:
        return message
    text = re.sub(r"^(Error|Warning)\s*:\s*", lambda kind: f"{kind[1].lower()}: ", match["text"])
    return f"{_near(folder / match['file'])}:{match['line']}: {text}"


def _near(path: Path) -> Path:
    """Give a path as seen from the working directory where it lies within."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _indented(lines: Sequence[str]) -> str:
    return "".join(f"\n  {line}" for line in lines)


def _drop_date(listing: Path) -> None:
    """Take the clock out of the listing's head, so that the same source gives the same bytes."""
    listing.write_bytes(LISTING_DATE.sub(rb"\1", listing.read_bytes(), count=1))


def _faults(image: Image, made: Mapping[str, Path]) -> Iterator[str]:
    """Look for what avra assembles without a word and the chip or the emulator cannot run."""
    listing = read_listing(made[".lst"])
    if listing.open_conditions != 0:
        yield "an .if without its .endif: what stands behind may be missing"
    for directive in listing.directives:
        if LOST_DATA.search(directive):
            yield f"{directive}: avra drops what follows a string with an apostrophe; write the apostrophe as 39"
    yield from _unlisted(listing, made[".obj"])
    lines = {line.address: line for line in image.lines}
    flash_bytes = flash_bytes_of(image.symbols)
    if flash_bytes is None:
        yield "the source names no chip (.device): nothing could be checked against it"
        return
    device = device_of(image.symbols)
    for instruction in listing.instructions:
        source = lines.get(instruction.address)
        where = f"{source.file}:{source.line}" if source else f"word 0x{instruction.address:04x}"
        mnemonic = instruction.mnemonic
        if mnemonic in {"jmp", "call"} and flash_bytes <= 8192 and device not in SMALL_CHIPS_WITH_JMP:
            yield f"{where}: {instruction.text}: the {device} has no {mnemonic}; use r{mnemonic}"
        if mnemonic in {"rjmp", "rcall"} and not 0 <= _target(instruction) < flash_bytes // 2:
            yield (
                f"{where}: {instruction.text}: farther than {mnemonic} reaches (2048 words); it would wrap "
                "round the end of Flash, where the emulator crashes; bring the target nearer"
            )


def _target(jump: Instruction) -> int:
    """Give the word address that an rjmp or rcall goes to, counted on past the end of Flash."""
    offset = jump.words[0] & 0x0FFF
    return jump.address + 1 + (offset - 0x1000 if offset & 0x0800 else offset)


def _unlisted(listing: Listing, object_path: Path) -> Iterator[str]:
    """Find code that the listing hides; a line of data words is listed by its first only."""
    seen = {address for instruction in listing.instructions for address in _addresses(instruction)} | set(listing.data)
    listed_line = None
    for word in read_object(object_path).words:
        line = (word.source.file, word.source.line)
        if word.source.address in seen:
            listed_line = line
        elif line != listed_line:
            listed_line = line
            yield f"{word.source.file}:{word.source.line}: not in the listing, so not checked; take out .nolist"


def _addresses(instruction: Instruction) -> range:
    return range(instruction.address, instruction.address + len(instruction.words))
