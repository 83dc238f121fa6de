# SPDX-License-Identifier: GPL-3.0-or-later
"""The fuses of each part: which bits there are, what they mean, and the bytes for a clock and a brown-out level.

From the data sheets' sections "Fuse Bits", "System Clock and Clock Options" and "System and Reset Characteristics".
A fuse bit that reads 0 is programmed, 1 is the state of a bit that nobody touched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from pentavr.errors import MachineFault
from pentavr.firmware.parts import Part

__all__ = [
    "FUSE_BYTES",
    "PROTECTED",
    "BrownOut",
    "Clock",
    "Field",
    "FuseByte",
    "Fuses",
    "diagram",
    "layout",
    "meaning",
    "plan",
    "require_protected",
]

FUSE_BYTES = ("lfuse", "hfuse", "efuse")
"""The low, high and extended byte, by their names in avrdude."""

PROTECTED: Mapping[str, int] = {"RSTDISBL": 1, "DWEN": 1, "SPIEN": 0}
"""Fields that are never changed, with the only value under which a chip can be programmed in its circuit.

Any other value locks a programmer out, until the chip is put into a high-voltage programmer.
"""

UNUSED = ""


class Clock(Enum):
    """What drives the chip."""

    CRYSTAL = "crystal"
    RC = "rc"


class BrownOut(Enum):
    """The supply voltage below which the chip is held in reset, typical."""

    AT_4_3_V = "4.3"
    AT_2_7_V = "2.7"
    AT_1_8_V = "1.8"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Field:
    """Neighbouring bits of one fuse byte that mean something together; a name of '' is for bits without a meaning."""

    name: str
    width: int = 1


@dataclass(frozen=True, slots=True)
class FuseByte:
    """A fuse byte by its name in avrdude, its fields from bit 7 down."""

    name: str
    fields: tuple[Field, ...]

    def values(self, byte: int) -> dict[str, int]:
        """Give the value of each field of a byte."""
        return {field.name: byte >> shift & (1 << field.width) - 1 for field, shift in self._shifts()}

    def byte(self, values: Mapping[str, int]) -> int:
        """Put a byte together; the bits of fields without a value are 1."""
        return sum(values.get(field.name, (1 << field.width) - 1) << shift for field, shift in self._shifts())

    def mask(self) -> int:
        """Give the bits that mean something."""
        return sum(((1 << field.width) - 1) << shift for field, shift in self._shifts() if field.name != UNUSED)

    def _shifts(self) -> Iterator[tuple[Field, int]]:
        shift = 8
        for field in self.fields:
            shift -= field.width
            yield field, shift


Fuses = Mapping[str, int]
"""The three fuse bytes by name."""

LOW = FuseByte("lfuse", (Field("CKDIV8"), Field("CKOUT"), Field("SUT", 2), Field("CKSEL", 4)))
RESET_AND_SAFETY = (Field("RSTDISBL"), Field("DWEN"), Field("SPIEN"), Field("WDTON"), Field("EESAVE"))
BROWN_OUT = (Field("BODLEVEL", 3),)
BOOT = (Field("BOOTSZ", 2), Field("BOOTRST"))

SMALL = (LOW, FuseByte("hfuse", RESET_AND_SAFETY + BROWN_OUT), FuseByte("efuse", (Field(UNUSED, 5), *BOOT)))
"""ATmega88, 168 and their brothers: the brown-out level is in the high byte."""
LARGE = (LOW, FuseByte("hfuse", RESET_AND_SAFETY + BOOT), FuseByte("efuse", (Field(UNUSED, 5), *BROWN_OUT)))
"""ATmega328P: it changed places with the boot loader's size and start."""

CLOCKS = {
    # Full swing, with 16384 clocks for the crystal to settle and 65 ms for the supply to rise.
    Clock.CRYSTAL: {"CKSEL": 0b0111, "SUT": 0b11},
    Clock.RC: {"CKSEL": 0b0010, "SUT": 0b10},
}
BROWN_OUT_LEVELS = {
    BrownOut.AT_4_3_V: 0b100,
    BrownOut.AT_2_7_V: 0b101,
    BrownOut.AT_1_8_V: 0b110,
    BrownOut.OFF: 0b111,
}
SMALLEST_BOOT_WORDS = {"atmega88": 128, "atmega168": 128, "atmega328p": 256}


def layout(part: Part) -> tuple[FuseByte, FuseByte, FuseByte]:
    """Give the fields of a part's low, high and extended fuse byte."""
    return LARGE if part.core == "atmega328p" else SMALL


def plan(part: Part, *, clock: Clock, brown_out: BrownOut, keep_eeprom: bool) -> dict[str, int]:
    """Work the three bytes out; all that is not asked for is as the chip leaves the factory, but for CKDIV8."""
    values = {
        **PROTECTED,
        **CLOCKS[clock],
        "CKDIV8": 1,
        "EESAVE": 0 if keep_eeprom else 1,
        "BODLEVEL": BROWN_OUT_LEVELS[brown_out],
        "BOOTSZ": 0b00,
    }
    return {each.name: each.byte(values) for each in layout(part)}


def require_protected(part: Part, fuses: Fuses) -> None:
    """Raise MachineFault unless these are bytes that a programmer in the circuit can have read.

    A boot loader answers for fuses that it cannot read with zeros; a loose wire gives anything. Writing with such a
    reading in mind could shut the chip for good.
    """
    values = _values(part, fuses)
    wrong = [f"{name} {values[name]} in place of {value}" for name, value in PROTECTED.items() if values[name] != value]
    if wrong:
        read = ", ".join(f"{name} 0x{fuses[name]:02x}" for name in FUSE_BYTES)
        raise MachineFault(
            f"these cannot be the fuses of a chip that is programmed in its circuit: {read}: {', '.join(wrong)}. A "
            "boot loader reaches no fuses: take a programmer at the ISP pins, such as usbasp, or check its wires"
        )


def diagram(part: Part, fuses: Fuses) -> str:
    """Draw the three bytes bit by bit, each field with its name, its bits and what they mean."""
    values = _values(part, fuses)
    return "\n\n".join("\n".join(_lines(part, each, fuses[each.name], values)) for each in layout(part)) + "\n"


def meaning(part: Part, name: str, values: Mapping[str, int]) -> str:
    """Say what a field means; `values` has all fields of the part, as the start-up time depends on the clock."""
    value = values[name]
    match name:
        case "CKSEL":
            return _clock(value)
        case "SUT":
            return _start_up(values["CKSEL"], value)
        case "BODLEVEL":
            levels = {bits: level for level, bits in BROWN_OUT_LEVELS.items()}
            level = levels.get(value)
            if level is BrownOut.OFF:
                return "no brown-out detection"
            return f"reset while the supply is below {level.value} V" if level else "reserved"
        case "BOOTSZ":
            words = SMALLEST_BOOT_WORDS[part.core] << 3 - value
            return f"room for a boot loader: {words} words, of use only with BOOTRST 0"
        case _:
            return SINGLE_BITS[name][value]


SINGLE_BITS = {
    "CKDIV8": ("clock divided by 8 after a reset", "clock not divided"),
    "CKOUT": ("clock put out on PB0", "PB0 is free"),
    "RSTDISBL": ("the reset pin is an I/O pin: no programming in the circuit", "the reset pin resets"),
    "DWEN": ("debugWIRE on: no programming in the circuit", "debugWIRE off"),
    "SPIEN": ("can be programmed in the circuit", "cannot be programmed in the circuit"),
    "WDTON": ("watchdog always on", "watchdog as the program says"),
    "EESAVE": ("EEPROM survives a chip erase", "a chip erase clears the EEPROM, too"),
    "BOOTRST": ("a reset starts the boot loader", "a reset starts the program at address 0"),
}
"""What 0 and 1 mean."""

DELAYS = ("", " + 4.1 ms", " + 65 ms")
CRYSTAL_START_UP = ((258, 1), (258, 2), (1024, 0), (1024, 1), (1024, 2), (16384, 0), (16384, 1), (16384, 2))
"""Clocks and delay by the lowest bit of CKSEL, which belongs to the start-up time here, and the two of SUT."""
OTHER_START_UP = {0b0000: 14, 0b0010: 14, 0b0011: 14, 0b0100: 1024, 0b0101: 32768}
"""Clocks by CKSEL; the delay is SUT."""


def _clock(cksel: int) -> str:
    match cksel:
        case 0b0000:
            return "external clock"
        case 0b0010:
            return "internal RC oscillator, 8 MHz"
        case 0b0011:
            return "internal RC oscillator, 128 kHz"
        case 0b0100 | 0b0101:
            return "watch crystal, 32 kHz"
        case 0b0110 | 0b0111:
            return "crystal, full swing, up to 20 MHz"
        case 0b0001:
            return "reserved"
        case _:
            ranges = ("0.4 to 0.9", "0.9 to 3", "3 to 8", "8 to 16")
            return f"crystal, low power, {ranges[(cksel - 8) // 2]} MHz"


def _start_up(cksel: int, sut: int) -> str:
    if cksel >= 0b0110:
        clocks, delay = CRYSTAL_START_UP[(cksel & 1) << 2 | sut]
    elif cksel in OTHER_START_UP and sut < len(DELAYS):
        clocks, delay = OTHER_START_UP[cksel], sut
    else:
        return "reserved"
    return f"start after {clocks} clocks{DELAYS[delay]}"


def _values(part: Part, fuses: Fuses) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in layout(part):
        found |= each.values(fuses[each.name])
    return found


def _lines(part: Part, each: FuseByte, byte: int, values: Mapping[str, int]) -> Iterator[str]:
    bits = f"{byte:08b}"
    head = f"{each.name} 0x{byte:02x}   "
    yield f"{head}{' '.join(bits)}"
    bars = "".join(("| " if field.name != UNUSED else "  ") * field.width for field in each.fields)
    end = 8
    for field in reversed(each.fields):
        start = end - field.width
        if field.name != UNUSED:
            line = bars[: 2 * start] + "+-" * field.width + "--" * (8 - end) + "-"
            kept = "  (never changed)" if field.name in PROTECTED else ""
            said = f"{field.name:<8} {bits[start:end]:>4}  {meaning(part, field.name, values)}{kept}"
            yield f"{' ' * len(head)}{line} {said}"
        end = start
