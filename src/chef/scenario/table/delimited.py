"""Tables of text with a header, CSV and TSV, read row by row in the memory of one row.

The standard module `csv` would make a string of every image. Here a cell is the bytes of the file
until its text is requested, so that reading is as fast as the disk.
"""

from __future__ import annotations

import io
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import BinaryIO, TypeAlias

from chef.errors import DataError
from chef.scenario.table.rows import SMALL, UTF8, PositionedTable, Problem, Row

#: With larger chunks the system allocates and frees the buffer's pages at every read.
CHUNK = 1 << 17
#: The largest length of a row in bytes. It limits the memory that a stray quote can take.
MAX_ROW = 1 << 28
#: The largest number of cells in a row: far above any table of questions, far below memory.
MAX_CELLS = 1 << 16
_NEWLINE, _RETURN, _QUOTE = b'\n\r"'
#: What is no content of a cell.
EMPTY = (b"", b'""')
#: A cell with its quotes, or where it is in the bytes of the row.
Cell: TypeAlias = bytes | slice


class CellRow:
    """One row of the file; it is valid until the reader continues with the next.

    ``data`` begins with it, ``cells`` have their quotes, ``length`` in bytes includes the line
    break, and ``literal`` are the cells that begin with a quote which belongs to their content.
    A cell of more than `SMALL` bytes is no copy, but its slice of ``data``.
    """

    __slots__ = ("_data", "_literal", "cells", "length", "offset")

    def __init__(
        self,
        data: bytes | bytearray,
        cells: Sequence[Cell],
        offset: int,
        length: int,
        literal: Collection[int] = (),
    ) -> None:
        self._data, self.cells, self._literal = data, cells, literal
        self.offset, self.length = offset, length

    def short_text(self, column: int, limit: int) -> str:
        """The content of that cell, if it is UTF-8 of at most so many bytes, else an empty text."""
        cell = self.cells[column]
        if isinstance(cell, slice):
            return ""
        is_quoted = cell.startswith(b'"') and column not in self._literal
        try:
            return self.text(column) if len(cell) - 2 * is_quoted <= limit else ""
        except UnicodeDecodeError:
            return ""

    def short_cells(self) -> list[bytes] | None:
        """The bytes of the cells of at most `SMALL`, of others none; None where a quote is content,
        and so what it means depends on the cells after.
        """
        if self._literal:
            return None
        return [b"" if isinstance(cell, slice) else cell for cell in self.cells]

    def content(self) -> bytes:
        """The bytes of the row, with its line break."""
        return bytes(memoryview(self._data)[: self.length])

    def text(self, column: int) -> str:
        """The content of that cell, unquoted; UnicodeDecodeError where it is not UTF-8."""
        cell = self.cells[column]
        if isinstance(cell, slice):
            cell = bytes(memoryview(self._data)[cell])
        if cell.startswith(b'"') and column not in self._literal:
            return cell[1:-1].decode().replace('""', '"')
        return cell.decode()

    def by_name(self, places: Iterable[tuple[int, str]]) -> dict[str, str]:
        """The content of the cells at these places, by the names beside them."""
        if self._literal:
            return {name: self.text(place) for place, name in places}
        cells = self.cells
        return {
            name: self.text(place)
            if isinstance(cell := cells[place], slice)
            else cell[1:-1].decode().replace('""', '"')
            if cell.startswith(b'"')
            else cell.decode()
            for place, name in places
        }

    def texts(self) -> list[str]:
        """The content of every cell."""
        return [self.text(column) for column in range(len(self.cells))]


@cache
def _whole_cells(separator: bytes) -> re.Pattern[bytes]:
    """Each cell of a line, after a separator; a quote that is not closed in the line is none."""
    mark = re.escape(separator)
    quoted, plain = rb'"[^"]*(?:""[^"]*)*"(?=' + mark + rb"|\Z)", rb'(?!")[^' + mark + rb"]*"
    return re.compile(mark + rb"(" + quoted + rb"|" + plain + rb")")


def line_cells(line: bytes, separator: bytes) -> Sequence[Cell] | None:
    """The cells of a line without its line break; None if a quoted cell does not end in it.

    >>> line_cells(b'1,"a, b"', b","), line_cells(b'1,"a', b",")
    ([b'1', b'"a, b"'], None)
    """
    if len(line) > SMALL:
        return long_cells(line, len(line), separator)
    if b'"' not in line:
        return line.split(separator, MAX_CELLS)
    cells: list[bytes] = _whole_cells(separator).findall(separator + line)
    return cells if len(line) + 1 == sum(map(len, cells)) + len(cells) else None


@cache
def _short_cells(separator: bytes) -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    """A short cell before a separator, and a run of them: bounded, as is what a search tries."""
    mark = re.escape(separator)
    plain = rb'(?!")[^' + mark + rb"]{0,255}"
    cell = rb'("[^"]{0,255}"(?:"[^"]{0,255}"){0,15}|' + plain + rb")" + mark
    return re.compile(cell), re.compile(rb"(?:" + cell + rb"){0,255}")


def _cell(data: bytes | bytearray, at: int, stop: int) -> Cell:
    return slice(at, stop) if stop - at > SMALL else bytes(data[at:stop])


def long_cells(data: bytes | bytearray, end: int, separator: bytes) -> list[Cell] | None:
    """As `line_cells`, of the line before ``end``, without a copy of it or of its long cells.

    A pattern finds short cells, many at once; of long ones the end is searched for.
    """
    cells: list[Cell] = []
    one, run = _short_cells(separator)
    at = 0
    while True:
        if match := run.match(data, at, end):
            cells += one.findall(data, at, match.end())
            at = match.end()
        if data.startswith(b'"', at, end):
            closing = data.find(b'"', at + 1, end)
            while closing >= 0 and data.startswith(b'"', closing + 1, end):
                closing = data.find(b'"', closing + 2, end)
            stop = closing + 1
            if not stop or (stop < end and not data.startswith(separator, stop)):
                return None
        else:
            stop = data.find(separator, at, end)
            stop = end if stop < 0 else stop
        cells.append(_cell(data, at, stop))
        if stop == end or len(cells) > MAX_CELLS:
            return cells
        at = stop + 1


class TsvReader:
    """Iterates over the rows of a TSV file in binary, its header included; blank lines are skipped.

    A cell in double quotes may contain separators, line breaks and doubled quotes. A cell that
    begins with a quote but is not closed properly (``"Stop" is on the sign``) is taken literally,
    up to the next separator, so a stray quote does not affect the rows after it. DataError while
    iterating: a row is longer than `MAX_ROW` bytes, or has more than `MAX_CELLS` cells.
    """

    def __init__(self, file: BinaryIO, separator: bytes = b"\t") -> None:
        self._file = file
        self._between, self._separator = separator, separator[0]
        self._data = bytearray()  # from the start of the current row to some point after it
        self._offset = 0  # of the current row in the file
        self._line_end = -1  # of the line with the last unquoted cell

    def __iter__(self) -> Iterator[CellRow]:
        if self._byte(2) >= 0 and self._data.startswith(BOM_UTF8):
            del self._data[: len(BOM_UTF8)]
            self._offset += len(BOM_UTF8)
        while self._byte(0) >= 0:
            row = self._line() or self._row()
            if row.cells != [b""]:  # a blank line
                yield row
            del self._data[: row.length]
            self._offset += row.length
            self._line_end = -1

    def _line(self) -> CellRow | None:
        """The current row, if it is a line whose quoted cells end in it, as most do; else None."""
        end = self._find(b"\n", 0)
        if end < 0:
            return None
        stop = end - self._data.endswith(b"\r", 0, end)
        if stop > SMALL:
            cells: Sequence[Cell] | None = long_cells(self._data, stop, self._between)
        else:
            cells = line_cells(bytes(memoryview(self._data)[:stop]), self._between)
        if cells is None:
            return None
        if len(cells) > MAX_CELLS:
            raise self._too_long(f"has more than {MAX_CELLS:,} cells")
        return CellRow(self._data, cells, self._offset, end + 1)

    def _row(self) -> CellRow:
        """The current row, cell by cell."""
        cells: list[Cell] = []
        literal: set[int] = set()
        data, at = self._data, 0
        while True:
            stop, is_quoted = self._cell(at)
            if not is_quoted and data.startswith(b'"', at, stop):
                literal.add(len(cells))
            cells.append(_cell(data, at, stop))
            if len(cells) > MAX_CELLS:
                raise self._too_long(f"has more than {MAX_CELLS:,} cells")
            if self._byte(stop) != self._separator:
                length = stop + self._line_break(stop)
                return CellRow(data, cells, self._offset, length, literal)
            at = stop + 1

    def _cell(self, at: int) -> tuple[int, bool]:
        """The end of the cell that begins at ``at``, and whether it is quoted."""
        if self._byte(at) == _QUOTE:
            closing = self._closing_quote(at)
            if closing > 0 and self._is_separator(closing + 1):
                return closing + 1, True
        if self._line_end < at:
            self._line_end = self._find(b"\n", at)
            if self._line_end < 0:
                self._line_end = self._end_of_file()
        line_end = self._line_end
        if line_end > at and self._line_break(line_end - 1) == 2:
            line_end -= 1
        found = self._data.find(self._between, at, line_end)
        return (found if found >= 0 else line_end), False

    def _closing_quote(self, opening: int) -> int:
        """The position of the quote that closes the cell; -1 if there is none."""
        at = self._find(b'"', opening + 1)
        while at >= 0 and self._byte(at + 1) == _QUOTE:
            at = self._find(b'"', at + 2)
        return at

    def _is_separator(self, at: int) -> bool:
        return self._byte(at) in (self._separator, -1) or self._line_break(at) > 0

    def _line_break(self, at: int) -> int:
        """The length of the line break at ``at``; 0 if there is none."""
        byte = self._byte(at)
        if byte == _NEWLINE:
            return 1
        return 2 if byte == _RETURN and self._byte(at + 1) == _NEWLINE else 0

    def _byte(self, at: int) -> int:
        """The byte at ``at``; -1 after the end of the file."""
        while at >= len(self._data):
            if not self._read_on():
                return -1
        return self._data[at]

    def _find(self, byte: bytes, begin: int) -> int:
        """The position of the next such byte from ``begin`` on; -1 if there is none."""
        while (found := self._data.find(byte, begin)) < 0:
            begin = max(begin, len(self._data))  # do not search the same bytes again
            if len(self._data) >= MAX_ROW or not self._read_on():
                return -1
        return found

    def _read_on(self) -> bool:
        chunk = self._file.read(CHUNK)
        self._data += chunk
        return bool(chunk)

    def _end_of_file(self) -> int:
        if len(self._data) >= MAX_ROW:
            raise self._too_long(f"is longer than {MAX_ROW:,} bytes")
        return len(self._data)

    def _too_long(self, what: str) -> DataError:
        return DataError(
            f"the row that begins at byte {self._offset:,} {what}",
            hint="check that the file is a table of text and that its quotes are closed",
        )


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
        # Spreadsheets write lines of separators alone.
        rows = (
            row
            for row in TsvReader(file, self._separator)
            if any(cell not in EMPTY for cell in row.cells)
        )
        first = next(rows, None)
        if first is None:
            raise DataError("is empty", hint="give a header and one row for each question")
        self.columns = self._header(first)
        for row in rows:
            if len(row.cells) != len(self.columns):
                self._uneven.add(len(self))
            self._add(row.offset, row.length, self._small(row))
            self._note(row)

    @property
    def has_decimal_commas(self) -> bool:
        """Whether numbers are written ``1,5``: for that, programs part cells by semicolons."""
        return self._separator == b";"

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        """See `chef.scenario.table.rows.RowTable`; the other cells are not decoded."""
        places = self._places(columns)
        for content in self._scanned(columns):
            yield self._cells(self._row(content), places)

    def _small(self, row: CellRow) -> bytes | None:
        """The bytes of a row without its long cells, whose columns are noted; None if unclear."""
        if row.length <= SMALL or self._kept is None:
            return row.content() if self._kept is not None else None
        cells = row.short_cells()
        if cells is None or len(cells) != len(self.columns):
            return None
        for name, cell in zip(self.columns, row.cells, strict=True):
            if isinstance(cell, slice):
                self._left_out.add(name)
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
