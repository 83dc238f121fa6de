# SPDX-License-Identifier: GPL-3.0-or-later
"""A gdb server over an emulated chip, whichever simulator stands behind it.

simavr has one of its own, which the tests of the ELF file use. It will not do for a session: it listens on every
network interface, has gdb move all SRAM symbols unless the ELF file is loaded last (an IDE loads it first), never
stops at a watchpoint on most of what lies from $100 on, keeps a core busy while the chip stands still, and knows
neither detaching nor a reset. This one runs the chip at the full speed of the emulator between two stops.

Source: Debugging with GDB, appendix E, "GDB Remote Serial Protocol".
"""
