"""Arrow files (``.arrow``, ``.feather``), of the file format or the stream that `datasets` writes.

They are mapped into memory: the system reads what is touched, and takes it back when it needs the
memory.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from chef.guard.files import open_file
from chef.scenario.table.arrow_rows import (
    class_names,
    column_names,
    errors_named,
    need_pyarrow,
    row_digest,
    row_of,
    rows_of,
)
from chef.scenario.table.rows import Problem, Row, RowTable, file_state, unreadable, usable

_MAGIC = b"ARROW1"


class Arrow(RowTable):
    """The rows of an Arrow file.

    Args:
        path: a regular file, of which only the metadata is read.

    Raises:
        DataError: it is no Arrow file, or has no row.
        DependencyError: pyarrow is not installed.
    """

    _file: Path

    def __init__(self, path: Path) -> None:
        need_pyarrow(str(path))
        self.path, self._file = str(path), path
        try:
            self._state = file_state(path)
            with open_file(path) as file:
                self._is_stream = file.read(len(_MAGIC)) != _MAGIC
        except OSError as error:
            raise unreadable(path, error) from None
        with errors_named(self.path):
            # A column is enough to count the rows; the others may be compressed.
            counted = list(self._batches([0]))
            schema = self._open().schema
        self.columns = column_names(schema, self.path)
        self.names = class_names(schema)
        self._starts = list(accumulate((batch.num_rows for batch in counted), initial=0))
        self._last: tuple[int, Any] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_last": None}

    def __len__(self) -> int:
        return int(self._starts[-1])

    def read(self, position: int) -> Row:
        """See `chef.scenario.table.rows.RowTable`."""
        self._check_unchanged()
        number = bisect_right(self._starts, position) - 1
        return usable(row_of(self._batch(number), position - self._starts[number]))

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        """See `chef.scenario.table.rows.RowTable`; the other columns are not read."""
        fields = [place for place, name in enumerate(self.columns) if name in columns]
        if not fields:
            yield from ({} for _ in range(len(self)))
            return
        with errors_named(self.path):
            yield from rows_of(self._batches(fields))

    def digests(self) -> Iterator[str]:
        """The digests of the values of the rows, in one pass through the file."""
        with errors_named(self.path):
            yield from map(row_digest, rows_of(self._batches()))
        self._check_unchanged()

    def _open(self, fields: Sequence[int] = ()) -> Any:
        """A reader of all columns, or of those at these places."""
        import pyarrow as pa

        options = pa.ipc.IpcReadOptions(included_fields=list(fields), use_threads=False)
        source = pa.memory_map(self.path)
        kind = pa.ipc.open_stream if self._is_stream else pa.ipc.open_file
        return kind(source, options=options)

    def _batches(self, fields: Sequence[int] = ()) -> Iterator[Any]:
        reader = self._open(fields)
        if self._is_stream:
            yield from reader
        else:
            yield from map(reader.get_batch, range(reader.num_record_batches))

    def _batch(self, number: int) -> Any:
        """A batch of the file; the last one stays open."""
        last = self._last
        if last is None or last[0] != number:
            with errors_named(self.path):
                if self._is_stream:
                    batches = self._batches()
                    found = next(batch for place, batch in enumerate(batches) if place == number)
                else:
                    found = self._open().get_batch(number)
            self._last = last = (number, found)
        return last[1]
