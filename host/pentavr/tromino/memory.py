# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether an array would fit into memory, asked before it is allocated."""

from __future__ import annotations

import os
from pathlib import Path

from pentavr.errors import UnusableInput

__all__ = ["available_bytes", "human_bytes", "require_memory"]


def require_memory(needed_bytes: int, what: str) -> None:
    """Raise UnusableInput that speaks of `what` if memory cannot hold so many bytes."""
    free = available_bytes()
    if free is not None and needed_bytes > free:
        raise UnusableInput(
            f"{what} would take {human_bytes(needed_bytes)} of memory, and {human_bytes(free)} are free: "
            "take a smaller board, or its rows one by one"
        )


def available_bytes() -> int | None:
    """Return how much memory can be had without swapping, None where the system does not tell."""
    limits = [limit for limit in (_system(), _control_group()) if limit is not None]
    return min(limits, default=None)


def human_bytes(count: int) -> str:
    """Write a number of bytes in the largest fitting unit, or as a power of 2 where no unit reaches."""
    if count >> 70:
        return f"2^{count.bit_length() - 1} bytes"
    unit = max(0, (count.bit_length() - 1) // 10)
    return f"{count >> 10 * unit} bytes" if unit == 0 else f"{count / (1 << 10 * unit):.3g} {' KMGTPE'[unit]}iB"


def _system() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
    except (OSError, ValueError):
        pass
    if hasattr(os, "sysconf") and {"SC_PHYS_PAGES", "SC_PAGE_SIZE"} <= os.sysconf_names.keys():
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def _control_group() -> int | None:
    here = Path("/sys/fs/cgroup")
    try:
        limit, used = (int((here / name).read_text(encoding="ascii")) for name in ("memory.max", "memory.current"))
        lines = (here / "memory.stat").read_text(encoding="ascii").splitlines()
        cached = sum(int(line.split()[1]) for line in lines if line.startswith("inactive_file "))
    except (OSError, ValueError):  # no such group, or no limit ("max")
        return None
    return max(0, limit - used + cached)
