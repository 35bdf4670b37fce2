"""Many lines that are alike, kept in a small part of the memory that they take."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, overload

import msgspec

#: So many lines are compressed as one: more take longer where a single one is read.
_TOGETHER = 16
#: How hard zlib tries.
_LEVEL = 1
#: So many blocks stay unpacked: answers come in nearly the order in which they are read.
_UNPACKED = 16
_ENCODER, _DECODER = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder()
_LINES = msgspec.msgpack.Decoder(list[bytes])


@lru_cache(_UNPACKED)
def _unpacked(block: bytes) -> list[bytes]:
    return _LINES.decode(zlib.decompress(block))


class _Packed:
    """Lines by the order in which they came, compressed some at a time, as they are alike."""

    def __init__(self) -> None:
        self._blocks: list[bytes] = []
        self._open: list[bytes] = []

    @property
    def size(self) -> int:
        """The bytes that the lines take."""
        return sum(map(len, self._blocks)) + sum(map(len, self._open))

    def __len__(self) -> int:
        return _TOGETHER * len(self._blocks) + len(self._open)

    def _close(self) -> None:
        self._blocks.append(zlib.compress(_ENCODER.encode(self._open), _LEVEL))
        self._open = []

    def _line(self, place: int) -> bytes:
        block, within = divmod(place, _TOGETHER)
        is_open = block == len(self._blocks)
        return self._open[within] if is_open else _unpacked(self._blocks[block])[within]

    def _lines(self) -> Iterator[bytes]:
        blocks = map(_LINES.decode, map(zlib.decompress, self._blocks))
        return chain(chain.from_iterable(blocks), self._open)


class PackedLines(_Packed):
    """Lines of text or bytes.

    To read them in turn, or nearly so, is fast; one far from the last is as slow as its block.

    >>> lines = PackedLines()
    >>> for number in range(1000):
    ...     _ = lines.append(b'{"id": "q%d", "answer": "The answer is B."}' % number)
    >>> lines[999], len(lines), lines.size < 20_000
    (b'{"id": "q999", "answer": "The answer is B."}', 1000, True)
    """

    __getitem__, __iter__ = _Packed._line, _Packed._lines  # noqa: SLF001 (of its base)

    def append(self, line: bytes) -> int:
        """Add a line; return its place."""
        place = _TOGETHER * len(self._blocks) + len(self._open)
        self._open.append(line)
        if len(self._open) == _TOGETHER:
            self._close()
        return place


class PackedRows(_Packed, Sequence[Mapping[str, Any]]):
    """Rows of plain data; each look at one makes it anew, so a change of it changes no other look.

    Args:
        rows: the rows to begin with.

    >>> PackedRows([{"id": "1", "span": [0, 3]}, {"id": "2"}])[0]
    {'id': '1', 'span': [0, 3]}
    """

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        super().__init__()
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
            line = b""
        self._open.append(line)
        if len(self._open) == _TOGETHER:
            self._close()

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...

    @overload
    def __getitem__(self, place: slice) -> list[dict[str, Any]]: ...

    def __getitem__(self, place: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(place, slice):
            return [self[one] for one in range(len(self))[place]]
        place = range(len(self))[place]
        line = self._line(place)
        row: dict[str, Any] = _DECODER.decode(line) if line else dict(self._whole[place])
        return row

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for place, line in enumerate(self._lines()):
            yield _DECODER.decode(line) if line else dict(self._whole[place])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return PackedRows, (list(self),)
