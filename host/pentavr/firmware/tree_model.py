# SPDX-License-Identifier: GPL-3.0-or-later
"""The decision tree of the fast search: which figures fit on the first free square, found out in few tests.

A *plan* is a list of figures in the order in which they are tried, each with the questions that come before it.
`grow` makes a graph of tests of it: what is already known on the way to a question is not asked again, and a figure
that is known not to fit is passed over. The plan decides how fast the tree is, never what it lays.

Squares are offsets from the anchor, the first free square, in a grid of 15 bytes a row: 1 is right of it, 15 below.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from pentavr.pentomino.figures import Figure

__all__ = ["Answers", "Clause", "Item", "Kind", "Node", "Role", "Test", "grow"]


class Kind(Enum):
    """What a test asks."""

    SQUARE = "square"
    """Is the square at this offset from the anchor free?"""
    PIECE = "piece"
    """Is this piece still to be laid?"""
    P_FIGURE = "figure of P"
    """Is P still to be laid, and may this orientation of it be used?"""


@dataclass(frozen=True, slots=True, order=True)
class Test:
    """A question with the answers yes and no; `which` is an offset, a piece's letter, or an orientation of P."""

    kind: Kind
    which: int | str


ANY_P = Test(Kind.PIECE, "P")

Answers = Mapping[Test, bool]


class Role(Enum):
    """What the answers of an item mean for the figure that follows."""

    NEED = "need"
    """One test, or two squares at once; unless the answers are these the figure cannot be laid."""
    HOLE = "hole"
    """With all of these answers the figure would close in squares that nothing can fill."""
    ASK = "ask"
    """One test, asked for the sake of figures further on."""


@dataclass(frozen=True, slots=True)
class Item:
    """Tests with the answers that count; the numbers of those that mostly do not count are in `unlikely`.

    The code goes straight on with the likely answer.
    """

    role: Role
    answers: tuple[tuple[Test, bool], ...]
    unlikely: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Clause:
    """The items before a figure (None: only asking), and the tests whose answers are remembered from here on.

    Ways that differ in a remembered answer have code of their own, from this clause on to the first that does not
    remember it; there they join, and what only some of them know is forgotten.
    """

    figure: Figure | None
    items: tuple[Item, ...]
    remembered: frozenset[Test] = frozenset()


@dataclass(slots=True, eq=False)
class Node:
    """Tests, a figure to lay, or (neither) the end; `known` holds on every way that leads here.

    `after` says where to go on: at True if all tests are answered yes, else at False; at True when a figure has been
    taken back. `likely` is the answer that the code goes straight on with.
    """

    place: tuple[int, int, int]
    tests: tuple[Test, ...] = ()
    likely: bool = True
    figure: Figure | None = None
    known: dict[Test, bool] = field(default_factory=dict)
    after: dict[bool, Node] = field(default_factory=dict)


def answer(known: Answers, test: Test) -> bool | None:
    """Return the answer of a test as far as it follows from what is known."""
    if test in known:
        return known[test]
    if test.kind is Kind.P_FIGURE and known.get(ANY_P) is False:
        return False
    if test == ANY_P and any(yes for other, yes in known.items() if other.kind is Kind.P_FIGURE):
        return True
    return None


def grow(plan: list[Clause]) -> Node:
    """Return the root of the graph of tests that goes through the plan."""
    return _Growth(plan).grow()


class _Growth:
    """Makes the nodes in the order of their places, so that all ways to a node are known before it is worked on."""

    def __init__(self, plan: list[Clause]) -> None:
        self.plan = plan
        self.nodes: dict[object, Node] = {}
        self.waiting: list[tuple[tuple[int, int, int], int, Node]] = []
        later: set[Test] = set()
        self.matters: list[set[Test]] = [set()]
        for clause in reversed(plan):
            later |= {test for item in clause.items for test, _ in item.answers}
            self.matters.insert(0, set(later))

    def grow(self) -> Node:
        root = self._reach((0, 0, 0), {})
        while self.waiting:
            place, _, node = heapq.heappop(self.waiting)
            if node.tests:
                self._work(node)
            elif node.figure is not None:
                node.after[True] = self._reach((place[0] + 1, 0, 0), node.known)
        return root

    def _work(self, node: Node) -> None:
        clause, item, number = node.place
        here = self.plan[clause].items[item]
        if here.role is Role.NEED:
            node.tests = tuple(test for test, _ in here.answers if answer(node.known, test) is None)
        places = {yes: self._step(node.place, yes) for yes in (True, False)}
        for yes, place in places.items():
            certain = dict.fromkeys(node.tests, yes) if yes or len(node.tests) == 1 else {}
            node.after[yes] = self._reach(place, {**node.known, **certain})
        nearer = node.after[True].place <= node.after[False].place
        node.likely = nearer is not (number in here.unlikely)

    def _step(self, place: tuple[int, int, int], yes: bool) -> tuple[int, int, int]:
        """Return where an answer leads in the plan."""
        clause, item, test = place
        role, answers = self.plan[clause].items[item].role, self.plan[clause].items[item].answers
        counts = yes == answers[test][1]
        if role is Role.HOLE and counts and test + 1 < len(answers):
            return clause, item, test + 1
        if role is Role.ASK or counts == (role is Role.NEED):
            return clause, item + 1, 0
        return clause + 1, 0, 0

    def _is_lost(self, place: tuple[int, int, int], known: Answers) -> bool:
        """Tell whether it is known already that the figure of this clause will not be laid."""
        clause, first, _ = place
        for item in self.plan[clause].items[first:]:
            if item.role is Role.NEED and any(answer(known, test) is (not yes) for test, yes in item.answers):
                return True
            if item.role is Role.HOLE and all(answer(known, test) is yes for test, yes in item.answers):
                return True
        return False

    def _reach(self, place: tuple[int, int, int], known: Answers) -> Node:
        """Return the node for the first question from `place` on whose answer is not known."""
        while place[0] < len(self.plan):
            clause, item, test = place
            if self._is_lost(place, known):
                place = (clause + 1, 0, 0)
            elif item < len(self.plan[clause].items):
                here = self.plan[clause].items[item]
                asked = here.answers if here.role is Role.NEED else here.answers[test : test + 1]
                answers = {answer(known, each) for each, _ in asked}
                if None in answers:
                    break
                place = self._step(place, all(answers))
            elif self.plan[clause].figure is None:
                place = (clause + 1, 0, 0)
            else:
                break
        return self._node(place, known)

    def _node(self, place: tuple[int, int, int], known: Answers) -> Node:
        clause, item, test = place
        at_end = clause == len(self.plan)
        remembered = frozenset() if at_end else self.plan[clause].remembered & self.matters[clause]
        key = (place, frozenset((test, yes) for test, yes in known.items() if test in remembered))
        node = self.nodes.get(key)
        if node is not None:
            node.known = {test: yes for test, yes in node.known.items() if answer(known, test) is yes}
            return node
        node = self.nodes[key] = Node(place, known=dict(known))
        if not at_end:
            items = self.plan[clause].items
            if item < len(items):
                node.tests = (items[item].answers[test][0],)
            else:
                node.figure = self.plan[clause].figure
            heapq.heappush(self.waiting, (place, len(self.nodes), node))
        return node
