"""The code of a class, for the fingerprint of a user's model."""

from __future__ import annotations

from typing import Any

from chef.models.named_code import Named, class_code
from chef.registry import is_plugin


def own_code(kind: type[Any]) -> str:
    """The code of a class, and of a class of the session what its methods name, as far as it can be
    seen.
    """
    return "\n".join([class_code(kind), *_named(kind).lines])


def unseen_names(kind: type[Any]) -> list[str]:
    """What the methods of a class of the session name, and `own_code` does not cover."""
    return _named(kind).unseen


def _named(kind: type[Any]) -> Named:
    # The files of plugins are digested whole, and chef's own classes have chef's version.
    is_of_session = not is_plugin(kind) and not kind.__module__.startswith("chef.")
    return Named(kind if is_of_session else object)
