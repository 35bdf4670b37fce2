"""The registries of all kinds of ingredients, and what installed packages add to them.

They do it by entry points of the group ``chef.plugins``.

An entry point is named ``kind.Name`` (``metric.Brier``, ``model.MyModel``) and refers to a class.
Names are registered without importing anything. A package is imported when a recipe names it.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.common.logs import logger
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
_log = logger(__name__)


def register_installed() -> None:
    """Register, once, the ingredients of installed packages.

    One that cannot be registered gets a line, and ends only what names it; a name of chef's stays
    chef's.
    """
    registries = {registry.kind: registry for registry in REGISTRIES}
    points = _points(tuple(sys.path))
    times = Counter(point.name for point in points)
    for point in points:
        package = _package(point)
        remove = f"pip uninstall {package.split()[0]}"
        kind, _, name = point.name.partition(".")
        if kind not in registries or not name:
            what = f"'{point.name}' does not name a kind of ingredient"
            hint = f"remove the package: {remove}; or name it kind.Name, the kinds are "
            hint += ", ".join(registries)
            _refuse(point, what, hint, REGISTRIES)
        elif times[point.name] > 1:
            hint = f"remove one of the two packages: {remove}"
            _refuse(point, "another package has one, too", hint, (registries[kind],))
        else:
            try:
                registries[kind].register(name, point.value, package)
            except ConfigError as error:
                _refuse(point, f"{error.what}, which is used", f"remove the package: {remove}", ())


def _refuse(point: EntryPoint, what: str, hint: str, registries: Iterable[Registry[Any]]) -> None:
    """Say what is wrong with an entry point, and have what names it end with that."""
    where = f"entry point '{point.name}' of {_package(point)}"
    for registry in registries:
        name = point.name.partition(".")[2] or point.name
        registry.refused[name] = ConfigError(what, where=where, hint=hint)
    _tell(f"{where}: {what}\n  -> {hint}")


@lru_cache
def _tell(text: str) -> None:
    """Say it once in a process."""
    _log.warning("%s", text)


def versions_of(used: Iterable[tuple[str, str]]) -> list[str]:
    """Package and version of each (kind, name) that comes from an installed package."""
    registries = {registry.kind: registry for registry in REGISTRIES}
    packages = (registries[kind].packages.get(name) for kind, name in sorted(used))
    return [package for package in packages if package]


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
