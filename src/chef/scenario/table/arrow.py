"""Tables of Apache Arrow, in Parquet files or its own: needs pyarrow.

Parquet files are read by row groups, of large ones up to the row needed.
"""

from __future__ import annotations

import json
import tempfile
import threading
from abc import abstractmethod
from array import array
from bisect import bisect_right
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from chef.common.digest import content_digest
from chef.errors import DataError, DependencyError, first_line
from chef.guard.files import open_file
from chef.scenario.table.rows import Problem, Row, RowTable, file_state, unreadable, usable

#: Makes a row.
LazyRow: TypeAlias = Callable[[], Row | Problem]
#: How many rows stay in memory, for threads that ask for them in nearly the same order.
_RECENT = 16
_ENCODER = msgspec.msgpack.Encoder(enc_hook=str)


class Forward:
    """Reads on as far as is needed. Who goes back reads from a file of the rows passed so far.

    The file has no name and lasts as long as this object. It is begun when a row is needed that
    has been passed, or, with ``keep``, at once, where to begin again is slow. What ``start`` gives
    makes a row when it is called, so that rows that are only passed are not decoded.
    """

    def __init__(self, start: Callable[[], Iterator[LazyRow]], *, keep: bool = False) -> None:
        self._start, self._rows, self._passed = start, start(), 0
        self._recent: deque[LazyRow] = deque(maxlen=_RECENT)
        self._kept = _Kept() if keep else None
        self._lock = threading.Lock()

    def read(self, position: int) -> Row:
        """The row at a position; SampleError where it is malformed, or there are not so many."""
        return usable(self.at(position))

    def at(self, position: int) -> Row | Problem:
        """The row at a position, or its problem."""
        with self._lock:
            return self._read(position)

    def _read(self, position: int) -> Row | Problem:
        if self._kept is None and position < self._passed - len(self._recent):
            self._kept, self._rows, self._passed = _Kept(), self._start(), 0
            self._recent.clear()
        while self._passed <= position:
            row = next(self._rows, None)
            if row is None:
                return Problem(f"there are only {self._passed} rows", "start the run again")
            self._recent.append(row)
            if self._kept is not None:
                self._kept.add(row())
            self._passed += 1
        behind = self._passed - position
        if behind <= len(self._recent):
            return self._recent[-behind]()
        assert self._kept is not None
        return self._kept.read(position)


class _Kept:
    """Rows in a file without a name."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as this object)
        self._ends = array("Q", [0])

    def add(self, row: Row | Problem) -> None:
        self._file.seek(0, 2)
        self._file.write(encoded(row))
        self._ends.append(self._file.tell())

    def read(self, position: int) -> Row | Problem:
        begin, end = self._ends[position : position + 2]
        self._file.seek(begin)
        value: Any = msgspec.msgpack.decode(self._file.read(end - begin))
        return Problem(*value) if isinstance(value, list) else value


def encoded(row: Row | Problem) -> bytes:
    """A row as bytes that depend on its columns and values alone."""
    return _ENCODER.encode(row)


def row_digest(row: Row | Problem) -> str:
    """16 hex digits that name the content of a row."""
    return content_digest(encoded(row), size=8)


#: How an Arrow file begins; a stream of `datasets` begins otherwise.
ARROW_MAGIC = b"ARROW1"
#: The rows that are decoded at once have about so many bytes.
BATCH_BYTES = 4 << 20


def need_pyarrow(path: str) -> None:
    """DependencyError where pyarrow, which reads this table, is not installed."""
    try:
        import pyarrow as pa  # noqa: F401
    except ImportError as error:
        raise DependencyError(
            "Parquet and Arrow files need the package 'pyarrow'",
            where=path,
            hint="pip install 'chef-eval[parquet]'",
        ) from error


@contextmanager
def errors_named(path: str) -> Iterator[None]:
    """Turn the errors of pyarrow into a `DataError` with the name of the file."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise DataError(
            f"cannot be read: {first_line(error)}", where=path, hint="download or write it again"
        ) from None


class ArrowTable(RowTable):
    """The rows of a file that pyarrow reads in parts (batches, groups of rows), metadata first."""

    _file: Path

    def __init__(self, path: Path) -> None:
        need_pyarrow(str(path))
        self.path, self._file = str(path), path
        try:
            self._state = file_state(path)
            with open_file(path) as file:  # only a regular file is opened
                head = file.read(len(ARROW_MAGIC))
        except OSError as error:
            raise unreadable(path, error) from None
        with errors_named(self.path):
            schema, sizes = self._metadata(head)
        self.columns = column_names(schema, self.path)
        self.names = class_names(schema)
        self._starts = list(accumulate(sizes, initial=0))

    @abstractmethod
    def _metadata(self, head: bytes) -> tuple[Any, list[int]]:
        """The schema, and the number of rows of each part; ``head`` is how the file begins."""

    @abstractmethod
    def _batches(self, columns: Sequence[str]) -> Iterator[Any]:
        """All rows as record batches of these columns."""

    @abstractmethod
    def _row(self, part: int, number: int) -> Row | Problem:
        """A row of a part."""

    def __len__(self) -> int:
        return int(self._starts[-1])

    def read(self, position: int) -> Row:
        self._check_unchanged()
        part = bisect_right(self._starts, position) - 1
        return usable(self._row(part, position - self._starts[part]))

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        """See `chef.scenario.table.rows.RowTable`; the other columns are not read."""
        names = [name for name in self.columns if name in columns]
        if not names:
            yield from ({} for _ in range(len(self)))
            return
        with errors_named(self.path):
            yield from rows_of(self._batches(names))

    def digests(self) -> Iterator[str]:
        """The digests of the values of the rows, in one pass through the file."""
        with errors_named(self.path):
            yield from map(row_digest, rows_of(self._batches(self.columns)))
        self._check_unchanged()


def column_names(schema: Any, where: str) -> tuple[str, ...]:
    """The names of the columns of a schema; DataError where two are the same."""
    twice = [name for name, count in Counter(schema.names).items() if count > 1]
    if twice:
        what = f"names the column '{twice[0]}' twice"
        raise DataError(what, where=where, hint="rename one of them")
    return tuple(schema.names)


def class_names(schema: Any) -> Mapping[str, Sequence[str]]:
    """The names of the classes of each column that `datasets` wrote as a ``ClassLabel``."""
    try:
        features = json.loads((schema.metadata or {})[b"huggingface"])["info"]["features"]
        return {
            name: [str(item) for item in feature["names"]]
            for name, feature in features.items()
            if isinstance(feature, dict) and feature.get("_type") == "ClassLabel"
        }
    except (KeyError, TypeError, ValueError, AttributeError):
        return {}


def rows_of(batches: Iterator[Any]) -> Iterator[Row | Problem]:
    """The rows of record batches, as plain data."""
    for batch in batches:
        for number in range(batch.num_rows):
            yield row_of(batch, number)


def lazy_rows(batches: Iterator[Any]) -> Iterator[Callable[[], Row | Problem]]:
    """As `rows_of`, but each row is made when it is called."""
    for batch in batches:
        for number in range(batch.num_rows):
            yield partial(row_of, batch, number)


def row_of(batch: Any, number: int) -> Row | Problem:
    """A row of a record batch, as plain data; its `Problem` if a value cannot be one."""
    row = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            row[name] = column[number].as_py()
        except Exception as error:  # invalid UTF-8, dates beyond Python's, ...
            what = f"the column '{name}' cannot be read: {type(error).__name__}: {error}"
            return Problem(what, "correct the value, or leave the column out of the file")
    return row


def batch_rows(total_bytes: int, rows: int) -> int:
    """How many rows have about `BATCH_BYTES`, if ``rows`` have ``total_bytes``."""
    return max(1, min(1024, BATCH_BYTES * rows // max(total_bytes, 1)))


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
