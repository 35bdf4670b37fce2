"""Checks of values inside ``scenario_cfg``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from chef.errors import ConfigError

T = TypeVar("T", bound=msgspec.Struct)


def read_section(kind: type[T], given: Mapping[str, Any] | None, where: str) -> T | None:
    """A mapping of the recipe as a struct; None stays None.

    ConfigError for wrong keys or values.
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
    """ConfigError for a name that is not known: calls from Python are not checked before."""
    known = tuple(known)
    if given not in known:
        raise ConfigError(
            f"unknown {key} '{given}' of {owner}", hint=f"use one of: {', '.join(known)}"
        )
