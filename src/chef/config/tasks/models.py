"""MMTrustEval's model ids, and what they are in chef."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from chef.errors import ConfigError, similar


@cache
def _table() -> Mapping[str, Any]:
    from yaml import safe_load

    text = files("chef.config.tasks").joinpath("models.yaml").read_text(encoding="utf-8")
    return dict(safe_load(text))


def model_ids() -> list[str]:
    """The 38 ids of MMTrustEval."""
    return [*_table()["models"], *_table()["packaged"]]


def model_of(model_id: str, where: str | None = None) -> dict[str, Any] | None:
    """The content of a model file for one of MMTrustEval's ids; None for another name.

    Args:
        model_id: the id.
        where: the place of the key, for errors.

    Raises:
        ConfigError: a model that was retired.

    >>> model_of("gpt-4o")["model"], model_of("tiny")
    ('gpt-4o', None)
    """
    table = _table()
    if model_id in table["packaged"]:
        return {"model_name": "MMTrustEval", "model_id": model_id}
    if model_id in table["retired"]:
        near = similar(model_id, model_ids())
        meant = f"did you mean '{near}'? Otherwise " if near else ""
        raise ConfigError(
            f"MMTrustEval has no model '{model_id}' any more",
            where=where,
            hint=f"{meant}name a model file, such as tiny, or one of its ids: `chef list tasks`",
        )
    content = table["models"].get(model_id)
    if content is None:
        return None
    key = {"model": model_id} if content["model_name"] == "OpenAI" else {}
    return {**content, "name": model_id, **key}
