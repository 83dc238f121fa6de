# SPDX-License-Identifier: GPL-3.0-or-later
"""What a host that listens to a chip takes for new, for a repeat, and for lost."""

from __future__ import annotations

import pytest

from pentavr.machine.line import Found
from pentavr.machine.solution_log import AnotherSearch, SolutionLog


def found(number: int, letters: str = "IIIII.....") -> Found:
    return Found(number, 5, 2, letters)


def taken(log: SolutionLog, *numbers: int) -> list[bool]:
    return [log.take(found(number)) for number in numbers]


def test_repeats_are_known_by_their_numbers() -> None:
    log = SolutionLog()
    assert taken(log, 1, 2, 3, 2, 3, 4) == [True, True, True, False, False, True]
    assert len(log) == 4
    assert log.missing() == []


def test_what_is_missing_is_listed_and_may_still_come() -> None:
    log = SolutionLog()
    taken(log, 3, 4, 7)
    assert (log.first, log.last, log.missing()) == (3, 7, [5, 6])
    taken(log, 6, 5)
    assert log.missing() == []


def test_an_empty_log_misses_nothing() -> None:
    log = SolutionLog()
    assert (log.first, log.last, log.missing(), len(log)) == (0, 0, [], 0)


@pytest.mark.parametrize(
    "other",
    [found(2, "LLLLL....."), found(3, ".....IIIII"), Found(3, 2, 5, "IIIII.....")],
    ids=["another solution of that number", "other blocked squares", "other sides"],
)
def test_a_solution_of_another_search_is_refused(other: Found) -> None:
    log = SolutionLog()
    taken(log, 1, 2)
    with pytest.raises(AnotherSearch):
        log.take(other)
    assert (log.last, len(log)) == (2, 2)
