# SPDX-License-Identifier: GPL-3.0-or-later
"""What `pentavr bench` measures, one module a subject."""
