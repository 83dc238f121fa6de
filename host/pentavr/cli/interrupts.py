# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl-C at a moment when it does no harm."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["held"]


@contextmanager
def held() -> Iterator[None]:
    """Hold Ctrl-C back until the block is done, so that it cuts no line of output in two."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
