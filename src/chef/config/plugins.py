"""Ingredients from Python files, which ``plugins:`` in a recipe or a model file names."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import sys
from collections.abc import Collection
from pathlib import Path
from types import ModuleType
from typing import Any

from chef.common.digest import content_digest, file_digest, stream_digest
from chef.config.document import Document
from chef.config.signature import check_value
from chef.errors import ConfigError
from chef.inferencer import INFERENCERS, Inferencer
from chef.instruction import INSTRUCTIONS, RETRIEVERS, Instruction
from chef.instruction.retriever import Retriever
from chef.metric import METRICS, Metric
from chef.models import MODELS, Model
from chef.scenario import SCENARIOS, Scenario

REGISTRIES: tuple[tuple[type[Any], Any], ...] = (
    (Scenario, SCENARIOS),
    (Inferencer, INFERENCERS),
    (Metric, METRICS),
    (Model, MODELS),
    (Retriever, RETRIEVERS),
    (Instruction, INSTRUCTIONS),
)

#: The content of each plugin file when it was loaded: an edited file must not pass for the old one.
_loaded: dict[str, str] = {}


def load_plugins(files: Any, document: Document) -> dict[str, str]:
    """Run each Python file and register the ingredients it defines under their class names.

    Args:
        files: the value of ``plugins``: a list of paths, relative to the YAML file.
        document: the YAML file.

    Returns:
        For each file that affects answers its name, as the YAML file has it, and a digest. Metrics
        read answers and decide none: a file of metrics alone is not among them.

    Raises:
        ConfigError: a file is missing, fails to run, or defines no ingredient.
    """
    digests: dict[str, str] = {}
    written = document.raw.get("plugins")
    where = document.where("plugins")
    for number, name in enumerate(check_value(files or [], list[str], where)):
        path = (document.path.parent / name).resolve()
        if not path.is_file():
            raise ConfigError(f"plugin file not found: {path}", where=where, hint="check the path")
        module = _import(path, where)
        bases = _register(module)
        if not bases:
            raise ConfigError(
                f"{path} defines no scenario, instruction, inferencer, retriever, metric or model",
                where=where,
                hint="subclass Scenario, Instruction, Inferencer, Retriever, Metric or Model in it",
            )
        if any(base is not Metric for base in bases.values()):
            shown = written[number] if isinstance(written, list) else f"plugin {number + 1}"
            metrics = {name for name, base in bases.items() if base is Metric}
            digests[str(shown)] = _digest_without(path, metrics) if metrics else file_digest(path)
    return digests


def _digest_without(path: Path, classes: Collection[str]) -> str:
    """Return a digest of a Python file without the definitions of some classes."""
    source = path.read_bytes()
    lines = source.splitlines(keepends=True)
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and node.name in classes:
            first = min([node.lineno, *(item.lineno for item in node.decorator_list)])
            # Blank lines around a class belong to nothing.
            lines[first - 1 : node.end_lineno] = [b""] * ((node.end_lineno or first) - first + 1)
    return stream_digest(line for line in lines if line.strip())


def _import(path: Path, where: str) -> ModuleType:
    digest = content_digest(str(path), size=4)
    name = f"chef_plugin_{path.stem}_{digest}"  # two files may share a stem
    content = file_digest(path)
    if name in sys.modules:
        if _loaded.get(name, content) != content:
            raise ConfigError(
                f"plugin {path} has changed since this process loaded it",
                where=where,
                hint="start Python (or the notebook's kernel) again",
            )
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ConfigError(f"{path} is not a Python file", where=where)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name], _loaded[name] = module, content
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ConfigError(
            f"plugin {path} failed to import: {type(error).__name__}: {error}", where=where
        ) from error
    return module


def _register(module: ModuleType) -> dict[str, type[Any]]:
    """Register the ingredients of a module; return what each one is, by name."""
    found: dict[str, type[Any]] = {}
    for name, value in vars(module).items():
        if not inspect.isclass(value) or value.__module__ != module.__name__:
            continue
        for base, registry in REGISTRIES:
            if issubclass(value, base) and not inspect.isabstract(value):
                registry.register(name, value)
                found[value.__name__] = base
    return found
