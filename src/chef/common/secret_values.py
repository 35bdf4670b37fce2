"""The secrets that a text, a command line or the environment holds."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote, unquote_plus

from chef.common.secret_names import (
    is_secret_key,
    is_secret_parameter,
    is_secret_variable,
    looks_secret,
)

# Every pattern here takes time in proportion to the text: none begins with a run that may begin at
# each of its own signs.
_ADDRESS = re.compile(r"(?<=[\w+.-])://[^\s\"'<>]+")
_USERINFO = re.compile(r"://([^/?#@\s]*)@")
_PARAMETER = re.compile(r"[?&#;]([\w.~%-]+)=([^&#;\s]+)")
#: ``AccountKey=...;`` of connection strings, and ``Authorization: Bearer ...`` of headers.
_PAIR = re.compile(r"(?<![\w-])([\w-]++)=([^\s;,&\"']+)")
_SCHEME = re.compile(r"\b(Bearer|Basic|Token|ApiKey)\s+([\w.~+/=-]+)", re.IGNORECASE)
_WITH_SCHEME = re.compile(r"(?i)(?:Bearer|Basic|Token|ApiKey|Digest)\s+(\S.*)", re.DOTALL)
_PEM_START = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")
_PEM_END = re.compile(r"-----END [A-Z ]*PRIVATE KEY-----")
#: How the keys of well-known services look.
_SERVICES = re.compile(
    r"\b(?:sk-[\w-]{16,}|hf_[A-Za-z0-9]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}"
    r"|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}|AIza[\w-]{35})"
)
#: A JSON web token: three words with points between them. Of a word the first place that may begin
#: a token decides; a later one would give a shorter token.
_JWT = re.compile(r"(?<![\w-])(?>[\w-]*?\b(?=eyJ))(eyJ[\w-]{8,}+\.[\w-]{8,}+\.[\w-]{8,}+)")


def of_environment(variables: Mapping[str, str]) -> Iterator[str]:
    """The secrets of environment variables; also of those that no file names."""
    for name, value in variables.items():
        # The value of a variable that no file names may be any word, or a path.
        is_word = len(value) <= 16 and value.isalpha()
        if is_secret_variable(name) and not is_word and not _is_path(value):
            yield from whole(value)
        yield from _within(value)


@lru_cache(1024)
def _within(value: str) -> tuple[str, ...]:
    """As `within`; the variables of the environment are the same for all runs of a process."""
    return tuple(within(value))


def _is_path(value: str) -> bool:
    try:
        return value.startswith(("/", "~", ".")) and Path(value).expanduser().exists()
    except (OSError, ValueError, RuntimeError):  # too long, or a user that does not exist
        return False


def of_arguments(arguments: Sequence[str]) -> Iterator[str]:
    """The secrets of a command line: ``model_cfg.api_key=...`` and those within its words."""
    for argument in arguments:
        name, _, value = argument.partition("=")
        if value and is_secret_key(name.rpartition(".")[2], value):
            yield from whole(value)
        yield from within(argument)


def within(text: str) -> Iterator[str]:
    """The secrets that a text holds, such as the password in a web address."""
    for address in _ADDRESS.findall(text):
        for found in _USERINFO.findall(address):
            user, colon, password = found.partition(":")
            if colon or looks_secret(user):
                yield from _encoded(password if colon else user)
        for name, value in _PARAMETER.findall(address):
            if is_secret_parameter(unquote(name), value):
                yield from _encoded(value)
    for name, value in _PAIR.findall(text):
        if is_secret_key(name) and looks_secret(value):
            yield from _encoded(value)
    for scheme, value in _SCHEME.findall(text):
        decoded = list(_decoded(value)) if scheme.lower() == "basic" else []
        if decoded or looks_secret(value):
            yield from [value, *decoded]
    yield from _private_keys(text)
    yield from _SERVICES.findall(text)
    yield from _JWT.findall(text)


def _private_keys(text: str) -> Iterator[str]:
    """Each private key in PEM, from its first line to its last."""
    place = 0
    while (start := _PEM_START.search(text, place)) and (end := _PEM_END.search(text, start.end())):
        yield text[start.start() : end.end()]
        place = end.end()


def whole(text: str) -> Iterator[str]:
    """A secret, and what it is made of where it has a scheme."""
    text = text.strip()
    yield text
    yield from within(text)
    if match := _WITH_SCHEME.fullmatch(text):
        yield match[1]
        yield from _decoded(match[1])


def _encoded(text: str) -> Iterator[str]:
    yield text
    yield unquote(text)
    yield unquote_plus(text)


def _decoded(text: str) -> Iterator[str]:
    """The password of a Basic header."""
    try:
        user, colon, password = base64.b64decode(text, validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        return
    if colon:
        yield password
        yield f"{user}:{password}"
