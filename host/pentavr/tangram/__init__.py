# SPDX-License-Identifier: GPL-3.0-or-later
"""Grid tangrams: a silhouette in, its dissections into the seven pieces out."""
