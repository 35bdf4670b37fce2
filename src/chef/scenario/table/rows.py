"""What tables of every format have in common, and those in text files: rows read one at a time."""

from __future__ import annotations

import errno
import hashlib
import io
import math
import os
from abc import ABC, abstractmethod
from array import array
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeAlias
from weakref import finalize

from chef.errors import DataError, SampleError, nearest
from chef.guard.files import CIRCLE, case_hint, open_file

#: A row: the name of each column, and its value as plain data or bytes.
Row: TypeAlias = Mapping[str, Any]
UTF8 = "save the file as UTF-8; from the encoding of Windows: iconv -f cp1252 -t utf-8 OLD > NEW"


class Problem(NamedTuple):
    """Why a row cannot be used, and how to fix it."""

    what: str
    hint: str


class RowTable(ABC):
    """Rows in a fixed order. Memory holds their positions, not their content.

    Attributes:
        path: the file, the folder, or the name on the hub, for messages.
        names: the texts that the whole numbers of a column stand for, where the file tells them.
        is_whole: whether `scan` gives all rows; of a stream it gives the first.
    """

    is_whole = True
    path: str
    columns: tuple[str, ...]
    names: Mapping[str, Sequence[str]] = {}
    #: What the file at ``path`` was when it was opened; None where there is none.
    _state: tuple[int, int] | None = None

    @abstractmethod
    def __len__(self) -> int: ...

    def locate(self, position: int) -> tuple[str, int]:
        """The file that the row at a position is in, and its number there, from 1."""
        return self.path, position + 1

    @abstractmethod
    def read(self, position: int) -> Row:
        """The row at a position, from 0; SampleError if malformed, DataError if changed."""

    @abstractmethod
    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        """All rows in order, of these columns only; a malformed row is its problem."""

    def state(self) -> str:
        """What shows, without reading it, whether the data was written since; empty: not known."""
        return repr(self._state) if self._state else ""

    @abstractmethod
    def digests(self) -> Iterator[str]:
        """A digest of each row, 16 hex digits; in the end DataError if the file was changed."""

    def fingerprint(self) -> str:
        """A digest of the data where it is no file, and so has no `digests`; else empty."""
        return ""

    def _check_unchanged(self) -> None:
        """DataError where the file was written or removed since it was opened."""
        try:
            is_same = self._state is None or file_state(self.path) == self._state
        except OSError:
            is_same = False
        if not is_same:
            raise DataError(
                "has changed since it was opened",
                where=self.path,
                hint="start the run again; rows that have changed are asked again",
            )


def usable(row: Row | Problem) -> Row:
    """The row; SampleError where it is malformed."""
    if isinstance(row, Problem):
        raise SampleError(row.what, hint=row.hint)
    return row


def is_missing(value: Any) -> bool:
    """Whether a cell holds nothing: null, NaN (as pandas writes it), or a blank text.

    >>> is_missing(float("nan")), is_missing(" "), is_missing(0), is_missing(["a"])
    (True, True, False, False)
    """
    if isinstance(value, float):
        return math.isnan(value)
    return value is None or (isinstance(value, str) and not value.strip())


def value_at(row: Row, column: str) -> Any:
    """The value of a column, or within one: ``meta.topic``, ``messages.0.text``; None without.

    >>> value_at({"meta": {"tags": ["a", "b"]}}, "meta.tags.1")
    'b'
    """
    if column in row or "." not in column:
        return row.get(column)
    value: Any = row
    for part in column.split("."):
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list | tuple) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value


def top_column(column: str, columns: Sequence[str]) -> str:
    """The column of the table that a name, or a path within a column, begins at."""
    return column if column in columns else column.partition(".")[0]


def spare_id(given: str, number: int, taken: Container[str]) -> str:
    """An id like its own for a row (from 1) that cannot be used: always the same, and not taken."""
    name = f"{given} (row {number})" if given else f"row {number}"
    while name in taken:
        name += "'"
    return name


def file_state(path: str | Path) -> tuple[int, int]:
    """Size in bytes and time of writing in nanoseconds; OSError where there is no such file."""
    state = os.stat(path)  # noqa: PTH116 (of each row that is read: a Path costs four calls)
    return state.st_size, state.st_mtime_ns


def unreadable(path: Path, error: OSError) -> DataError:
    """The error for a file that cannot be opened; a file of a similar name is suggested."""
    hint = None
    if path.is_dir():
        hint = "give the file, not its folder"
    elif not path.parent.is_dir():
        hint = case_hint(path, f"there is no folder {path.parent}")
    elif not path.exists():
        files = (file.name for file in path.parent.iterdir() if file.is_file())
        hint = case_hint(path, nearest(path.name, files))
    elif isinstance(error, PermissionError):
        hint = "check its permissions"
    why = CIRCLE if error.errno == errno.ELOOP else error.strerror or error
    return DataError(f"cannot be read: {why}", where=str(path), hint=hint)


#: Files are read in pieces of this many bytes where all of them is read; what asks for as many at
#: once gets them without a copy.
_BUFFER = 1 << 17
#: Values of at most so many bytes are kept from the first pass, and so many bytes of all rows.
SMALL, _MAX_KEPT, _OVERHEAD = 4096, 16 << 20, 60


class PositionedTable(RowTable):
    """The rows of one file of text, read once; a subclass tells where they are and what they hold.

    A `scan` of short values need not read large ones again: the pass that finds the rows keeps what
    is small beside these, as far as all of it together is small. DataError where there is no row.
    """

    _file: Path

    def __init__(self, path: Path) -> None:
        self.path, self._file = str(path), path
        self._opened: io.BufferedReader | None = None
        self._offsets, self._lengths = array("Q"), array("Q")
        self._kept: list[bytes | None] | None = []
        self._kept_size, self._left_out = 0, set[str]()
        try:
            self._state = file_state(path)
            with _buffered(open_file(path)) as file:
                self._index(file)
            if not self._left_out:  # the file itself is read as fast
                self._kept = None
        except OSError as error:
            raise unreadable(path, error) from None
        except DataError as error:
            raise DataError(error.what, where=self.path, hint=error.hint) from None

    def __len__(self) -> int:
        return len(self._offsets)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_opened": None}  # another process opens the file itself

    def read(self, position: int) -> Row:
        return usable(self._parsed(self._content(position), None))

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        for content in self._scanned(columns):
            yield self._parsed(content, columns)

    def digests(self) -> Iterator[str]:
        """The digests of the bytes of the rows, without the line break."""
        head = hashlib.blake2b(self._head().encode("utf-8", "surrogatepass"), digest_size=8)
        for position, content in enumerate(self._contents()):
            state = head.copy()
            state.update(self._digested(position, content))
            yield state.hexdigest()

    def _content(self, position: int) -> bytes:
        """The bytes of a row."""
        self._check_unchanged()
        if self._opened is None:
            self._opened = open_file(self._file)
            finalize(self, self._opened.close)
        # It needs no lock: samples are made in several threads.
        return os.pread(self._opened.fileno(), self._lengths[position], self._offsets[position])

    def _contents(self) -> Iterator[bytes]:
        """The bytes of each row, in one pass through the file."""
        self._check_unchanged()
        with _buffered(open_file(self._file)) as file:
            at = 0
            for offset, length in zip(self._offsets, self._lengths, strict=True):
                if offset != at:
                    file.seek(offset)
                yield file.read(length)
                at = offset + length
        self._check_unchanged()

    def _scanned(self, columns: Sequence[str]) -> Iterator[bytes]:
        """The bytes of each row, perhaps without the values of other columns than these."""
        if self._kept is None or self._left_out.intersection(columns):
            yield from self._contents()
            return
        self._check_unchanged()
        for position, content in enumerate(self._kept):
            yield self._content(position) if content is None else content

    def _add(self, offset: int, length: int, small: bytes | None) -> None:
        """Take a row of the file into account; ``small``: its bytes without the values of
        ``_left_out``, None where they are to be read again.
        """
        self._offsets.append(offset)
        self._lengths.append(length)
        if self._kept is not None:
            self._kept.append(small)
            self._kept_size += len(small or b"") + _OVERHEAD
            if self._kept_size > _MAX_KEPT:
                self._kept = None

    def _head(self) -> str:
        """What the meaning of a row's bytes depends on besides themselves."""
        return ""

    def _digested(self, position: int, content: bytes) -> bytes | memoryview:  # noqa: ARG002
        """What of the bytes of a row its digest is of; a row with an image is not copied for it."""
        end = len(content)
        while content.endswith((b"\n", b"\r"), 0, end):
            end -= 1
        return memoryview(content)[:end]

    @abstractmethod
    def _index(self, file: BinaryIO) -> None:
        """`_add` each row, and set ``columns``."""

    @abstractmethod
    def _parsed(self, content: bytes, columns: Sequence[str] | None) -> Row | Problem:
        """A row from its bytes: all columns, or those."""


def _buffered(file: io.BufferedReader) -> io.BufferedReader:
    """The same file with a buffer that is large enough for rows with images."""
    return io.BufferedReader(file.detach(), _BUFFER)
