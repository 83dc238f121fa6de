# SPDX-License-Identifier: GPL-3.0-or-later
"""`python -m pentavr`."""

import sys

from pentavr.cli.main import main

sys.exit(main())
