"""Whether a recipe's inferencer gives what its metric judges."""

from __future__ import annotations

from chef.errors import ConfigError
from chef.inferencer import Inferencer
from chef.metric import BaseMetric

_ANSWERS = {True: "options chosen by their scores", False: "written text"}
_TURNS = {"singleturn": "one turn", "multiturn": "several turns"}


def check_fit(inferencer: Inferencer, metric: BaseMetric) -> None:
    """Refuse a metric that would find nothing to judge.

    Classes of a user's own that infer or judge in their own way are taken as they are, whatever
    they inherit.

    Raises:
        ConfigError: the metric judges another kind of answers than the inferencer gives.
    """
    if not (_as_chef_does(inferencer, "infer", "inference") and _as_chef_does(metric, "judge")):
        return
    gives, needs = inferencer.scores_options, metric.needs_options
    if gives is not None and needs is not None and gives != needs:
        raise _misfit(inferencer, metric, _ANSWERS[gives], _ANSWERS[needs])
    turns, wanted = inferencer.prompt_type, metric.needs_prompt_type
    if wanted is not None and turns != wanted:
        raise _misfit(inferencer, metric, _TURNS[turns], _TURNS[wanted])


def _as_chef_does(ingredient: object, *methods: str) -> bool:
    """Whether these methods are those of chef's own classes."""
    classes = type(ingredient).__mro__
    owners = (next(owner for owner in classes if method in vars(owner)) for method in methods)
    return all(owner.__module__.partition(".")[0] == "chef" for owner in owners)


def _misfit(inferencer: Inferencer, metric: BaseMetric, gives: str, needs: str) -> ConfigError:
    return ConfigError(
        f"{type(inferencer).__name__} answers with {gives}, and {type(metric).__name__} is to "
        f"judge {needs}",
        where="eval_cfg.metric_cfg",
        mend="use another inferencer_type or metric_type, or mend the keys of metric_cfg",
    )
