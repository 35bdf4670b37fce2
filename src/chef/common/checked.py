"""Values of a configuration, checked against the type that is wanted."""

from __future__ import annotations

import json
import math
import operator
import re
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any

from chef.errors import ConfigError, similar

#: How values of a type are written; the first that the key takes is named.
_WORDS = {
    bool: "write true or false",
    float: "write a number",
    int: "write a whole number",
    str: "write a text; put one that looks like a number in quotes",
}
_KEY = re.compile(r"[\w.-]+")
#: Names and paths, which a list of YAML has without quotes.
_NAME = re.compile(r"[A-Za-z_][\w./-]*")
#: What YAML reads as true, false and null.
_NO_TEXTS = {"yes", "no", "on", "off", "true", "false", "null"}
_MAPPING = "write a mapping: {key: value}"


def check_value(value: Any, annotation: Any, where: str) -> Any:
    """``value`` as ``annotation``, without lossy conversion (an int may be a float).

    ConfigError: another type.
    """
    import msgspec

    try:
        return msgspec.convert(value, annotation, strict=True)
    except msgspec.ValidationError as error:
        expected = str(error).replace("`", "'").replace("Expected", "expected")
        # the messages of msgspec have JSON's words, but recipes are YAML
        expected = expected.replace("'object'", "a mapping").replace("'array'", "a list")
        if expected.startswith("Invalid enum value"):
            expected = "it is none of the possible values"
        hint = _quoted(annotation, value) or _accepted(annotation, value)
        hint = hint or _spelled(annotation, value)
        if str in _kinds(annotation) and isinstance(value, int | float) and "override" in where:
            # The shell takes the outer quotes away.
            hint = f"write a text, in quotes within quotes: 'KEY=\"{value}\"'"
        raise ConfigError(f"{value!r} does not fit: {expected}", where=where, hint=hint) from None


def _kinds(annotation: Any) -> tuple[Any, ...]:
    """The members of a union, or the one type, without None."""
    is_union = typing.get_origin(annotation) in (typing.Union, types.UnionType)
    members = typing.get_args(annotation) if is_union else (annotation,)
    return tuple(member for member in members if member is not type(None))


def _items_of(annotation: Any, *origins: Any) -> Any:
    """The type of the items of a list, or of the values of a mapping; None if it is none."""
    kinds = _kinds(annotation)
    matches = [kind for kind in kinds if typing.get_origin(kind) in origins]
    return typing.get_args(matches[0])[-1] if matches else None


def _quoted(annotation: Any, value: Any) -> str | None:
    """A list of texts, some of which YAML reads as numbers or as true and false, in quotes."""
    if not isinstance(value, list) or str not in _kinds(_items_of(annotation, list)):
        return None
    if all(isinstance(item, str) for item in value):
        return None
    if not all(isinstance(item, str | bool | int | float) for item in value):
        return None
    words = {True: "yes", False: "no"}
    texts = [words[item] if isinstance(item, bool) else str(item) for item in value]
    return f"put the texts in quotes: {_flow_list(texts)}"


def _flow_list(texts: Sequence[str]) -> str:
    r"""Texts as a list in YAML, each in quotes, with line breaks as ``\n``.

    >>> print(_flow_list(["yes", "\n"]))
    ["yes", "\n"]
    """
    return json.dumps(texts, ensure_ascii=False)


def _is_name(text: str) -> bool:
    """Whether a text is a name or a path that YAML reads as a text without quotes."""
    return _NAME.fullmatch(text) is not None and text.lower() not in _NO_TEXTS


def _spelled(annotation: Any, value: Any) -> str | None:
    """How a value of that type is written in YAML; None where it cannot be told in short."""
    kinds = _kinds(annotation)
    if any(typing.get_origin(kind) is list for kind in kinds):
        if not isinstance(value, str):
            return "write a list: [...]"
        return f"write a list: {f'[{value}]' if _is_name(value) else _flow_list([value])}"
    words = next((words for kind, words in _WORDS.items() if kind in kinds), None)
    if words is None and _items_of(annotation, dict, Mapping) is not None:
        is_key = isinstance(value, str) and _KEY.fullmatch(value)
        return f"write a mapping: {{{value}: ...}}" if is_key else _MAPPING
    return words


def _accepted(annotation: Any, value: Any) -> str | None:
    """The possible values of a Literal, for a message, and the one that is most similar.

    Of a list or a mapping those of its first item that is none of them.
    """
    choices = [
        str(choice)
        for kind in _kinds(annotation)
        if typing.get_origin(kind) is typing.Literal
        for choice in typing.get_args(kind)
    ]
    if not choices:
        is_mapping = isinstance(value, Mapping)
        items = list(value.values()) if is_mapping else value if isinstance(value, list) else []
        inner = _items_of(annotation, *((dict, Mapping) if is_mapping else (list,)))
        wrong = [item for item in items if not _fits(inner, item)]
        return _accepted(inner, wrong[0]) if wrong else None
    near = similar(value, choices) if isinstance(value, str) else None
    meant = f"did you mean '{near}'? " if near else ""
    else_list = ", or a list" if _items_of(annotation, list) is not None else ""
    return f"{meant}one of: {', '.join(choices)}{else_list}"


def _fits(annotation: Any, value: Any) -> bool:
    import msgspec

    try:
        msgspec.convert(value, annotation, strict=True)
    except msgspec.ValidationError:
        return False
    return True


def whole_number(value: Any, key: str, least: int, most: int | None = None) -> int:
    """Return ``value`` as an int; integers of NumPy are accepted, texts and booleans are not.

    Args:
        value: the number.
        key: the name of the setting, for the error.
        least: the smallest number that is allowed.
        most: the largest number that is allowed; None for any.

    Raises:
        ConfigError: the value is no whole number, or it is out of range.

    >>> whole_number(3, "limit", 1)
    3
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise ConfigError(f"{value!r} is not a whole number", where=key)
    if number < least or (most is not None and number > most):
        bounds = f"{least} or more" if most is None else f"from {least} to {most}"
        raise ConfigError(f"{number} is out of range", where=key, hint=f"give a number {bounds}")
    return number


def seconds(value: Any, key: str) -> float:
    """Return ``value`` as a float: a time above 0.

    Args:
        value: the number.
        key: the name of the setting, for the error.

    Raises:
        ConfigError: the value is no number, or not above 0.

    >>> seconds(30, "timeout")
    30.0
    """
    return _between(value, math.inf, key, "time in seconds", "give a number above 0")


def points(value: Any, key: str) -> float:
    """Return ``value`` as a float: points of percent, above 0 and below 50.

    Args:
        value: the number.
        key: the name of the setting, for the error.

    Raises:
        ConfigError: the value is no number, or out of range.

    >>> points(1.5, "precision")
    1.5
    """
    hint = "give points of percent, above 0 and below 50: 1.5 is 1.5% to each side"
    return _between(value, 50, key, "number of points", hint)


def _between(value: Any, most: float, key: str, what: str, hint: str) -> float:
    """A number above 0 and below ``most``."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not (0 < value < most):
        raise ConfigError(f"{value!r} is no {what}", where=key, hint=hint)
    return float(value)
