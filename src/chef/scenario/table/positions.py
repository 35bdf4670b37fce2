"""Tables in text files: the position of each row is noted, and a row is read when it is needed."""

from __future__ import annotations

import io
from abc import abstractmethod
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from chef.common.digest import content_digest
from chef.errors import DataError
from chef.guard.files import open_file
from chef.scenario.table.rows import Problem, Row, Table, file_state, unreadable, usable

#: Files are read in pieces of this many bytes where all of them is read.
_BUFFER = 1 << 20


class PositionedTable(Table):
    """The rows of one file of text; a subclass tells where they are and what they hold.

    Args:
        path: a regular file, which is read once.

    Raises:
        DataError: it cannot be read, is of another kind, or has no row.
    """

    _file: Path

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

    def read(self, position: int) -> Row:
        """See `chef.scenario.table.rows.Table`."""
        return usable(self._parsed(self._content(position), None))

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        """See `chef.scenario.table.rows.Table`."""
        for content in self._contents():
            yield self._parsed(content, columns)

    def digests(self) -> Iterator[str]:
        """The digests of the bytes of the rows, without the line break."""
        head = self._head()
        for content in self._contents():
            yield content_digest(head, content.rstrip(b"\r\n"), size=8)

    def _content(self, position: int) -> bytes:
        """The bytes of a row."""
        self._check_unchanged()
        with open_file(self._file) as file:
            file.seek(self._offsets[position])
            return file.read(self._lengths[position])

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
