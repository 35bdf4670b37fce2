"""Tables of text with a header: CSV and TSV."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from chef.errors import DataError
from chef.scenario.table.rows import SMALL, UTF8, PositionedTable, Problem, Row
from chef.scenario.tsv.reader import EMPTY, TsvReader, line_cells
from chef.scenario.tsv.reader import Row as CellRow


class Delimited(PositionedTable):
    """Rows of cells between separators; None: the one that the header has most of."""

    def __init__(self, path: Path, separator: bytes | None = None) -> None:
        self._separator = separator or b","
        self._is_told = separator is not None
        self._uneven = set[int]()  # rows with more or fewer cells than the header
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
            if len(row.cells) != len(self.columns):
                self._uneven.add(len(self))
            self._add(row.offset, row.length, self._small(row))
            self._note(row)

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        """See `chef.scenario.table.rows.RowTable`; the other cells are not decoded."""
        places = self._places(columns)
        for content in self._scanned(columns):
            yield self._cells(self._row(content), places)

    def _small(self, row: CellRow) -> bytes | None:
        """The bytes of a row without its long cells, whose columns are noted; None if unclear."""
        if row.length <= SMALL or self._kept is None:
            return row.content() if self._kept is not None else None
        cells = row.short_cells(SMALL)
        if cells is None or len(cells) != len(self.columns):
            return None
        for place, cell in enumerate(cells):
            if not cell and row.cells[place] not in EMPTY:
                self._left_out.add(self.columns[place])
        return self._separator.join(cells) + b"\n"

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

    def _digested(self, position: int, content: bytes) -> bytes | memoryview:
        """The bytes of a row without the line break, nor, with commas, those of empty cells at the
        end; a row with more or fewer cells than the header has a mark, so that it is another row.
        """
        if self._separator != b",":
            return super()._digested(position, content)
        is_uneven = position in self._uneven
        return content.rstrip(b"\r\n") + b"\n" if is_uneven else content.rstrip(b"\r\n,")

    def _head(self) -> str:
        return "\t".join(self.columns) + "\n"

    def _parsed(self, content: bytes, columns: Sequence[str] | None) -> Row | Problem:
        return self._cells(
            self._row(content), self._places(self.columns if columns is None else columns)
        )

    def _row(self, content: bytes) -> CellRow:
        """A row from its bytes."""
        if content.endswith(b"\n"):
            cells = line_cells(content[:-1].removesuffix(b"\r"), self._separator)
            if cells is not None:
                return CellRow(content, cells, 0, len(content))
        return next(iter(TsvReader(io.BytesIO(content), self._separator)))

    def _places(self, columns: Sequence[str]) -> list[tuple[int, str]]:
        """Where these columns are in a row, in the order of the file."""
        wanted = set(columns)
        return [(place, name) for place, name in enumerate(self.columns) if name in wanted]

    def _cells(self, row: CellRow, places: Sequence[tuple[int, str]]) -> Row | Problem:
        if len(row.cells) != len(self.columns):
            return Problem(
                f"{len(row.cells)} cells, but the header names {len(self.columns)} columns",
                "quote the cells that hold a separator, a quote or a line break",
            )
        try:
            return row.by_name(places)
        except UnicodeDecodeError as error:
            return Problem(f"not UTF-8: byte 0x{error.object[error.start]:02x}", UTF8)
