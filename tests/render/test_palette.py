# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from pentavr.render.drawing import Colour
from pentavr.render.palette import BLACK, SEVEN, THREE, TWELVE, WHITE, contrast, text_on

# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
COLOUR_BLINDNESS = {
    "none": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}


def lab(colour: Colour, sight: str) -> np.ndarray:
    """CIELAB, D65, of what an eye with that sight sees."""
    srgb = np.array([colour.red, colour.green, colour.blue]) / 255
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(COLOUR_BLINDNESS[sight] @ linear, 0, 1)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ seen
    f = xyz / np.array([0.9505, 1.0, 1.089])
    f = np.where(f > (6 / 29) ** 3, np.cbrt(f), f / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("sight", COLOUR_BLINDNESS)
@pytest.mark.parametrize(("colours", "count", "least"), [(TWELVE, 12, 19), (SEVEN, 7, 22), (THREE, 3, 40)])
def test_colours_stay_apart_for_every_sight(colours: tuple[Colour, ...], count: int, least: float, sight: str) -> None:
    assert len(colours) == count
    distances = {
        pair: float(np.linalg.norm(lab(pair[0], sight) - lab(pair[1], sight))) for pair in combinations(colours, 2)
    }
    assert min(distances.values()) >= least, min(distances, key=lambda pair: distances[pair])


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#777777", "#ffffff", 4.48),
        ("#ffff00", "#ffffff", 1.07),
        ("#0000ff", "#ffffff", 8.59),
    ],
)
def test_contrast_is_what_the_published_checkers_give(one: str, other: str, ratio: float) -> None:
    colours = Colour.from_hex(one), Colour.from_hex(other)
    assert contrast(*colours) == contrast(*colours[::-1]) == pytest.approx(ratio, abs=0.005)


def test_text_is_black_on_yellow_and_white_on_blue() -> None:
    assert text_on(Colour.from_hex("#ffff00")) == BLACK
    assert text_on(Colour.from_hex("#0000ff")) == WHITE


@pytest.mark.parametrize("colour", [*TWELVE, *SEVEN, *THREE])
def test_every_colour_carries_readable_text(colour: Colour) -> None:
    assert contrast(colour, text_on(colour)) >= 4.5
