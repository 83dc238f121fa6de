# SPDX-License-Identifier: GPL-3.0-or-later
"""Small programs, assembled by the real assembler and run on every emulator that is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pentavr.firmware.avra import assemble
from pentavr.firmware.build import build
from pentavr.firmware.image import Image
from pentavr.machine.backends import emulate, installed
from pentavr.machine.emulator import Emulator
from pentavr.pentomino import catalogue

Assemble = Callable[[str], Image]
Machine = Callable[..., Emulator]


@pytest.fixture(scope="session")
def assembled(tmp_path_factory: pytest.TempPathFactory) -> Assemble:
    """Give a function from an AVRASM source, less its first line, to its image."""
    folder = tmp_path_factory.mktemp("programs")
    known: dict[str, Image] = {}

    def make(source: str) -> Image:
        if source not in known:
            path = folder / f"program{len(known)}.asm"
            path.write_text(f'.include "m88def.inc"\n{source}')
            known[source] = assemble(path, output=path.with_suffix(""))
        return known[source]

    return make


@pytest.fixture(scope="session")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """Build the firmware with 4x15 as its default board."""
    return build(catalogue.find("4x15"), output=Path(tmp_path_factory.mktemp("firmware"))).image


@pytest.fixture(params=installed())
def backend(request: pytest.FixtureRequest) -> str:
    """Name each emulator in turn."""
    return str(request.param)


@pytest.fixture
def machine(backend: str, assembled: Assemble) -> Iterator[Machine]:
    """Give a function that puts a source, or an image, on a chip of its own."""
    with ExitStack() as machines:

        def make(program: str | Image, **options: object) -> Emulator:
            image = program if isinstance(program, Image) else assembled(program)
            return machines.enter_context(emulate(image, backend=backend, **options))  # type: ignore[arg-type]

        yield make
