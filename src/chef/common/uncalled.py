"""Methods of other systems' classes that chef never calls, wherever a user's class defines one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from chef.common.front_modules import SYSTEMS, TABLES


class Uncalled(NamedTuple):
    """A method that is never called.

    Attributes:
        name: the method.
        base: the class that it is a step of, by its name in the other system.
        instead: what to override.
    """

    name: str
    base: str
    instead: str


@cache
def uncalled() -> Mapping[str, tuple[Uncalled, ...]]:
    """Every such method, by the class: ``mmte:ScoreEvaluator``."""
    from yaml import safe_load

    groups: Any = safe_load((TABLES / "uncalled.yaml").read_text("utf-8"))
    return {
        place: tuple(Uncalled(name, place.partition(":")[2], group["instead"]) for name in names)
        for group in groups
        for place, names in group["classes"].items()
    }


def uncalled_in(kind: type[Any]) -> Iterator[Uncalled]:
    """The methods of a class that a step of another system's class would be, and that do nothing.

    One that overrides also what is called instead may call them itself, so it is not meant.

    Args:
        kind: a user's class.
    """
    for place, methods in uncalled().items():
        own = [item for item in methods if item.name in vars(kind)]
        if not own:
            continue
        root, _, name = place.partition(":")
        base = SYSTEMS[root].get(name)
        if issubclass(kind, base) and not _overrides_instead(kind, own[0].instead):
            yield from own


def _overrides_instead(kind: type[Any], instead: str) -> bool:
    """Whether a class has one of the methods that a text puts between backticks."""
    return any(name in vars(kind) for name in instead.split("`")[1::2])
