"""Parquet files, read by row groups (of large ones up to the row needed), and Arrow files."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any

from chef.guard.files import open_file
from chef.scenario.table.arrow_rows import (
    ARROW_MAGIC,
    ArrowTable,
    Forward,
    LazyRow,
    batch_rows,
    errors_named,
    lazy_rows,
    row_digest,
    row_of,
)
from chef.scenario.table.rows import Problem, Row, unreadable

#: A row group of more bytes (uncompressed) is not decoded as a whole.
_WHOLE_GROUP = 32 << 20
#: How many groups are in memory.
_GROUPS = 2
#: Columns are read from the file in pieces of this many bytes.
_BUFFER = 1 << 20


class Parquet(ArrowTable):
    """The rows of a Parquet file."""

    def _metadata(self, head: bytes) -> tuple[Any, list[int]]:
        del head
        self._forget()
        metadata = self._opened.metadata
        groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
        self._sizes = [(group.num_rows, group.total_byte_size) for group in groups]
        return self._opened.schema_arrow, [rows for rows, _ in self._sizes]

    def _forget(self) -> None:
        """Close the file; it is opened again when a row is needed."""
        self._lock = threading.RLock()
        self._reader: Any = None
        self._groups: OrderedDict[int, Any] = OrderedDict()

    def __getstate__(self) -> dict[str, Any]:
        closed = {"_lock", "_reader", "_groups"}
        return {key: value for key, value in vars(self).items() if key not in closed}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._forget()

    def _row(self, part: int, number: int) -> Row | Problem:
        with self._lock:
            group = self._group(part)
            return group.at(number) if isinstance(group, Forward) else row_of(group, number)

    def _batches(self, columns: Sequence[str]) -> Iterator[Any]:
        reader = self._open()
        return iter(reader.iter_batches(batch_size=256, columns=list(columns), use_threads=False))

    def digests(self) -> Iterator[str]:
        """Those of any table of Arrow, by groups of rows, whose size says how many are decoded."""
        for number in range(len(self._sizes)):
            yield from (row_digest(row()) for row in self._rows(number))
        self._check_unchanged()

    @property
    def _opened(self) -> Any:
        if self._reader is None:
            self._reader = self._open()
        return self._reader

    def _open(self) -> Any:
        import pyarrow.parquet as pq

        try:
            open_file(self._file).close()  # only a regular file is opened
        except OSError as error:
            raise unreadable(self._file, error) from None
        with errors_named(self.path):
            return pq.ParquetFile(self.path, pre_buffer=False, buffer_size=_BUFFER)

    def _group(self, number: int) -> Any:
        """A decoded row group, or the `Forward` through a large one."""
        found = self._groups.get(number)
        if found is None:
            _, size = self._sizes[number]
            if size > _WHOLE_GROUP:
                found = Forward(lambda: self._rows(number))
            else:
                with errors_named(self.path):
                    table = self._opened.read_row_group(number, use_threads=False)
                found = table.combine_chunks()
            self._groups[number] = found
            while len(self._groups) > _GROUPS:
                self._groups.popitem(last=False)
        self._groups.move_to_end(number)
        return found

    def _rows(self, number: int) -> Iterator[LazyRow]:
        """The rows of a group, a few at a time."""
        rows, size = self._sizes[number]
        batches = self._open().iter_batches(
            batch_size=batch_rows(size, rows), row_groups=[number], use_threads=False
        )
        with errors_named(self.path):
            yield from lazy_rows(batches)


class Arrow(ArrowTable):
    """The rows of an Arrow file, of the file format or the stream that `datasets` writes.

    It is mapped into memory: the system reads what is touched, and takes it back when it needs the
    memory.
    """

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
