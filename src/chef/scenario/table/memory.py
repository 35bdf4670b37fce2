"""Rows that are in memory, as a table: those of a workbook, and the images of a folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

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
