"""Names to classes, imported only when asked for.

Each room keeps its own table (``SCENARIOS`` in `chef.scenario`, ``METRICS`` in `chef.metric`, ...).
A line of it reads ``"Name": "module:Class"``, so listing names costs no import. A second table of
the same form names the classes with ChEF's own rules, which ``compat: upstream`` asks for.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar, cast

from chef.errors import ConfigError, nearest

T = TypeVar("T")


class Registry(Generic[T]):
    """A table of one kind of ingredient.

    Args:
        kind: what it holds, in the singular, as errors speak of it.
        table: name to ``module:Class``.
        upstream: the same for ``compat: upstream``, where the class is another one.
    """

    def __init__(
        self, kind: str, table: Mapping[str, str], upstream: Mapping[str, str] | None = None
    ) -> None:
        self.kind = kind
        self.upstream = dict(upstream or {})
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
                hint="give yours another name",
            )
        self._table[name] = target

    def get(self, name: str, *, where: str | None = None, upstream: bool = False) -> type[T]:
        """The class of that name, imported now if it was not.

        Args:
            name: of the ingredient.
            where: for errors.
            upstream: the class with ChEF's own rules, where there is one.

        Raises:
            ConfigError: no such name; the nearest one is suggested.
        """
        if name not in self._table:
            hint = nearest(name, self._table)
            raise ConfigError(f"unknown {self.kind} '{name}'", where=where, hint=hint)
        if upstream and name in self.upstream:
            return self._import(name, self.upstream[name], where)
        if name not in self._loaded:
            target = self._table[name]
            if isinstance(target, str):
                target = self._import(name, target, where)
            self._loaded[name] = target
        return self._loaded[name]

    def _import(self, name: str, target: str, where: str | None) -> type[T]:
        module, _, attribute = target.partition(":")
        try:
            return cast("type[T]", getattr(importlib.import_module(module), attribute))
        except (ImportError, AttributeError) as error:
            raise ConfigError(
                f"the {self.kind} '{name}' cannot be imported ({error})",
                where=where,
                hint=f"it should be in {target}",
            ) from error
