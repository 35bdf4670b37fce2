"""Arrow files (``.arrow``, ``.feather``), of the file format or the stream that `datasets` writes.

They are mapped into memory: the system reads what is touched, and takes it back when it needs the
memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from chef.scenario.table.arrow_rows import ARROW_MAGIC, ArrowTable, errors_named, row_of
from chef.scenario.table.rows import Problem, Row


class Arrow(ArrowTable):
    """The rows of an Arrow file."""

    _last: tuple[int, Any] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_last": None}

    def _metadata(self, head: bytes) -> tuple[Any, list[int]]:
        self._is_stream = head != ARROW_MAGIC
        schema = self._open().schema
        # A column is enough to count the rows; the others may be compressed.
        return schema, [batch.num_rows for batch in self._parts([0])]

    def _open(self, fields: Sequence[int] = ()) -> Any:
        """A reader of all columns, or of those at these places."""
        import pyarrow as pa

        options = pa.ipc.IpcReadOptions(included_fields=list(fields), use_threads=False)
        source = pa.memory_map(self.path)
        kind = pa.ipc.open_stream if self._is_stream else pa.ipc.open_file
        return kind(source, options=options)

    def _batches(self, columns: Sequence[str]) -> Iterator[Any]:
        return self._parts([self.columns.index(name) for name in columns])

    def _parts(self, fields: Sequence[int] = ()) -> Iterator[Any]:
        reader = self._open(fields)
        if self._is_stream:
            yield from reader
        else:
            yield from map(reader.get_batch, range(reader.num_record_batches))

    def _row(self, part: int, number: int) -> Row | Problem:
        """A row of a batch; the last batch stays open."""
        last = self._last
        if last is None or last[0] != part:
            with errors_named(self.path):
                if self._is_stream:
                    batch = next(one for place, one in enumerate(self._parts()) if place == part)
                else:
                    batch = self._open().get_batch(part)
            self._last = last = (part, batch)
        return row_of(last[1], number)
