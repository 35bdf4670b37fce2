"""Ingredients from Python files, which ``plugins:`` in a recipe or a model file names."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Any, NamedTuple

from chef.common import front_modules
from chef.common.digest import content_digest, file_digest
from chef.common.front_modules import SYSTEMS, TABLES
from chef.common.logs import logger
from chef.common.user_code import import_hint, is_of_a_system, package_of
from chef.config.document import Document, strings
from chef.config.installed import REGISTRIES, register_installed
from chef.config.spec import check_value
from chef.errors import ConfigError, nearest
from chef.guard.files import case_hint, problem_of, read_bytes, read_text
from chef.registry import PLUGIN, set_scope

_log = logger(__name__)
#: The content of each plugin file, and of those that it imports, when it was loaded: an edited file
#: must not pass for the old one.
_loaded: dict[Path, str] = {}


def load_plugins(files: Any, document: Document) -> dict[str, str]:
    """Run the files or folders of ``plugins``, relative to the YAML file; register their
    ingredients.

    Returns the digests (`chef.config.code_digest`) by name of the files that affect answers: not of
    those with metrics and judges alone. ConfigError: one is missing, fails or defines nothing.
    """
    register_installed()  # whose names are not refused for those of a file
    digests: dict[str, str] = {}
    where = document.where("plugins")
    written = document.raw.get("plugins")
    set_scope(modules_of(files, document))
    used = {text for _, text in strings(document.values)}
    for number, name in enumerate(check_value(files or [], list[str], where)):
        shown = str(written[number] if isinstance(written, list) else f"plugin {number + 1}")
        path = document.path.parent / name
        if path.is_dir():
            digests |= _load_folder(path, shown, where, used)
            continue
        path = path.resolve() if path.is_file() else path
        if problem := problem_of(path):
            what = f"plugin file not found: {path}"
            what = what if problem == "no such file" else f"{what} ({problem})"
            raise ConfigError(what, where=where, hint=_path_hint(path))
        module, bases = _load(path, where, used)
        if not bases:
            from chef.config.plugin_classes import base_hint

            raise ConfigError(
                f"{path} defines no scenario, instruction, inferencer, retriever, metric, "
                "evaluator or model",
                where=where,
                hint=base_hint(module),
            )
        digests |= _digest_of(path, module, bases, shown)
    return digests


def _load_folder(folder: Path, shown: str, where: str, used: Collection[str]) -> dict[str, str]:
    """Load the files of a folder; a line names each that fails.

    ConfigError: none has an ingredient.
    """
    digests: dict[str, str] = {}
    files, problem, has_any = _files_of(folder), "", False
    for path in files:
        try:
            module, bases = _load(path, where, used)
        except ConfigError as error:
            if error.__cause__ is None:  # it was imported
                raise
            problem = problem or f"{error.what} ({error.hint})"
            _log.warning("%s; the other files of its folder are loaded", error.what)
            continue
        has_any = has_any or bool(bases)
        digests |= _digest_of(path, module, bases, f"{shown}/{path.name}")
    if not has_any:
        what = "no file that defines an ingredient" if files else "no .py file"
        hint = problem or "name a folder of files such as those of vlmeval/dataset, or the files"
        raise ConfigError(f"{folder} is a folder that has {what}", where=where, hint=hint)
    return digests


def _files_of(folder: Path) -> list[Path]:
    """The Python files of a folder by name; that which makes it a package has names of others."""
    files = (file.resolve() for file in folder.glob("*.py"))
    return sorted(file for file in files if not file.name.startswith("__"))


def _load(path: Path, where: str, used: Collection[str]) -> tuple[ModuleType, dict[str, type[Any]]]:
    """Run a file; return it, and what each of its ingredients is.

    ConfigError: a class that the YAML file names by one of the texts ``used`` lacks a method.
    """
    from chef.config.plugin_classes import register  # it loads the bases of all kinds

    is_new = module_name(path) not in sys.modules
    module = _import(path, where)
    bases, unfinished = register(module, where)
    for name, error in unfinished.items():
        if name in used or bases.keys() <= unfinished.keys():
            raise error
        if is_new:
            _log.warning("%s; it is not used here\n  -> %s", error.what, error.hint)
    if is_new:
        _tell_shadows(module, path)
        _tell_uncalled(module, path)
    return module, bases


def _digest_of(
    path: Path, module: ModuleType, bases: dict[str, type[Any]], shown: str
) -> dict[str, str]:
    """The digests of a file and of what it imports beside it, under their names; nothing where it
    decides no answer.
    """
    from chef.config.plugin_classes import digest_of_file
    from chef.config.plugin_helpers import digest_of_helper, helpers

    digests = digest_of_file(path, module, bases, shown)
    if digests:
        for file in helpers(path, module.__package__ or ""):
            name = PurePosixPath(shown).parent / file.relative_to(path.parent).as_posix()
            digests[str(name)] = digest_of_helper(file)
    return digests


def module_name(path: Path) -> str:
    """The name of the module that a plugin becomes; two files may share a stem."""
    return f"{PLUGIN}{path.stem}_{content_digest(str(path), size=4)}"


def modules_of(files: Any, document: Document) -> list[str]:
    """The modules that the plugins of a document become, whether they are loaded or not."""
    names = files if isinstance(files, list) else []
    paths = [document.path.parent / name for name in names if isinstance(name, str)]
    each = (_files_of(path) if path.is_dir() else [path] for path in paths)
    return [
        module_name(path.resolve() if path.is_file() else path) for group in each for path in group
    ]


def _tell_shadows(module: ModuleType, path: Path) -> None:
    """Say which of chef's names a file has for classes of its own."""
    for registry in REGISTRIES:
        for name in registry.shadowed_by(module.__name__):
            _log.warning(
                "%s: the %s '%s' is that of this file in recipes that name it, and not chef's",
                path.name, registry.kind, name,
            )  # fmt: skip


def _import(path: Path, where: str) -> ModuleType:
    from chef.config import plugin_helpers

    if path.suffix != ".py":
        raise ConfigError(f"{path} is not a Python file", where=where)
    name, content = module_name(path), file_digest(path)
    if name in sys.modules:
        _check_unchanged(path, _loaded.get(path, content), where)
        _check_helpers(path, sys.modules[name], where)
        return sys.modules[name]
    loader = plugin_helpers.FreshSource(name, str(path))
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    front_modules.install(every=True)
    if package := package_of(read_bytes(path), path):
        front_modules.stands_in(package, path.parent)
    else:
        package = plugin_helpers.package_beside(path)
    if package:  # for `from .image_base import ...`: Python compares the two
        module.__package__, spec.name = package, f"{package}.{name}"
    sys.modules[name], _loaded[path] = module, content
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name], _loaded[path]
        plugin_helpers.forget(package)
        said = plugin_helpers.without_package(str(error))
        raise ConfigError(
            f"plugin {path} failed to import: {type(error).__name__}: {said}",
            where=where,
            hint=_import_hint(error, path),
        ) from error
    _check_helpers(path, module, where)
    return module


def _check_helpers(path: Path, module: ModuleType, where: str) -> None:
    """Check that what a plugin imports beside it is as it was when this process loaded it."""
    from chef.config.plugin_helpers import helpers

    for file in helpers(path, module.__package__ or ""):
        _check_unchanged(file, _loaded.setdefault(file, file_digest(file)), where)


def _check_unchanged(file: Path, loaded: str, where: str) -> None:
    if file_digest(file) != loaded:
        raise ConfigError(
            f"plugin {file} has changed since this process loaded it",
            where=where,
            hint="start Python (or the notebook's kernel) again",
        )


def _path_hint(path: Path) -> str:
    """What may have been meant by a plugin that is no file."""
    if path.with_name(f"{path.name}.py").is_file():
        return f"did you mean '{path.name}.py'? A plugin is the path of a file"
    folder = path.parent
    if there := case_hint(path, ""):
        return there
    if not folder.is_dir():
        return f"there is no folder {folder}; paths are relative to the YAML file"
    names = [file.name for file in folder.glob("*.py")]
    known = nearest(path.name, names) if names else "there is no .py file"
    return f"{known} (in {folder}; paths are relative to the YAML file)"


def _tell_uncalled(module: ModuleType, path: Path) -> None:
    """Say which methods of a file's classes have an effect in another system alone."""
    from chef.config.plugin_classes import is_own

    for kind in [item for item in vars(module).values() if is_own(item, module)]:
        for name, base, instead in uncalled_in(kind):
            _log.warning(
                "%s: %s.%s is never called, because chef's %s has no such step; override %s",
                path.name, kind.__name__, name, base, instead,
            )  # fmt: skip


def _import_hint(error: BaseException, path: Path) -> str | None:
    """How to correct a file that cannot be imported, such as one with imports of ChEF."""
    if isinstance(error, ModuleNotFoundError) and (hint := _beside_hint(error.name or "", path)):
        return hint
    if isinstance(error, ImportError) and (hint := _name_hint(error)):
        return hint
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"install it (pip install {error.name.partition('.')[0]}), or correct the import"
    if isinstance(error, SyntaxError):
        return "correct that line; Python 3.11 or later reads the file"
    return "correct the file; it must be importable by itself"


def _beside_hint(name: str, path: Path) -> str:
    """How to import a file or folder beside a plugin; empty where there is none of that name."""
    root = name.partition(".")[0]
    if not root or not ((path.parent / root).is_dir() or (path.parent / f"{root}.py").is_file()):
        return ""
    return f"it is beside the plugin, which imports it with a dot: from .{name} import NAME"


def _name_hint(error: ImportError) -> str:
    """How to write an import of ChEF, VLMEvalKit or MMTrustEval here; empty for other imports."""
    package = (error.name or "").partition(".")[0]
    if is_of_a_system(error):
        return import_hint(error)
    if "relative import" in str(error):
        examples = ", ".join(item.example for item in front_modules.SYSTEMS.values())
        return (
            "the relative imports of a plugin are those of a file of ChEF, MMTrustEval or "
            "VLMEvalKit, or of a file beside it, and these are none; write for example "
            f"{examples}, and put what else it imports beside it"
        )
    if package == "chef":
        name = str(error).split("'")[1:2]  # cannot import name 'Accuracy' from ...
        for registry in [item for item in REGISTRIES if name and name[0] in item]:
            kind = registry.get(name[0])
            return f"write: from {kind.__module__} import {kind.__name__}"
        page = "docs/background/coming_from_chef.md"
        return f"{page} lists the names; for example {front_modules.CHEF.example}"
    return ""


class Uncalled(NamedTuple):
    """A method that is never called, the class of the other system it is a step of, and what to
    override.
    """

    name: str
    base: str
    instead: str


@cache
def uncalled() -> Mapping[str, tuple[Uncalled, ...]]:
    """Every such method, by the class: ``mmte:ScoreEvaluator``."""
    from yaml import safe_load

    groups: Any = safe_load(read_text(TABLES / "uncalled.yaml"))
    return {
        place: tuple(Uncalled(name, place.partition(":")[2], group["instead"]) for name in names)
        for group in groups
        for place, names in group["classes"].items()
    }


def uncalled_in(kind: type[Any]) -> Iterator[Uncalled]:
    """The methods of a user's class that another system would call and chef does not, unless it
    overrides what is called instead.
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
