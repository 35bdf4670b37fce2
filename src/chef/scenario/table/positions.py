"""Tables in text files: the position of each row is noted, and a row is read when it is needed."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from chef.common.digest import content_digest
from chef.errors import DataError, SampleError
from chef.guard.files import open_file
from chef.scenario.table.rows import Row, check_unchanged, file_state, unreadable
from chef.scenario.tsv.index import Problem

#: Files are read in pieces of this many bytes where all of them is read.
_BUFFER = 1 << 20


class PositionedTable(ABC):
    """The rows of one file of text; a subclass tells where they are and what they hold.

    Args:
        path: a regular file, which is read once.

    Raises:
        DataError: it cannot be read, is of another kind, or has no row.
    """

    is_whole = True
    names: Mapping[str, Sequence[str]] = {}
    columns: tuple[str, ...]

    def __init__(self, path: Path) -> None:
        self.path, self._file = str(path), path
        self._offsets, self._lengths = array("Q"), array("Q")
        try:
            self._state = file_state(path)
            with _buffered(open_file(path)) as file:
                self._index(file)
        except OSError as error:
            raise unreadable(path, error) from None
        except DataError as error:
            raise DataError(error.what, where=self.path, hint=error.hint) from None

    def __len__(self) -> int:
        return len(self._offsets)

    def locate(self, position: int) -> tuple[str, int]:
        """See `chef.scenario.table.rows.Table`."""
        return self.path, position + 1

    def read(self, position: int) -> Row:
        """See `chef.scenario.table.rows.Table`."""
        row = self._parsed(self._content(position), None)
        if isinstance(row, Problem):
            raise SampleError(row.what, hint=row.hint)
        return row

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        """See `chef.scenario.table.rows.Table`."""
        for content in self._contents():
            yield self._parsed(content, columns)

    def digests(self) -> Iterator[str]:
        """The digests of the bytes of the rows, without the line break."""
        head = self._head()
        for content in self._contents():
            yield content_digest(head, content.rstrip(b"\r\n,"), size=8)

    def state(self) -> str:
        """Size and time of writing."""
        return repr(self._state)

    def fingerprint(self) -> str:
        """Empty: the rows have digests."""
        return ""

    def _content(self, position: int) -> bytes:
        """The bytes of a row."""
        check_unchanged(self._file, self._state)
        with open_file(self._file) as file:
            file.seek(self._offsets[position])
            return file.read(self._lengths[position])

    def _contents(self) -> Iterator[bytes]:
        """The bytes of each row, in one pass through the file."""
        check_unchanged(self._file, self._state)
        with _buffered(open_file(self._file)) as file:
            at = 0
            for offset, length in zip(self._offsets, self._lengths, strict=True):
                if offset != at:
                    file.seek(offset)
                yield file.read(length)
                at = offset + length
        check_unchanged(self._file, self._state)

    def _add(self, offset: int, length: int) -> None:
        self._offsets.append(offset)
        self._lengths.append(length)

    def _head(self) -> str:
        """What the meaning of a row's bytes depends on besides themselves."""
        return ""

    @abstractmethod
    def _index(self, file: BinaryIO) -> None:
        """`_add` each row, and set ``columns``."""

    @abstractmethod
    def _parsed(self, content: bytes, columns: Sequence[str] | None) -> Row | Problem:
        """A row from its bytes: all columns, or those."""


def _buffered(file: io.BufferedReader) -> io.BufferedReader:
    """The same file with a buffer that is large enough for rows with images."""
    return io.BufferedReader(file.detach(), _BUFFER)
