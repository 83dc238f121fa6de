# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours that stay apart for colour-blind eyes, and the text colour that is read best on each."""

from __future__ import annotations

from pentavr.render.drawing import Colour

__all__ = ["BLACK", "SEVEN", "THREE", "TWELVE", "WHITE", "contrast", "text_on"]

BLACK = Colour(0, 0, 0)
WHITE = Colour(255, 255, 255)

TWELVE = tuple(
    Colour.from_hex(text)
    for text in (
        "#882255",
        "#44aa99",
        "#ddcc77",
        "#332288",
        "#88ccee",
        "#cc6677",
        "#117733",
        "#eedd88",
        "#aa4499",
        "#999933",
        "#4477aa",
        "#dddddd",
    )
)
"""One colour for each pentomino, in the order of `FILNPTUVWXYZ`."""

SEVEN = TWELVE[:7]
"""One colour for each tangram piece."""

THREE = (TWELVE[1], TWELVE[2], TWELVE[5])
"""Enough to keep neighbouring L-trominoes apart."""


def contrast(one: Colour, other: Colour) -> float:
    """Give the contrast ratio of two colours, 1 to 21, as WCAG 2.1 defines it."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def text_on(background: Colour) -> Colour:
    """Give black or white, whichever reads better on the background."""
    return max(BLACK, WHITE, key=lambda ink: contrast(ink, background))


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(channel / 255) for channel in (colour.red, colour.green, colour.blue))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)
