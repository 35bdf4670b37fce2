"""Values of a configuration, checked against the type that is wanted."""

from __future__ import annotations

import typing
from typing import Any

from chef.errors import ConfigError, similar

#: How values of a type are written; the first that the key takes is named.
_WORDS = {
    bool: "write true or false",
    float: "write a number",
    int: "write a whole number",
    str: "write a text; put one that looks like a number in quotes",
}


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
    parts = {annotation, *typing.get_args(annotation)} - {type(None)}
    if any(typing.get_origin(part) is list for part in (annotation, *parts)):
        return f"write a list: [{value}]" if isinstance(value, str) else "write a list: [...]"
    return next((words for kind, words in _WORDS.items() if kind in parts), None)


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
