"""ChEF's module paths and class names, and where the classes are in chef.

``from chef.metric.utils import Base_metric`` works, although there is no such file: `table` says
where it leads. The finder stands behind Python's own, so that a file always comes first, and the
table is read when Python has found no file.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.abc import Loader
else:
    Loader = object  # importlib.abc would take longer to import than all of this


class PathAlias(ModuleType):
    """A module that has the names of other modules, and all of ChEF's class names."""

    def __init__(self, name: str, places: Sequence[str]) -> None:
        super().__init__(name, f"ChEF's name for {' and '.join(places)}.")
        self._places = places

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":  # from ... import *
            return [*import_module(self._places[0]).__all__]
        if name.startswith("__"):
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        for place in self._places:
            module = import_module(place)
            if hasattr(module, name):
                return getattr(module, name)
        return chef_name(self.__name__, name)


class AliasFinder:
    """Finds the modules of the table."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module of that name, if the table has it."""
        del path, target  # every path of the table is a full one
        if not fullname.startswith("chef."):
            return None
        from chef.upstream_paths.table import MODULES

        places = MODULES.get(fullname.removeprefix("chef."))
        return ModuleSpec(fullname, _AliasLoader(places), is_package=True) if places else None


class _AliasLoader(Loader):
    def __init__(self, places: Sequence[str]) -> None:
        self.places = places

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module with the names of its places."""
        return PathAlias(spec.name, self.places)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is imported before a name is asked for."""


def chef_name(module: str, name: str) -> Any:
    """The class that ChEF calls ``name``.

    Raises:
        AttributeError: it is not in the table. This is what ``__getattr__`` of a module needs.

    >>> chef_name("chef.inferencer", "Direct_inferencer").__qualname__
    'Direct'
    """
    from chef.upstream_paths.table import CLASSES

    target = CLASSES.get(name)
    if target is None:
        raise AttributeError(f"module '{module}' has no attribute '{name}'")
    place, _, attribute = target.partition(":")
    return getattr(import_module(place), attribute)


def install() -> None:
    """Let Python find the modules of the table; does nothing the second time."""
    if not any(isinstance(finder, AliasFinder) for finder in sys.meta_path):
        sys.meta_path.append(AliasFinder())
