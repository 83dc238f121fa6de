# SPDX-License-Identifier: GPL-3.0-or-later
"""The benchmark of the tangram measures what it says."""

from __future__ import annotations

import pytest

from pentavr.cli.benchmarks import tangram
from pentavr.errors import CheckFailed


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tangram, "CONVEX", ("convex10", "convex13"))
    monkeypatch.setattr(tangram, "_ROUNDS", 1)
    monkeypatch.setattr(tangram, "_SLOW_ROUNDS", 1)


def test_every_solver_has_its_times_and_every_way_its_row() -> None:
    solvers, pictures = tangram.measure()
    assert [row[:2] for row in solvers.rows] == [("convex10", 4), ("convex13", 8), ("median", None), ("worst", None)]
    assert {column.split()[0] for column in solvers.columns} >= {"exact-cover", "algorithm-x", "reference"}
    for table, first in ((solvers, 2), (pictures, 3)):
        for row in table.rows:
            assert len(row) == len(table.columns)
            assert all(isinstance(value, float) and value > 0 for value in row[first:])
    assert [row[2] for row in pictures.rows] == [15, 150, None]
    ten, thirteen, middle, worst = solvers.rows
    for column in range(2, len(solvers.columns)):
        values = sorted((float(str(ten[column])), float(str(thirteen[column]))))
        assert middle[column] == pytest.approx(sum(values) / 2)
        assert worst[column] == values[1]


def test_a_package_that_is_not_there_leaves_its_columns_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tangram, "_is_installed", lambda package: package == "exact-cover")
    solvers = next(tangram.measure())
    at = solvers.columns.index("algorithm-x first ms")
    assert {row[at : at + 2] for row in solvers.rows} == {(None, None)}
    assert "not installed: algorithm-x" in solvers.note


def test_a_package_that_finds_others_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tangram, "_algorithm_x", lambda *_: [])
    with pytest.raises(CheckFailed, match="algorithm-x finds 0 solutions of convex10, the solver here 4 others"):
        next(tangram.measure())
