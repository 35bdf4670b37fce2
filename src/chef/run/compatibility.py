"""Whether the metric of a recipe can score what its inferencer answers."""

from __future__ import annotations

from chef.errors import ConfigError
from chef.inferencer import Inferencer
from chef.metric import Metric

_ANSWERS = {True: "options chosen by their scores", False: "written text"}
_TURNS = {"singleturn": "one turn", "multiturn": "several turns"}


def check(inferencer: Inferencer, metric: Metric) -> None:
    """Refuse a metric that would find nothing to score.

    The inferencer declares ``scores_options`` and ``prompt_type``, the metric ``needs_options`` and
    ``needs_prompt_type``. Where one of them declares nothing, they are taken to fit.

    Raises:
        ConfigError: the metric scores another kind of answers than the inferencer gives.
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
        f"{type(inferencer).__name__} answers with {gives}, and {type(metric).__name__} scores "
        f"{needs}",
        where="eval_cfg.metric_cfg",
        hint="use another inferencer_type or metric_type, or correct the keys of metric_cfg",
    )
