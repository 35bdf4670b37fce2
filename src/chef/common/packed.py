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
_DICTIONARY = 3800
#: The window of zlib in bits, which is that of the dictionary; negative: without a header.
_WINDOW = -12
#: So many rows that are read in turn are compressed as one.
_TOGETHER = 64
#: zlib's memory for each line, and how hard it tries.
_MEMORY, _LEVEL = 4, 3


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

    To look at them in turn is fast, and at a single one as slow as at `_TOGETHER`.

    Args:
        rows: the rows to begin with.

    >>> PackedRows([{"id": "1", "span": [0, 3]}, {"id": "2"}])[0]
    {'id': '1', 'span': [0, 3]}
    """

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        self._blocks: list[bytes] = []
        self._open: list[bytes] = []
        #: Rows that MessagePack cannot hold, such as those with numbers above 64 bits.
        self._whole: dict[int, Mapping[str, Any]] = {}
        for row in rows:
            self.append(row)

    def append(self, row: Mapping[str, Any]) -> None:
        """Add a row."""
        try:
            line = _ENCODER.encode(row)
        except (TypeError, ValueError, OverflowError, RecursionError):
            self._whole[len(self)] = row
            line = _ENCODER.encode(None)
        self._open.append(line)
        if len(self._open) == _TOGETHER:
            self._blocks.append(zlib.compress(b"".join(self._open), 1))
            self._open = []

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...

    @overload
    def __getitem__(self, place: slice) -> list[dict[str, Any]]: ...

    def __getitem__(self, place: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(place, slice):
            return [*self][place]
        place = range(len(self))[place]
        block, within = divmod(place, _TOGETHER)
        return self._rows(block)[within]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for block in range(len(self._blocks) + 1):
            yield from self._rows(block)

    def __len__(self) -> int:
        return _TOGETHER * len(self._blocks) + len(self._open)

    def _rows(self, block: int) -> list[dict[str, Any]]:
        """The rows of a block; the last one is open."""
        is_open = block == len(self._blocks)
        content = b"".join(self._open) if is_open else zlib.decompress(self._blocks[block])
        number = len(self._open) if is_open else _TOGETHER
        # A MessagePack array of up to 65,535 items: its mark, their number, and the items.
        rows: list[dict[str, Any]] = _DECODER.decode(b"\xdc" + number.to_bytes(2, "big") + content)
        if self._whole:
            first = block * _TOGETHER
            rows = [dict(self._whole.get(first + place) or row) for place, row in enumerate(rows)]
        return rows

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return PackedRows, (list(self),)


_ENCODER, _DECODER = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder()
