"""Secrets that this process knows, and their removal from what leaves it.

Whatever is written to a file, printed, logged or sent to another process goes through `redact` or
`redact_data` (`common/writing.py`, `common/printing.py`, `common/logs.py`). A text without a
secret costs microseconds: only its letters and digits are searched, once for all secrets. Every
text takes time in proportion to its length.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from chef.common.secret_forms import (
    SHORTEST,
    clue_pattern,
    clues,
    literals,
    pattern_of,
    reduced,
)

REDACTED = "<redacted>"
#: The keys of chef's files are words with at most so many signs.
_WORD = 24
#: A longer secret is removed as a whole in its usual forms, and in all forms in pieces of so many
#: signs: to make a pattern takes a millisecond for each sign, and few pieces are ever needed.
_PIECE = 512


@dataclass(frozen=True)
class _Secret:
    """One secret with what finds it."""

    text: str
    clues: tuple[str, ...]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return pattern_of(self.text)

    @cached_property
    def _literals(self) -> list[str]:
        return literals(self.text)

    def removed_from(self, text: str) -> str:
        """A text without this secret."""
        if len(self.text) <= _PIECE:
            return self._pattern.sub(REDACTED, text)
        for form in self._literals:
            text = text.replace(form, REDACTED)
        return text


@dataclass(frozen=True)
class _Known:
    """All secrets, the longest first."""

    secrets: tuple[_Secret, ...] = ()

    @cached_property
    def clue(self) -> re.Pattern[str]:
        """Finds what a text has that holds any of them."""
        return clue_pattern({clue for secret in self.secrets for clue in secret.clues})


class _Store:
    """What is known now. It is replaced as a whole, so reading it needs no lock."""

    def __init__(self) -> None:
        self.known = _Known()
        self.lock = threading.Lock()


_store = _Store()


def remember(secrets: Iterable[str]) -> None:
    """Remove these texts from everything that leaves the process from now on.

    Texts of fewer than six signs are passed over: they occur in ordinary words and numbers. Each
    longer line of a text of several lines is removed by itself, too.
    """
    texts = {part for text in secrets for part in _parts(text)}
    with _store.lock:
        before = _store.known.secrets
        if new := texts - {secret.text for secret in before}:
            every = [*before, *(_Secret(text, tuple(set(clues(text)))) for text in new)]
            _store.known = _Known(
                tuple(sorted(every, key=lambda item: (-len(item.text), item.text)))
            )


def redact(text: str) -> str:
    """``text`` without the secrets that this process knows, in whatever form they are written."""
    known = _store.known
    if not known.secrets:
        return text
    searched = _searched(text)
    if not known.clue.search(searched):
        return text
    for secret in known.secrets:
        if any(clue in searched for clue in secret.clues):
            before, text = text, secret.removed_from(text)
            searched = searched if text == before else _searched(text)
    return text


def _searched(text: str) -> str:
    return reduced(text.encode("utf-8", "surrogatepass"))


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
    known = _store.known
    return bool(known.secrets) and known.clue.search(reduced(text)) is not None


def _parts(text: str) -> Iterable[str]:
    """A secret without blanks around it, and its longer lines."""
    text = text.strip()
    if len(text) >= SHORTEST and text.strip("<>") not in REDACTED and "${" not in text:
        yield text
        if len(text) > _PIECE:
            size = -(-len(text) // -(-len(text) // _PIECE))  # pieces of about one size, none short
            yield from (text[at : at + size].strip() for at in range(0, len(text), size))
    lines = [line.strip() for line in text.splitlines()] if "\n" in text else []
    yield from (line for line in lines if len(line) >= 16 and not line.startswith("-----"))
