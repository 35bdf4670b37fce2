"""The metrics of a chain over some of its samples."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from chef.metric.mmtrusteval.base import BaseEvaluator, Failure, SampleEvaluator
from chef.metric.mmtrusteval.chain import Processed, SequentialEvaluator
from chef.metric.mmtrusteval.metrics import METRICS
from chef.stats.estimate import Estimate
from chef.stats.figures import share

#: The share of predictions that the evaluators could not decide.
FAILURE_RATE = "failure_rate"


def figures(
    chain: SequentialEvaluator, done: Processed, places: Sequence[int], clusters: Sequence[Hashable]
) -> dict[str, Any]:
    """The metrics by ``A->B:name``, without those that are a list with an item a sample.

    Args:
        chain: the chain.
        done: what it has made of all samples.
        places: the samples that count.
        clusters: for each of all samples what it shares with dependent ones.
    """
    if not chain.steps:
        return {}
    live = [place for place in places if not isinstance(done.preds[place], Failure)]
    step = chain.steps[-1]
    found = _own(step, done, live) if has_own_eval(step) else _known(step, done, live, clusters)
    if chain.compat != "upstream":
        undecided = [float(done.preds[place] is None) for place in live]
        names = [clusters[place] for place in live]
        found[FAILURE_RATE] = _rate(undecided, names)
    return {f"{chain.prefix}:{name}": value for name, value in found.items()}


def has_own_eval(step: BaseEvaluator) -> bool:
    """Whether a user's class computes its metrics itself."""
    return type(step).eval is not BaseEvaluator.eval and not isinstance(step, SampleEvaluator)


def _rate(undecided: Sequence[float], clusters: Sequence[Hashable]) -> Estimate:
    return share(undecided, clusters, "0-1", higher_is_better=False)


def _known(
    step: BaseEvaluator, done: Processed, live: Sequence[int], clusters: Sequence[Hashable]
) -> dict[str, Any]:
    y_true = [done.labels[place] for place in live]
    y_pred = [done.preds[place] for place in live]
    names = [clusters[place] for place in live]
    found: dict[str, Any] = {}
    for name, keys in step.metrics_cfg.items():
        kind = METRICS[name]
        if kind.estimate is not None:
            found[name] = kind.estimate(y_true, y_pred, names, **keys)
        elif not isinstance(value := kind.compute(y_true, y_pred, **keys), list):
            found[name] = value
    return found


def _own(step: BaseEvaluator, done: Processed, live: Sequence[int]) -> dict[str, Any]:
    """What the ``eval`` of a user's class returns, without lists."""
    lists = (done.given, done.labels, done.extras)
    returned = step.eval(*([items[place] for place in live] for items in lists))
    return {str(name): item for name, item in returned.items() if not isinstance(item, list)}
