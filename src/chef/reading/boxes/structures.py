"""Objects in the manner of JSON inside any text, also cut off or with the wrong quotes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from chef.reading.boxes.found import NUMBER, number

#: Brackets deeper than this are ignored, so that babble costs no recursion.
_DEEPEST = 12
_TOKEN = re.compile(
    r"(?P<fence>```)"
    r'|"(?P<double>(?:[^"\\\n]|\\.){0,300})"'
    r"|(?<!\w)'(?P<single>(?:[^'\\\n]|\\.){0,300})'(?!\w)"
    r"|(?P<open>[{\[(])|(?P<close>[}\])])|(?P<key>[:=])"
    rf"|(?P<number>{NUMBER}(?:\s?%)?)(?!\w)"
    r"|(?P<word>[^\W\d][\w-]*)"
)


@dataclass(slots=True)
class Node:
    """A list or object of a text, to the text's end if it is cut off; keys of a list are empty."""

    is_object: bool
    start: int
    end: int
    items: list[tuple[str, Value]] = field(default_factory=list)

    def get(self, *keys: str) -> Value | None:
        """The value of the first of these keys that it has, in lower case."""
        return next((value for key in keys for name, value in self.items if name == key), None)


Value: TypeAlias = "str | float | Node"


class _Reader:
    """Puts the tokens of a text together; there is one pass and no way back, so it is linear."""

    def __init__(self) -> None:
        self.done: list[Node] = []
        self._stack: list[Node] = []
        self._keys: list[str] = []
        self._words: list[str] = []
        self._skipped = 0

    def open(self, bracket: str, start: int) -> None:
        if not self._stack and bracket == "(":
            return
        if len(self._stack) >= _DEEPEST:
            self._skipped += 1
            return
        self._stack.append(Node(bracket == "{", start, start))
        self._keys.append("")
        self._words.append("")

    def close(self, end: int) -> None:
        if self._skipped:
            self._skipped -= 1
        elif self._stack:
            node = self._stack.pop()
            node.end = end
            self._keys.pop()
            self._words.pop()
            if self._stack:
                self.value(node)
            else:
                self.done.append(node)

    def close_all(self, end: int) -> None:
        self._skipped = 0
        while self._stack:
            self.close(end)

    def key(self) -> None:
        if self._stack and self._stack[-1].is_object:
            self._keys[-1], self._words[-1] = self._words[-1], ""

    def value(self, value: Value) -> None:
        if not self._stack:
            return
        node, key = self._stack[-1], self._keys[-1]
        if node.is_object and not key:
            # A string is the key of what follows.
            self._words[-1] = value.strip().casefold() if isinstance(value, str) else ""
            return
        node.items.append((key, value))
        self._keys[-1] = ""


def structures(text: str) -> list[Node]:
    """The outermost lists and objects of a text, in order, as far as they are written.

    >>> structures("{'a': [1, 2")[0].items[0][0]
    'a'
    """
    reader = _Reader()
    for match in _TOKEN.finditer(text):
        kind, found = str(match.lastgroup), match[0]
        if kind == "open":
            reader.open(found, match.start())
        elif kind == "close":
            reader.close(match.end())
        elif kind == "fence":
            reader.close_all(match.start())
        elif kind == "key":
            reader.key()
        elif kind == "number":
            reader.value(number(found))
        else:
            reader.value(match[kind])
    reader.close_all(len(text))
    return reader.done
