"""Finds the secrets of a configuration; `common/redaction.py` removes them from what is written.

A value is secret when its key, or the environment variable it comes from, is named like a secret,
or where it holds one (`guard/secrets.py`).
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from chef.common import redaction
from chef.common.redaction import REDACTED, redact
from chef.guard.secrets import is_secret_key, is_secret_variable, of_environment, whole, within

__all__ = ["ENVIRONMENT", "from_environment", "public", "redact", "remember"]

#: ``${oc.env:NAME}`` and ``${oc.env:NAME,default}``.
ENVIRONMENT = re.compile(r"\$\{\s*oc\.env:\s*([^},\s]+)\s*")


#: A line of YAML, or an override, that gives a key a value.
_LINE = re.compile(r"""^[ \t-]*+["']?([\w.-]++)["']?[ \t]*+[:=](.*)""", re.MULTILINE)
#: What stands around a value that YAML cannot read: tags, anchors, quotes, interpolations.
_AROUND = re.compile(r"""python/[\w/]*:|oc\.\w+:|[\s'"!&*\[\]{},|>$:]+""")
#: To look for more secrets than this takes too long, and no file of settings has as many.
MOST = 500


def remember(raw: Any, values: Any) -> None:
    """Store the secrets of a configuration and of the environment for the life of the process.

    Args:
        raw: its content with interpolations as written.
        values: the same, resolved.

    Raises:
        ValueError: it has more than `MOST` texts that look like secrets.
    """
    own = set(islice(_secrets(raw, values, secret=False), 20 * MOST))
    if len(own) > MOST:
        raise ValueError(f"has more than {MOST} texts that look like keys or passwords")
    redaction.remember([*of_environment(os.environ), *own])


def remember_within(texts: Iterable[str]) -> None:
    """Store what looks like a secret in texts that are about to be checked."""
    redaction.remember(islice((secret for text in texts for secret in within(text)), MOST))


def remember_written(text: str) -> None:
    """Store the secrets of YAML or an override that cannot be read, before an error quotes it."""
    found = [*islice(within(text), MOST)]
    for name, value in islice(_LINE.findall(text), 20 * MOST):
        if is_secret_key(name.rpartition(".")[2], value):
            found += [value, *_AROUND.split(value)]
    redaction.remember(found[:MOST])


def slow_digest(raw: Any, values: Any) -> str:
    """A digest of the secrets of a configuration, or an empty text.

    A guess takes 50 ms and 16 MiB.
    """
    found = sorted(set(_secrets(raw, values, secret=False)) - {""})
    if not found:
        return ""
    return hashlib.scrypt("\0".join(found).encode(), salt=b"chef", n=2**14, r=8, p=1).hex()[:32]


def public(raw: Any, values: Any, *, secret: bool = False) -> Any:
    """The content as it may be written to a file: interpolations stay as written."""
    if isinstance(raw, dict):
        return {
            key: public(
                raw[key], values[key], secret=secret or is_secret_key(str(key), values[key])
            )
            for key in raw
        }
    if isinstance(raw, list):
        return [public(item, value, secret=secret) for item, value in zip(raw, values, strict=True)]
    if isinstance(raw, str) and "${" in raw:
        return _public_interpolation(raw, secret=secret)
    if values is None or values == "" or isinstance(values, bool):
        return values
    if secret:
        return REDACTED
    return _plain(values)


def from_environment(raw: Any, values: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Key path and value of everything from the environment, without secrets."""
    if isinstance(raw, dict):
        for name in raw:
            if not is_secret_key(str(name), values[name]):
                yield from from_environment(raw[name], values[name], f"{key}.{name}")
    elif isinstance(raw, list):
        for number, (item, value) in enumerate(zip(raw, values, strict=True)):
            yield from from_environment(item, value, f"{key}.{number}")
    elif isinstance(raw, str):
        names = ENVIRONMENT.findall(raw)
        if names and not any(map(is_secret_variable, names)):
            yield key, _plain(values)


def _secrets(raw: Any, values: Any, *, secret: bool) -> Iterator[str]:
    if isinstance(raw, dict):
        for key in raw:
            named = secret or is_secret_key(str(key), values[key])
            yield from _secrets(raw[key], values[key], secret=named)
        return
    if isinstance(raw, list):
        for item, value in zip(raw, values, strict=True):
            yield from _secrets(item, value, secret=secret)
        return
    if values is None or isinstance(values, bool):
        return
    text = str(values)
    if secret:
        yield from whole(text)
    yield from within(text)
    if isinstance(raw, str) and "${" in raw:
        yield from _looked_up(raw, text, secret=secret)


def _looked_up(raw: str, text: str, *, secret: bool) -> Iterator[str]:
    """The values and defaults of look-ups, and the literals beside them."""
    named = False
    for name, default in _lookups(raw):
        if secret or is_secret_variable(name):
            named = True
            yield from whole(os.environ.get(name, ""))
            for literal in _literals(default):
                yield from whole(literal.strip().strip("'\""))
    if secret:
        for literal in _literals(raw):
            yield from whole(literal)
    if named and not re.search(r"\s", text):  # a prompt is no secret though it holds one
        yield text


def _lookups(raw: str) -> Iterator[tuple[str, str]]:
    """Name and default of each look-up of the environment, also of one in another."""
    for match in ENVIRONMENT.finditer(raw):
        depth, place = 1, match.end()
        while place < len(raw) and depth:
            depth += {"{": 1, "}": -1}.get(raw[place], 0)
            place += 1
        yield match[1], raw[match.end() : place - 1].strip().removeprefix(",")


def _pieces(raw: str) -> Iterator[tuple[bool, str]]:
    """A text in pieces: each an interpolation (True), or what stands beside them."""
    start = place = 0
    while (place := raw.find("${", place)) >= 0:
        end, depth = place + 2, 1
        while end < len(raw) and depth:
            depth += {"{": 1, "}": -1}.get(raw[end], 0)
            end += 1
        yield False, raw[start:place]
        yield True, raw[place:end]
        start = place = end
    yield False, raw[start:]


def _literals(raw: str) -> list[str]:
    """What stands beside interpolations."""
    return [piece for looked_up, piece in _pieces(raw) if not looked_up and piece.strip()]


def _plain(value: Any) -> Any:
    return redaction.redact_data(_without(value) if isinstance(value, str) else value)


def _without(text: str) -> str:
    """A text without the secrets that it holds, also short ones that cannot be remembered."""
    for secret in sorted(set(within(text)), key=len, reverse=True):
        text = text.replace(secret, REDACTED) if secret else text
    return text


def _public_interpolation(raw: str, *, secret: bool) -> str:
    """A text with interpolations as written, without literals and defaults that are secret."""
    for name, default in _lookups(raw):
        if default and (secret or is_secret_variable(name)):
            for literal in _literals(default):
                raw = raw.replace(literal.strip(), f"'{REDACTED}'")
    if not secret:
        return redact(_without(raw))
    return "".join(
        piece if looked_up or not piece.strip() else REDACTED for looked_up, piece in _pieces(raw)
    )
