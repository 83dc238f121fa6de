# SPDX-License-Identifier: GPL-3.0-or-later
"""Put the built image and the firmware's sources into the wheel, so that an installed pentavr needs no assembler."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGED = "pentavr/firmware/packaged"
IMAGE = ("pentavr.hex", "pentavr.map", "pentavr.lst", "pentavr.obj")


class FirmwareHook(BuildHookInterface[Any]):
    """Runs for each target; an editable install reads the checkout and needs nothing built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files to the wheel, or say what to do where the image is missing."""
        if version == "editable":
            return
        root = Path(self.root)
        missing = [name for name in IMAGE if not (root / "build" / name).is_file()]
        if missing:
            raise RuntimeError(f"the firmware is not built, {', '.join(missing)} missing in build: run make first")
        if self.target_name == "wheel":
            sources = sorted([*root.glob("firmware/*.asm"), *root.glob("firmware/*.inc")])
            build_data["force_include"] |= {str(path): f"{PACKAGED}/source/{path.name}" for path in sources}
            build_data["force_include"] |= {str(root / "build" / name): f"{PACKAGED}/built/{name}" for name in IMAGE}
