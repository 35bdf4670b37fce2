"""The keys of an ingredient are the keyword arguments of its class.

So the constructor is the schema: names, types and defaults are written once, where they are used.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any

from chef.common.checked import check_value
from chef.common.constructors import PROVIDED, arguments, class_keys, own_keys, passes_on
from chef.common.keys import REQUIRED
from chef.common.secret_names import is_secret_key
from chef.config.document import Document
from chef.errors import ConfigError, nearest
from chef.inferencer.decoding import Decoding
from chef.registry import recipe_name

_GENERATION = frozenset(item.name for item in fields(Decoding))

__all__ = ["check_options", "check_value", "further_keys"]


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
    """Every option of ``kind`` in the order of its constructor, checked, with defaults filled in.

    ``reserved`` are arguments of the evaluator, ``also`` further keys for suggestions, ``handed``
    values of the recipe for keys that ``options`` lacks. ConfigError names file and line.
    """
    reserved = {*reserved, *(chefs for chefs, ours in PROVIDED.items() if ours in reserved)}
    keys = {key.name: key for key in class_keys(kind) if key.argument not in reserved}
    own = own_keys(kind)
    inherited = {name: value for name, value in (handed or {}).items() if name in keys}
    options = {**inherited, **options}
    further = further_keys(kind, options)
    for name in options:
        if name not in keys and name not in further:
            raise ConfigError(
                f"unknown key for {recipe_name(kind)}",
                where=document.where(*at, name),
                hint=_known(kind, name, {*keys, *also}) + _own_key_hint(kind, name),
            )
    complete: dict[str, Any] = {}
    for name, key in keys.items():
        if name in options:
            complete[name] = check_value(options[name], key.annotation, document.where(*at, name))
        elif name not in own:
            continue  # the class may give it itself when it passes its **kwargs on
        elif key.default is REQUIRED:
            raise ConfigError(
                f"{recipe_name(kind)} needs the key '{name}'",
                where=document.where(*at),
                hint=f"add '{name}: ...'",
            )
        else:
            complete[name] = key.default
    _check_groups(kind, complete, document, at)
    return complete | further


def further_keys(kind: type[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that no constructor names, of a class with ``takes_further_keys``: VLMEvalKit's
    models hand ``**kwargs`` on.
    """
    if not (getattr(kind, "takes_further_keys", False) and passes_on(kind)):
        return {}
    named = {key.name for key in class_keys(kind)}
    return {name: value for name, value in options.items() if name not in named}


def _check_groups(
    kind: type[Any], options: Mapping[str, Any], document: Document, at: tuple[str, ...]
) -> None:
    """Make the dataclasses once, so that their errors have the line of the key."""
    try:
        arguments(kind, options)
    except ConfigError as error:
        if error.where is None or error.where in options:
            key = () if error.where is None else (error.where,)
            place = document.where(*at, *key)
            raise ConfigError(error.what, where=place, hint=error.hint) from None
        raise document.located(error) from None
    except ValueError as error:
        raise ConfigError(str(error), where=document.where(*at)) from None


def of_generation(kind: type[Any] | None, name: str) -> str:
    """Why a key of generation is none of an inferencer that scores options; else empty."""
    if kind is None or not getattr(kind, "scores_options", False) or name not in _GENERATION:
        return ""
    return (
        f"{recipe_name(kind)} scores the options and generates no answer, so {name} would change "
        "nothing; inferencers that generate have it: `chef list Direct`"
    )


def _known(kind: type[Any], name: str, keys: Collection[str]) -> str:
    variables = sorted(key for key in keys if key.endswith("_env"))
    if variables and is_secret_key(name):
        return (
            "a file holds no keys and passwords: put it into an environment variable, and write "
            f"the name of that: {variables[0]}: NAME"
        )
    if reason := of_generation(kind, name):
        return reason
    key, colon, value = name.partition(":")
    if colon and key in keys:
        return f"write a space after the colon: {key}: {value}"
    return nearest(name, keys) if keys else f"{recipe_name(kind)} takes no keys"


def _own_key_hint(kind: type[Any], name: str) -> str:
    """What the author of a class with ``**kwargs`` may have meant."""
    if not passes_on(kind):
        return ""
    return (
        f"; if {kind.__name__} is to have the key, name it in its __init__: "
        f"def __init__(self, {name}=..., **kwargs)"
    )
