# SPDX-License-Identifier: GPL-3.0-or-later
"""A chip, emulated or real: load it, run it to a stop, read and write its SRAM."""
