"""Check that the metric of a recipe can score the answers of its inferencer."""

from __future__ import annotations

from chef.errors import ConfigError
from chef.inferencer import Inferencer
from chef.metric import Metric
from chef.registry import recipe_name

_ANSWERS = {True: "options chosen by likelihood", False: "generated text"}
_TURNS = {"singleturn": "one turn", "multiturn": "several turns"}


def check(inferencer: Inferencer, metric: Metric) -> None:
    """ConfigError for a metric that cannot score the answers of the inferencer.

    ``scores_options`` and ``prompt_type`` are held against ``needs_options`` and
    ``needs_prompt_type``. What one of them does not declare counts as compatible.
    """
    gives = inferencer.scores_options
    if gives is None or not metric.needs_hold:
        return
    if metric.needs_options is not None and gives != metric.needs_options:
        raise _mismatch(inferencer, metric, _ANSWERS[gives], _ANSWERS[metric.needs_options])
    turns, wanted = inferencer.prompt_type, metric.needs_prompt_type
    if wanted is not None and turns != wanted:
        raise _mismatch(inferencer, metric, _TURNS[turns], _TURNS[wanted])


def _mismatch(inferencer: Inferencer, metric: Metric, gives: str, needs: str) -> ConfigError:
    return ConfigError(
        f"{recipe_name(type(inferencer))} produces {gives}, "
        f"but {recipe_name(type(metric))} scores {needs}",
        where="eval_cfg.metric_cfg",
        hint="use a different inferencer_type or metric_type, or correct the keys of metric_cfg",
    )
