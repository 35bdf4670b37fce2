"""Whether a recipe's inferencer gives what its metric judges."""

from __future__ import annotations

from typing import Any

from chef.errors import ConfigError
from chef.inferencer import Inferencer
from chef.metric import BaseMetric

_ANSWERS = {True: "options chosen by their scores", False: "written text"}
_TURNS = {"singleturn": "one turn", "multiturn": "several turns"}


def check(inferencer: Inferencer, metric: BaseMetric) -> None:
    """Refuse a metric that would find nothing to judge.

    What a class inherits says nothing of it when it infers or judges in its own way: only what such
    a class says itself is believed.

    Raises:
        ConfigError: the metric judges another kind of answers than the inferencer gives.
    """
    gives = _said(inferencer, "scores_options", "infer", "inference")
    if gives is None:
        return
    needs = _said(metric, "needs_options", "score_sample")
    if needs is not None and gives != needs:
        raise _misfit(inferencer, metric, _ANSWERS[gives], _ANSWERS[needs])
    turns, wanted = inferencer.prompt_type, _said(metric, "needs_prompt_type", "score_sample")
    if wanted is not None and turns != wanted:
        raise _misfit(inferencer, metric, _TURNS[turns], _TURNS[wanted])


def _said(ingredient: object, attribute: str, *methods: str) -> Any:
    """What an ingredient says of its methods; None where a subclass has replaced one of them."""
    classes = type(ingredient).__mro__

    def place(name: str) -> int:
        return next(number for number, owner in enumerate(classes) if name in vars(owner))

    speaker = place("__init__" if attribute in vars(ingredient) else attribute)
    return getattr(ingredient, attribute) if speaker <= min(map(place, methods)) else None


def _misfit(inferencer: Inferencer, metric: BaseMetric, gives: str, needs: str) -> ConfigError:
    return ConfigError(
        f"{type(inferencer).__name__} answers with {gives}, and {type(metric).__name__} is to "
        f"judge {needs}",
        where="eval_cfg.metric_cfg",
        mend="use another inferencer_type or metric_type, or mend the keys of metric_cfg",
    )
