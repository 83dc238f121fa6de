# SPDX-License-Identifier: GPL-3.0-or-later
"""One build of the firmware: default board written, sources assembled and described, unless nothing has changed."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pentavr.errors import ToolMissing, UnusableInput
from pentavr.firmware import default_board
from pentavr.firmware.avra import OUTPUT_SUFFIXES, assemble
from pentavr.firmware.elf import write_elf
from pentavr.firmware.image import Image
from pentavr.firmware.images import IMAGE_NAME, load_image, source_folder, written_files
from pentavr.firmware.outfile import write_whole
from pentavr.firmware.parts import ATMEGA88, Part
from pentavr.pentomino.board import Board

__all__ = ["Build", "build"]

ELF_SUFFIX = ".elf"
SOURCE_PATTERNS = ("*.asm", "*.inc")


@dataclass(frozen=True, slots=True)
class Build:
    """A built image: where its .hex lies, and whether it had to be assembled."""

    path: Path
    image: Image
    assembled: bool


def build(
    board: Board,
    *,
    output: Path,
    part: Part = ATMEGA88,
    sources: Path | None = None,
    defines: Mapping[str, int] | None = None,
) -> Build:
    """Build the firmware with this default board into the folder `output`, which is made where it is missing.

    `sources` is the folder of main.asm, by default the firmware's own. Raise what `avra.assemble` raises, and
    UnusableInput for a board that cannot be a default.
    """
    folder = sources or source_folder()
    defines = {**part.defines, **(defines or {})}
    include = default_board.text(board).encode()
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnusableInput(f"{output}: cannot make the output folder: {error.strerror}") from error
    stem = output / IMAGE_NAME
    path = output / f"{IMAGE_NAME}.hex"
    stamp = output / f".{IMAGE_NAME}.stamp"
    inputs = _inputs(folder, include, defines)
    if _read(stamp) == _stamp(inputs, stem):
        return Build(path, load_image(path), assembled=False)
    stamp.unlink(missing_ok=True)
    path.with_suffix(ELF_SUFFIX).unlink(missing_ok=True)
    write_whole(output / default_board.INCLUDE_NAME, include)
    image = assemble(folder / "main.asm", output=stem, include=[output], defines=defines)
    write_elf(*written_files(path), output=path.with_suffix(ELF_SUFFIX), source_folder=folder)
    write_whole(stamp, _stamp(inputs, stem))
    return Build(path, image, assembled=True)


def _inputs(folder: Path, include: bytes, defines: Mapping[str, int]) -> str:
    """Sum up all that the outputs depend on: the sources, the board, the options and the assembler."""
    assembler = shutil.which("avra")
    if assembler is None:
        raise ToolMissing("the assembler avra is missing; install avra: apt-get install avra")
    facts = Path(assembler).stat()
    sources = sorted(path for pattern in SOURCE_PATTERNS for path in folder.glob(pattern))
    options = [str(folder.absolute()), facts.st_size, facts.st_mtime_ns, dict(sorted(defines.items()))]
    digest = hashlib.sha256(json.dumps(options).encode())
    for content in (include, *(part for path in sources for part in (path.name.encode(), path.read_bytes()))):
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()


def _stamp(inputs: str, stem: Path) -> bytes:
    """Give what the stamp file of an untouched build says: the sum of its inputs, then of each output."""
    sums = [inputs]
    for suffix in (*OUTPUT_SUFFIXES, ELF_SUFFIX):
        content = _read(stem.with_name(stem.name + suffix))
        sums.append("missing" if content is None else hashlib.sha256(content).hexdigest())
    return "".join(f"{line}\n" for line in sums).encode()


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
