# SPDX-License-Identifier: GPL-3.0-or-later
"""The pentomino puzzle: pieces, figures, boards, symmetries, solutions and their checker."""
