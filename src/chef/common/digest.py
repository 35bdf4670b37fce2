"""Short names for content: of plain data and of files."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from chef.errors import DataError


def digest(identity: Any) -> str:
    """32 hex digits for plain data."""
    text = json.dumps(identity, sort_keys=True, default=_text)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _text(value: Any) -> Any:
    """What JSON cannot hold; the order of a set differs from process to process."""
    return sorted(map(repr, value)) if isinstance(value, set | frozenset) else repr(value)


def file_digest(*files: Path) -> str:
    """Names the content of files: 32 hex digits.

    Raises:
        DataError: one is missing.
    """
    state = hashlib.blake2b(digest_size=16)
    for file in files:
        try:
            with file.open("rb") as stream:
                while chunk := stream.read(1 << 20):
                    state.update(chunk)
        except OSError as error:
            raise DataError(f"cannot be read: {error.strerror}", where=str(file)) from None
    return state.hexdigest()
