# SPDX-License-Identifier: GPL-3.0-or-later
"""What avrdude says in versions and with programmers that are not at hand here, and what it is taken for."""

from __future__ import annotations

import pytest

from pentavr.errors import CheckFailed, LimitReached, MachineFault, PentavrError, UnusableInput
from pentavr.firmware.avrdude_faults import Failure, explain
from pentavr.firmware.parts import part
from pentavr.firmware.programmers import Connection

SAID = [
    # Version 6.3.
    (
        """
avrdude: AVR device initialized and ready to accept instructions
avrdude: Device signature = 0x1e950f (probably m328p)
avrdude: Expected signature for ATmega88 is 1E 93 0A
         Double check chip, or use -F to override this check.
""",
        MachineFault,
        "wrong chip: its signature is 0x1e950f",
    ),
    (
        """
avrdude: 7172 bytes of flash written
avrdude: verifying flash memory against pentavr.hex:
avrdude: verification error, first mismatch at byte 0x0a40
         0x12 != 0x34
avrdude: verification error; content mismatch
""",
        CheckFailed,
        "the flash of the atmega88 is not the one expected at 0x0a40",
    ),
    ("avrdude: stk500_recv(): programmer is not responding\n", MachineFault, "no answer from the programmer"),
    (
        "avrdude: stk500_getsync() attempt 1 of 10: not in sync: resp=0x00\n",
        MachineFault,
        "no answer from the programmer",
    ),
    (
        """
avrdude: ser_open(): can't open device "/dev/ttyUSB0": No such file or directory
""",
        UnusableInput,
        "/dev/ttyUSB0 cannot be opened as a serial port; ",
    ),
    (
        'avrdude: ser_open(): can\'t open device "/dev/ttyUSB0": Permission denied\n',
        UnusableInput,
        "/dev/ttyUSB0: no permission to use it; join the group that owns it, dialout on Debian",
    ),
    (
        'avrdude: ser_open(): can\'t open device "/dev/ttyUSB0": Device or resource busy\n',
        MachineFault,
        "/dev/ttyUSB0 is busy: close the terminal",
    ),
    (
        """
avrdude: error: could not find USB device with vid=0x16c0 pid=0x5dc vendor='www.fischl.de' product='USBasp'
""",
        MachineFault,
        "no programmer usbasp on USB",
    ),
    (
        """
avrdude: Warning: cannot open USB device: Permission denied
avrdude: error: could not find USB device with vid=0x16c0 pid=0x5dc vendor='www.fischl.de' product='USBasp'
""",
        MachineFault,
        "no permission to use the programmer usbasp on USB: a udev rule",
    ),
    (
        """
avrdude: error: program enable: target doesn't answer. 1
avrdude: initialization failed, rc=-1
         Double check connections and try again, or use -F to override
         this check.
""",
        MachineFault,
        "the programmer usbasp at /dev/ttyUSB0 is there, but no chip answers it; check its supply",
    ),
    ("avrdude: initialization failed, rc=-1\n", MachineFault, "no chip answers it"),
    ('avrdude: Can\'t find programmer id "usbaps"\n', UnusableInput, "avrdude knows no programmer"),
    # Version 7.
    (
        """
avrdude error: program enable: target does not answer (0x01)
avrdude error: initialization failed, rc=-1
""",
        MachineFault,
        "no chip answers it",
    ),
    (
        "avrdude warning: cannot open USB device: Access denied (insufficient permissions)\n",
        MachineFault,
        "a udev rule",
    ),
    # Version 8.
    (
        """
Device signature = 1E 93 0F (ATmega88P, ATmega88PA)
Error: expected signature for ATmega88 is 1E 93 0A
  - double check chip or use -F to carry on regardless
""",
        MachineFault,
        "wrong chip: its signature is 0x1e930f, expected 0x1e930a of the atmega88; that is an atmega88p or atmega88pa",
    ),
    (
        """
Warning: hfuse verification mismatch
  device 0x00 != input 0xdc at addr 0x0000 (error)
Error: verification mismatch
""",
        CheckFailed,
        "the hfuse of the atmega88 is not the one expected; a boot loader reaches no fuses",
    ),
    ("Error: cannot open port /dev/ttyUSB0: Device or resource busy\n", MachineFault, "/dev/ttyUSB0 is busy"),
]

USBASP = Connection(part("atmega88"), "usbasp", "/dev/ttyUSB0")


@pytest.mark.parametrize(("said", "kind", "message"), SAID)
@pytest.mark.parametrize("failure", [Failure.EXIT, Failure.TIME_OVER])
def test_what_it_says_is_explained(said: str, kind: type[PentavrError], message: str, failure: Failure) -> None:
    error = explain(said, failure, USBASP)
    assert type(error) is kind
    assert message in str(error)
    explanation, quoted = str(error).rsplit("\n", 1)
    assert quoted.strip() in said
    assert "-F" not in explanation


def test_what_is_not_known_is_quoted() -> None:
    said = "\navrdude: flux capacitor empty\n\navrdude done.  Thank you.\n\n"
    error = explain(said, Failure.EXIT, USBASP)
    assert type(error) is MachineFault
    assert str(error) == "avrdude failed with usbasp at /dev/ttyUSB0:\n  avrdude: flux capacitor empty"
    assert str(explain("", Failure.EXIT, USBASP)).endswith(": it said nothing")
    error = explain(said, Failure.TIME_OVER, USBASP)
    assert type(error) is LimitReached
    assert "limit of 120 s" in str(error)
    assert "flux capacitor" in str(error)
