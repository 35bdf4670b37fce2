"""Names to classes, imported only when asked for.

Each room keeps its own table (``SCENARIOS`` in `chef.scenario`, ``METRICS`` in `chef.metric`, ...).
A line of it reads ``"Name": "module:Class"``, so listing names costs no import.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar, cast

from chef.errors import ConfigError

T = TypeVar("T")


def nearest(name: str, names: Iterable[str]) -> str:
    """``did you mean 'X'?``, or the whole list when nothing is near.

    >>> nearest("metrik_cfg", ["metric_cfg", "inferencer_cfg"])
    "did you mean 'metric_cfg'?"
    """
    known = sorted(names)
    folded = {item.lower(): item for item in known}
    match = difflib.get_close_matches(name.lower(), folded, n=1, cutoff=0.6)
    if match:
        return f"did you mean '{folded[match[0]]}'?"
    return f"known: {', '.join(known)}" if known else "none is known"


class Registry(Generic[T]):
    """A table of one kind of ingredient.

    Args:
        kind: what it holds, in the singular, as errors speak of it.
        table: name to ``module:Class``.
    """

    def __init__(self, kind: str, table: Mapping[str, str]) -> None:
        self.kind = kind
        self._table: dict[str, str | type[T]] = dict(table)
        self._loaded: dict[str, type[T]] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._table))

    def __contains__(self, name: object) -> bool:
        return name in self._table

    def register(self, name: str, target: str | type[T]) -> None:
        """Add an ingredient from outside the package (a plugin).

        Raises:
            ConfigError: the name is taken by something else.
        """
        if self._table.get(name, target) != target:
            raise ConfigError(
                f"{self.kind} '{name}' is registered already, as {self._table[name]}",
                mend="give yours another name",
            )
        self._table[name] = target

    def get(self, name: str, *, where: str | None = None) -> type[T]:
        """The class of that name, imported now if it was not.

        Raises:
            ConfigError: no such name; the nearest one is suggested.
        """
        if name not in self._table:
            mend = nearest(name, self._table)
            raise ConfigError(f"unknown {self.kind} '{name}'", where=where, mend=mend)
        if name not in self._loaded:
            target = self._table[name]
            if isinstance(target, str):
                module, _, attribute = target.partition(":")
                try:
                    target = cast("type[T]", getattr(importlib.import_module(module), attribute))
                except (ImportError, AttributeError) as error:
                    raise ConfigError(
                        f"the {self.kind} '{name}' cannot be imported ({error})",
                        where=where,
                        mend=f"it should be in {self._table[name]}",
                    ) from error
            self._loaded[name] = target
        return self._loaded[name]
