# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of any raster format that Pillow reads, as ink and as silhouettes."""

from __future__ import annotations

import warnings
from dataclasses import replace
from io import BytesIO
from math import ceil

import numpy as np
from PIL import Image, ImageChops, ImageOps, UnidentifiedImageError

from pentavr.errors import UnusableInput
from pentavr.tangram import reading
from pentavr.tangram.fitting import Ink
from pentavr.tangram.source import Source

__all__ = ["ink", "load", "read"]

_LEAST_CONTRAST = 0.1
_LARGE_PX = 4096
_DEEP_WHITE = 65535


def load(content: bytes) -> Image.Image:
    """Open the first picture of a file and turn it upright as its EXIF note says.

    Raise UnusableInput if Pillow cannot read it, or if it has more pixels than Pillow's bound against decompression
    bombs.
    """
    try:
        with warnings.catch_warnings():
            # Up to twice the bound Pillow only warns.
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            picture = Image.open(BytesIO(content))
            picture.load()
            return ImageOps.exif_transpose(picture)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        limit = Image.MAX_IMAGE_PIXELS or 0
        raise UnusableInput(f"the picture has more than {limit:,} pixels, no more are read; make it smaller") from error
    except UnidentifiedImageError as error:
        raise UnusableInput(
            "neither a picture that Pillow knows, nor a text of 0 and 1, nor one of . # a b c d"
        ) from error
    except Exception as error:  # a broken file makes Pillow's decoders raise almost anything
        raise UnusableInput(f"the picture is broken: {error}") from error


def read(picture: Image.Image, *, grid: float | None = None, invert: bool | None = None) -> Source:
    """Find the shape in a picture, as `reading.read` does."""
    # More than a few thousand pixels a side tell nothing more.
    factor = ceil(max(picture.size) / _LARGE_PX)
    found = reading.read(ink(picture, factor), grid=grid, invert=invert, factor=factor)
    return replace(found, size=picture.size)


def ink(picture: Image.Image, factor: int = 1) -> Ink:
    """Give how dark each pixel is on white paper, 0 to 1, or each block of factor x factor pixels on average.

    What is transparent is paper; if nothing can be seen on it, what is opaque is the ink.
    """
    shade = _deep(picture) if picture.mode.startswith(("I", "F")) else _shade(picture)
    return np.float32(1) - np.asarray(shade.reduce(factor), dtype=np.float32) / np.float32(255)


def _shade(picture: Image.Image) -> Image.Image:
    """Give the picture in grey on white paper."""
    if picture.mode == "LAB":
        return picture.getchannel("L")
    if not picture.has_transparency_data:
        return (picture if picture.mode in ("1", "L") else picture.convert("RGB")).convert("L")
    picture = picture.convert("RGBA")
    laid = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("L")
    if np.ptp(np.asarray(laid)) < 255 * _LEAST_CONTRAST:
        return ImageChops.invert(picture.getchannel("A"))
    return laid


def _deep(picture: Image.Image) -> Image.Image:
    """Bring more than eight bits a pixel down to the range of 255, spread out if they use next to nothing of theirs."""
    values = np.nan_to_num(np.asarray(picture, dtype=np.float32))
    lowest, highest = float(values.min()), float(values.max())
    white = max(highest, 1.0 if picture.mode.startswith("F") else _DEEP_WHITE)
    black = min(lowest, 0.0)
    paper = picture.info.get("transparency")
    if isinstance(paper, int):
        values[values == paper] = white
    elif 0 < highest - lowest < _LEAST_CONTRAST * (white - black):
        white, black = highest, lowest
    return Image.fromarray((values - np.float32(black)) * np.float32(255 / (white - black)))
