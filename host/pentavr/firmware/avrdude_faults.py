# SPDX-License-Identifier: GPL-3.0-or-later
"""What avrdude's complaints mean and what to do about them, in the words of its versions 6.3 to 8."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum

from pentavr.errors import CheckFailed, LimitReached, MachineFault, PentavrError, UnusableInput
from pentavr.firmware.parts import parts_with
from pentavr.firmware.programmers import PROGRAMMERS, Connection
from pentavr.firmware.serial_ports import listed, no_permission

__all__ = ["Failure", "explain"]

LAST_WORDS = 6
"""How many lines of avrdude are shown where none is known."""

AGAIN = "the chip may hold a part of a program now; once the cause is removed, flash it again"


class Failure(Enum):
    """How avrdude came to its end."""

    EXIT = "it ended with an error"
    PORT_GONE = "its port went away"
    TIME_OVER = "its time was over"


def explain(said: str, failure: Failure, way: Connection) -> PentavrError:
    """Make the error to raise from what avrdude has said to its standard error; the line that decided is quoted."""
    if failure is Failure.PORT_GONE:
        return MachineFault(f"the line was cut: the port {way.port} went away in the middle of the work; {AGAIN}")
    for pattern, make in EXPLANATIONS:
        match = re.search(pattern, said, re.IGNORECASE)
        if match is not None:
            error = make(match, said, way)
            return type(error)(f"{error}\n  {_line_of(match)}")
    last = "".join(f"\n  {line}" for line in list(_lines(said))[-LAST_WORDS:])
    if failure is Failure.TIME_OVER:
        limit = f"avrdude did not end within the limit of {way.time_limit_s:g} s"
        return LimitReached(f"{limit}; {AGAIN}, or raise the limit{last}")
    return MachineFault(f"avrdude failed with {way}:{last or ' it said nothing'}")


def _wrong_signature(match: re.Match[str], said: str, way: Connection) -> PentavrError:
    del match
    found = re.findall(r"device signature = (?:0x)?([0-9a-f]{2} ?[0-9a-f]{2} ?[0-9a-f]{2})", said, re.IGNORECASE)
    signature = int(found[-1].replace(" ", ""), 16) if found else 0
    part = way.part
    if signature in (0x000000, 0xFFFFFF):
        return MachineFault(
            f"no chip answers behind {way}: its signature reads 0x{signature:06x}, expected 0x{part.signature:06x} of "
            f"the {part.name}; {CHECK_THE_CHIP}"
        )
    names = [other.name for other in parts_with(signature)]
    if names:
        remedy = f"that is an {' or '.join(names)}: say --mcu {names[0]}, or MCU={names[0]} with make"
    else:
        remedy = "the firmware is not made for such a chip, or the wires are loose"
    return MachineFault(
        f"wrong chip: its signature is 0x{signature:06x}, expected 0x{part.signature:06x} of the {part.name}; "
        f"{remedy}. Nothing was written"
    )


CHECK_THE_CHIP = (
    "check its supply, the wires MISO, MOSI, SCK, RESET and GND, and its crystal if the fuses ask for one; a slow chip "
    "needs a slow programmer, --bit-clock 10 or more"
)


def _mismatch(match: re.Match[str], said: str, way: Connection) -> PentavrError:
    del match
    memories = re.findall(r"verifying (\w+)|(\w+) verification mismatch", said, re.IGNORECASE)
    memory = "".join(memories[-1]) if memories else "flash"
    where = re.search(r"(?:at addr|mismatch at byte) (0x[0-9a-f]+)", said, re.IGNORECASE)
    place = f" at {where[1]}" if where and memory == "flash" else ""
    if memory == "flash":
        remedy = "flash it, once more if that was just done; if it comes again, look for a bad wire, supply or chip"
    else:
        remedy = "a boot loader reaches no fuses; at the ISP pins look for a bad wire"
    what = f"the {memory} of the {way.part.name} is not the one expected"
    return CheckFailed(f"verification failed: {what}{place}; {remedy}")


def _no_such_programmer(match: re.Match[str], said: str, way: Connection) -> PentavrError:
    del match, said
    return UnusableInput(
        f"avrdude knows no programmer {way.programmer!r}; usual ones are {', '.join(PROGRAMMERS)}, and avrdude -c ? "
        "lists all"
    )


def _no_usb_device(match: re.Match[str], said: str, way: Connection) -> PentavrError:
    del match, said
    return MachineFault(
        f"no programmer {way.programmer} on USB: is it plugged in, and listed by lsusb? For one at a serial port say "
        "--programmer arduino --port"
    )


def _no_usb_permission(match: re.Match[str], said: str, way: Connection) -> PentavrError:
    del match, said
    return MachineFault(
        f"no permission to use the programmer {way.programmer} on USB: a udev rule has to give it to you, as "
        "firmware/README.md shows"
    )


def _no_port(match: re.Match[str], said: str, way: Connection) -> PentavrError:
    del match
    if re.search("permission denied", said, re.IGNORECASE):
        return UnusableInput(f"{way.port}: {no_permission()}")
    if re.search("busy", said, re.IGNORECASE):
        return MachineFault(f"{way.port} is busy: close the terminal or monitor that has it open")
    return UnusableInput(f"{way.port} cannot be opened as a serial port; {listed()}")


def _no_chip(match: re.Match[str], said: str, way: Connection) -> PentavrError:
    del match, said
    return MachineFault(f"the programmer {way} is there, but no chip answers it; {CHECK_THE_CHIP}")


def _silence(match: re.Match[str], said: str, way: Connection) -> PentavrError:
    del match
    if re.search("ready to accept instructions", said, re.IGNORECASE):
        return MachineFault(f"the programmer {way} fell silent in the middle of the work; {AGAIN}")
    return MachineFault(
        f"no answer from the programmer {way}: is it the right port, and does it run the boot loader or ArduinoISP? "
        "A boot loader answers only just after a reset, and some are slower: --programmer-baud 57600 or 19200"
    )


Explanation = Callable[[re.Match[str], str, Connection], PentavrError]

EXPLANATIONS: tuple[tuple[str, Explanation], ...] = (
    (r"cannot find programmer id|can't find programmer id", _no_such_programmer),
    (r"expected signature for .*", _wrong_signature),
    (r"verification (error|mismatch)|content mismatch", _mismatch),
    (r"(cannot|can't) open USB device.*permission|insufficient permissions", _no_usb_permission),
    (r"(could not|cannot|can't) find USB|did not find any.* USB device|programmer \S+ on port usb", _no_usb_device),
    (r"(cannot|can't) (open (port|device)|set attributes for)", _no_port),
    (r"target does(n't| not) answer|device (is )?not responding|initialization failed", _no_chip),
    (r"not responding|not in sync|no response", _silence),
)
"""In the order in which they decide: a wrong signature is followed by more complaints, a busy port by silence."""


def _line_of(match: re.Match[str]) -> str:
    """Give the whole line that a match lies in."""
    text = match.string
    return text[text.rfind("\n", 0, match.start()) + 1 :].splitlines()[0].strip()


def _lines(said: str) -> Iterator[str]:
    """Give the lines that say something."""
    for line in said.splitlines():
        if line.strip() and "TIOCM" not in line and not line.startswith("avrdude done"):
            yield line.strip()
