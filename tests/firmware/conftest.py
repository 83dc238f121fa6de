# SPDX-License-Identifier: GPL-3.0-or-later
"""The second program that debuggers are tried on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pentavr.firmware.avra import assemble
from pentavr.firmware.elf import write_elf
from pentavr.firmware.images import written_files

LIGHTS = Path(__file__).with_name("lights")


@pytest.fixture(scope="session")
def lights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Assemble the lights, describe them, and give the path of the ELF file; sources and the rest lie beside it."""
    folder = tmp_path_factory.mktemp("lights") / "lights"
    shutil.copytree(LIGHTS, folder)
    assemble(folder / "lights.asm", output=folder / "lights")
    write_elf(*written_files(folder / "lights.hex"), output=folder / "lights.elf", source_folder=folder)
    return folder / "lights.elf"
