"""Text from outside that could end a run or act on a terminal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from shlex import quote
from typing import Any

#: The key, in the trace or the sample of a prediction, of how many characters were replaced.
REPLACED = "replaced_characters"
#: Half of a pair of UTF-16 units: no character, and no encoding has it.
_SURROGATE = re.compile("[\ud800-\udfff]")
#: Controls but tab and line feed, C1 controls, marks that change the direction of writing, and the
#: separators that terminals take for the end of a line.
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]"
)


def typed(path: object) -> str:
    """A path as it is typed in a shell: quoted, and no option where it begins with a hyphen.

    >>> typed("-my runs/a"), typed("runs/a")
    ("'./-my runs/a'", 'runs/a')
    """
    text = str(path)
    return quote(f"./{text}" if text.startswith("-") else text)


def typed_option(option: str, value: str) -> str:
    """An option with its value as they are typed in a shell.

    >>> typed_option("--sample", "a b"), typed_option("--sample", "-1")
    ("--sample 'a b'", '--sample=-1')
    """
    return f"{option}{'=' if value.startswith('-') else ' '}{quote(value)}"


def encodable(text: str) -> str:
    r"""``text`` in which pairs of surrogates are the character they mean, and others U+FFFD.

    >>> encodable("a\ud800b"), encodable("\ud83d\ude00") == "\U0001f600"
    ('a�b', True)
    """
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def encodable_data(data: Any) -> Any:
    """A copy of plain data in which each text, keys included, is `encodable`."""
    if isinstance(data, str):
        return encodable(data)
    if isinstance(data, Mapping):
        return {encodable_data(key): encodable_data(value) for key, value in data.items()}
    if isinstance(data, tuple):
        return tuple(encodable_data(item) for item in data)
    return [encodable_data(item) for item in data] if isinstance(data, list) else data


def count_replaced(data: Any) -> int:
    r"""How many characters of plain data `encodable_data` replaces by U+FFFD; mostly 0.

    >>> count_replaced({"a": ["b\ud800", 1]}), count_replaced("\ufffd"), count_replaced(None)
    (1, 0, 0)
    """
    if isinstance(data, str):
        if data.isascii():
            return 0
        return encodable(data).count("\ufffd") - data.count("\ufffd")
    if isinstance(data, Mapping):
        return sum(count_replaced(key) + count_replaced(value) for key, value in data.items())
    return sum(map(count_replaced, data)) if isinstance(data, list | tuple) else 0


def visible(text: str) -> str:
    r"""``text`` as it may be printed: what acts on a terminal is shown as an escape.

    >>> print(visible("red \x1b[31m, bell \x07, name\u202egpj.exe"))
    red \x1b[31m, bell \x07, name\u202egpj.exe
    """
    if text.isascii() and text.isprintable():
        return text
    return _CONTROL.sub(_escape, encodable(text).replace("\r\n", "\n"))


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}"
