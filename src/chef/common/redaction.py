"""Secrets that this process knows, and their removal from what leaves it.

Whatever is written to a file, printed, logged or sent to another process goes through `redact` or
`redact_data` (`common/writing.py`, `common/printing.py`, `common/logs.py`). A text without a
secret costs microseconds: only its letters and digits are searched.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from chef.common.secret_forms import SHORTEST, clues, pattern_of, reduced

REDACTED = "<redacted>"
#: The keys of chef's files are words with at most so many signs.
_WORD = 24


@dataclass(frozen=True)
class _Secret:
    """One secret with what finds it."""

    text: str
    clues: tuple[str, ...]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return pattern_of(self.text)


class _Known:
    """All secrets, the longest first; replaced as a whole, so reading them needs no lock."""

    def __init__(self) -> None:
        self.secrets: tuple[_Secret, ...] = ()
        self.lock = threading.Lock()


_known = _Known()


def remember(secrets: Iterable[str]) -> None:
    """Remove these texts from everything that leaves the process from now on.

    Texts of fewer than six signs are passed over: they occur in ordinary words and numbers. Each
    longer line of a text of several lines is removed by itself, too.
    """
    texts = {part for text in secrets for part in _parts(text)}
    with _known.lock:
        new = texts - {secret.text for secret in _known.secrets}
        added = [_Secret(text, tuple(set(clues(text)))) for text in new]
        every = [*_known.secrets, *added]
        _known.secrets = tuple(sorted(every, key=lambda item: (-len(item.text), item.text)))


def redact(text: str) -> str:
    """``text`` without the secrets that this process knows, in whatever form they are written."""
    for secret in _suspected(text.encode("utf-8", "surrogatepass")):
        text = secret.pattern.sub(REDACTED, text)
    return text


def redact_data(data: Any) -> Any:
    """Plain data with its texts, keys and numbers redacted; other objects are left as they are."""
    if isinstance(data, str):
        return redact(data)
    if isinstance(data, Mapping):
        return {_key(key): redact_data(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [redact_data(item) for item in data]
    if isinstance(data, int | float) and not isinstance(data, bool):
        return data if redact(text := str(data)) == text else REDACTED
    return data


def _key(key: Any) -> Any:
    """A key redacted, unless it is a word: a password may be ``answer``."""
    is_word = isinstance(key, str) and key.replace("_", "").isalpha() and len(key) <= _WORD
    return key if is_word else redact_data(key)


def may_hold_secret(text: bytes) -> bool:
    """Whether a text may hold a secret; False is certain."""
    return next(_suspected(text), None) is not None


def _suspected(text: bytes) -> Iterator[_Secret]:
    known = _known.secrets
    if not known:
        return iter(())
    searched = reduced(text)
    return (secret for secret in known if any(clue in searched for clue in secret.clues))


def _parts(text: str) -> Iterable[str]:
    """A secret without blanks around it, and its longer lines."""
    text = text.strip()
    if len(text) >= SHORTEST and text.strip("<>") not in REDACTED and "${" not in text:
        yield text
    lines = [line.strip() for line in text.splitlines()] if "\n" in text else []
    yield from (line for line in lines if len(line) >= 16 and not line.startswith("-----"))
