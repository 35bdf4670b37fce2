"""Ingredients of installed packages, by the entry points of group ``chef.plugins``.

An entry point is named ``kind.Name`` (``metric.Brier``, ``model.MyModel``) and points at a class.
Names are registered without importing anything: a package is imported when a recipe asks for it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points

from chef.config.plugins import ROOMS
from chef.errors import ConfigError

GROUP = "chef.plugins"


def register_installed() -> None:
    """Register what installed packages offer; does nothing the second time.

    Raises:
        ConfigError: an entry point is misnamed, or its name is taken.
    """
    rooms = {registry.kind: registry for _, registry in ROOMS}
    for point in _points(tuple(sys.path)):
        where = f"entry point '{point.name}' of {_package(point)}"
        kind, _, name = point.name.partition(".")
        if kind not in rooms or not name:
            raise ConfigError(
                f"'{point.name}' does not say what it is",
                where=where,
                mend=f"name it kind.Name; the kinds are {', '.join(rooms)}",
            )
        try:
            rooms[kind].register(name, point.value)
        except ConfigError as error:
            raise ConfigError(error.what, where=where, mend=error.mend) from None


def versions_of(used: Iterable[tuple[str, str]]) -> list[str]:
    """Package and version behind each (kind, name) that an installed package offers."""
    wanted = {f"{kind}.{name}" for kind, name in used}
    return [_package(point) for point in _points(tuple(sys.path)) if point.name in wanted]


@lru_cache(4)
def _points(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    del path  # where they are looked for
    return tuple(sorted(entry_points(group=GROUP), key=lambda point: point.name))


def _package(point: EntryPoint) -> str:
    dist = point.dist
    return f"{dist.name} {dist.version}" if dist is not None else "an unknown package"
