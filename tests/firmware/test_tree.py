# SPDX-License-Identifier: GPL-3.0-or-later
"""What the decision tree lays, read off the committed `tree.inc` by an interpreter of its words."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from pentavr.firmware import tree_writer

TREE = Path(__file__).parents[2] / "firmware" / "tree.inc"

PIECES = "FILNPTUVWXYZ"

# Drawn here once more, so that a wrong figure in the tree is not measured by itself.
DRAWN = {
    "F": (".##", "##.", ".#."),
    "I": ("#####",),
    "L": ("####", "#..."),
    "N": ("##..", ".###"),
    "P": ("###", "##."),
    "T": ("###", ".#.", ".#."),
    "U": ("#.#", "###"),
    "V": ("###", "#..", "#.."),
    "W": ("#..", "##.", ".##"),
    "Y": ("####", ".#.."),
    "Z": ("##.", ".#.", ".##"),
}

STRIDE = 15
ROWS = 6
"""Rows of the neighbourhood that the tests make up; what lies beyond may be free or not."""

Square = tuple[int, int]


def normal(squares: Collection[Square]) -> tuple[Square, ...]:
    """Move the squares (row, column) so that the first in reading order is at (0, 0)."""
    row, column = min(squares)
    return tuple(sorted((r - row, c - column) for r, c in squares))


def shapes() -> dict[tuple[Square, ...], str]:
    found = {}
    for piece, rows in DRAWN.items():
        squares = [(r, c) for r, line in enumerate(rows) for c, mark in enumerate(line) if mark == "#"]
        for _ in range(2):
            squares = [(r, -c) for r, c in squares]
            for _ in range(4):
                squares = [(c, -r) for r, c in squares]
                found[normal(squares)] = piece
    return found


SHAPES = shapes()


def square(offset: int) -> Square:
    row = (offset + STRIDE // 2) // STRIDE
    return row, offset - STRIDE * row


@dataclass(frozen=True)
class Step:
    macro: str
    arguments: tuple[str, ...]


class Tree:
    """The lines of tree.inc, to be walked."""

    def __init__(self, text: str) -> None:
        self.steps: list[Step] = []
        self.labels: dict[str, int] = {}
        for line in text.splitlines():
            code = line.partition(";")[0].strip()
            if code.endswith(":"):
                assert code[:-1] not in self.labels
                self.labels[code[:-1]] = len(self.steps)
            elif code and not code.startswith("."):
                macro, _, arguments = code.partition(" ")
                self.steps.append(Step(macro, tuple(word.strip() for word in arguments.split(",") if word.strip())))

    def walk(self, is_free: Callable[[int], bool], has: Callable[[str, int], bool]) -> Iterator[Step]:
        """Go through the tree and give the LAY steps on the way; `has` tells a bit of a register."""
        at = self.labels["figure_laid"]
        while True:
            step = self.steps[at]
            at += 1
            words = step.arguments
            match step.macro.removesuffix("_FAR"):
                case "LEAVE":
                    return
                case "LAY" | "LAY_P":
                    yield step
                    continue
                case "GO":
                    so = False
                case "FREE":
                    so = is_free(int(words[0]))
                case "FULL":
                    so = not is_free(int(words[0]))
                case "BOTH":
                    so = is_free(int(words[0])) and is_free(int(words[1]))
                case "MISS":
                    so = not (is_free(int(words[0])) and is_free(int(words[1])))
                case "HAVE":
                    so = has(words[0], int(words[1]))
                case "LACK":
                    so = not has(words[0], int(words[1]))
                case "HAVE_P":
                    so = any(has("p_figures", bit) for bit in range(8))
                case "LACK_P":
                    so = not any(has("p_figures", bit) for bit in range(8))
                case other:
                    pytest.fail(f"unknown word {other}")
            if not so:
                at = self.labels[words[-1]]


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree(TREE.read_text())


def offsets(step: Step) -> tuple[int, ...]:
    return tuple(int(word) for word in step.arguments[2:6])


def piece_of(step: Step) -> str:
    return SHAPES[normal([(0, 0), *map(square, offsets(step))])]


def test_committed_tree_is_what_would_be_generated() -> None:
    assert TREE.read_text() == tree_writer.text()


def test_each_figure_but_x_is_laid_as_its_own_piece(tree: Tree) -> None:
    laid = [step for step in tree.steps if step.macro.startswith("LAY")]
    covered = {normal([(0, 0), *map(square, offsets(step))]) for step in laid}
    assert covered == set(SHAPES)
    assert len(SHAPES) == 62
    number_of = {offsets(step): step.arguments[0] for step in laid}
    assert len(set(number_of.values())) == 62
    for step in laid:
        assert number_of[offsets(step)] == step.arguments[0]
        if step.macro == "LAY":
            register, bit = step.arguments[6:]
            assert PIECES[int(bit) + 8 * (register == "pieces_b")] == piece_of(step) != "P"
        else:
            assert piece_of(step) == "P"


def test_comments_draw_what_is_laid() -> None:
    drawn = 0
    for line in TREE.read_text().splitlines():
        match = re.search(r"\bLAY(?:_P)? .*; (\w)\d  (.*)", line)
        if match:
            rows = match[2].split(" / ")
            squares = [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#"]
            step = Tree(line).steps[0]
            assert normal(squares) == normal([(0, 0), *map(square, offsets(step))])
            assert SHAPES[normal(squares)] == match[1]
            drawn += 1
    assert drawn >= 62


@dataclass
class Neighbourhood:
    """A first free square with its surroundings: `full` holds the squares that are not free."""

    full: set[Square]
    pieces: set[str]
    p_bits: set[int]

    def is_free(self, offset: int) -> bool:
        return square(offset) not in self.full

    def has(self, register: str, bit: int) -> bool:
        if register == "p_figures":
            return bit in self.p_bits
        return PIECES[bit + 8 * (register == "pieces_b")] in self.pieces

    def fits(self, shape: Collection[Square]) -> bool:
        return not any(each in self.full for each in shape)

    def closes_in(self, shape: Collection[Square]) -> bool:
        """Tell whether laying the shape leaves a part of one to three squares that nothing can reach."""
        taken = set(shape)
        return any(
            len(part) <= 3
            for start in {(r + dr, c + dc) for r, c in shape for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))}
            if (part := self._part(start, taken))
        )

    def _part(self, start: Square, taken: set[Square]) -> set[Square]:
        part: set[Square] = set()
        todo = [start]
        while todo and len(part) <= 3:
            row, column = todo.pop()
            here = (row, column)
            if here in part or here in taken or here in self.full or row < 0 or (row == 0 and column < 0):
                continue
            part.add(here)
            if row >= ROWS or abs(column) > STRIDE // 2:
                return set("open")  # type: ignore[arg-type]
            todo += [(row, column + 1), (row + 1, column), (row, column - 1), (row - 1, column)]
        return part


def neighbourhoods() -> Iterator[Neighbourhood]:
    picks = random.Random(60)  # noqa: S311 - no secrets here
    everywhere = [(r, c) for r in range(ROWS) for c in range(-7, 8) if (r, c) > (0, 0)]
    nearest = [square(offset) for offset in (1, 2, 13, 14, 15, 16, 17, 29, 30, 31)]
    for states in product((False, True), repeat=len(nearest)):
        for density in (0.0, 0.5, 1.0):
            full = {each for each in everywhere if each not in nearest and picks.random() < density}
            full |= {each for each, state in zip(nearest, states, strict=True) if state}
            yield Neighbourhood(full, set(PIECES), set(range(8)))
    for _ in range(12_000):
        density = picks.uniform(0, 0.9)
        pieces = {piece for piece in PIECES if picks.random() < picks.choice((0.3, 0.9))}
        p_bits = {bit for bit in range(8) if "P" in pieces and picks.random() < 0.8}
        yield Neighbourhood({each for each in everywhere if picks.random() < density}, pieces, p_bits)


def test_tree_lays_what_fits_unless_it_closes_in_a_hole(tree: Tree) -> None:
    by_shape: dict[tuple[Square, ...], tuple[str, int]] = {}
    for step in tree.steps:
        if step.macro.startswith("LAY"):
            shape = normal([(0, 0), *map(square, offsets(step))])
            by_shape[shape] = (piece_of(step), int(step.arguments[0]))
    first_p = min(number for piece, number in by_shape.values() if piece == "P")
    left_out = 0
    for neighbourhood in neighbourhoods():
        laid = [int(step.arguments[0]) for step in tree.walk(neighbourhood.is_free, neighbourhood.has)]
        assert len(laid) == len(set(laid)), "a figure is laid twice"
        allowed = {
            number: shape
            for shape, (piece, number) in by_shape.items()
            if (number - first_p in neighbourhood.p_bits if piece == "P" else piece in neighbourhood.pieces)
            if neighbourhood.fits(shape)
        }
        assert set(laid) <= set(allowed)
        for number in set(allowed) - set(laid):
            assert neighbourhood.closes_in(allowed[number]), (number, sorted(neighbourhood.full))
            left_out += 1
    assert left_out > 1000


def test_search_goes_on_at_the_first_square_that_can_be_free(tree: Tree) -> None:
    laid = 0
    for neighbourhood in neighbourhoods():
        for step in tree.walk(neighbourhood.is_free, neighbourhood.has):
            start = int(step.arguments[1].removeprefix("to_").removeprefix("from_"))
            assert all(offset in offsets(step) or not neighbourhood.is_free(offset) for offset in range(1, start))
            laid += 1
    assert laid > 10_000


X_SHAPE = ((0, 0), (1, -1), (1, 0), (1, 1), (2, 0))


def completions(tree: Tree, free: frozenset[Square], pieces: frozenset[str]) -> Iterator[frozenset[tuple[Square, ...]]]:
    """Give every way to fill the free squares, each as the set of the shapes laid."""
    if not free:
        yield frozenset()
        return
    row, column = min(free)

    def is_free(offset: int) -> bool:
        down, right = square(offset)
        return (row + down, column + right) in free

    def has(register: str, bit: int) -> bool:
        return ("P" if register == "p_figures" else PIECES[bit + 8 * (register == "pieces_b")]) in pieces

    for step in list(tree.walk(is_free, has)):
        shape = tuple((row + r, column + c) for r, c in [(0, 0), *map(square, offsets(step))])
        for others in completions(tree, free - frozenset(shape), pieces - {piece_of(step)}):
            yield others | {shape}


def turned(solution: frozenset[tuple[Square, ...]], width: int, height: int) -> list[list[list[Square]]]:
    """Give a solution as the symmetries of its rectangle show it."""
    turns: list[Callable[[int, int], Square]] = [
        lambda r, c: (r, c),
        lambda r, c: (height - 1 - r, c),
        lambda r, c: (r, width - 1 - c),
        lambda r, c: (height - 1 - r, width - 1 - c),
    ]
    if width == height:
        turns += [lambda r, c, turn=turn: turn(c, r) for turn in turns]  # type: ignore[misc]
    return [sorted(sorted(turn(r, c) for r, c in shape) for shape in solution) for turn in turns]


@pytest.mark.parametrize(("width", "height", "count"), [(3, 5, 7), (4, 5, 50), (5, 5, 107), (3, 20, 2)])
def test_search_by_the_tree_finds_the_published_number(tree: Tree, width: int, height: int, count: int) -> None:
    """Count different solutions with any of the pieces; the tree does not lay X, so it is laid before."""
    board = frozenset(product(range(height), range(width)))
    pieces = frozenset(PIECES) - {"X"}
    found = set(completions(tree, board, pieces)) if len(board) < 60 else set()
    for row, column in board:
        cross = tuple((row + r, column + c) for r, c in X_SHAPE)
        # Upside down, X is in the upper half of the long board once more.
        if board.issuperset(cross) and (len(board) < 60 or row < height // 2 - 1):
            found |= {others | {cross} for others in completions(tree, board - frozenset(cross), pieces)}
    assert len({str(min(turned(solution, width, height))) for solution in found}) == count
