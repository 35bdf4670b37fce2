"""Which recipe keys a constructor takes: its arguments, and the fields of those that are groups.

An argument whose type is a dataclass is a group: each of its fields is a recipe key, so that keys
which belong together are declared once, with their types, defaults and checks, and every
constructor that needs them takes the group. `config` checks recipes against the keys and puts the
groups together again.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from chef.errors import ConfigError

#: The default of a key that has none.
REQUIRED: Any = inspect.Parameter.empty

_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a recipe section, of a constructor's ``argument``, perhaps of a ``field`` of a
    group.
    """

    name: str
    annotation: Any
    default: Any
    argument: str
    field: str | None = None


def spelled(name: str) -> dict[str, str]:
    """Metadata of a dataclass field whose recipe key is spelled differently.

    >>> from dataclasses import dataclass, field
    >>> @dataclass(frozen=True)
    ... class Pages:
    ...     first: int = field(default=1, metadata=spelled("from"))
    >>> [(key.name, key.default) for key in group_keys(Pages)]
    [('from', 1)]
    """
    return {"key": name}


@lru_cache(512)
def keys_of(constructor: Callable[..., Any]) -> tuple[Key, ...]:
    """The keys that ``Class.__init__`` takes, in its order; none for self and ``*args``.

    ConfigError: two of its arguments give the same key, a mistake of its author.
    """
    hints = _hints(constructor)
    keys: dict[str, Key] = {}
    for name, parameter in list(inspect.signature(constructor).parameters.items())[1:]:
        if parameter.kind not in _NAMED:
            continue
        hint = hints.get(name, Any)
        own = [Key(name, hint, parameter.default, name)]
        for key in group_keys(hint, name, parameter.default) if is_group(hint) else own:
            if key.name in keys:
                arguments = f"'{keys[key.name].argument}' and '{key.argument}'"
                raise ConfigError(
                    f"the arguments {arguments} of {constructor.__qualname__} both give the key "
                    f"'{key.name}'",
                    hint="rename one of them; a field of a dataclass by metadata=spelled('name')",
                )
            keys[key.name] = key
    return tuple(keys.values())


@lru_cache(512)
def _hints(thing: Callable[..., Any]) -> Mapping[str, Any]:
    return typing.get_type_hints(thing)


def is_group(annotation: Any) -> bool:
    """Whether an argument of this type stands for several keys."""
    return isinstance(annotation, type) and dataclasses.is_dataclass(annotation)


def group_keys(group: type[Any], argument: str = "", default: Any = REQUIRED) -> list[Key]:
    """The keys of a group, a dataclass; an instance as ``default`` has their defaults."""
    hints = typing.get_type_hints(group)
    keys = []
    for field in dataclasses.fields(group):
        if not field.init:
            continue
        value = getattr(default, field.name) if isinstance(default, group) else _default(field)
        name = field.metadata.get("key", field.name)
        keys.append(Key(name, hints[field.name], value, argument, field.name))
    return keys


def fold(constructor: Callable[..., Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments of a constructor: values of keys, with those of each group put together.

    A group without a key is left out. TypeError: one is given both ways. ConfigError: out of range.
    """
    keys = {key.name: key for key in keys_of(constructor) if key.field is not None}
    folded = {name: value for name, value in values.items() if name not in keys}
    fields: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        if name in keys:
            key = keys[name]
            fields.setdefault(key.argument, {})[str(key.field)] = value
    for argument, given in fields.items():
        if argument in folded:
            raise TypeError(f"'{argument}' is given as a whole and by its keys {sorted(given)}")
        folded[argument] = _group(constructor, argument, given)
    return folded


def flat_keywords(constructor: Callable[..., None]) -> Callable[..., None]:
    """Let ``__init__`` take the keys of its groups too, as classes for ChEF call
    ``super().__init__``.
    """

    @functools.wraps(constructor)
    def init(self: Any, *given: Any, **values: Any) -> None:
        constructor(self, *given, **fold(constructor, values))

    init.takes_flat_keys = True  # type: ignore[attr-defined]
    return init


def _group(constructor: Callable[..., Any], argument: str, given: Mapping[str, Any]) -> Any:
    default = inspect.signature(constructor).parameters[argument].default
    kind = _hints(constructor)[argument]
    if isinstance(default, kind) and not isinstance(default, type):
        return dataclasses.replace(default, **given)
    return kind(**given)


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return REQUIRED if field.default is dataclasses.MISSING else field.default
