# SPDX-License-Identifier: GPL-3.0-or-later
"""The firmware on its way to the chip: assembled, read, described."""
