# SPDX-License-Identifier: GPL-3.0-or-later
"""The choice between the simulators that can stand behind an emulated chip."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec

from pentavr.errors import ToolMissing, UnusableInput
from pentavr.firmware.image import Image
from pentavr.firmware.parts import Part, part_of
from pentavr.machine.emulator import Emulator

__all__ = ["BACKENDS", "emulate", "installed"]

BACKENDS = {"simavr": ("pysimavr", "Simavr"), "yasimavr": ("yasimavr", "Yasimavr")}
"""For each backend the package that it needs and its class in `pentavr.machine`; the first installed is chosen."""


def installed() -> tuple[str, ...]:
    """Name the backends whose package is installed, the preferred one first."""
    return tuple(name for name, (package, _) in BACKENDS.items() if find_spec(package))


def emulate(
    image: Image, *, part: Part | None = None, clock_hz: int = 20_000_000, backend: str | None = None
) -> Emulator:
    """Make an emulated chip with this program in its Flash, powered on; close it after use.

    Without a part it is the one that the program was assembled for.
    Raises UnusableInput for a backend that there is not, ToolMissing where its package, or any, is missing.
    """
    if backend is None:
        found = installed()
        if not found:
            package = "pysimavr" if sys.version_info < (3, 12) else "yasimavr"
            raise ToolMissing(
                f"no emulator is installed for this Python {sys.version_info[0]}.{sys.version_info[1]}: "
                f"install the package {package}"
            )
        backend = found[0]
    if backend not in BACKENDS:
        raise UnusableInput(f"there is no emulator {backend!r}: choose one of {', '.join(BACKENDS)}")
    chosen: type[Emulator] = getattr(import_module(f"pentavr.machine.{backend}"), BACKENDS[backend][1])
    return chosen(image, part=part or part_of(image), clock_hz=clock_hz)
