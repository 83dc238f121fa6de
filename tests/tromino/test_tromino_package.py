# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import doctest

from pentavr import tromino


def test_the_examples_of_the_package_are_true() -> None:
    assert doctest.testmod(tromino) == doctest.TestResults(failed=0, attempted=3)


def test_all_that_is_offered_is_there() -> None:
    assert all(hasattr(tromino, name) for name in tromino.__all__)
    assert sorted(tromino.__all__) == tromino.__all__
