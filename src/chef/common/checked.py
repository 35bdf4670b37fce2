"""Values of a configuration, checked against the type that is wanted."""

from __future__ import annotations

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
    """``value`` as ``annotation``, without lossy conversion (an int may stand for a float).

    Raises:
        ConfigError: it is of another type.
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
