"""A part: the one object that keeps a shard, with its statistics, answers and scores.

It is three gzip members after each other, so that the first can be read alone, and all of them are
JSON lines: the head, the lines of predictions.jsonl (without the effort, which is never twice the
same), and those of scores.jsonl. It holds no clock: a shard that is done twice is the same bytes.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Sequence
from typing import Any

import msgspec

from chef.common.digest import content_digest
from chef.common.writing import json_line
from chef.errors import DataError
from chef.frozen import Frozen
from chef.run.answers import decode
from chef.shards.statistics import ShardStatistics
from chef.types import Prediction

#: The most bytes of a member that are unpacked: a part may come from somebody else.
_MOST = 2**31


class Head(msgspec.Struct, frozen=True, tag_field="format", tag=1):
    """What the first member of a part says; ``body`` is the digest of the other two."""

    shard: str
    settings: str
    samples: int
    body: str
    statistics: tuple[ShardStatistics, ...]


def pack(
    shard: str,
    settings: str,
    statistics: Sequence[ShardStatistics],
    answers: Sequence[bytes],
    scores: bytes,
) -> tuple[bytes, bytes]:
    """The bytes of a part: those of its head, and the others (journal lines, scores.jsonl)."""
    body = _zipped(b"".join(answers)) + _zipped(scores)
    head = Head(shard, settings, len(answers), content_digest(body), tuple(statistics))
    return _zipped(json_line(head)), body


def _zipped(data: bytes) -> bytes:
    return gzip.compress(data, 6, mtime=0)


def read_head(data: bytes, where: str) -> Head | None:
    """The head of a part; None where more bytes are needed, `DataError` where it is none."""
    head, rest = _member(data, where)
    return None if rest is None else _head(head, where)


def whole_head(data: bytes, where: str) -> Head:
    """The head of a part of which these are all bytes that matter; else a `DataError`."""
    if (head := read_head(data, where)) is None:
        raise _damaged(where, "it ends within its head")
    return head


class StoredPart(Frozen):
    """A part: its head, the answers, and their scores by the main metric as in scores.jsonl."""

    head: Head
    answers: Sequence[Prediction]
    scores: Sequence[dict[str, Any]]


def read_part(data: bytes, where: str) -> StoredPart:
    """A whole part; `DataError` where it is damaged."""
    first, body = _member(data, where)
    head = _head(first, where)
    if body is None or content_digest(body) != head.body:
        raise _damaged(where, "its bytes are not those that its head names")
    answers, rest = _member(body, where)
    scores, _ = _member(rest or b"", where)
    try:
        entries = [msgspec.json.decode(line) for line in scores.splitlines()]
        return StoredPart(head, [decode(line) for line in answers.splitlines()], entries)
    except (ValueError, RecursionError) as error:
        raise _damaged(where, str(error)) from None


def _member(data: bytes, where: str) -> tuple[bytes, bytes | None]:
    """The content of the first gzip member, and what follows; None where its end is not there."""
    unpacker = zlib.decompressobj(31)
    try:
        content = unpacker.decompress(data, _MOST)
    except zlib.error as error:
        raise _damaged(where, str(error)) from None
    if unpacker.unconsumed_tail:
        raise _damaged(where, f"it holds more than {_MOST} bytes")
    return content, unpacker.unused_data if unpacker.eof else None


def _head(content: bytes, where: str) -> Head:
    try:
        return msgspec.json.decode(content, type=Head)
    except (ValueError, RecursionError) as error:
        raise _damaged(where, str(error)) from None


def _damaged(where: str, why: str) -> DataError:
    return DataError(
        f"the part cannot be read ({why})",
        where=where,
        hint="remove the object; the `chef eval` command of the run asks its shard again",
    )
