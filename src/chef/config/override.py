"""An override of the command line, ``key.path=value``, set in the content of a YAML file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

from chef.common.yaml_text import compose
from chef.config.interpolations import check_number
from chef.config.secrets import remember_written
from chef.config.syntax import override_error
from chef.errors import ConfigError, first_line

Key = tuple[str, ...]


def set_override(config: Any, override: str, places: dict[Key, str]) -> Any:
    """The content with one key changed. A part of the path that is a number is a place in a list.

    Args:
        config: the content as OmegaConf has it; it stays as it is.
        override: ``key.path=value``; the value is read as YAML.
        places: where each key was given; that of the override is added.

    Raises:
        ConfigError: no ``key.path=value``, an unreadable value, or a place that a list lacks.
    """
    from omegaconf import OmegaConf
    from yaml import YAMLError

    name, equals, text = override.partition("=")
    if not equals or not name.strip():
        raise ConfigError(
            "an override reads key.path=value",
            where=f"override '{override}'",
            hint="write the key, '=' and the value without spaces between them",
        )
    place = f"override '{name}=...'"  # the value may be a secret
    key = tuple(re.sub(r"\[(\d+)\]", r".\1", name).split("."))
    content = OmegaConf.to_container(config, resolve=False)
    within_list = _check_lists(content, key, place)
    try:
        check_number(text)
        compose(text)
        given = OmegaConf.to_container(OmegaConf.from_dotlist([f"value={text}"]), resolve=False)
        value = cast("dict[str, Any]", given)["value"]
        if within_list or _is_of_another_kind(content, key, value):
            merged: Any = OmegaConf.create(content)
            OmegaConf.update(merged, ".".join(key), value, merge=within_list)
        else:
            merged = OmegaConf.merge(config, OmegaConf.from_dotlist([override]))
    except YAMLError as error:
        remember_written(override)
        raise override_error(place, name, error) from None
    except Exception as error:  # a value that is none of its tag (!!float x) raises whatever it may
        remember_written(override)
        hint = "the value is read as YAML; a text with special characters needs quotes"
        raise ConfigError(first_line(error), where=place, hint=hint) from None
    for depth in range(1, len(key) + 1):
        places.setdefault(key[:depth], place)
    places |= dict.fromkeys(_keys(key, value), place)
    return merged


def _keys(key: Key, value: Any) -> Iterator[Key]:
    """The key and those within its value: all of them are given where the override is."""
    yield key
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _keys((*key, str(name)), inner)


def _check_lists(content: Any, key: Key, place: str) -> bool:
    """Whether the path leads into a list.

    Raises:
        ConfigError: the list does not have that place, or the path does not name one.
    """
    node, found = content, False
    for depth, part in enumerate(key):
        before, after = ".".join(key[:depth]), ".".join(key[depth:])
        if isinstance(node, list):
            places = f"0 to {len(node) - 1}" if len(node) > 1 else "0"
            if not part.isdecimal():
                hint = f"name the place of one of them ({places}): {before}.0.{after}=..."
                raise ConfigError(f"{before} is a list", where=place, hint=hint)
            if int(part) >= len(node):
                what = f"{before} has no place {part}"
                raise ConfigError(what, where=place, hint=f"its places are {places}")
            found, node = True, node[int(part)]
        elif isinstance(node, dict):
            node = node.get(part)
        elif found and node is not None:
            raise ConfigError(
                f"{before} is a single value and has no keys",
                where=place,
                hint=f"write it as a mapping in the file, or replace it: {before}={{{part}: ...}}",
            )
    return found


def _is_of_another_kind(content: Any, key: Key, value: Any) -> bool:
    """Whether a list takes the place of a mapping, or the other way round; they cannot merge."""
    node = content
    for part in key:
        node = node.get(part) if isinstance(node, dict) else None
    return {type(node), type(value)} == {list, dict}
