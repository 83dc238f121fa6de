# SPDX-License-Identifier: GPL-3.0-or-later
"""Files written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from pentavr.errors import UnusableInput

__all__ = ["write_whole"]


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under a passing name beside it and rename it, so that no reader ever sees a part of it.

    Raise UnusableInput where the folder is missing or cannot be written.
    """
    try:
        handle, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
        part = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            mask = os.umask(0)
            os.umask(mask)
            part.chmod(0o666 & ~mask)
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UnusableInput(f"{path}: cannot write it: {error.strerror}") from error
