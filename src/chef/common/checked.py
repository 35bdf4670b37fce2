"""Values of a configuration, checked against the type that is wanted."""

from __future__ import annotations

import math
import operator
import re
import types
import typing
from collections.abc import Mapping
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
        hint = _accepted(annotation, value) or _spelled(annotation, value)
        raise ConfigError(f"{value!r} does not fit: {expected}", where=where, hint=hint) from None


def _spelled(annotation: Any, value: Any) -> str | None:
    """How a value of that type is written in YAML; None where it cannot be told in short."""
    is_union = typing.get_origin(annotation) in (typing.Union, types.UnionType)
    parts = set(typing.get_args(annotation) if is_union else (annotation,)) - {type(None)}
    if any(typing.get_origin(part) is list for part in parts):
        return f"write a list: [{value}]" if isinstance(value, str) else "write a list: [...]"
    words = next((words for kind, words in _WORDS.items() if kind in parts), None)
    if words is None and any(typing.get_origin(part) in (dict, Mapping) for part in parts):
        is_key = isinstance(value, str) and _KEY.fullmatch(value)
        return f"write a mapping: {{{value}: ...}}" if is_key else _MAPPING
    return words


def _accepted(annotation: Any, value: Any) -> str | None:
    """The possible values of a Literal, for a message, and the one that is most similar."""
    choices = [
        str(choice)
        for part in (annotation, *typing.get_args(annotation))
        if typing.get_origin(part) is typing.Literal
        for choice in typing.get_args(part)
    ]
    near = similar(value, choices) if isinstance(value, str) else None
    meant = f"did you mean '{near}'? " if near else ""
    return f"{meant}one of: {', '.join(choices)}" if choices else None


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
