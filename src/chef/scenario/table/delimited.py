"""Tables of text with a header: CSV and TSV."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from chef.common.digest import content_digest
from chef.errors import DataError
from chef.guard.files import open_file
from chef.scenario.table.rows import UTF8, PositionedTable, Problem, Row
from chef.scenario.tsv.reader import Row as CellRow
from chef.scenario.tsv.reader import TsvReader


class Delimited(PositionedTable):
    """Rows of cells; the first names the columns.

    Args:
        path: the file.
        separator: what stands between cells; None: a comma, a semicolon or a tab, whichever the
            header has most of.
    """

    def __init__(self, path: Path, separator: bytes | None = None) -> None:
        self._separator = separator or b","
        self._is_told = separator is not None
        super().__init__(path)

    def _index(self, file: BinaryIO) -> None:
        if not self._is_told:
            line = file.readline(1 << 20)
            file.seek(0)
            self._separator = max((b",", b";", b"\t", b"|"), key=line.count)
        rows = iter(TsvReader(file, self._separator))
        first = next(rows, None)
        if first is None:
            raise DataError("is empty", hint="give a header and one row for each question")
        self.columns = self._header(first)
        for row in rows:
            self._add(row.offset, row.length)
            self._note(row)

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        """See `chef.scenario.table.rows.RowTable`; the other cells are not decoded."""
        places = self._places(columns)
        for row in self.cell_rows():
            yield self._cells(row, places)

    def cell_rows(self) -> Iterator[CellRow]:
        """The rows below the header, whose cells are not decoded; each lasts until the next."""
        self._check_unchanged()
        with open_file(self._file) as file:
            rows = iter(TsvReader(file, self._separator))
            next(rows)
            yield from rows

    def _header(self, first: CellRow) -> tuple[str, ...]:
        try:
            names = tuple(text.strip() for text in first.texts())
        except UnicodeDecodeError as error:
            raise DataError(f"is not UTF-8 ({error})", hint=UTF8) from None
        twice = [name for name, count in Counter(names).items() if count > 1 and name]
        if twice:
            raise DataError(f"names the column '{twice[0]}' twice", hint="rename one of them")
        return names

    def _note(self, row: CellRow) -> None:
        """What a subclass keeps of a row, while the file is read for the first time."""

    def digests(self) -> Iterator[str]:
        """The digests of the bytes of the rows, without the line break.

        In a table with commas also without those of empty cells at the end, whose number the header
        tells; a row with more or fewer cells than it has a mark, so that it is another row.
        """
        if self._separator != b",":
            yield from super().digests()
            return
        head = self._head()
        for row in self.cell_rows():
            ending = row.content().rstrip(b"\r\n")
            is_whole = len(row) == len(self.columns)
            yield content_digest(
                head, ending.rstrip(b"\r\n,") if is_whole else ending + b"\n", size=8
            )
        self._check_unchanged()

    def _head(self) -> str:
        return "\t".join(self.columns) + "\n"

    def _parsed(self, content: bytes, columns: Sequence[str] | None) -> Row | Problem:
        row = next(iter(TsvReader(io.BytesIO(content), self._separator)))
        return self._cells(row, self._places(self.columns if columns is None else columns))

    def _places(self, columns: Collection[str]) -> list[tuple[int, str]]:
        """Where these columns are in a row, in the order of the file."""
        wanted = set(columns)
        return [(place, name) for place, name in enumerate(self.columns) if name in wanted]

    def _cells(self, row: CellRow, places: Sequence[tuple[int, str]]) -> Row | Problem:
        if len(row) != len(self.columns):
            return Problem(
                f"{len(row)} cells, but the header names {len(self.columns)} columns",
                "quote the cells that hold a separator, a quote or a line break",
            )
        try:
            return {name: row.text(place) for place, name in places}
        except UnicodeDecodeError as error:
            return Problem(f"not UTF-8: byte 0x{error.object[error.start]:02x}", UTF8)
