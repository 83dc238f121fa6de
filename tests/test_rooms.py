# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports between the rooms of the house run one way, and the command line starts without the heavy packages."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import pentavr
from pentavr.cli.main import COMMANDS

PACKAGE = Path(pentavr.__file__).parent
MODULES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))

MAY_IMPORT = {
    "pentomino": {"errors"},
    "tangram": {"errors", "render.drawing", "render.palette"},
    "tromino": {"errors", "render.drawing", "render.palette"},
    "render": {"errors"},
    "firmware": {"errors", "pentomino"},
    "machine": {"errors", "firmware", "pentomino"},
    "cli": {"errors", "machine", "firmware", "pentomino", "tangram", "tromino", "render"},
}
"""What of ours each room may import besides itself."""

HEAVY = {"numpy", "PIL", "rich", "pysimavr", "yasimavr", "serial"}


def imports(tree: ast.AST) -> Iterator[str]:
    """Yield the dotted name of all that the code imports; `from a import b` is a.b, be b a module or not."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imported_by(module: Path) -> set[str]:
    return set(imports(ast.parse((PACKAGE / module).read_text("utf-8"))))


@pytest.mark.parametrize("module", [module for module in MODULES if len(module.parts) > 1], ids=str)
def test_a_room_imports_only_from_the_rooms_below_it(module: Path) -> None:
    room = module.parts[0]
    allowed = tuple(f"pentavr.{each}." for each in (room, *MAY_IMPORT[room]))
    ours = {f"{name}." for name in imported_by(module) if name.split(".")[0] == "pentavr"}
    assert {name for name in ours if not name.startswith(allowed)} == set()


def test_the_errors_import_nothing_of_ours() -> None:
    assert not any(name.startswith("pentavr") for name in imported_by(Path("errors.py")))


def test_the_checker_imports_the_standard_library_alone() -> None:
    found = {name.split(".")[0] for name in imported_by(Path("pentomino/checker.py"))}
    assert found <= sys.stdlib_module_names


@pytest.mark.parametrize("words", [["--help"], *([command, "--help"] for command in COMMANDS)], ids=" ".join)
def test_help_comes_without_the_heavy_packages(words: list[str]) -> None:
    script = (
        "import sys\n"
        "from pentavr.cli.main import main\n"
        "try:\n"
        "    main(sys.argv[1:])\n"
        "except SystemExit as end:\n"
        "    assert end.code == 0\n"
        f"print(*sorted({HEAVY} & set(sys.modules)), file=sys.stderr)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script, *words], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "\n")
    assert ended.stdout.startswith("usage: pentavr")
