# SPDX-License-Identifier: GPL-3.0-or-later
"""Tilings of deficient boards by L-trominoes."""
