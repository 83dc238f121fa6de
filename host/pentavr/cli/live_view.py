# SPDX-License-Identifier: GPL-3.0-or-later
"""Solutions drawn one in place of the other while they come, with messages above them."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.live import Live

    from pentavr.pentomino.solution import Solution

__all__ = ["LiveView"]

REDRAW_S = 0.05
CAPTION_LINES = 2


class LiveView:
    """A terminal with the newest solution on it; without a terminal, the solutions in letters on standard output.

    With `only_data` standard output is left to something else, and only a terminal on standard error is drawn on.
    """

    def __init__(self, *, only_data: bool) -> None:
        self._stream = sys.stderr if only_data else sys.stdout
        self._prints_letters = not only_data and not self._stream.isatty()
        self._shown = 0
        self._newest: tuple[Solution, str] | None = None
        self._drawn_at = 0.0
        self._live: Live | None = None
        if self._stream.isatty():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(file=self._stream), auto_refresh=False, vertical_overflow="crop")

    def show(self, solution: Solution, caption: str) -> None:
        """Show a solution; several within a blink are not drawn each."""
        if self._prints_letters:
            print(f"{chr(10) if self._shown else ''}{solution}", flush=True)
        self._shown += 1
        self._newest = solution, caption
        self.refresh()

    def refresh(self, *, at_once: bool = False) -> None:
        """Draw what was left out, if it is time."""
        if self._live is None or self._newest is None:
            return
        now = time.monotonic()
        if at_once or now >= self._drawn_at + REDRAW_S:
            self._drawn_at = now
            self._draw(self._live, *self._newest)
            self._newest = None

    def say(self, message: str) -> None:
        """Write a message on standard error, above the drawing where both share a terminal."""
        self.refresh(at_once=True)
        if self._live is not None and self._live.is_started and sys.stderr.isatty():
            from rich.text import Text

            self._live.console.print(Text(message))
        else:
            print(message, file=sys.stderr, flush=True)

    def close(self) -> None:
        """Leave the last solution where it is."""
        self.refresh(at_once=True)
        if self._live is not None:
            self._live.stop()

    def _draw(self, live: Live, solution: Solution, caption: str) -> None:
        from rich.console import Group
        from rich.text import Text

        from pentavr.cli.pentomino_drawing import solution_drawing
        from pentavr.render import terminal

        columns, lines = live.console.size
        drawn = terminal.text(
            solution_drawing(solution),
            colour=terminal.has_colour(self._stream),
            room=(columns, lines - CAPTION_LINES),
        )
        live.start()
        live.update(Group(Text.from_ansi(drawn), Text(caption)), refresh=True)
