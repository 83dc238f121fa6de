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
        "#8d1828",
        "#eeaf32",
        "#4097b0",
        "#cbc5fb",
        "#7eab4b",
        "#cd6477",
        "#662d88",
        "#f9db8b",
        "#796c0e",
        "#8fe0c4",
        "#8a77de",
        "#763155",
    )
)
"""One colour for each pentomino, in the order of `FILNPTUVWXYZ`.

Found by a search in OKLCH for the greatest least distance as trichromats and as the three kinds of dichromats see them:
no two are nearer than 19 in CIELAB to any of these eyes (the least visible step is 2.3).
"""

SEVEN = tuple(TWELVE[index] for index in (0, 9, 2, 1, 10, 3, 8))
"""One colour for each tangram piece: those of the twelve that lie farthest apart."""

THREE = tuple(TWELVE[index] for index in (9, 1, 6))
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
