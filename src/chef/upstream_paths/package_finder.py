"""Module names of other packages for plugins that were written for them, where they are missing.

``from vlmeval.dataset.image_base import ImageBaseDataset`` (VLMEvalKit) and
``from mmte.datasets.base import BaseDataset`` (MMTrustEval) give chef's classes. The finder stands
behind Python's own, so that an installed package comes first.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from chef.errors import similar

if TYPE_CHECKING:
    from importlib.abc import Loader
else:
    Loader = object


@dataclass(frozen=True, slots=True)
class Package:
    """A package whose names chef has.

    Attributes:
        root: the package.
        title: the project.
        table: the module with its names: ``NAMES`` (what plugins may import, by place),
            ``MODULES`` (the modules, without the root), ``PACKAGES`` (where a file of the project
            may stand, for relative imports), and ``exported(module)``, what ``import *`` gives.
        example: how a file imports what chef has of it.
    """

    root: str
    title: str
    table: str
    example: str

    @property
    def tables(self) -> Any:
        """The module with its names."""
        return import_module(self.table)


VLMEVALKIT = Package(
    "vlmeval",
    "VLMEvalKit",
    "chef.upstream_paths.vlmeval_names",
    "'from chef.vlmevalkit import BaseModel, ImageBaseDataset'",
)
MMTRUSTEVAL = Package(
    "mmte",
    "MMTrustEval",
    "chef.upstream_paths.mmte_names",
    "'from chef.mmtrusteval import BaseDataset, BaseEvaluator'",
)
PACKAGES: Mapping[str, Package] = {item.root: item for item in (VLMEVALKIT, MMTRUSTEVAL)}


class NamesModule(ModuleType):
    """A module that has the names of a package; each is imported when it is first used."""

    def __getattr__(self, name: str) -> Any:
        root, _, rest = self.__name__.partition(".")
        tables = PACKAGES[root].tables
        if name == "__all__":  # from ... import *
            return tables.exported(rest)
        place = tables.NAMES.get(name) or tables.FURTHER.get(name)
        if place is None:
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        return resolved(place)


class NamesFinder:
    """Finds the modules of the tables."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module of that name, if a table has it."""
        del path, target
        root, _, rest = fullname.partition(".")
        if root not in PACKAGES or rest not in PACKAGES[root].tables.MODULES:
            return None
        return ModuleSpec(fullname, _NamesLoader(), is_package=True)


class _NamesLoader(Loader):
    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module with the names of the package."""
        title = PACKAGES[spec.name.partition(".")[0]].title
        return NamesModule(spec.name, f"Names of {title}.")

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is imported before a name is asked for."""


def resolved(place: str) -> Any:
    """What stands at ``module:attribute``, or the module of that name.

    >>> resolved("collections:OrderedDict").__name__, resolved("os.path").__name__
    ('OrderedDict', 'posixpath')
    """
    module, _, attribute = place.partition(":")
    found = import_module(module)
    return getattr(found, attribute) if attribute else found


def install() -> None:
    """Let Python find the modules of the tables; does nothing the second time.

    It stays for the process: functions of a plugin import when they are called.
    """
    if not any(isinstance(finder, NamesFinder) for finder in sys.meta_path):
        sys.meta_path.append(NamesFinder())


def package_of(source: bytes) -> str:
    r"""The package that most relative imports of a file fit, as ``vlmeval.dataset``; else empty.

    Of several it is the one that has more of the imported names. Those that fit none then fail by
    their whole name.

    >>> package_of(b"from .image_base import ImageBaseDataset\nfrom .mine import words")
    'vlmeval.dataset'
    >>> package_of(b"from .base import BaseEvaluator")
    'mmte.datasets'
    >>> package_of(b"from .mine import words")
    ''
    """
    try:
        nodes = [*ast.walk(ast.parse(source))]
    except (SyntaxError, ValueError):  # Python says so itself when the file is run
        return ""
    wanted = [
        node
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        and node.level
        # Many packages have a module of that name.
        and (node.module != "utils" or any(_is_known(item.name) for item in node.names))
    ]
    fits = [(_fitting(*folder, wanted), folder[1]) for folder in _folders()]
    best, name = max(fits, key=lambda fit: fit[0])  # of equals the first
    return name if any(best) else ""


def _is_known(name: str) -> bool:
    return any(name in package.tables.NAMES for package in PACKAGES.values())


def _folders() -> Iterator[tuple[Package, str]]:
    for package in PACKAGES.values():
        for name in package.tables.PACKAGES:
            yield package, f"{package.root}.{name}"


def _fitting(package: Package, folder: str, wanted: Sequence[ast.ImportFrom]) -> tuple[int, int]:
    """How many modules and names of relative imports a package has, for a file in one folder."""
    tables, modules, names = package.tables, set[str](), 0
    for node in wanted:
        found = _absolute("." * node.level + (node.module or ""), folder)
        root, _, rest = found.partition(".")
        if root == package.root and rest in tables.MODULES - {""}:
            modules.add(found)
            names += sum(item.name in tables.NAMES for item in node.names)
    return len(modules), names


def is_about(error: BaseException) -> bool:
    """Whether an error is that something of one of the packages cannot be imported."""
    return isinstance(error, ImportError) and _root(error) in PACKAGES


def hint(error: ImportError) -> str:
    """What a file can import that fails to import something of one of the packages.

    >>> error = ImportError("cannot import name 'BaseModle' from 'vlmeval.vlm'", name="vlmeval.vlm")
    >>> hint(error).partition("?")[0]
    "did you mean 'BaseModel'"
    """
    package = PACKAGES[_root(error)]
    wanted = re.match(r"cannot import name '(\w+)'", str(error))
    near = similar(wanted[1], package.tables.NAMES) if wanted else None
    meant = f"did you mean '{near}'? " if near else ""
    return (
        f"{meant}chef has the names of {package.title}'s guide ({package.example}); for anything "
        "else of the package install it, or copy it into the file"
    )


def _root(error: ImportError) -> str:
    return (error.name or "").partition(".")[0]


def _absolute(relative: str, package: str) -> str:
    try:
        return importlib.util.resolve_name(relative, package)
    except ImportError:  # beyond the package
        return ""
