"""Secrets that this process knows, and their removal from what leaves it.

Whatever is written to a file, printed, logged or sent to another process goes through `redact` or
`redact_data` (`common/writing.py`, `common/printing.py`, `common/logs.py`). A text without a
secret costs microseconds: only its letters and digits are searched, once for all secrets. Every
text takes time in proportion to its length.
"""

from __future__ import annotations

import base64
import json
import re
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote, quote_plus

#: Fewer signs than this cannot be told from ordinary words and numbers.
SHORTEST = 6
#: A secret with fewer signs is found as a whole word only, in its own case.
_LONG = 8
#: Escapes are escaped again where JSON stands in JSON. All runs are bounded, and are matched in one
#: way only: a hostile text costs no more time than another.
_SLASHES, _MAYBE_SLASHES, _AGAIN = r"\\{1,8}", r"\\{0,8}", "(?:25){0,4}"
#: A line may end within a secret: as such, or as JSON or YAML writes it.
_BREAK = rf"(?:(?:{_SLASHES}[nr]|{_MAYBE_SLASHES}[\r\n])(?:\\[nrt]?|\s){{0,100}})?"
_BLANK = (
    r"(?:\s{1,300}+|\\(?:(?:u00|x)(?:20|09|0A|0D)|[nrt])?|\+|"
    rf"%{_AGAIN}(?:20|09|0A|0D)|&nbsp;|&#32;){{1,300}}"
)
_BASE64 = "[A-Za-z0-9+/_-]"
#: The least signs of a base64 form that are looked for.
_LEAST = 8
#: So many signs of a clue are looked for: short ones are found fastest.
_CLUE = 10
#: A line may end within base64, which has no blanks of its own.
_LINE_END = rf"(?:(?:{_SLASHES}[nr]|[\r\n]){{1,4}}(?:{_SLASHES}t|[ \t]){{0,100}})?"
#: A text of more digits is no number that another number may hold by chance.
_DIGITS = 64
_OWN_ESCAPE = {"'": ("''", "'\"'\"'", r"'\''"), '"': ('""',)}


def pattern_of(secret: str) -> re.Pattern[str]:
    """The pattern of every form of a secret of at least `SHORTEST` signs."""
    whole = _BREAK.join(_sign(part) for part in re.findall(r"\s+|\S", secret))
    if _is_number(secret):  # the digits of another number are not the secret
        whole = rf"(?<!\d)(?<!\d\.){whole}(?!\d)"
    elif len(secret) < _LONG:
        return re.compile(rf"(?<!\w){whole}(?!\w)")
    data = secret.encode("utf-8", "surrogatepass")
    return re.compile("|".join([whole, *_base64(data), _hex(data)]), re.IGNORECASE)


def clues(secret: str) -> list[str]:
    """What a text must hold, one of these, if it holds the secret (see `reduced`); all hold an
    empty clue.
    """
    data = secret.encode("utf-8", "surrogatepass")
    found = [max(re.findall(r"[a-z0-9]+", secret.lower()), key=len, default="")]
    if len(secret) >= _LONG or _is_number(secret):
        pairs = [f"{byte:02x}" for byte in data]
        units = secret.encode("utf-16-be", "surrogatepass").hex()
        points = [units[place : place + 4] for place in range(0, len(units), 4)]
        forms = ["".join(pairs), "x".join(pairs), "25".join(pairs), "u".join(points)]
        forms.append("x".join(f"{ord(letter):02x}" for letter in secret))
        found += forms
        found += [reduced(core.encode()) for _, core, _ in _cores(data)]
    return [clue[:_CLUE] for clue in found]


def clue_pattern(clues: Iterable[str]) -> re.Pattern[str]:
    """One pattern that finds any of many clues, and nothing where there is none.

    What clues have in common at their beginning stands in it once, so that the time for a text
    hardly grows with their number.

    >>> clue_pattern(["hunter2", "hunted", "k9"]).pattern
    '(?:hunte(?:d|r2)|k9)'
    """
    root: dict[str, Any] = {}
    for clue in clues:
        node = root
        for sign in clue:
            node = node.setdefault(sign, {})
        node[""] = {}
    return re.compile(_alternatives(root) if root else r"(?!)")


def _alternatives(node: Mapping[str, Any]) -> str:
    if "" in node:  # a clue ends here, and longer ones are found with it
        return ""
    parts = [sign + _alternatives(inner) for sign, inner in sorted(node.items())]
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"


def literals(secret: str) -> list[str]:
    """The usual forms of a very long secret, for which a pattern would take too long to make.

    Signs at its ends that may stand there with an escape are left away.

    >>> literals("'sk/secret'")[:3]
    ['sk/secret', 'sk%2Fsecret', 'c2svc2VjcmV0']
    """
    core = secret.strip("\"'\\/<>&-+=_.,:;%{}()[] \t\r\n")
    data = core.encode("utf-8", "surrogatepass")
    texts = [core, json.dumps(core)[1:-1], json.dumps(core, ensure_ascii=False)[1:-1]]
    texts += [repr(core)[1:-1], quote(data, safe=""), quote(data), quote_plus(data)]
    texts += [form for _, core, _ in _cores(data) for form in (core, core.translate(_URL_SAFE))]
    return [text for text in dict.fromkeys([*texts, data.hex()]) if text]


_URL_SAFE = str.maketrans("+/", "-_")


def reduced(text: bytes) -> str:
    """The letters and digits of a text in lower case: fast to search, whatever stands between."""
    return text.replace(b"\\n", b"").translate(_LOWER, _OTHERS).decode("ascii")


_LOWER = bytes(range(256)).lower()
_OTHERS = bytes(byte for byte in range(256) if not chr(byte).isascii() or not chr(byte).isalnum())


def _is_number(secret: str) -> bool:
    return len(secret) <= _DIGITS and bool(re.fullmatch(r"[-+]?\d+(\.\d+)?", secret))


def _sign(sign: str) -> str:
    """One sign of a secret, or a run of blanks, in all its forms."""
    if sign.isspace():
        return _BLANK
    code = ord(sign)
    own = rf"{_MAYBE_SLASHES}{re.escape(sign)}" if not sign.isalnum() else re.escape(sign)
    forms = [own if sign != "\\" else _SLASHES]
    for form in _OWN_ESCAPE.get(sign, ()):
        escaped = [rf"{_MAYBE_SLASHES}{re.escape(letter)}" for letter in form]
        forms.append("".join(escaped))
    if code > 0xFFFF:
        high, low = 0xD800 + ((code - 0x10000) >> 10), 0xDC00 + ((code - 0x10000) & 0x3FF)
        forms.append(rf"{_SLASHES}u{high:04x}{_SLASHES}u{low:04x}|{_SLASHES}U{code:08x}")
    else:
        forms.append(rf"{_SLASHES}u{code:04x}")
    if code <= 0xFF:
        forms.append(rf"{_SLASHES}x{code:02x}")
    data = sign.encode("utf-8", "surrogatepass")
    forms.append("".join(rf"%{_AGAIN}{byte:02x}" for byte in data))
    if len(data) > 1:
        forms.append("".join(rf"{_SLASHES}x{byte:02x}" for byte in data))
    forms.append(rf"&(?:amp;){{0,4}}#(?:0{{0,6}}{code}|x0{{0,6}}{code:x});")
    import html  # only where there is a secret

    if (named := html.escape(sign)) != sign:
        forms.append(f"&(?:amp;){{0,4}}{re.escape(named[1:])}")
    # The longest form first: an escaped sign is removed with its escape.
    return f"(?:{'|'.join(sorted(forms, key=len, reverse=True))})"


def _cores(data: bytes) -> list[tuple[bool, str, bool]]:
    """The base64 of bytes that stand anywhere in others: what does not depend on the others.

    Each with whether the sign before it, and the one after it, depend on the secret and on others.
    """
    cores = []
    for shift in range(3):
        text = base64.b64encode(bytes(shift) + data).decode()
        before, left = (0, 2, 3)[shift], (shift + len(data)) % 3
        # Of a group that is not full, the last sign that is no padding depends on what follows.
        core = text[before : len(text) - (0, 3, 2)[left]]
        if len(core) >= _LEAST:
            cores.append((before > 0, core, left > 0))
    return cores


def _base64(data: bytes) -> list[str]:
    found = []
    for before, core, after in _cores(data):
        signs = _LINE_END.join(_BASE64_SIGN.get(sign, sign) for sign in core)
        ends = [f"{_BASE64}?" if side else "" for side in (before, after)]
        found.append(f"{ends[0]}{signs}{ends[1]}={{0,2}}")
    return found


#: The two signs that differ between the alphabets, and are escaped in web addresses.
_BASE64_SIGN = {"+": "(?:[+-]|%2B)", "/": rf"(?:{_MAYBE_SLASHES}/|_|%2F)"}


def _hex(data: bytes) -> str:
    return rf"(?:{_SLASHES}x|[:-]|,?\s?(?:0x)?)".join(f"{byte:02x}" for byte in data)


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
