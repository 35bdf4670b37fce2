"""The ingredients of a user's Python file, for ``chef describe FILE.py``."""

from __future__ import annotations

from pathlib import Path


def texts_of(file: Path) -> list[str]:
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
