"""The package of ChEF, MMTrustEval or VLMEvalKit that relative imports of a plugin are meant in."""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from chef.common.front_modules import SYSTEMS, System
from chef.errors import similar


def package_of(source: bytes, file: Path | None = None) -> str:
    r"""The package that most relative imports of a file fit, as ``vlmeval.dataset``; else empty.

    Of several it is the one whose modules have most of the imported names, and of equal ones that
    in whose folder the file stands. What fits none then fails by its whole name.

    Args:
        source: the file's content.
        file: its path.

    >>> package_of(b"from .image_base import ImageBaseDataset\nfrom .mine import words")
    'vlmeval.dataset'
    >>> package_of(b"from .base import BaseEvaluator"), package_of(b"from .mine import words")
    ('mmte.evaluators', '')
    """
    try:
        nodes = [*ast.walk(ast.parse(source))]
    except (SyntaxError, ValueError):  # Python says so itself when the file is run
        return ""
    relative = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.level]
    wanted = [
        node
        for node in relative
        if not _may_be_own(node, file) or any(_is_known(item.name) for item in node.names)
    ]
    beside = "" if file is None else f"{file.parent.parent.name}.{file.parent.name}"
    fits = [
        ((*_fitting(system, place, wanted), place == beside), place) for system, place in _places()
    ]
    best, name = max(fits, key=lambda fit: fit[0])  # of equals the first
    stands = next((place for _, place in _places() if place == beside and relative), "")
    return name if any(best[:2]) else stands


def file_beside(folder: Path, parts: Sequence[str]) -> Path | None:
    """The file of a module below a folder: that of a package, or a plain one."""
    inner, plain = folder.joinpath(*parts, "__init__.py"), folder.joinpath(*parts)
    files = (inner, plain.with_name(f"{plain.name}.py"))
    return next((file for file in files if file.is_file()), None)


def _may_be_own(node: ast.ImportFrom, file: Path | None) -> bool:
    """Whether a module may be one of the user's: many packages have one of that name, or it stands
    beside the file.
    """
    if node.module == "utils":
        return True
    if file is None or node.module is None or node.level > 1:
        return False
    return file_beside(file.parent, node.module.split(".")) is not None


def _is_known(name: str) -> bool:
    return any(name in system.names for system in SYSTEMS.values())


def _places() -> Iterator[tuple[System, str]]:
    for system in reversed([*SYSTEMS.values()]):
        for place in system.places:
            yield system, place


def _fitting(system: System, place: str, wanted: Sequence[ast.ImportFrom]) -> tuple[int, int, int]:
    """How many imported names their modules have, how many modules there are, and known names."""
    own, modules, known = 0, set[str](), 0
    for node in wanted:
        module = _absolute("." * node.level + (node.module or ""), place)
        root, _, rest = module.partition(".")
        if root != system.root or not rest or rest not in system.modules:
            continue
        modules.add(module)
        names = [item.name for item in node.names]
        own += sum(name in system.modules[rest] for name in names)
        known += sum(name in system.names for name in names)
    return own, len(modules), known


def is_about(error: BaseException) -> bool:
    """Whether an error is that something of one of the systems cannot be imported."""
    return isinstance(error, ImportError) and _root(error) in SYSTEMS


def hint(error: ImportError) -> str:
    """What a file can import that fails to import something of one of the systems.

    >>> error = ImportError("cannot import name 'BaseModle' from 'vlmeval.vlm'", name="vlmeval.vlm")
    >>> hint(error).partition("?")[0]
    "did you mean 'BaseModel'"
    """
    system = SYSTEMS[_root(error)]
    match = re.match(r"cannot import name '(\w+)'", str(error))
    near = similar(match[1], system.names) if match else None
    meant = f"did you mean '{near}'? " if near else ""
    return (
        f"{meant}chef has the names that files of {system.title} usually import "
        f"({system.example}); for anything else of the package put its file beside this one, "
        "install the package, or copy it into the file"
    )


def _root(error: ImportError) -> str:
    return (error.name or "").partition(".")[0]


def _absolute(relative: str, package: str) -> str:
    try:
        return importlib.util.resolve_name(relative, package)
    except ImportError:  # beyond the package
        return ""
