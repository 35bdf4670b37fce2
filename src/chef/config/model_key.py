"""A model that a key of a recipe names: of a judge, or of an attack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.config.document import Document
from chef.config.model import ModelSpec, load_model
from chef.config.override import Key
from chef.errors import ConfigError


def model_of_key(item: Any, written: Any, document: Document, at: Key, called: str) -> ModelSpec:
    """The checked model file.

    Args:
        item: a model file, which is looked for beside the recipe first; the name of a shipped one,
            or its content as a mapping.
        written: the same as it is written in the recipe.
        document: the recipe.
        at: where the key stands in it.
        called: what the content of a mapping is called in messages.

    Raises:
        ConfigError: what is wrong, with file, line and key.
    """
    where = document.where(*at)
    if isinstance(item, Mapping):
        # As written, so that what comes from the environment stays a name in config.yaml.
        content = written if isinstance(written, Mapping) else item
        try:
            return load_model(content, name=str(document.path.parent / called))
        except ConfigError as error:
            raise ConfigError(
                f"{error.what} ({error.where})", where=where, hint=error.hint
            ) from None
    if not isinstance(item, str):
        hint = "give a model file, the name of a shipped one, or its content as a mapping"
        raise ConfigError(f"{item!r} is no model file", where=where, hint=hint)
    near = document.path.parent / item
    try:
        return load_model(near if document.given is None and near.is_file() else item)
    except ConfigError as error:
        if error.where != item:
            raise
        raise ConfigError(f"{item}: {error.what}", where=where, hint=error.hint) from None


def within(values: Any, at: Key) -> Any:
    """What stands at a place of nested mappings and lists; None where nothing does."""
    for key in at:
        if isinstance(values, list) and key.isdecimal() and int(key) < len(values):
            values = values[int(key)]
        else:
            values = values.get(key) if isinstance(values, dict) else None
    return values
