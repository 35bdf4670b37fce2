"""A digest of each row of a TSV file, by which an edited row is told from the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chef.common.digest import content_digest
from chef.errors import SampleError
from chef.guard.files import open_file
from chef.scenario.tsv.images import string_list
from chef.scenario.tsv.index import TsvIndex
from chef.scenario.tsv.reader import Row, TsvReader

#: An image cell of more bytes holds images, not names of other rows.
_MAX_NAMES = 4096


def row_digests(index: TsvIndex) -> list[str]:
    """Digests of the rows in the order of the file, 16 hex digits each.

    A digest covers the names of the columns, all cells with their images, and the rows whose
    images the row shows. It does not depend on the row's place in the file. The file is read once.

    Raises:
        DataError: the file was changed since it was indexed.
    """
    own: list[str] = []
    named: list[tuple[int, ...]] = []
    header = "\t".join(index.columns)
    with open_file(index.path) as file:
        rows = iter(TsvReader(file))
        next(rows)
        for row in rows:
            # The last row of a file may lack the line break that it has when a row is added.
            own.append(content_digest(header, "\n", row.content().rstrip(b"\r\n"), size=8))
            named.append(_named_rows(row, index))
    index.check_unchanged()
    return [
        content_digest(*(own[place] for place in _chain(number, named)), size=8)
        if named[number]
        else digest
        for number, digest in enumerate(own)
    ]


def _named_rows(row: Row, index: TsvIndex) -> tuple[int, ...]:
    """The positions of the rows that the image cell names."""
    positions: Mapping[str, int] = index.positions
    if "image" not in index.columns or len(row) != len(index.columns):
        return ()
    column = index.columns.index("image")
    if not 0 < row.size(column) <= _MAX_NAMES:
        return ()
    try:
        text = row.text(column).strip()
        names = string_list(text, "image") if text.startswith("[") else [text]
    except (SampleError, UnicodeDecodeError):
        return ()
    return tuple(positions[name] for name in names if name in positions)


def _chain(start: int, named: Sequence[Sequence[int]]) -> list[int]:
    """A row and all rows whose images it shows, directly or through others."""
    found, todo = [start], [start]
    while todo:
        new = [place for place in named[todo.pop()] if place not in found]
        found += new
        todo += new
    return found
