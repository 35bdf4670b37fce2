"""Stand-ins for what chef does not have: they are imported like it, and refuse to be used."""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Iterator
from typing import Any, Literal, NoReturn, TypeAlias

from chef.errors import ConfigError

#: What a name of another system is there.
Kind: TypeAlias = Literal["class", "function", "value", "module"]


class RefusedClass(ABCMeta):
    """The type of classes that can be named and extended, and not made: one clear error instead."""

    reason: str
    hint: str

    def __call__(cls, *_: object, **__: object) -> NoReturn:
        raise ConfigError(cls.reason, hint=cls.hint)

    def __getattr__(cls, name: str) -> Callable[..., NoReturn]:
        if name.startswith("_"):
            raise AttributeError(f"class '{cls.__name__}' has no attribute '{name}'")
        return refused_function(cls.reason, cls.hint)


class RefusedValue:
    """A value that can be named, and not used: that raises the reason and the hint."""

    def __init__(self, reason: str, hint: str) -> None:
        self._reason, self._hint = reason, hint

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise ConfigError(self._reason, hint=self._hint)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._refuse()

    def __iter__(self) -> Iterator[Any]:
        self._refuse()

    __call__ = __getitem__ = __len__ = __contains__ = _refuse


def refused(kind: Kind, name: str, reason: str, hint: str) -> Any:
    """What stands for a name that chef does not have; nothing is said before it is used.

    Args:
        kind: what it is in the other system.
        name: its name there.
        reason: what is said where it is used.
        hint: what to do instead.

    >>> kind = refused("class", "Surrogate", "chef attacks no surrogates", "install MMTrustEval")
    >>> class Mine(kind): ...
    >>> Mine(1, model=2)
    Traceback (most recent call last):
    ...
    chef.errors.ConfigError: chef attacks no surrogates
      -> install MMTrustEval
    """
    if kind == "class":
        body = {"__doc__": f"{reason}.", "reason": reason, "hint": hint}
        return RefusedClass(name, (), body)
    if kind == "function":
        return refused_function(reason, hint)
    return RefusedValue(reason, hint)


def refused_function(reason: str, hint: str) -> Callable[..., NoReturn]:
    """A function of any arguments that ends in this error."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise ConfigError(reason, hint=hint)

    return refuse
