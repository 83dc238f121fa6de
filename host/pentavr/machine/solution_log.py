# SPDX-License-Identifier: GPL-3.0-or-later
"""The solutions of one search as they came over a line: repeats known by their numbers, and what is missing."""

from __future__ import annotations

from pentavr.errors import MachineFault
from pentavr.machine.line import Found

__all__ = ["AnotherSearch", "SolutionLog"]


class AnotherSearch(MachineFault):
    """What came belongs to another search than what came before: another board, other options, another build."""


class SolutionLog:
    """What was received of one search.

    A chip that was cut off from its supply goes on from its last record and sends the solutions after that again, with
    the numbers that they had.
    """

    def __init__(self) -> None:
        self._by_number: dict[int, Found] = {}
        self.first = 0
        """The least number received; 0 if there is none."""
        self.last = 0
        """The greatest number received; 0 if there is none."""

    def __len__(self) -> int:
        return len(self._by_number)

    def missing(self) -> list[int]:
        """List the numbers between the first and the last that did not come."""
        return [number for number in range(self.first, self.last) if number not in self._by_number]

    def take(self, found: Found) -> bool:
        """Note a solution and tell whether it is new; raise AnotherSearch if it cannot be of this search."""
        before = self._by_number.get(found.number)
        if before is not None:
            if before != found:
                raise AnotherSearch(
                    f"solution {found.number} came twice, and not the same; the chip has begun another search:\n"
                    f"{before.text}\n\n{found.text}"
                )
            return False
        for other in self._by_number.values():
            if _field(other) != _field(found):
                raise AnotherSearch(
                    f"solution {found.number} is of another board, {found.width}x{found.height}, than those before, "
                    f"{other.width}x{other.height}: the chip has begun another search"
                )
            break
        self._by_number[found.number] = found
        self.first = min(self.first or found.number, found.number)
        self.last = max(self.last, found.number)
        return True


def _field(found: Found) -> tuple[int, int, list[bool]]:
    return found.width, found.height, [letter == "." for letter in found.letters]
