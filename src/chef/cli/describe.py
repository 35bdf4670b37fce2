"""What ``chef list NAME`` shows: the keys of an ingredient, with types, defaults and an example."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chef.errors import ConfigError
    from chef.registry import Registry


def registries() -> dict[str, Registry[Any]]:
    """The registries by the plural of their kind, with the ingredients of installed packages."""
    from chef.config.installed import REGISTRIES, register_installed

    register_installed()
    return {f"{registry.kind}s": registry for registry in REGISTRIES}


def texts_of(name: str) -> list[str]:
    """The descriptions of what has a name as `chef list` shows it, or of a file.

    ConfigError: a plugin fails.
    """
    from chef.cli.description import dataset_description, description
    from chef.config.shipped import Kind, shipped, shipped_names
    from chef.scenario.mmtrusteval.table import datasets

    texts = [description(registry, name) for registry in registries().values() if name in registry]
    files: list[Kind] = ["recipes", "models", "tasks", "sweeps"]
    texts += [
        _shown(shipped(kind) / f"{name}.yaml") for kind in files if name in shipped_names(kind)
    ]
    texts += [dataset_description(datasets()[name])] if name in datasets() else []
    if not texts and name.endswith(".py") and Path(name).is_file():
        texts = _texts_of(Path(name))
    if not texts and name.endswith((".yaml", ".yml")) and Path(name).is_file():
        texts = [_shown(Path(name))]
    return texts


def unknown_name(name: str, kinds: Iterable[str]) -> ConfigError:
    """The error for a name that nothing has; ``kinds``: what can be listed."""
    from chef.config.shipped import Kind, shipped_names
    from chef.errors import ConfigError, similar
    from chef.scenario.mmtrusteval.table import datasets

    if near := similar(name.lower(), kinds):
        return ConfigError(f"nothing is called '{name}'", hint=f"did you mean `chef list {near}`?")
    known = registries()
    files: list[Kind] = ["recipes", "models", "tasks", "sweeps"]
    names = {item for registry in known.values() for item in registry.all_names()}
    near = similar(name, names.union(datasets(), *(shipped_names(kind) for kind in files)))
    hint = f"did you mean '{near}'?" if near else "`chef list` shows all names;"
    hint += " `chef list FILE.py` shows what a file of yours defines"
    if owners := _owners(known.values(), name):
        hint = f"it is a key of {', '.join(owners)}: `chef list {owners[0]}`"
    return ConfigError(f"nothing is called '{name}'", hint=hint)


def _shown(file: Path) -> str:
    """The path and the text of a YAML file."""
    from chef.config.document import yaml_text

    return f"# {file}\n{yaml_text(file)}"


def _owners(registries: Iterable[Registry[Any]], key: str) -> list[str]:
    """The ingredients that have a key of that name."""
    from chef.cli.description import recipe_keys

    return [
        name
        for registry in registries
        for name in registry
        if key in {item.name for item in recipe_keys(registry, name)}
    ]


def _texts_of(file: Path) -> list[str]:
    """The descriptions of what a file of plugins registers; it runs.

    ConfigError: it fails or has none.
    """
    from chef.cli.description import description
    from chef.config.document import read_document
    from chef.config.plugins import load_plugins, module_name

    path = file.resolve()
    document = read_document({"plugins": [str(path)]}, name=str(file))
    load_plugins(document.values["plugins"], document)
    return [
        description(registry, name, str(file))
        for registry in registries().values()
        for name in registry.registered_in(module_name(path))
    ]
