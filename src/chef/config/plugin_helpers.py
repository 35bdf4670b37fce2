"""The files beside a plugin that it imports: they are found, made importable, and digested."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from functools import lru_cache
from importlib.abc import MetaPathFinder
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple

from chef.common.digest import content_digest
from chef.common.front_modules import FrontModule, file_beside
from chef.config.code_digest import parsed, source_digest
from chef.guard.files import read_bytes
from chef.registry import PLUGIN

#: The packages that the folders of plugins become.
_FOLDER = f"{PLUGIN}folder_"


class FreshSource(SourceFileLoader):
    """Compiles a file as it is now; Python's cache does not see an edit within the same second."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


class _Beside(MetaPathFinder):
    """Finds the modules of the packages that folders of plugins become."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del target
        if path is None or not fullname.startswith(_FOLDER):
            return None
        finders = (FileFinder(folder, (FreshSource, [".py"])) for folder in path)
        specs = (finder.find_spec(fullname) for finder in finders)
        return next((spec for spec in specs if spec is not None and spec.loader is not None), None)


_finder = _Beside()


def package_beside(path: Path) -> str:
    """The package that the folder of a plugin becomes, for ``from .helper import WORD``.

    Empty where no relative import of the plugin is of a file beside it.
    """
    relative = [item for item in _imports(path) if item.level == 1]
    if not any(_files(path.parent, item.parts) for item in relative):
        return ""
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)  # Python's own would find the files, but in its cache
    name = f"{_FOLDER}{content_digest(str(path.parent), size=4)}"
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = [str(path.parent)]
        sys.modules[name] = package
    return name


def forget(package: str) -> None:
    """Let the files of a folder be read again, after a plugin could not be imported."""
    for name in [*sys.modules]:
        if name.startswith(_FOLDER) and name.startswith(f"{package}."):
            del sys.modules[name]


def without_package(text: str) -> str:
    """A message with the imports as they stand in the file: ``.helper``."""
    for name in sys.modules:
        if name.startswith(_FOLDER) and "." not in name:
            text = text.replace(name, "")
    return text


def helpers(plugin: Path, package: str) -> list[Path]:
    """The files in the folder of a plugin, or below it, that it imports, and that those import.

    Args:
        plugin: the file of the plugin.
        package: the package that its relative imports begin at; modules of it that chef has itself
            come before files.
    """
    folder = plugin.parent
    files, todo = dict[Path, None](), [plugin]
    while todo:
        file = todo.pop()
        for item in _imports(file):
            base = folder if item.level == 0 else _above(file.parent, item.level - 1)
            if not base.is_relative_to(folder) or _is_elsewhere(item, folder, package):
                continue
            new = [one for one in _files(base, item.parts) if one != plugin and one not in files]
            files.update(dict.fromkeys(new))
            todo += new
    return sorted(files)


def digest_of_helper(file: Path) -> str:
    """The digests of a file by its code and its text; by its text alone if it has no tree."""
    source = read_bytes(file)
    try:
        return source_digest(source)
    except (SyntaxError, ValueError):  # imported in a function that was not called, if ever
        return content_digest(source)


class _Import(NamedTuple):
    """A module that a file imports, or perhaps a name of it: ``level`` dots, then ``parts``."""

    level: int
    parts: Sequence[str]


def _imports(file: Path) -> Sequence[_Import]:
    """The imports of a file, wherever they stand; none of one that Python cannot read."""
    try:
        return _imports_in(read_bytes(file))
    except (OSError, SyntaxError, ValueError):
        return ()


@lru_cache(maxsize=64)
def _imports_in(source: bytes) -> tuple[_Import, ...]:
    """The imports of a file by its content; SyntaxError or ValueError if it has no tree.

    Each load of a plugin asks for them several times, of all files that it imports.
    """
    imports: list[_Import] = []
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Import):
            imports += (_Import(0, item.name.split(".")) for item in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module.split(".") if node.module else []
            imports += (_Import(node.level, [*module, item.name]) for item in node.names)
    return tuple(imports)


def _files(base: Path, parts: Sequence[str]) -> list[Path]:
    """The files that importing ``parts`` below a folder runs; the last part may be a name."""
    places = (file_beside(base, parts[:end]) for end in range(1, len(parts) + 1))
    return [file for file in places if file is not None]


def _above(folder: Path, levels: int) -> Path:
    return folder if levels == 0 else folder.parents[levels - 1]


def _is_elsewhere(item: _Import, folder: Path, package: str) -> bool:
    """Whether an import leads to what is installed, or to what chef has, though a file is there."""
    if item.level:
        full = ".".join([package, *item.parts[: max(1, len(item.parts) - 1)]])
        return isinstance(sys.modules.get(full), FrontModule)
    root = item.parts[0]
    if root in sys.stdlib_module_names:
        return True
    module = sys.modules.get(root)
    file = getattr(module, "__file__", None)
    if file is None:  # a folder without a file of its own, or not imported yet
        return isinstance(module, FrontModule)
    return not Path(file).resolve().is_relative_to(folder)
