"""Checks of values inside ``scenario_cfg``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from chef.errors import ConfigError

T = TypeVar("T", bound=msgspec.Struct)


def read_section(kind: type[T], given: Mapping[str, Any] | None, where: str) -> T | None:
    """Convert a mapping of the recipe to ``kind``; None stays None.

    Missing keys get their defaults, so an empty mapping gives all defaults.

    Args:
        kind: a struct that forbids unknown fields.
        given: the mapping in the recipe.
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
        raise ConfigError(message, where=where, hint=f"its keys: {keys}") from None


def check_name(key: str, owner: str, given: str, known: Iterable[str]) -> None:
    """Check that a name is one of those ``known``.

    Recipes are checked earlier, against the types of the constructor; calls from Python are not.

    Args:
        key: the key of ``scenario_cfg``.
        owner: the scenario.
        given: the name.
        known: the names that are allowed.

    Raises:
        ConfigError: the name is not one of them.
    """
    known = tuple(known)
    if given not in known:
        raise ConfigError(
            f"unknown {key} '{given}' of {owner}", hint=f"use one of: {', '.join(known)}"
        )
