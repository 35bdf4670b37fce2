"""Rows in memory, as a table (a workbook, the images of a folder), and several tables as one: their
rows after each other, or their columns beside each other.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from chef.common.digest import content_digest
from chef.errors import DataError, DependencyError
from chef.guard.files import open_file
from chef.scenario.table.arrow import row_digest
from chef.scenario.table.images import ENDINGS
from chef.scenario.table.rows import Problem, Row, RowTable, file_state, unreadable


class Memory(RowTable):
    """Rows in memory, at least one, and the file they were read from; ``path`` is for messages."""

    def __init__(
        self,
        path: str,
        rows: Sequence[Row],
        columns: Sequence[str] | None = None,
        file: Path | None = None,
    ) -> None:
        self.path, self._rows = path, rows
        self._state = None if file is None else file_state(file)
        given = dict.fromkeys(name for row in rows for name in row) if columns is None else columns
        self.columns = tuple(given)

    def __len__(self) -> int:
        return len(self._rows)

    def read(self, position: int) -> Row:
        self._check_unchanged()
        return self._rows[position]

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        for row in self._rows:
            yield {name: row[name] for name in columns if name in row}

    def digests(self) -> Iterator[str]:
        """The digests of the rows."""
        return map(row_digest, self._rows)


def workbook(file: Path) -> Memory:
    """The rows of the first sheet of a workbook (.xlsx), whose first row names the columns.

    DataError where it cannot be read or names one twice, DependencyError without openpyxl.
    """
    columns, cells = sheet(file)
    if twice := [name for place, name in enumerate(columns) if name and name in columns[:place]]:
        what = f"names the column '{twice[0]}' twice"
        raise DataError(what, where=str(file), hint="rename one of them")
    rows = [{name: cell for name, cell in zip(columns, row, strict=False) if name} for row in cells]
    return Memory(str(file), rows, [name for name in columns if name], file)


def sheet(file: Path) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The columns of a workbook's first sheet and its rows that are not blank; see `workbook`."""
    try:
        import openpyxl
    except ImportError:
        raise DependencyError(
            "reading .xlsx needs openpyxl",
            where=str(file),
            hint="pip install 'chef-eval[xlsx]', or save the table as .tsv",
        ) from None
    try:
        with open_file(file) as opened:
            book = openpyxl.load_workbook(opened, read_only=True, data_only=True)
            rows = book.worksheets[0].iter_rows(values_only=True)
            head = next(rows, ())
            columns = ["" if name is None else str(name).strip() for name in head]
            cells = [row for row in rows if any(cell is not None for cell in row)]
            book.close()
    except OSError as error:
        raise unreadable(file, error) from None
    except Exception as error:  # a zip of XML can be damaged in many ways
        what = f"cannot be read as .xlsx: {type(error).__name__}: {error}"
        raise DataError(what, where=str(file), hint="save it again, or as text (.csv)") from None
    return columns, cells


def image_folder(folder: Path) -> Memory | None:
    """The images of a folder and of those within, one row each; None where there is none.

    The columns are ``image`` (the path below it), ``id`` (the same) and, in inner folders,
    ``label`` (the folder).
    """
    files = sorted(file for file in folder.rglob("*") if file.suffix.lower() in ENDINGS)
    names = [file.relative_to(folder) for file in files]
    rows = [
        {"id": name.as_posix(), "image": name.as_posix()}
        | ({"label": name.parent.name} if name.parent.name else {})
        for name in names
        if not any(part.startswith(".") for part in name.parts)
    ]
    return Memory(str(folder), rows) if rows else None


#: The columns by which the rows of two tables belong together.
_KEYS = ("question_id", "id")


class JoinedRows(RowTable):
    """The rows of several tables, at least one, of a folder, one after the other."""

    def __init__(self, path: str, tables: Sequence[RowTable]) -> None:
        self.path, self._tables = path, tables
        self.columns = tuple(dict.fromkeys(name for table in tables for name in table.columns))
        self.names = {name: texts for table in tables for name, texts in table.names.items()}
        self._starts = list(accumulate(map(len, tables), initial=0))

    def __len__(self) -> int:
        return self._starts[-1]

    def locate(self, position: int) -> tuple[str, int]:
        table, within = self._find(position)
        return table.locate(within)

    def read(self, position: int) -> Row:
        table, within = self._find(position)
        return table.read(within)

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        for table in self._tables:
            yield from table.scan(columns)

    def digests(self) -> Iterator[str]:
        """The digests of the rows of each table."""
        for table in self._tables:
            yield from table.digests()

    def state(self) -> str:
        """The state of each table, with its name."""
        return repr([(table.path, table.state()) for table in self._tables])

    def _find(self, position: int) -> tuple[RowTable, int]:
        number = bisect_right(self._starts, position) - 1
        return self._tables[number], position - self._starts[number]


class JoinedColumns(RowTable):
    """The rows of a table, whose columns win, with those of another by the value of a column."""

    def __init__(self, path: str, table: RowTable, other: RowTable, key: str) -> None:
        self.path, self._table, self._other, self._key = path, table, other, key
        self.columns = tuple(dict.fromkeys((*table.columns, *other.columns)))
        self.names = {**other.names, **table.names}
        self._positions = {
            str(row.get(key)): position
            for position, row in enumerate(other.scan([key]))
            if not isinstance(row, Problem)
        }

    def __len__(self) -> int:
        return len(self._table)

    def locate(self, position: int) -> tuple[str, int]:
        return self._table.locate(position)

    def read(self, position: int) -> Row:
        row = self._table.read(position)
        place = self._positions.get(str(row.get(self._key)))
        return row if place is None else {**self._other.read(place), **row}

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        if {*columns} <= {*self._table.columns}:
            yield from self._table.scan(columns)
            return
        for position, row in enumerate(self._table.scan([self._key])):
            whole = row if isinstance(row, Problem) else self.read(position)
            if isinstance(whole, Problem):
                yield whole
            else:
                yield {name: whole[name] for name in columns if name in whole}

    def digests(self) -> Iterator[str]:
        """Those of the rows of both."""
        others = [*self._other.digests()]
        for row, digest in zip(self._table.scan([self._key]), self._table.digests(), strict=True):
            key = "" if isinstance(row, Problem) else str(row.get(self._key))
            place = self._positions.get(key)
            yield digest if place is None else content_digest(digest, others[place], size=8)

    def state(self) -> str:
        """The state of both."""
        return repr((self._table.state(), self._other.state()))


def beside_each_other(path: str, tables: Sequence[RowTable]) -> JoinedColumns | None:
    """Two tables of which one has the questions and the other says more of each; else None."""
    asking = [table for table in tables if "question" in table.columns]
    telling = [table for table in tables if "question" not in table.columns]
    if len(asking) != 1 or len(telling) != 1:
        return None
    shared = {*asking[0].columns} & {*telling[0].columns}
    key = next((name for name in _KEYS if name in shared), None)
    return None if key is None else JoinedColumns(path, asking[0], telling[0], key)
