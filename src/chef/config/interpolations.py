"""The size of a document with its interpolations written out, before any of them is resolved.

``${key}`` repeats what stands under a key, and interpolations of interpolations multiply: 551 bytes
can stand for gigabytes. OmegaConf, which resolves them, has no bound, so the size is computed from
the text as written. It is loaded for a document that has any.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from chef.common.yaml_text import MAX_BYTES, plain
from chef.errors import first_line

#: The most characters that a document may have with all interpolations written out.
MAX_CHARACTERS = 4 * MAX_BYTES
#: What each value, and each interpolation, counts besides its characters. The latter bounds the
#: time: OmegaConf resolves several thousand interpolations a second.
_VALUE, _STEP = 16, 1000
#: Where an interpolation, or a mapping or quoted text inside one, begins and ends; and a dollar
#: sign, which no name has.
_SIGN = re.compile(r"\$\{|[${}]")
#: No name of a key or variable has so many characters.
_LONGEST_NAME = 1_000
#: Resolvers whose first argument is a key of the document.
_OF_KEYS = ("oc.select", "oc.dict.keys", "oc.dict.values", "oc.deprecated")
_ENVIRONMENT = "oc.env"
_ABSENT: Final = object()
#: A value that has to be given.
MISSING = "???"

Key = tuple[str, ...]


class InterpolationError(ValueError):
    """The interpolation at a key cannot be resolved within bounds."""

    def __init__(self, what: str, key: Key, hint: str | None = "write the value itself") -> None:
        super().__init__(what)
        self.key, self.hint = key, hint


def check_number(text: str) -> None:
    """Raise InterpolationError for more interpolations than OmegaConf can parse in a second."""
    if (number := text.count("${")) > MAX_CHARACTERS // _STEP:
        most = f"{MAX_CHARACTERS // _STEP:,} are allowed"
        raise InterpolationError(f"has {number:,} interpolations (${{...}}), and {most}", ())


def check(raw: Mapping[str, Any]) -> None:
    """Check that a document stays within bounds when its interpolations are resolved.

    Args:
        raw: the content as plain data, interpolations as written.

    Raises:
        InterpolationError: it becomes too large, an interpolation contains itself, or the name of a
            key is made of an interpolation.

    >>> check({"a": "x", "b": "${a}${a}"})
    >>> check({"a": "${b}", "b": "${a}"})
    Traceback (most recent call last):
    chef.config.interpolations.InterpolationError: the interpolation contains itself
    """
    _Sizes(raw).of(())


def resolved(raw: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a checked document with its interpolations resolved.

    InterpolationError: one names nothing, or a value is missing (``???``).
    """
    if not _is_interpolated(raw):
        return cast("dict[str, Any]", plain(raw))
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        config = OmegaConf.create(dict(raw))
        values = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
    except OmegaConfBaseException as error:
        key = tuple(str(getattr(error, "full_key", "") or "").split("."))
        raise InterpolationError(first_line(error), key, hint=None) from None
    return cast("dict[str, Any]", values)


def check_grammar(raw: Mapping[str, Any]) -> None:
    """Check that each interpolation can be read. Raises InterpolationError."""
    if _is_interpolated(raw):
        from omegaconf import OmegaConf
        from omegaconf.errors import OmegaConfBaseException

        try:
            OmegaConf.create(dict(raw))
        except OmegaConfBaseException as error:
            raise InterpolationError(first_line(error), ()) from None


def _is_interpolated(node: Any) -> bool:
    """Whether a text in it stands for another value, or for a missing one."""
    if isinstance(node, Mapping):
        return any(map(_is_interpolated, node.values()))
    if isinstance(node, list):
        return any(map(_is_interpolated, node))
    return isinstance(node, str) and ("${" in node or node == MISSING)


@dataclass
class _Pending:
    """An interpolation or a brace that is not closed yet, with what it has so far."""

    is_interpolation: bool
    text: str = ""
    is_name: bool = True


class _Sizes:
    """The number of characters of each part of a document with interpolations written out."""

    def __init__(self, root: Any) -> None:
        self._root = root
        self._known: dict[Key, int | None] = {}

    def of(self, key: Key) -> int:
        """The size of what stands under a key; 0 where there is nothing."""
        if key in self._known:
            if (known := self._known[key]) is None:
                raise InterpolationError("the interpolation contains itself", key)
            return known
        self._known[key] = None
        node: Any = self._root
        for name in key:
            node = _child(node, name)
        if isinstance(node, Mapping):
            size = sum(len(str(item)) + self.of((*key, str(item))) for item in node)
        elif isinstance(node, list):
            size = sum(self.of((*key, str(index))) for index in range(len(node)))
        elif isinstance(node, str):
            size = self._of_text(node, key)
        else:
            size = 0
        size += _VALUE
        if size > MAX_CHARACTERS:
            what = f"stands for more than {MAX_CHARACTERS:,} characters, with ${{...}} written out"
            raise InterpolationError(what, key)
        self._known[key] = size
        return size

    def _of_text(self, text: str, key: Key) -> int:
        """The size of a text; its interpolations are taken from the inside out, in one pass."""
        size, start, depth = len(text), 0, 0
        pending: list[_Pending] = []
        for sign in _SIGN.finditer(text) if "${" in text else ():
            if pending:
                pending[-1].text += text[start : sign.start()][:_LONGEST_NAME]
            start = sign.end()
            if sign[0] in ("{", "${"):
                pending.append(_Pending(is_interpolation=sign[0] == "${"))
                depth += pending[-1].is_interpolation
            elif sign[0] == "$" and pending:
                pending[-1].is_name = False
            elif pending:
                inner = pending.pop()
                value = f" {inner.text} "
                depth -= inner.is_interpolation
                if inner.is_interpolation and inner.is_name:
                    value = self._literal(inner.text, key) if depth else ""
                    size += _STEP + (len(value) if depth else self._of_name(inner.text, key))
                if pending:
                    pending[-1].text += value[:_LONGEST_NAME]
                    pending[-1].is_name &= inner.is_name
            if size > MAX_CHARACTERS:
                break
        return size

    def _of_name(self, name: str, key: Key) -> int:
        """The size of what an interpolation stands for that is inside no other one."""
        if _resolver(name)[0] == _ENVIRONMENT:
            return len(_variable(name))
        target = _target(name, key)
        return 0 if target is None else self._of_target(target)

    def _of_target(self, target: Key) -> int:
        """The size of what an interpolation names; 0 for nothing, which OmegaConf reports."""
        node = self._root
        for depth, name in enumerate(target):
            if isinstance(node, str) and "${" in node:
                return self.of(target[:depth])  # it names a part of what another one stands for
            if (node := _child(node, name)) is _ABSENT:
                return 0
        return self.of(target)

    def _literal(self, name: str, key: Key) -> str:
        """The value of an interpolation inside another one. InterpolationError: it is not plain."""
        if _resolver(name)[0] == _ENVIRONMENT:
            return _variable(name)
        node: Any = self._root
        for part in _target(name, key) or ("",):
            node = _child(node, part)
        if not isinstance(node, str | int | float) or "${" in str(node):
            what = f"'${{{name}}}' is inside another interpolation and names no plain value"
            raise InterpolationError(what, key)
        return str(node)


def _resolver(name: str) -> tuple[str, str]:
    """The resolver of an interpolation, empty where there is none, and the rest."""
    resolver, colon, rest = name.partition(":")
    return (resolver.strip(), rest) if colon else ("", name)


def _variable(name: str) -> str:
    """The value of an environment variable, or the default that is given for it."""
    variable, _, default = _resolver(name)[1].partition(",")
    return os.environ.get(variable.strip(), default.strip())


def named_by(root: Any, text: str, key: Key) -> Any:
    """A copy of what a text names that is one interpolation of a key; None for any other text."""
    match = re.fullmatch(r"\$\{([^${}]+)\}", text)
    node = root if match and not _resolver(match[1])[0] else None
    for part in (_target(match[1], key) or ()) if match else ():
        node = _child(node, part)
    return None if node is root or node is _ABSENT else plain(node)


def _target(name: str, key: Key) -> Key | None:
    """The key path that an interpolation names; None if it names none."""
    resolver, path = _resolver(name)
    if resolver and resolver not in _OF_KEYS:
        return None
    path = path.partition(",")[0].strip() if resolver else path.strip()
    upwards = len(path) - len(path.lstrip("."))
    parts = tuple(part for part in re.split(r"[.\[\]]", path) if part)
    return (*key[: max(0, len(key) - upwards)], *parts) if upwards else parts or None


def _child(node: Any, name: str) -> Any:
    """What stands under a name in a mapping, or at a position in a list."""
    if isinstance(node, Mapping):
        return node.get(name, _ABSENT)
    if isinstance(node, list) and name.isdecimal() and int(name) < len(node):
        return node[int(name)]
    return _ABSENT
