# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawings into files: the ending of the name says the format."""

from __future__ import annotations

import os
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from pentavr.errors import UnusableInput
from pentavr.render.drawing import Drawing

__all__ = ["ENDINGS", "save", "write"]

_OPTIONS: dict[str, dict[str, object]] = {
    ".bmp": {},
    ".gif": {},
    ".jpeg": {"quality": 92, "subsampling": 0},
    ".jpg": {"quality": 92, "subsampling": 0},
    ".png": {"optimize": True},
    ".ppm": {},
    ".tga": {},
    ".tif": {"compression": "tiff_lzw"},
    ".tiff": {"compression": "tiff_lzw"},
    ".webp": {"lossless": True},
}

ENDINGS = (".svg", *_OPTIONS)
"""The endings that `save` knows; upper case will do as well."""


def save(path: Path, drawings: Sequence[Drawing], *, columns: int | None = None, unit_px: int = 40) -> None:
    """Write drawings with their titles as one sheet, whole or not at all.

    Raise UnusableInput if the ending is none of ENDINGS, the picture too large or the file not to be written.
    """
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise UnusableInput(f"{path}: no picture format goes by {ending!r}; known are {', '.join(ENDINGS)}")
    if not drawings:
        raise UnusableInput(f"{path}: there is nothing to draw")
    if ending == ".svg":
        from pentavr.render import svg

        content = svg.sheet(drawings, columns=columns, unit_px=unit_px).encode()
    else:
        content = _raster(path, drawings, columns, unit_px)
    write(path, content)


def _raster(path: Path, drawings: Sequence[Drawing], columns: int | None, unit_px: int) -> bytes:
    from PIL import Image

    from pentavr.render import png

    ending = path.suffix.lower()
    picture = png.sheet(drawings, columns=columns, unit_px=unit_px)
    memory = BytesIO()
    try:
        picture.save(memory, format=Image.registered_extensions()[ending], **_OPTIONS[ending])
    except (OSError, ValueError) as error:
        size = f"{picture.width} x {picture.height} pixels"
        raise UnusableInput(f"{path}: Pillow cannot write {size} as {ending} ({error}); try .png") from error
    return memory.getvalue()


def write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, in the place of one of that name.

    Raise UnusableInput if it cannot be written.
    """
    target = path.resolve()
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        try:
            with beside.open("wb") as file:
                file.write(content)
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise UnusableInput(f"{path}: cannot be written: {error.strerror}; name a file in a folder that can") from error
