"""VLMEvalKit's module names for plugins that were written for it, where it is not installed.

``from vlmeval.dataset.image_base import ImageBaseDataset`` gives chef's class. The finder stands
behind Python's own, so that an installed VLMEvalKit comes first.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from chef.errors import similar

if TYPE_CHECKING:
    from importlib.abc import Loader
else:
    Loader = object

ROOT = "vlmeval"
#: How a file imports what chef has of VLMEvalKit.
EXAMPLE = "'from chef.vlmevalkit import BaseModel, ImageBaseDataset'"


class NamesModule(ModuleType):
    """A module that has the names of the table; each is imported when it is first used."""

    def __getattr__(self, name: str) -> Any:
        from chef.upstream_paths.vlmeval_names import NAMES, SMP

        if name == "__all__":  # from ... import *
            return [*SMP, *NAMES] if self.__name__.startswith(f"{ROOT}.dataset") else [*SMP]
        place = NAMES.get(name) or SMP.get(name)
        if place is None:
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        return resolved(place)


class NamesFinder:
    """Finds the modules of the table."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module of that name, if the table has it."""
        del path, target
        root, _, rest = fullname.partition(".")
        if root != ROOT:
            return None
        from chef.upstream_paths.vlmeval_names import MODULES

        return ModuleSpec(fullname, _NamesLoader(), is_package=True) if rest in MODULES else None


class _NamesLoader(Loader):
    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module with the names of the table."""
        return NamesModule(spec.name, "Names of VLMEvalKit.")

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
    """Let Python find the modules of the table; does nothing the second time.

    It stays for the process: functions of a plugin import when they are called.
    """
    if not any(isinstance(finder, NamesFinder) for finder in sys.meta_path):
        sys.meta_path.append(NamesFinder())


def package_of(source: bytes) -> str:
    r"""The package that most relative imports of a file fit, as ``vlmeval.dataset``; else empty.

    Those that fit none then fail by their whole name.

    >>> package_of(b"from .image_base import ImageBaseDataset\nfrom .mine import words")
    'vlmeval.dataset'
    >>> package_of(b"from .mine import words")
    ''
    """
    from chef.upstream_paths.vlmeval_names import MODULES, PACKAGES

    try:
        nodes = [*ast.walk(ast.parse(source))]
    except (SyntaxError, ValueError):  # Python says so itself when the file is run
        return ""
    wanted = {
        "." * node.level + (node.module or "")
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.level
    }

    def fitting(name: str) -> int:
        found = [_absolute(item, f"{ROOT}.{name}") for item in wanted]
        return sum(
            item.startswith(ROOT) and item.partition(".")[2] in MODULES - {""} for item in found
        )

    best = max(PACKAGES, key=fitting)  # of equals the first
    return f"{ROOT}.{best}" if fitting(best) else ""


def is_about(error: BaseException) -> bool:
    """Whether an error is that something of VLMEvalKit cannot be imported."""
    return isinstance(error, ImportError) and (error.name or "").partition(".")[0] == ROOT


def hint(error: ImportError) -> str:
    """What a file can import that fails to import something of VLMEvalKit.

    >>> hint(ImportError("cannot import name 'BaseModle' from 'vlmeval.vlm'")).partition("?")[0]
    "did you mean 'BaseModel'"
    """
    from chef.upstream_paths.vlmeval_names import NAMES

    wanted = re.match(r"cannot import name '(\w+)'", str(error))
    near = similar(wanted[1], NAMES) if wanted else None
    meant = f"did you mean '{near}'? " if near else ""
    return (
        f"{meant}chef has the names of VLMEvalKit's guide ({EXAMPLE}); for anything else of the "
        "package install it, or copy it into the file"
    )


def _absolute(relative: str, package: str) -> str:
    try:
        return importlib.util.resolve_name(relative, package)
    except ImportError:  # beyond the package
        return ""
