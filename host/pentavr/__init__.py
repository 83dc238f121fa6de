# SPDX-License-Identifier: GPL-3.0-or-later
"""Pentominoes solved by an ATmega88, and two more dissection puzzles solved beside it."""
