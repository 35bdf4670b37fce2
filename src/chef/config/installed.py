"""The registries of all kinds of ingredients, and what installed packages add to them.

They do it by entry points of the group ``chef.plugins``.

An entry point is named ``kind.Name`` (``metric.Brier``, ``model.MyModel``) and refers to a class.
Names are registered without importing anything. A package is imported when a recipe names it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.errors import ConfigError
from chef.guard.files import read_bytes
from chef.inferencer import INFERENCERS
from chef.instruction import INSTRUCTIONS, RETRIEVERS
from chef.method import METHODS
from chef.metric import METRICS
from chef.metric.judge_kind import JUDGE_KINDS
from chef.metric.mmtrusteval import EVALUATORS
from chef.models import MODELS
from chef.models.hooks.mmtrusteval import CHATS
from chef.registry import Registry
from chef.scenario import SCENARIOS

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

REGISTRIES: tuple[Registry[Any], ...] = (
    SCENARIOS,
    INFERENCERS,
    METRICS,
    MODELS,
    RETRIEVERS,
    INSTRUCTIONS,
    JUDGE_KINDS,
    EVALUATORS,
    METHODS,
    CHATS,
)


GROUP = "chef.plugins"


def register_installed() -> None:
    """Register, once, the ingredients of installed packages.

    ConfigError: a name is wrong or in use.
    """
    registries = {registry.kind: registry for registry in REGISTRIES}
    for point in _points(tuple(sys.path)):
        where = f"entry point '{point.name}' of {_package(point)}"
        kind, _, name = point.name.partition(".")
        if kind not in registries or not name:
            raise ConfigError(
                f"'{point.name}' does not name a kind of ingredient",
                where=where,
                hint=f"name it kind.Name; the kinds are {', '.join(registries)}",
            )
        try:
            registries[kind].register(name, point.value)
        except ConfigError as error:
            raise ConfigError(error.what, where=where, hint=error.hint) from None


def versions_of(used: Iterable[tuple[str, str]]) -> list[str]:
    """Package and version of each (kind, name) that comes from an installed package."""
    wanted = {f"{kind}.{name}" for kind, name in used}
    return [_package(point) for point in _points(tuple(sys.path)) if point.name in wanted]


@lru_cache(4)
def _points(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    if not any(map(_may_declare, path)):
        return ()
    from importlib.metadata import entry_points  # which loads forty modules

    return tuple(sorted(entry_points(group=GROUP), key=lambda point: point.name))


def _may_declare(place: str) -> bool:
    """Whether a package in a place of the path for imports may add ingredients."""
    folder = Path(place or ".")
    if not folder.is_dir():
        return folder.exists()  # an archive
    for name in os.listdir(folder):  # noqa: PTH208 (a thousand paths take 5 ms)
        if name.lower().endswith((".dist-info", "egg-info")):
            try:
                if GROUP.encode() in read_bytes(folder / name / "entry_points.txt"):
                    return True
            except OSError:  # none, or one that cannot be read
                continue
    return False


def _package(point: EntryPoint) -> str:
    dist = point.dist
    return f"{dist.name} {dist.version}" if dist is not None else "an unknown package"
