# SPDX-License-Identifier: GPL-3.0-or-later
"""The tangram solver beside packages for exact covers, and how long a picture takes to become another."""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median

from pentavr.cli.benchmarks.table import Table, Value
from pentavr.errors import CheckFailed
from pentavr.tangram import CONVEX, SEVEN, Dissection, Silhouette, convex, reference, solve
from pentavr.tangram.solver import Layings, layings

__all__ = ["measure"]

_ROUNDS = 20
_SLOW_ROUNDS = 3

Cover = frozenset[int]
"""The masks of the pieces laid."""


def measure() -> Iterator[Table]:
    """Time the thirteen convex shapes with every solver, then the way from a picture to a picture."""
    yield _solvers()
    yield _pictures()


def _solvers() -> Table:
    others = {"exact-cover": _exact_cover, "algorithm-x": _algorithm_x}
    missing = [name for name in others if not _is_installed(name)]
    columns = ["first ms", "all ms"]
    columns += [f"{name} {what} ms" for name in others for what in ("first", "all")]
    columns += ["reference all ms"]
    rows: list[tuple[Value, ...]] = []
    for name in CONVEX:
        silhouette = convex(name)
        solutions = list(solve(silhouette))
        times: list[float | None] = [
            _best_ms(partial(_first, silhouette)),
            _best_ms(partial(_exhaust, solve, silhouette)),
        ]
        for package, solver in others.items():
            if package in missing:
                times += [None, None]
            else:
                _check(package, name, set(solver(silhouette, False)), solutions)
                times += [_best_ms(partial(solver, silhouette, first), _SLOW_ROUNDS) for first in (True, False)]
        times.append(_best_ms(partial(_exhaust, reference.solve, silhouette), 1))
        rows.append((name, len(solutions), *times))
    summaries: list[tuple[Value, ...]] = [
        (title, None, *(_summary(summary, [row[column] for row in rows]) for column in range(2, len(columns) + 2)))
        for title, summary in (("median", median), ("worst", max))
    ]
    note = (
        f"processor time from the silhouette on, best of {_ROUNDS}, of the others best of {_SLOW_ROUNDS}, of the "
        "reference once; goals: medians 0.15 ms to the first and 0.3 ms to all solutions, none over 1 ms"
    )
    if missing:
        note += f"; not installed: {', '.join(missing)}"
    title = "Dissections of the 13 convex tangrams"
    return Table(title, ("shape", "solutions", *columns), (*rows, *summaries), note=note)


def _summary(summary: Callable[[list[float]], float], values: Iterable[Value]) -> float | None:
    numbers = [value for value in values if isinstance(value, float)]
    return summary(numbers) if numbers else None


def _first(silhouette: Silhouette) -> Dissection:
    return next(solve(silhouette))


def _exhaust(search: Callable[[Silhouette], Iterable[object]], silhouette: Silhouette) -> None:
    for _ in search(silhouette):
        pass


def _is_installed(package: str) -> bool:
    from importlib.metadata import PackageNotFoundError, version

    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


def _best_ms(work: Callable[[], object], rounds: int = _ROUNDS) -> float:
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return 1e3 * best


def _check(package: str, name: str, covers: set[Cover], solutions: list[Dissection]) -> None:
    placement = layings(convex(name)).placement
    found = {frozenset(placement(mask) for mask in cover) for cover in covers}
    if found != {frozenset(solution.placements) for solution in solutions}:
        raise CheckFailed(f"{package} finds {len(found)} solutions of {name}, the solver here {len(solutions)} others")


def _choices(found: Layings) -> Iterator[tuple[int, list[int]]]:
    """Give each mask with the items that it covers: its quarter squares, then which of the seven pieces it is."""
    quarters = found.everything.bit_length()
    for number, piece in enumerate(SEVEN):
        for mask in found.masks[piece]:
            yield mask, [*(bit for bit in range(quarters) if mask >> bit & 1), quarters + number]


def _exact_cover(silhouette: Silhouette, first: bool) -> list[Cover]:
    import exact_cover
    import numpy as np

    found = layings(silhouette)
    choices = list(_choices(found))
    matrix = np.zeros((len(choices), found.everything.bit_length() + len(SEVEN)), dtype=np.int32)
    for row, (_, items) in enumerate(choices):
        matrix[row, items] = 1
    covers = [exact_cover.get_exact_cover(matrix)] if first else exact_cover.get_all_solutions(matrix)
    return [frozenset(choices[row][0] for row in cover) for cover in covers]


def _algorithm_x(silhouette: Silhouette, first: bool) -> list[Cover]:
    from algorithm_x import AlgorithmX

    found = layings(silhouette)
    solver = AlgorithmX(found.everything.bit_length() + len(SEVEN))
    for mask, items in _choices(found):
        solver.appendRow(items, mask)
    return [frozenset(cover) for cover in islice(solver.solve(), 1 if first else None)]


def _pictures() -> Table:
    from PIL import Image

    from pentavr.tangram import raster, source

    shape = source.from_silhouette(Silhouette(tuple(f".{row}." for row in ("...", *convex("convex06").rows, "..."))))
    blank = raster.picture(shape, next(solve(shape.silhouette)), laid=0)
    given = raster.encoded(blank, ".png")

    def to_picture() -> bytes:
        found = source.from_bytes(given)
        return raster.encoded(raster.picture(found, next(solve(found.silhouette))), ".png")

    with Image.open(io.BytesIO(to_picture())) as out:
        if out.size != shape.size:
            raise CheckFailed(f"the picture came out {out.size}, expected {shape.size}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shape.png"
        path.write_bytes(given)
        rows = (
            ("a picture to a picture, in a running program", _best_ms(to_picture), 15.0),
            ("pentavr tangram --help, from start to end", _best_run_ms("--help"), 150.0),
            ("pentavr tangram in.png -o out.png, likewise", _best_run_ms(path, "-o", path.with_name("out.png")), None),
        )
    return Table(
        f"From a picture of {shape.size[0]} x {shape.size[1]} pixels to a picture",
        ("what", "ms", "goal ms"),
        rows,
        note=f"processor time, best of {_ROUNDS}; wall clock of a process of its own, best of {_SLOW_ROUNDS}",
    )


def _best_run_ms(*words: str | Path) -> float:
    best = float("inf")
    for _ in range(_SLOW_ROUNDS):
        started = time.perf_counter()
        command = [sys.executable, "-m", "pentavr", "tangram", *map(str, words)]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        best = min(best, time.perf_counter() - started)
    return 1e3 * best
