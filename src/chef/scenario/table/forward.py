"""Rows that come one after the other, read at any position in constant memory."""

from __future__ import annotations

import tempfile
import threading
from array import array
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import msgspec

from chef.common.digest import content_digest
from chef.scenario.table.rows import Problem, Row, usable

#: Makes a row.
LazyRow: TypeAlias = Callable[[], Row | Problem]
#: How many rows stay in memory, for threads that ask for them in nearly the same order.
_RECENT = 16
_ENCODER = msgspec.msgpack.Encoder(enc_hook=str)


class Forward:
    """Reads on as far as is needed. Who goes back reads from a file of the rows passed so far.

    The file has no name and lasts as long as this object. It is begun when a row is needed that
    has been passed; until then nothing is written.

    Args:
        start: begins with the first row; what it gives makes a row when it is called, so that rows
            that are only passed are not decoded.
        keep: write the file from the first row on, because to begin again is slow.
    """

    def __init__(self, start: Callable[[], Iterator[LazyRow]], *, keep: bool = False) -> None:
        self._start, self._rows, self._passed = start, start(), 0
        self._recent: deque[LazyRow] = deque(maxlen=_RECENT)
        self._kept = _Kept() if keep else None
        self._lock = threading.Lock()

    def read(self, position: int) -> Row:
        """The row at a position.

        Raises:
            SampleError: it is malformed, or there are not so many rows.
        """
        with self._lock:
            row = self._read(position)
        return usable(row)

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
