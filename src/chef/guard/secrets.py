"""Secrets by their names and by their looks: in a text, a command line or the environment."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import unquote, unquote_plus

from chef.guard.files import user_path


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: The last word of a name that always means a secret.
_ALWAYS = _set("""
    apikey apikeys accesskey accountkey auth authorization bearer cookie cookies credential
    credentials jwt passcode passphrase passwd password passwords pwd secret secrets secretkey
    sharedaccesskey
""")
#: What stands before ``key`` or ``token`` where it is a secret, whatever its value looks like.
_BEFORE_KEY = _set("""
    access account anthropic api azure client encryption gemini openai private secret service shared
    signing ssh storage subscription webhook
""")
_BEFORE_TOKEN = _set("""
    access api auth bearer bot csrf gh github gitlab hf hub huggingface id jwt oauth personal
    refresh sas secret security session user
""")
#: What stands before ``token`` where it is a piece of text, as tokenizers name them.
_NO_TOKEN = _set("""
    audio begin bos boi boxes cls end eoi eos fake first im image img last mask max min new next num
    number pad patch per placeholder prompt rare sep separator special start stop unk video vision
    vocab word
""")
#: What stands before ``key`` where it is the name of a field.
_NO_KEY = _set("""
    answer cache caption choice column dict field foreign group gt id image index input json label
    lookup metric name option output primary prompt public question result score sort split target
    text
""")
#: Parameters of web addresses that sign or allow a request, besides those named like a secret.
_PARAMETERS = _set("sig signature pass pw x_amz_signature x_amz_credential")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@lru_cache(1024)
def words(name: str) -> tuple[str, ...]:
    """The words of a name in any spelling, in lower case.

    >>> words("X-Api-Key"), words("accessToken"), words("HF_TOKEN")
    (('x', 'api', 'key'), ('access', 'token'), ('hf', 'token'))
    """
    return tuple(part for part in re.split(r"[\W_]+", _CAMEL.sub("_", name).lower()) if part)


def is_secret_key(name: str, value: Any = None) -> bool:
    """Whether a key is named like a secret.

    Args:
        name: the key.
        value: what it has. Names that may mean either (``my_key``, ``judge_token``) mean a secret
            where the value looks like one.

    >>> [is_secret_key(name) for name in ("api_key", "X-Api-Key", "accessToken", "DB_PASS")]
    [True, True, True, True]
    >>> [is_secret_key(name) for name in ("image_token", "answer_key", "max_new_tokens")]
    [False, False, False]
    >>> is_secret_key("gt_key", "label"), is_secret_key("judge_key", "9f86d081884c7d65")
    (False, True)
    """
    parts = words(name)
    if parts[-2:] == ("key", "id"):
        parts = parts[:-1]
    if not parts:
        return False
    last, before = parts[-1], parts[-2] if len(parts) > 1 else ""
    if last in _ALWAYS or (last in {"pass", "pat"} and before):
        return True
    if last in {"key", "keys"}:
        return before in _BEFORE_KEY or (before not in _NO_KEY and looks_secret(value))
    if last == "token" and (not before or before in _BEFORE_TOKEN):
        return not _is_count(value)
    if last in {"token", "tokens"}:
        return before not in _NO_TOKEN and looks_secret(value)
    return parts[-2:] == ("session", "id") and looks_secret(value)


def is_secret_parameter(name: str, value: str) -> bool:
    """Whether a parameter of a web address is named like a secret."""
    plain = "_".join(words(name))
    either = plain in {"code", "key"} and looks_secret(value)
    return plain in _PARAMETERS or either or is_secret_key(name, value)


def is_secret_variable(name: str) -> bool:
    """Whether an environment variable is named like a secret.

    >>> [is_secret_variable(name) for name in ("KEY", "OPENAI_API_KEY", "HF_TOKEN", "DB_PASS_1")]
    [True, True, True, True]
    >>> [is_secret_variable(name) for name in ("PWD", "TOKENIZERS_PARALLELISM", "MAX_TOKENS")]
    [False, False, False]
    """
    parts = words(name)
    if parts in {("pwd",), ("oldpwd",)} or {"max", "min", "num"} & set(parts):
        return False
    kinds = _ALWAYS | {"key", "keys", "token", "tokens", "pass", "pat"}
    return bool(kinds & set(parts))


def looks_secret(value: Any) -> bool:
    """Whether a value looks like a key that a service has given out: long, and no words.

    >>> looks_secret("9f86d081884c7d65"), looks_secret("answers"), looks_secret(16)
    (True, False, False)
    """
    if isinstance(value, dict | list):
        leaves = value.values() if isinstance(value, dict) else value
        return any(looks_secret(item) for item in leaves)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return abs(value) >= 10**9
    if not isinstance(value, str) or len(value) < 12 or re.search(r"\s", value.strip()):
        return isinstance(value, str) and "PRIVATE KEY-----" in value
    return bool(re.search(r"\d", value) and re.search(r"[A-Za-z]", value))


def _is_count(value: Any) -> bool:
    """Whether a value is a small number, such as the id of a token in a vocabulary."""
    return isinstance(value, int) and abs(value) < 10**6


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
        return value.startswith(("/", "~", ".")) and user_path(value).exists()
    except (OSError, ValueError):  # too long, or with a zero byte
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
