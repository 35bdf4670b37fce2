"""The ``describe`` command: the keys of an ingredient, with types, defaults and an example."""

from __future__ import annotations

import argparse
from collections.abc import Container, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.common.printing import say

if TYPE_CHECKING:
    from chef.registry import Registry


def add_describe(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the arguments of ``chef describe``."""
    command = commands.add_parser(
        "describe",
        help="show the keys of one of them",
        description="Show what an ingredient does, its keys with types and defaults, and an "
        "example; or show a recipe or model file of chef.",
        epilog="examples:\n  chef describe Tsv\n  chef describe Shapes/ppl\n"
        "  chef describe random\n"
        "  chef describe mine.py       what a file of yours defines\n"
        "  chef describe mine.yaml     a recipe, a model file or a task of yours",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "name", metavar="NAME", help="a name that `chef list` shows, or a .py or .yaml file"
    )
    command.set_defaults(commands=commands.choices)


def describe(name: str, commands: Container[str] = ()) -> int:
    """Print the description and return the exit code.

    Args:
        name: of an ingredient, a recipe or a model file, or the path of a file of plugins.
        commands: the commands of chef, which describe themselves.

    Raises:
        ConfigError: nothing has that name; the error suggests a similar one.
    """
    from chef.cli.description import dataset_description, description
    from chef.cli.listing import registries
    from chef.config.lookup import Kind, shipped, shipped_names
    from chef.errors import ConfigError, similar
    from chef.scenario.mmtrusteval.table import datasets

    known = registries()
    texts = [description(registry, name) for registry in known.values() if name in registry]
    files: list[Kind] = ["recipes", "models", "tasks"]
    texts += [
        _shown(shipped(kind) / f"{name}.yaml") for kind in files if name in shipped_names(kind)
    ]
    texts += [dataset_description(datasets()[name])] if name in datasets() else []
    if not texts and name.endswith(".py") and Path(name).is_file():
        texts = _texts_of(Path(name))
    if not texts and name.endswith((".yaml", ".yml")) and Path(name).is_file():
        texts = [_shown(Path(name))]
    if not texts:
        names = {item for registry in known.values() for item in registry.all_names()}
        everything = names.union(datasets(), *(shipped_names(kind) for kind in files))
        near = similar(name, everything)
        hint = f"did you mean '{near}'?" if near else "`chef list` shows all names;"
        hint += " `chef describe FILE.py` shows what a file of yours defines"
        if owners := _owners(known.values(), name):
            hint = f"it is a key of {', '.join(owners)}: `chef describe {owners[0]}`"
        if name in commands:
            hint = f"it is a command: `chef {name} --help`"
        raise ConfigError(f"nothing is called '{name}'", hint=hint)
    say("\n".join(texts))
    return 0


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
    """The descriptions of what a file registers as a plugin; the file runs.

    Raises:
        ConfigError: it fails to run, or defines no ingredient.
    """
    from chef.cli.description import description
    from chef.cli.listing import registries
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
