# SPDX-License-Identifier: GPL-3.0-or-later
"""The thirteen convex shapes that the seven pieces make."""

from __future__ import annotations

from pentavr.errors import UnusableInput
from pentavr.tangram.silhouette import Silhouette

__all__ = ["CONVEX", "convex"]

CONVEX = {
    "convex01": "b###/.b##/..b#/...b",
    "convex02": "##/##/##/##",
    "convex03": "##/##/##/b#/.b",
    "convex04": "d./#d/##/##/#a/a.",
    "convex05": "d./#d/##/##/b#/.b",
    "convex06": "d../#d./##d/##a/ba.",
    "convex07": ".cd./c##d/b##a/.ba.",
    "convex08": "#d./##d/##a/#a.",
    "convex09": "d../#d./##d/b##/.ba",
    "convex10": "#d./##d/b##/.b#",
    "convex11": "##d/###/b##",
    "convex12": "###/###/b#a",
    "convex13": "cd/##/##/##/ba",
}
"""Their names and drawings; there are no others.

Source: F. T. Wang and C.-C. Hsiung, A Theorem on the Tangram, American Mathematical Monthly 49 (1942).
"""


def convex(name: str) -> Silhouette:
    """Give one of the thirteen by its name.

    Raise UnusableInput if there is none of that name.
    """
    if name not in CONVEX:
        raise UnusableInput(f"{name!r} is none of the convex shapes; they are {', '.join(CONVEX)}")
    return Silhouette.parse(CONVEX[name])
