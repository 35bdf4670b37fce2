"""The keys of an ingredient are the keyword arguments of its class.

So the constructor is the schema: names, types and defaults are written once, where they are used.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Collection, Mapping
from typing import Any

from chef.config.document import Document
from chef.errors import ConfigError, nearest


def check_options(
    kind: type[Any],
    options: Mapping[str, Any],
    document: Document,
    at: tuple[str, ...],
    *,
    reserved: Collection[str] = (),
    also: Collection[str] = (),
    handed: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Check ``options`` against the constructor of ``kind`` and fill in its defaults.

    Args:
        kind: the ingredient's class.
        options: its keys as the recipe gives them.
        document: the file they come from, for line numbers.
        at: the key path of the mapping that holds them.
        reserved: constructor arguments that the evaluator gives, not the recipe.
        also: other keys of the same mapping, named in suggestions only.
        handed: what every ingredient gets that has an argument of that name, unless its own keys
            say otherwise.

    Returns:
        Every option with its value, in the order of the signature.

    Raises:
        ConfigError: an unknown key, a missing one or a wrong type, with file and line.
    """
    parameters = _parameters(kind, reserved)
    inherited = {key: value for key, value in (handed or {}).items() if key in parameters}
    options = {**inherited, **options}
    for key in options:
        if key not in parameters:
            raise ConfigError(
                f"unknown key for {kind.__name__}",
                where=document.where(*at, key),
                mend=nearest(key, {*parameters, *also}),
            )
    hints = typing.get_type_hints(kind.__init__)
    complete: dict[str, Any] = {}
    for name, parameter in parameters.items():
        if name in options:
            where = document.where(*at, name)
            complete[name] = check_value(options[name], hints.get(name, Any), where)
        elif parameter.default is inspect.Parameter.empty:
            raise ConfigError(
                f"{kind.__name__} needs the key '{name}'",
                where=document.where(*at),
                mend=f"add '{name}: ...'",
            )
        else:
            complete[name] = parameter.default
    return complete


def _parameters(kind: type[Any], reserved: Collection[str]) -> dict[str, inspect.Parameter]:
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    signature = inspect.signature(kind)
    return {
        name: parameter
        for name, parameter in signature.parameters.items()
        if parameter.kind in named and name not in reserved
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
        # msgspec speaks of JSON, recipes are YAML
        expected = expected.replace("'object'", "a mapping").replace("'array'", "a list")
        raise ConfigError(
            f"{value!r} does not fit: {expected}", where=where, mend=_accepted(annotation)
        ) from None


def _accepted(annotation: Any) -> str | None:
    """The values of a Literal, spelled out."""
    choices = [
        str(choice)
        for part in (annotation, *typing.get_args(annotation))
        if typing.get_origin(part) is typing.Literal
        for choice in typing.get_args(part)
    ]
    return "one of: " + ", ".join(choices) if choices else None
