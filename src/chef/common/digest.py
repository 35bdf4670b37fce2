"""Short names for content: hex digests of plain data, of texts and bytes, and of files.

Run folders and caches store these digests, so their values must not change between versions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, TypeAlias

from chef.errors import DataError
from chef.guard.files import open_file

#: Texts are taken as UTF-8.
Content: TypeAlias = str | bytes | memoryview


def digest(identity: Any) -> str:
    """32 hex digits that name plain data: what JSON can hold, and anything else by its repr."""
    return content_digest(_ENCODER.encode(identity))


def content_digest(*parts: Content, size: int = 16) -> str:
    """Hex digits that name the concatenation of ``parts``.

    Args:
        parts: texts or bytes.
        size: bytes of the digest, 1 to 64; there are twice as many hex digits.

    >>> content_digest("ab", b"c", size=4) == content_digest("abc", size=4)
    True
    """
    return stream_digest(parts, size)


def stream_digest(parts: Iterable[Content], size: int = 16) -> str:
    """As `content_digest`, for parts that need not be in memory together."""
    state = hashlib.blake2b(digest_size=size)
    for part in parts:
        state.update(part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part)
    return state.hexdigest()


def file_digest(*files: Path) -> str:
    """32 hex digits that name the content of files. DataError: one cannot be read."""
    return stream_digest(chunk for file in files for chunk in _chunks(file))


def checksum(file: Path, kind: Literal["md5", "sha256"]) -> str:
    """The digest of a file as publishers of data state it, in hex digits."""
    with open_file(file) as stream:
        state = hashlib.file_digest(stream, lambda: hashlib.new(kind, usedforsecurity=False))
    return state.hexdigest()


def fraction(content: Content) -> float:
    """A number in 0..1, 1 excluded, that depends on the content alone; for stable splits."""
    return int(content_digest(content, size=4), 16) / 2**32


def _text(value: Any) -> Any:
    """What JSON cannot hold; the order of a set differs from process to process."""
    return sorted(map(repr, value)) if isinstance(value, set | frozenset) else repr(value)


#: Made once: `json.dumps` with arguments makes another one for each text.
_ENCODER = json.JSONEncoder(sort_keys=True, default=_text)


def _chunks(file: Path) -> Iterator[bytes]:
    try:
        with open_file(file) as stream:
            while chunk := stream.read(1 << 20):
                yield chunk
    except OSError as error:
        hint = "check its permissions" if isinstance(error, PermissionError) else None
        what = f"cannot be read: {error.strerror}"
        raise DataError(what, where=str(file), hint=hint) from None
