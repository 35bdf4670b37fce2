"""The ids that a user's class names: ``dataset_ids``, ``method_ids``, ``model_family``, ..."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from chef.errors import ConfigError, nearest


def class_ids(kind: type[object], attribute: str, example: str) -> Sequence[str]:
    """The ids of a class.

    Args:
        kind: the class.
        attribute: where it names them.
        example: an id, for the hint.

    Raises:
        ConfigError: it names none, or something else than texts.

    >>> class Mine:
    ...     dataset_ids = ["my-set"]
    >>> class_ids(Mine, "dataset_ids", "my-set")
    ['my-set']
    """
    given = getattr(kind, attribute, ())
    is_text = isinstance(given, str) or not isinstance(given, Collection)
    if is_text or not given or not all(isinstance(name, str) and name for name in given):
        raise ConfigError(
            f"{kind.__name__} names no {attribute}",
            hint=f'write {attribute} = ["{example}"] into the class',
        )
    return list(given)


def check_id(kind: type[object], attribute: str, given: str, what: str) -> None:
    """Check that an id is one of a class. ConfigError suggests the nearest one."""
    known = list(getattr(kind, attribute, ()))
    if given not in known:
        raise ConfigError(f"{kind.__name__} has no {what} '{given}'", hint=nearest(given, known))
