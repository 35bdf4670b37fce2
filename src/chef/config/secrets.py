"""Keeps API keys, tokens and passwords out of files and logs.

A value is secret when its key, or the environment variable it comes from, is named like a secret.
Every secret of a configuration, if longer than one character, is stored for the life of the
process, so that it can be removed from everything that is printed or journaled later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

REDACTED = "<redacted>"
#: ``${oc.env:NAME}`` and ``${oc.env:NAME,default}``.
ENVIRONMENT = re.compile(r"\$\{\s*oc\.env:\s*([^},\s]+)")

_KEY = re.compile(
    r"(^|_)(api_?key|(access|secret|private)_?key(_?id)?|secret|pass(word|wd|phrase)?|pat|"
    r"authorization|bearer|credentials?|(auth|access|api|hf|hub|refresh|session|id)_?token)s?$"
    r"|^(token|key|auth)$"
)
_VARIABLE = re.compile(r"KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH|(^|_)PAT($|_)", re.IGNORECASE)
#: A single character is no secret, and would be found in many words.
_SHORTEST = 2
_known: set[str] = set()


def redact(text: str) -> str:
    """``text`` without the secrets that this process knows."""
    for secret in sorted(_known, key=len, reverse=True):
        text = text.replace(secret, REDACTED)
    return text


def remember(raw: Any, values: Any) -> None:
    """Store the secrets of a configuration.

    Args:
        raw: its content with interpolations as written.
        values: the same, resolved.
    """
    _known.update(_secrets(raw, values, secret=False))


def public(raw: Any, values: Any, *, secret: bool = False) -> Any:
    """The content as it may be written to a file: interpolations stay as written."""
    if isinstance(raw, dict):
        return {
            key: public(raw[key], values[key], secret=secret or is_secret_key(str(key)))
            for key in raw
        }
    if isinstance(raw, list):
        return [public(item, value, secret=secret) for item, value in zip(raw, values, strict=True)]
    if isinstance(raw, str) and ENVIRONMENT.search(raw):
        return raw
    if values is None or values == "" or isinstance(values, bool):
        return values
    return REDACTED if secret else redact(values) if isinstance(values, str) else values


def from_environment(raw: Any, values: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Key path and value of everything from the environment, without secrets."""
    if isinstance(raw, dict):
        for name in raw:
            if not is_secret_key(str(name)):
                yield from from_environment(raw[name], values[name], f"{key}.{name}")
    elif isinstance(raw, list):
        for number, (item, value) in enumerate(zip(raw, values, strict=True)):
            yield from from_environment(item, value, f"{key}.{number}")
    elif isinstance(raw, str):
        names = ENVIRONMENT.findall(raw)
        if names and not any(_VARIABLE.search(name) for name in names):
            yield key, values


def is_secret_key(name: str) -> bool:
    """Whether a key is named like a secret.

    >>> [is_secret_key(name) for name in ("api_key", "X-Api-Key", "accessToken", "DB_PASS")]
    [True, True, True, True]
    >>> [is_secret_key(name) for name in ("image_token", "answer_key", "max_new_tokens")]
    [False, False, False]
    """
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").lower()
    return bool(_KEY.search(snake))


def _secrets(raw: Any, values: Any, *, secret: bool) -> Iterator[str]:
    if isinstance(raw, dict):
        for key in raw:
            yield from _secrets(raw[key], values[key], secret=secret or is_secret_key(str(key)))
    elif isinstance(raw, list):
        for item, value in zip(raw, values, strict=True):
            yield from _secrets(item, value, secret=secret)
    elif isinstance(values, str) and len(values.strip()) >= _SHORTEST:
        named = isinstance(raw, str) and any(
            _VARIABLE.search(name) for name in ENVIRONMENT.findall(raw)
        )
        if secret or named:
            yield values
