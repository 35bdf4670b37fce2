"""Modules of ChEF, MMTrustEval and VLMEvalKit that lead to chef: one finder reads one table each.

``from mmte.datasets.base import BaseDataset`` gives chef's class where MMTrustEval is not
installed. A finder stands behind Python's own, so that files and installed packages come first. The
tables are ``fronts/tables/*.tsv``: a line for each name, with what it is, where it is in chef, and
the modules that have it. They are read when the first such module is imported.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from chef.errors import nearest

if TYPE_CHECKING:
    from importlib.abc import Loader

    from chef.common.refused import Kind
else:
    Loader = object  # importlib.abc would take longer to import than all of this

#: The folder of the tables.
TABLES = Path(__file__).parents[1] / "fronts" / "tables"


@dataclass(frozen=True, slots=True)
class Name:
    """A name of another system.

    Attributes:
        place: where it is in chef, as ``module:attribute`` or a module; ``-reason``: it is not.
        modules: the modules that have it, without the package; the package itself is ``.``.
    """

    name: str
    kind: Kind
    place: str
    modules: tuple[str, ...]


@dataclass(frozen=True)
class System:
    """A system whose names chef has.

    Attributes:
        root: its package.
        aliases: further packages of the same modules.
        folders: places below the package, besides those of modules, where a file may stand.
        spread: of modules that begin so, ``import *`` gives the names of this module, too.
    """

    root: str
    title: str
    example: str
    aliases: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    spread: tuple[str, str] = ("", "")

    @cached_property
    def names(self) -> Mapping[str, Name]:
        """The names of the table; one that stands in several modules is the same in all."""
        lines = (TABLES / f"{self.root}.tsv").read_text("utf-8").splitlines()[1:]
        rows = (line.split("\t") for line in lines)
        return {
            name: Name(name, cast("Kind", kind), place, tuple(modules.split()))
            for name, kind, place, modules in rows
        }

    @cached_property
    def modules(self) -> Mapping[str, frozenset[str]]:
        """The modules, without the package, with the names that each has of its own."""
        own: dict[str, set[str]] = {"": set()}
        for entry in self.names.values():
            for module in entry.modules:
                parts = [] if module == "." else module.split(".")
                for end in range(len(parts)):
                    own.setdefault(".".join(parts[:end]), set())
                own.setdefault(".".join(parts), set()).add(entry.name)
        return {module: frozenset(names) for module, names in own.items()}

    @cached_property
    def places(self) -> tuple[str, ...]:
        """The packages that a file may stand in, with the root."""
        inner = {module.rpartition(".")[0] for module in self.modules} - {""}
        return tuple(f"{self.root}.{name}" for name in (*sorted(inner), *self.folders))

    def exported(self, module: str) -> list[str]:
        """What ``import *`` from a module gives."""
        names = self.modules.get(module, frozenset())
        begins, other = self.spread
        if begins and module.split(".", maxsplit=1)[0] == begins:
            names |= self.modules[other]
        return sorted(name for name in names if self.names[name].place)

    def get(self, name: str) -> Any:
        """What a name leads to. Raises KeyError."""
        entry = self.names[name]
        if not entry.place.startswith("-"):
            return resolved(entry.place)
        return _refused(self.title, entry)


CHEF = System(
    "ChEF",
    "ChEF",
    "'from chef.metric.utils import Base_metric', 'from chef.inferencer import Direct_inferencer'",
    ("chef",),
    ("models.family",),
)
VLMEVALKIT = System(
    "vlmeval",
    "VLMEvalKit",
    "'from vlmeval.vlm.base import BaseModel'",
    ("chef.vlmevalkit",),
    ("vlm.family",),
    ("dataset", "smp"),
)
MMTRUSTEVAL = System(
    "mmte",
    "MMTrustEval",
    "'from mmte.datasets.base import BaseDataset'",
    ("chef.mmtrusteval",),
)
SYSTEMS: Mapping[str, System] = {item.root: item for item in (CHEF, VLMEVALKIT, MMTRUSTEVAL)}
#: Their packages, the longest first; those that Python finds as soon as chef is imported.
_ROOTS = {name: item for item in SYSTEMS.values() for name in (*reversed(item.aliases), item.root)}
_ALWAYS = frozenset(name for item in SYSTEMS.values() for name in item.aliases)


class FrontModule(ModuleType):
    """A module with every name of a system, each imported when first used; ``import *`` gives its
    own.
    """

    def __getattr__(self, name: str) -> Any:
        system, rest = _split(self.__name__)
        if name == "__all__":  # from ... import *
            return system.exported(rest)
        if name in system.names and system.names[name].place:
            return system.get(name)
        if not name.startswith("__") and (file := _finder.file_of(self.__name__)) is not None:
            return getattr(_loaded(self.__name__, file), name)
        known = "" if name.startswith("_") or rest else f"; {nearest(name, system.names)}"
        raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'{known}")

    def __dir__(self) -> list[str]:
        system, rest = _split(self.__name__)
        return system.exported(rest) or sorted(system.names)


@dataclass
class Finder:
    """Finds the modules of the packages ``roots``, and files in ``folders``, such as those beside a
    plugin.
    """

    roots: set[str] = field(default_factory=lambda: set(_ALWAYS))
    folders: dict[str, list[Path]] = field(default_factory=dict)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module of that name, if a table or a folder has it."""
        del path, target
        if not any(fullname == root or fullname.startswith(f"{root}.") for root in self.roots):
            return None
        parent = sys.modules.get(fullname.rpartition(".")[0])
        system, rest = _split(fullname)
        is_chefs = fullname.startswith("chef.")
        if parent is not None and not isinstance(parent, FrontModule) and not is_chefs:
            return None  # an installed package has what it has
        if (rest and rest in system.modules) or (not rest and fullname != "chef"):
            return ModuleSpec(fullname, _FrontLoader(), is_package=True)
        file = self.file_of(fullname)
        return None if file is None else _spec_of(fullname, file)

    def file_of(self, module: str) -> Path | None:
        """The file of a module in one of the folders."""
        for package, folders in self.folders.items():
            if not module.startswith(f"{package}."):
                continue
            parts = module.removeprefix(f"{package}.").split(".")
            files = (file_beside(folder, parts) for folder in folders)
            if (file := next(filter(None, files), None)) is not None:
                return file
        return None


def file_beside(folder: Path, parts: Sequence[str]) -> Path | None:
    """The file of a module below a folder: that of a package, or a plain one."""
    inner, plain = folder.joinpath(*parts, "__init__.py"), folder.joinpath(*parts)
    files = (inner, plain.with_name(f"{plain.name}.py"))
    return next((file for file in files if file.is_file()), None)


class _FrontLoader(Loader):
    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module with the names of the system."""
        return FrontModule(spec.name, f"Names of {_split(spec.name)[0].title}.")

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is imported before a name is asked for."""


_finder = Finder()


def install(*, every: bool = False) -> None:
    """Let Python find the modules of the tables; does nothing the second time.

    Args:
        every: also under the names of the systems (``mmte``, ``vlmeval``, ``ChEF``), not only
            below ``chef``. It stays for the process: functions of a plugin import when they are
            called.
    """
    if not any(finder is _finder for finder in sys.meta_path):
        sys.meta_path.append(_finder)
    if every:
        _finder.roots |= {*SYSTEMS}


def stands_in(package: str, folder: Path) -> None:
    """Let Python find the files of a folder as modules of a package, behind those of the tables."""
    while "." in package:
        folders = _finder.folders.setdefault(package, [])
        if folder not in folders:
            folders.append(folder)
        outer, _, last = package.rpartition(".")
        if folder.name != last:
            return
        package, folder = outer, folder.parent


def chef_name(module: str, name: str) -> Any:
    """What ChEF calls ``name``.

    Raises:
        AttributeError: it is not in the table. This is what ``__getattr__`` of a module needs.

    >>> chef_name("chef.inferencer", "Direct_inferencer").__qualname__
    'Direct'
    """
    if name.startswith("_") or name not in CHEF.names or not CHEF.names[name].place:
        raise AttributeError(f"module '{module}' has no attribute '{name}'")
    return CHEF.get(name)


def attributes(module: str, exports: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """``__getattr__`` of a room: the names that its modules define, and ChEF's names.

    They are imported on first use, so that a table of classes costs no more than its lines.
    """
    places = {name: place for place, names in exports.items() for name in names}

    def get(name: str) -> Any:
        if name not in places:
            return chef_name(module, name)
        value = getattr(import_module(places[name]), name)
        setattr(sys.modules[module], name, value)  # the next look-up finds it at once
        return value

    return get


def resolved(place: str) -> Any:
    """What stands at ``module:attribute``, or the module of that name.

    >>> resolved("collections:OrderedDict").__name__, resolved("os.path").__name__
    ('OrderedDict', 'posixpath')
    """
    module, _, attribute = place.partition(":")
    found = import_module(module)
    return getattr(found, attribute) if attribute else found


def _split(fullname: str) -> tuple[System, str]:
    """The system of a module's name, and the name below its package."""
    root = next(
        root for root in _by_length() if fullname == root or fullname.startswith(f"{root}.")
    )
    return _ROOTS[root], fullname[len(root) + 1 :]


@cache
def _by_length() -> list[str]:
    return sorted(_ROOTS, key=len, reverse=True)


def _spec_of(fullname: str, file: Path) -> ModuleSpec | None:
    folders = [str(file.parent)] if file.name == "__init__.py" else None
    return importlib.util.spec_from_file_location(
        fullname, file, submodule_search_locations=folders
    )


@cache
def _loaded(fullname: str, file: Path) -> ModuleType:
    """A file whose module a table has too, for the names that the table lacks."""
    spec = _spec_of(fullname, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def _reasons() -> Mapping[str, Mapping[str, str]]:
    from yaml import safe_load

    found: Mapping[str, Mapping[str, str]] = safe_load((TABLES / "reasons.yaml").read_text("utf-8"))
    return found


@cache
def _refused(title: str, entry: Name) -> Any:
    from chef.common.refused import refused

    texts = _reasons()[entry.place[1:]]
    reason = texts["reason"].format(name=entry.name, title=title)
    return refused(entry.kind, entry.name, reason, texts["hint"].format(title=title))


def all_names() -> Iterator[tuple[System, Name]]:
    """Every name of every table with its system."""
    for system in SYSTEMS.values():
        for entry in system.names.values():
            yield system, entry
