"""Values inside ``scenario_cfg``: mappings checked against a type, and names out of a few."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from chef.errors import ConfigError

T = TypeVar("T", bound=msgspec.Struct)


def read_section(kind: type[T], given: Mapping[str, Any] | None, where: str) -> T | None:
    """``given`` as ``kind`` with its defaults; None of None. An empty mapping is all defaults.

    Args:
        kind: a struct that forbids unknown fields.
        given: the mapping as the recipe gives it.
        where: its key path, for messages.

    Raises:
        ConfigError: an unknown key, or a value of the wrong type.
    """
    if given is None:
        return None
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        keys = ", ".join(kind.__struct_fields__)
        message = str(error).replace("`", "'").replace("Object", "the mapping")
        raise ConfigError(message, where=where, mend=f"its keys: {keys}") from None


def check_name(key: str, owner: str, given: str, known: Iterable[str]) -> None:
    """Refuse a name that is not among those ``known``.

    Recipes are checked against the types of the constructor; this is for calls from Python.

    Args:
        key: the key of ``scenario_cfg``.
        owner: the scenario.
        given: the name.
        known: the names there are.

    Raises:
        ConfigError: it is another name.
    """
    known = tuple(known)
    if given not in known:
        raise ConfigError(
            f"unknown {key} '{given}' of {owner}", mend=f"use one of: {', '.join(known)}"
        )
