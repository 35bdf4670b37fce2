"""The task files that come with chef with their data sets, and the model ids of MMTrustEval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from chef.errors import ConfigError, similar
from chef.scenario.mmtrusteval.table import UNRELATED

#: What the evaluators of a task need besides the tested model.
Needs: TypeAlias = Literal["", "judge", "classifier", "services"]


class ShippedTask(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A task file of chef's.

    Attributes:
        task: the numbers of MultiTrust's tasks that it makes: ``T1``, or ``S4 S5 S6``.
        needs: what its evaluators need besides the tested model.
    """

    task: str
    datasets: tuple[str, ...]
    needs: Needs = ""

    def runs(self) -> Iterator[tuple[str, str]]:
        """Every data set that it is run on, with its ``data_type_id``, which is mostly empty."""
        for item in self.datasets:
            stem, plus, _ = item.partition("+3")
            if plus:
                yield from ((f"{stem}-unrelated-image-{kind}", "") for kind in UNRELATED)
            else:
                name, _, kind = item.partition(":")
                yield name, kind


@cache
def shipped_tasks() -> Mapping[str, ShippedTask]:
    """The task files by name (``privacy/p3-infoflow``), in the order of the benchmark."""
    from yaml import safe_load

    text = Path(__file__).with_name("tasks.yaml").read_text(encoding="utf-8")
    return msgspec.convert(safe_load(text), dict[str, ShippedTask])


@cache
def _table() -> Mapping[str, Any]:
    from yaml import safe_load

    text = Path(__file__).with_name("models.yaml").read_text(encoding="utf-8")
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
