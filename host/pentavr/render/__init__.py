# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawings made into terminal text, SVG and PNG."""
