"""The calls of a model outside its batches, with what a user's code may do there contained."""

from __future__ import annotations

import sys

from chef.common.user_code import contained, told, user_place
from chef.errors import ConfigError, RunError
from chef.models.base import Model


def check_attributes(model: Model) -> None:
    """Check what a model says of itself, before anything is made of it; else a ConfigError."""
    budget, images = model.token_budget, model.max_images
    wrong = [
        (not isinstance(model.name, str) or not model.name.strip(), "name", "a text"),
        (not _is_whole(budget) or budget < 1, "token_budget", "a whole number, such as 8192"),
        (
            images is not None and (not _is_whole(images) or images < 0),
            "max_images",
            "a whole number, or None for any number of images",
        ),
    ]
    for is_wrong, name, form in wrong:
        if is_wrong:
            raise ConfigError(
                f"the attribute '{name}' of the model is {getattr(model, name)!r}",
                where=f"{_file(model)}{type(model).__name__}",
                hint=f"give {form}",
            )


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _file(model: Model) -> str:
    file = getattr(sys.modules.get(type(model).__module__), "__file__", None)
    return f"{file}: " if file else ""


def prepare(model: Model) -> None:
    """Load the model; see `Model.prepare`."""
    with contained(f"{type(model).__name__}.prepare"):
        model.prepare()


def fingerprint(model: Model) -> str:
    """The digest of the model's weights and settings; a RunError if it is no text."""
    with contained(f"{type(model).__name__}.fingerprint"):
        found = model.fingerprint()
    if not isinstance(found, str) or not found:
        raise RunError(
            f"{type(model).__name__}.fingerprint returned {type(found).__name__}, and not a text",
            hint="return a text that differs if the weights or settings do: chef.Model has one",
        )
    return found


def notices(model: Model) -> list[str]:
    """The notices of the model. That they cannot be read is one too: the answers are there."""
    try:
        with contained(f"{type(model).__name__}.notices"):
            notices = model.notices
            return [notices] if isinstance(notices, str) else [str(item) for item in notices]
    except Exception as error:
        place = user_place(error)
        at = "" if place is None else f" at {place}"
        return [f"the notices of the model cannot be read ({told(error)}{at})"]


def close(model: Model) -> None:
    """Release the memory of the model; see `Model.close`."""
    with contained(f"{type(model).__name__}.close"):
        model.close()
