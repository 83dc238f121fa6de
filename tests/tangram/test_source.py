# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from io import BytesIO

import pytest

from pentavr.errors import UnusableInput
from pentavr.tangram import Silhouette, source
from pentavr.tangram.source import Kind
from tangram_judge import draw

ROWS = ("d..", "#d.", "##d", "##a", "ba.")


def png() -> bytes:
    memory = BytesIO()
    draw(ROWS).save(memory, "PNG")
    return memory.getvalue()


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"d..\n#d.\n##d\n##a\nba.\n", Kind.ROWS),
        (b"\xef\xbb\xbfd..\r\n#d.\r\n##d\r\n##a\r\nba.", Kind.ROWS),
        (b"d../#d./##d/##a/ba.", Kind.ROWS),
        (b'["d..", "#d.", "##d", "##a", "ba."]', Kind.ROWS),
        (png(), Kind.PICTURE),
    ],
)
def test_the_kind_is_found(content: bytes, kind: Kind) -> None:
    found = source.from_bytes(content)
    assert (found.kind, found.silhouette.trimmed().rows) == (kind, ROWS)


def test_a_matrix_is_told_from_rows() -> None:
    assert source.from_bytes(b"\xef\xbb\xbf11\n11\n11\n11\n").kind is Kind.MATRIX


def test_rows_make_a_picture_of_the_usual_grid_or_another() -> None:
    silhouette = Silhouette(ROWS)
    usual = source.from_silhouette(silhouette)
    assert (usual.grid, usual.origin, usual.size, usual.confidence) == (50, (0, 0), (150, 250), 1)
    assert source.from_silhouette(silhouette, grid=20).size == (60, 100)
    assert source.from_bytes("/".join(ROWS).encode(), grid=20).size == (60, 100)


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_nothing_is_refused(content: bytes) -> None:
    with pytest.raises(UnusableInput, match="there is nothing in it"):
        source.from_bytes(content)


@pytest.mark.parametrize("content", [b"[]", b"hello", b"0120", b"#x#"])
def test_other_text_is_refused(content: bytes) -> None:
    with pytest.raises(UnusableInput, match=r"neither a picture that Pillow knows, nor a text of 0 and 1"):
        source.from_bytes(content)
