"""Whether a recipe's inferencer gives what its metric judges."""

from __future__ import annotations

from chef.errors import ConfigError
from chef.inferencer import Inferencer
from chef.metric import BaseMetric

_ANSWERS = {True: "options chosen by their scores", False: "written text"}
_TURNS = {"singleturn": "one turn", "multiturn": "several turns"}


def check_fit(inferencer: Inferencer, metric: BaseMetric) -> None:
    """Refuse a metric that would find nothing to judge.

    Ingredients of a user's own say nothing of this, and are taken as they are.

    Raises:
        ConfigError: the metric judges another kind of answers than the inferencer gives.
    """
    gives, needs = inferencer.scores_options, metric.needs_options
    if gives is not None and needs is not None and gives != needs:
        raise _misfit(inferencer, metric, _ANSWERS[gives], _ANSWERS[needs])
    turns, wanted = inferencer.prompt_type, metric.needs_prompt_type
    if wanted is not None and turns != wanted:
        raise _misfit(inferencer, metric, _TURNS[turns], _TURNS[wanted])


def _misfit(inferencer: Inferencer, metric: BaseMetric, gives: str, needs: str) -> ConfigError:
    return ConfigError(
        f"{type(inferencer).__name__} answers with {gives}, and {type(metric).__name__} is to "
        f"judge {needs}",
        where="eval_cfg.metric_cfg",
        mend="use another inferencer_type, or mend the keys of metric_cfg",
    )
