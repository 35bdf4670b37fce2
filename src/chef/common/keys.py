"""Which recipe keys a constructor takes: its arguments, and the fields of those that are groups.

An argument whose type is a dataclass is a group: each of its fields is a recipe key, so that keys
which belong together are declared once, with their types, defaults and checks, and every
constructor that needs them takes the group. `config` checks recipes against the keys and puts the
groups together again.

The keys of a class whose constructor passes on what it does not name (``**kwargs``, as in ChEF)
are those of its own arguments and of the next constructor in the method resolution order. So a
misspelt key is an error here, too, although Python would accept it.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
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


#: ChEF's names of what the evaluator provides, and ours.
PROVIDED = {"instruction_handler": "instruction"}
#: The arguments of constructors that chef gives, and no file has, by the kind of ingredient.
FROM_CHEF: Mapping[str, frozenset[str]] = {
    "inferencer": frozenset({"instruction", "instruction_handler"}),
    "instruction": frozenset({"wording", "task", "system_message", "retriever", "style"}),
    "metric": frozenset({"dataset_name"}),
    "method": frozenset({"method_id", "model"}),
    "evaluator": frozenset({"evaluator_id"}),
    "chat": frozenset({"model_id"}),
}

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def constructors(kind: type[Any]) -> tuple[Callable[..., Any], ...]:
    """The constructors of a class, up to the first that does not pass ``**kwargs`` on.

    >>> class Base:
    ...     def __init__(self, size: int = 1) -> None: ...
    >>> class Own(Base):
    ...     def __init__(self, **kwargs): super().__init__(**kwargs)
    >>> [init.__qualname__ for init in constructors(Own)]
    ['Own.__init__', 'Base.__init__']
    """
    found: list[Callable[..., Any]] = []
    for owner in kind.__mro__[:-1]:  # the last is object, whose constructor takes nothing
        init = vars(owner).get("__init__")
        if init is None:
            continue
        found.append(init)
        if not _passes_on(init):
            break
    return tuple(found) or (kind.__init__,)


def passes_on(kind: type[Any]) -> bool:
    """Whether the constructor of the class takes ``**kwargs``."""
    return _passes_on(constructors(kind)[0])


def class_keys(kind: type[Any]) -> tuple[Key, ...]:
    """The keys that a class takes; those of its own constructor come first."""
    keys: dict[str, Key] = {}
    for init in constructors(kind):
        for key in keys_of(init):
            keys.setdefault(key.name, key)
    return tuple(keys.values())


def recipe_keys(kind: type[Any], ingredient: str) -> list[Key]:
    """The keys of a class that a file may give it, as an ingredient of that kind (`FROM_CHEF`)."""
    handed = FROM_CHEF.get(ingredient, frozenset())
    return [key for key in class_keys(kind) if key.argument not in handed]


def with_keys_of(
    kind: type[Any], init: Callable[..., None], left_out: Collection[str] = ()
) -> Callable[..., None]:
    """A constructor with ``**kwargs`` whose keys, for `chef.common.keys`, are those of another
    class.
    """

    def made(self: Any, **kwargs: Any) -> None:
        init(self, **kwargs)

    keys = [key for key in class_keys(kind) if key.name not in left_out]
    own: Any = made
    own.__signature__ = inspect.Signature(
        [
            inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY),
            *(
                inspect.Parameter(key.name, inspect.Parameter.KEYWORD_ONLY, default=key.default)
                for key in keys
            ),
            *([inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD)] * passes_on(kind)),
        ]
    )
    own.__annotations__ = {key.name: key.annotation for key in keys}
    return made


def own_keys(kind: type[Any]) -> frozenset[str]:
    """The names of the keys that its own constructor declares, and not one that it passes on to."""
    return frozenset(key.name for key in keys_of(constructors(kind)[0]))


def arguments(kind: type[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments for a class, from the values of its keys.

    ConfigError: one is out of range.
    """
    found: dict[str, Any] = {}
    left = dict(values)
    for depth, init in enumerate(constructors(kind)):
        given = {key.name: left.pop(key.name) for key in keys_of(init) if key.name in left}
        folded = fold(init, given)
        # A subclass may pass further keys of the same group, so what it only hands on stays flat.
        flat = depth > 0 and getattr(init, "takes_flat_keys", False)
        found.update(given if flat else folded)
    return {**found, **left}


def make(kind: type[Any], given: Sequence[Any], values: Mapping[str, Any]) -> Any:
    """An object of the class, of what the evaluator gives, in the base's order, and of keys.

    ConfigError: the constructor passes on what the next one does not take.
    """
    keywords = arguments(kind, values)
    chain = constructors(kind)
    if not _passes_on(chain[0]):
        _check_given(kind, given, keywords)
        return kind(*given, **keywords)
    parameters = inspect.signature(chain[0]).parameters
    spelled = {ours: chefs for chefs, ours in PROVIDED.items() if chefs in parameters}
    names = [spelled.get(name, name) for name in _positional(chain[-1])]
    try:
        return kind(**dict(zip(names, given, strict=False)), **keywords)
    except TypeError as error:
        if "argument" not in str(error):
            raise
        raise ConfigError(
            f"{kind.__name__} cannot be made: {error}",
            hint=f"let {chain[0].__qualname__} pass its **kwargs on to super().__init__",
        ) from error


def _check_given(kind: type[Any], given: Sequence[Any], keywords: Mapping[str, Any]) -> None:
    """Check that the constructor takes first what the evaluator provides, and keys after it."""
    try:
        inspect.signature(kind).bind(*given, **keywords)
    except TypeError as error:
        base = next((owner for owner in kind.__mro__[1:] if "__init__" in vars(owner)), kind)
        names = _positional(vars(base).get("__init__", object.__init__))[: len(given)]
        raise ConfigError(
            f"{kind.__name__} cannot be made: {error}",
            hint=f"write def __init__(self, {', '.join([*names, '*', *keywords])}): what stands "
            "before the star is given by chef, the keys of the recipe after it",
        ) from error


@lru_cache(512)
def _passes_on(init: Callable[..., Any]) -> bool:
    if init is object.__init__:
        return False  # its signature has **kwargs, but it takes nothing
    parameters = inspect.signature(init).parameters.values()
    return any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters)


def _positional(init: Callable[..., Any]) -> list[str]:
    parameters = list(inspect.signature(init).parameters.values())[1:]
    return [parameter.name for parameter in parameters if parameter.kind in _POSITIONAL]
