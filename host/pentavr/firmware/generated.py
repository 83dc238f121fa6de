# SPDX-License-Identifier: GPL-3.0-or-later
"""The includes of the firmware that are generated and committed, and whether they are up to date."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from pentavr.firmware.outfile import write_whole

__all__ = ["GENERATED", "generate", "stale"]

GENERATED = {
    "figures.inc": "pentavr.firmware.figure_table",
    "tree.inc": "pentavr.firmware.tree_writer",
}
"""File name in the firmware's folder, and the module whose `text()` writes its contents."""

LONGEST_DIFF = 40


def generate(folder: Path) -> list[Path]:
    """Write every generated file into the firmware's folder and give the paths of those that changed."""
    changed = []
    for name, content in _contents():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content.encode():
            write_whole(path, content.encode())
            changed.append(path)
    return changed


def stale(folder: Path) -> Iterator[str]:
    """Give for each generated file that is not what would be written now the difference, cut to a readable length."""
    for name, content in _contents():
        path = folder / name
        committed = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        difference = list(
            difflib.unified_diff(
                committed.splitlines(), content.splitlines(), str(path), "as generated now", lineterm=""
            )
        )
        if difference:
            left_out = len(difference) - LONGEST_DIFF
            more = [f"... and {left_out} lines more"] if left_out > 0 else []
            yield "\n".join(difference[:LONGEST_DIFF] + more)


def _contents() -> Iterator[tuple[str, str]]:
    for name, module in GENERATED.items():
        yield name, import_module(module).text()
