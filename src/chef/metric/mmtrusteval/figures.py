"""The metrics of a chain over some of its samples."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from chef.metric.mmtrusteval.base import BaseEvaluator, Failure, SampleEvaluator
from chef.metric.mmtrusteval.chain import PREDICTIONS, Processed, SequentialEvaluator
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
    live = _live(done, places)
    found = {
        name: value
        for name, value in _values(chain.steps[-1], done, live, clusters).items()
        if isinstance(value, Estimate) or not isinstance(value, list)
    }
    if chain.compat != "upstream":
        undecided = [float(done.preds[place] is None) for place in live]
        names = [clusters[place] for place in live]
        found[FAILURE_RATE] = _rate(undecided, names)
    return {f"{chain.prefix}:{name}": value for name, value in found.items()}


def sample_values(chain: SequentialEvaluator, done: Processed) -> dict[str, list[Any]]:
    """The metrics of users that are a list with an item a sample, by ``A->B:name``.

    A sample on which an evaluator failed has None.
    """
    live, found = _live(done, range(len(done.preds))), dict[str, list[Any]]()
    if not live or not chain.steps:
        return found
    for name, items in _values(chain.steps[-1], done, live).items():
        if isinstance(items, list) and len(items) == len(live) and name != PREDICTIONS:
            of = dict(zip(live, items, strict=True))
            found[f"{chain.prefix}:{name}"] = [of.get(place) for place in range(len(done.preds))]
    return found


def _live(done: Processed, places: Iterable[int]) -> list[int]:
    return [place for place in places if not isinstance(done.preds[place], Failure)]


def has_own_eval(step: BaseEvaluator) -> bool:
    """Whether a user's class computes its metrics itself."""
    return type(step).eval is not BaseEvaluator.eval and not isinstance(step, SampleEvaluator)


def _rate(undecided: Sequence[float], clusters: Sequence[Hashable]) -> Estimate:
    return share(undecided, clusters, "0-1", higher_is_better=False)


def _values(
    step: BaseEvaluator,
    done: Processed,
    live: Sequence[int],
    clusters: Sequence[Hashable] | None = None,
) -> dict[str, Any]:
    """The metrics of an evaluator; without clusters only those of users, which have no interval."""
    if has_own_eval(step):
        lists = (done.given, done.labels, done.extras)
        returned = step.eval(*([items[place] for place in live] for items in lists))
        return {str(name): item for name, item in returned.items()}
    y_true = [done.labels[place] for place in live]
    y_pred = [done.preds[place] for place in live]
    found: dict[str, Any] = {}
    for name, keys in step.metrics_cfg.items():
        kind = METRICS[name]
        if kind.estimate is None:
            found[name] = kind.compute(y_true, y_pred, **keys)
        elif clusters is not None:
            names = [clusters[place] for place in live]
            found[name] = kind.estimate(y_true, y_pred, names, **keys)
    return found
