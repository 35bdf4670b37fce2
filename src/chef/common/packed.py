"""Many lines that are alike, kept in a small part of the memory that they take."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

import msgspec

#: So many lines stay as they are, and are the dictionary by which the others are compressed.
_FIRST = 4
#: At most so many bytes of them: a longer dictionary takes longer for each line.
_DICTIONARY = 4096
#: The window of zlib in bits, which is that of the dictionary; negative: without a header.
_WINDOW = -13
#: zlib's memory for each line, and how hard it tries.
_MEMORY, _LEVEL = 5, 3


@dataclass(slots=True)
class PackedLines:
    """Lines by the order in which they came; each is compressed alone, so any can be read.

    Lines of one kind have most of their characters in common with the first ones.

    >>> lines = PackedLines()
    >>> for number in range(1000):
    ...     _ = lines.append(b'{"id": "q%d", "answer": "The answer is B."}' % number)
    >>> lines[999], len(lines), lines.size < 20_000
    (b'{"id": "q999", "answer": "The answer is B."}', 1000, True)
    """

    _first: list[bytes] = field(default_factory=list)
    _packed: bytearray = field(default_factory=bytearray)
    _ends: array[int] = field(default_factory=lambda: array("Q", [0]))
    _dictionary: bytes = b""
    _fresh: Any = None

    @property
    def size(self) -> int:
        """The bytes that the lines take."""
        return sum(map(len, self._first)) + len(self._packed) + self._ends.itemsize * len(self)

    def append(self, line: bytes) -> int:
        """Add a line; return its place."""
        if self._fresh is None:
            self._first.append(line)
            if len(self._first) == _FIRST:
                self._dictionary = b"".join(self._first)[-_DICTIONARY:]
                self._fresh = zlib.compressobj(
                    _LEVEL, zlib.DEFLATED, _WINDOW, _MEMORY, zdict=self._dictionary
                )
            return len(self._first) - 1
        one = self._fresh.copy()
        self._packed += one.compress(line)
        self._packed += one.flush()
        self._ends.append(len(self._packed))
        return len(self._ends) + _FIRST - 2

    def __getitem__(self, place: int) -> bytes:
        if place < len(self._first):
            return self._first[place]
        place -= len(self._first)
        part = self._packed[self._ends[place] : self._ends[place + 1]]
        return zlib.decompressobj(_WINDOW, self._dictionary).decompress(part)

    def __len__(self) -> int:
        return len(self._first) + len(self._ends) - 1

    def __iter__(self) -> Iterator[bytes]:
        return map(self.__getitem__, range(len(self)))


class PackedRows(Sequence[Mapping[str, Any]]):
    """Rows of plain data; each look at one makes it anew, so a change of it changes no other look.

    Args:
        rows: the rows to begin with.

    >>> PackedRows([{"id": "1", "span": [0, 3]}, {"id": "2"}])[0]
    {'id': '1', 'span': [0, 3]}
    """

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        self._lines = PackedLines()
        #: Rows that MessagePack cannot hold, such as those with numbers above 64 bits.
        self._whole: dict[int, Mapping[str, Any]] = {}
        for row in rows:
            self.append(row)

    def append(self, row: Mapping[str, Any]) -> None:
        """Add a row."""
        try:
            self._lines.append(_ENCODER.encode(row))
        except (TypeError, ValueError, OverflowError, RecursionError):
            self._whole[self._lines.append(b"")] = row

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...

    @overload
    def __getitem__(self, place: slice) -> list[dict[str, Any]]: ...

    def __getitem__(self, place: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        places = range(len(self._lines))[place]
        return self._row(places) if isinstance(places, int) else list(map(self._row, places))

    def _row(self, place: int) -> dict[str, Any]:
        if place in self._whole:
            return dict(self._whole[place])
        row: dict[str, Any] = _DECODER.decode(self._lines[place])
        return row

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return map(self._row, range(len(self._lines)))

    def __len__(self) -> int:
        return len(self._lines)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return PackedRows, (list(self),)


_ENCODER, _DECODER = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder()
