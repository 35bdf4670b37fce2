"""Models that are made when they are first needed, as their constructors load weights."""

from __future__ import annotations

import dis
import threading
from collections.abc import Mapping
from typing import Any, Self

from chef.common.constructors import arguments, constructors, make
from chef.common.user_code import contained

#: What chef reads of a model before anything is asked.
_READ_EARLY = frozenset({"name", "max_images", "token_budget", "takes_dataset"})
#: The keys of a model file, once it is known; and whether the constructor has yet to run.
_KEYS, _UNMADE = "_keys_of_its_file", "_is_unmade"
#: What stays when the model is closed.
_KEPT = frozenset({_KEYS, "_notices_so_far", "dump_image_func"})
_making = threading.RLock()


class MadeLater:
    """A model whose constructor runs before the first question, or when an attribute is read.

    A file is checked, and a dry run shown, without it; closing the model drops what it has loaded.
    """

    @classmethod
    def made_later(cls, keys: Mapping[str, Any]) -> Self:
        """The model that a file describes.

        It is made at once where an unmade one would tell something else: its constructor sets an
        attribute that chef reads early, or one that its class has, too.

        Args:
            keys: the values of the file, by the names of the constructor's arguments.
        """
        own = [name for kind in cls.__mro__ if not _is_chefs(kind) for name in vars(kind)]
        if _stored(cls) & {*own, *_READ_EARLY} or cls.__new__ is not object.__new__:
            made: Self = make(cls, (), keys)
            return made
        model = object.__new__(cls)
        vars(model).update({_KEYS: dict(keys), _UNMADE: True})
        return model

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__") and vars(self).get(_UNMADE):
            made(self)
            return getattr(self, name)
        parent = getattr(super(), "__getattr__", None)  # of torch.nn.Module, say
        if parent is not None:
            return parent(name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def _that_decides(self) -> Mapping[str, Any]:
        """What decides the answers besides the code: the keys of the file, where there is one."""
        keys: Mapping[str, Any] = vars(self).get(_KEYS, vars(self))
        return keys

    def close(self) -> None:
        """Drop what the constructor has made; the next question makes it anew."""
        if _KEYS in vars(self):
            _unmake(self)


def made(model: object) -> None:
    """Run the constructor of a model, if it has not run.

    Raises:
        Exception: what the constructor raises; the model is as it was before.
    """
    with _making:
        if not vars(model).get(_UNMADE):
            return
        del vars(model)[_UNMADE]
        try:
            with contained(f"{type(model).__name__}.__init__"):
                constructor: Any = type(model).__init__
                constructor(model, **arguments(type(model), vars(model)[_KEYS]))
        except BaseException:
            _unmake(model)
            raise


def _unmake(model: object) -> None:
    for name in set(vars(model)) - _KEPT:
        del vars(model)[name]
    vars(model)[_UNMADE] = True


def _stored(kind: type[Any]) -> set[str]:
    """The names of the attributes that the constructors of a class set themselves."""
    return {
        str(item.argval)
        for init in constructors(kind)
        if hasattr(init, "__code__")
        for item in dis.get_instructions(init)
        if item.opname == "STORE_ATTR"
    }


def _is_chefs(kind: type[Any]) -> bool:
    return kind is object or kind.__module__.startswith("chef.models.")
