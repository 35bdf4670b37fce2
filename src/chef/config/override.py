"""An override of the command line, ``key.path=value``, and errors of YAML's syntax."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from chef.common.yaml_text import load
from chef.config.interpolations import check_grammar, check_number, named_by
from chef.config.secrets import remember_written
from chef.errors import ConfigError, first_line

#: A part of the parser's message, and the remedy.
_REMEDIES = (
    (
        "mapping values are not allowed",
        "put a space after each colon, and indent the keys of a section alike; the mistake may be "
        "in the line above",
    ),
    ("expected <block end>", "indent the keys of a section by the same number of spaces"),
    ("expected ',' or", "close the bracket that is open, or put a comma between two items"),
    ("duplicate key", "remove one of the two"),
    ("could not determine a constructor", "remove what begins with '!': a file holds plain data"),
    ("cannot start any token", "put the value in quotes"),
    ("undefined alias", "put a value that begins with '*' in quotes"),
    ("end of stream", "close the quote or the bracket that is open"),
    ("<stream end>", "close the quote or the bracket that is open"),
)


def syntax_error(path: Path, error: Exception) -> ConfigError:
    """The error for a file that YAML cannot read, with its line."""
    mark = getattr(error, "problem_mark", None)
    place = f"{path}:{mark.line + 1}" if mark else str(path)
    problem = getattr(error, "problem", None) or str(error)
    if "'\\t'" in problem:
        what, hint = "YAML allows no tab there", "replace each tab by spaces, two for a level"
        return ConfigError(what, where=place, hint=hint)
    hint = next((hint for part, hint in _REMEDIES if part in problem), "correct the syntax there")
    return ConfigError(f"not valid YAML: {problem}", where=place, hint=hint)


def override_error(place: str, name: str, error: Exception) -> ConfigError:
    """The error for an override at a place, whose value YAML cannot read."""
    return ConfigError(
        f"the value is not valid YAML: {str(error).splitlines()[0]}",
        where=place,
        hint=f"""put it in quotes of its own: '{name}="..."'""",
    )


def no_text(path: Path, error: Exception) -> ConfigError:
    """The error for a file that cannot be read as text."""
    if isinstance(error, UnicodeDecodeError):
        what, hint = "is no text file", "give a YAML file, in UTF-8"
        return ConfigError(what, where=str(path), hint=hint)
    reason = getattr(error, "strerror", None) or str(error)
    return ConfigError(f"cannot be read: {reason}", where=str(path), hint="check its permissions")


Key = tuple[str, ...]


def check_listed(overrides: object) -> None:
    """Refuse overrides that are no list, as Python may give them. Raises ConfigError."""
    if isinstance(overrides, str | Mapping):
        what = f"they are a list of texts, not {type(overrides).__name__}"
        raise ConfigError(what, where="overrides", hint="write ['key.path=value']")


def set_override(content: Any, override: str, places: dict[Key, str]) -> Any:
    """A copy of the content with ``key.path=value`` set, and its place noted in ``places``.

    Numbers are places in lists. The value is read as YAML; a mapping is merged. ConfigError: no
    such form, value or place.
    """
    name, equals, _ = override.partition("=")
    if not equals or not name.strip():
        raise ConfigError(
            "an override reads key.path=value",
            where=f"override '{override}'",
            hint="write the key, '=' and the value without spaces between them",
        )
    place = f"override '{name}=...'"  # the value may be a secret
    key = tuple(re.sub(r"\[(\d+)\]", r".\1", name).split("."))
    _check_lists(content, key, place)
    value = override_value(override)
    for depth in range(1, len(key) + 1):
        places.setdefault(key[:depth], place)
    places |= dict.fromkeys(_keys(key, value), place)
    return _merged(content, (), key, value, content)


def override_value(override: str) -> Any:
    """The value of ``key.path=value``, read as YAML. Raises ConfigError."""
    from yaml import YAMLError

    name, _, text = override.partition("=")
    place = f"override '{name}=...'"
    try:
        check_number(text)
        value = load(text)
        check_grammar({"value": value})
    except YAMLError as error:
        remember_written(override)
        raise override_error(place, name, error) from None
    except Exception as error:  # a value that is none of its tag (!!float x) raises whatever it may
        remember_written(override)
        hint = "the value is read as YAML; a text with special characters needs quotes"
        raise ConfigError(first_line(error), where=place, hint=hint) from None
    return value


def _merged(node: Any, at: Key, key: Key, value: Any, root: Any) -> Any:
    """The node at a place with a value set at ``key`` below it; ``root`` resolves interpolations on
    the way.
    """
    if isinstance(node, str) and (key or isinstance(value, dict)):
        node = named_by(root, node, at)
    if not key:
        if not (isinstance(node, dict) and isinstance(value, dict)):
            return value
        for name, item in value.items():
            node = {**node, name: _merged(node.get(name), (*at, name), (), item, root)}
        return node
    name, *rest = key
    if isinstance(node, list):
        place = int(name)
        changed = _merged(node[place], (*at, name), tuple(rest), value, root)
        return [*node[:place], changed, *node[place + 1 :]]
    node = node if isinstance(node, dict) else {}
    return {**node, name: _merged(node.get(name), (*at, name), tuple(rest), value, root)}


def _keys(key: Key, value: Any) -> Iterator[Key]:
    """The key and those within its value: all of them are given where the override is."""
    yield key
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _keys((*key, str(name)), inner)


def _check_lists(content: Any, key: Key, place: str) -> None:
    """Check that lists on a path have the places that it names. Raises ConfigError."""
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
