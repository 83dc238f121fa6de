# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands for avr-gdb, run by the Python inside it: the standard library, gdb's own module and the pure parts of ours.

That Python is the system's, which knows nothing of the environment that pentavr is installed in.
"""
