"""The chains of a recipe, checked together, and the metrics of one over some of its samples."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from chef.errors import ConfigError, nearest
from chef.metric.mmtrusteval.base import BaseEvaluator, Failure, SampleEvaluator
from chef.metric.mmtrusteval.chain import PREDICTIONS, Processed, SequentialEvaluator
from chef.metric.mmtrusteval.metrics import METRICS
from chef.metric.mmtrusteval.networks import CLASSIFIERS
from chef.stats.estimate import Estimate
from chef.stats.figures import share
from chef.types import Compat

#: The share of predictions that the evaluators could not decide.
FAILURE_RATE = "failure_rate"


def figures(
    chain: SequentialEvaluator, done: Processed, places: Sequence[int], clusters: Sequence[Hashable]
) -> dict[str, Any]:
    """The metrics by ``A->B:name`` over some places, without those that list an item a sample."""
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
        found[FAILURE_RATE] = share(undecided, names, "0-1", higher_is_better=False)
    return {f"{chain.prefix}:{name}": value for name, value in found.items()}


def sample_values(chain: SequentialEvaluator, done: Processed) -> dict[str, list[Any]]:
    """Metrics that list an item a sample, by ``A->B:name``; None where an evaluator failed."""
    live, values = _live(done, range(len(done.preds))), dict[str, list[Any]]()
    if not live or not chain.steps:
        return values
    for name, items in _values(chain.steps[-1], done, live).items():
        if isinstance(items, list) and len(items) == len(live) and name != PREDICTIONS:
            of = dict(zip(live, items, strict=True))
            values[f"{chain.prefix}:{name}"] = [of.get(place) for place in range(len(done.preds))]
    return values


def _live(done: Processed, places: Iterable[int]) -> list[int]:
    return [place for place in places if not isinstance(done.preds[place], Failure)]


def has_own_eval(step: BaseEvaluator) -> bool:
    """Whether a user's class computes its metrics itself."""
    return type(step).eval is not BaseEvaluator.eval and not isinstance(step, SampleEvaluator)


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


#: The key of the recipe with the chains.
KEY = "evaluator_seq_cfgs"
#: The key with keys of all its classifiers, and those.
CLASSIFIER_KEY = "classifier_cfg"
_OF_CLASSIFIERS = ("model_path", "revision", "device", "batch_size")


def chains_of(
    given: Sequence[Mapping[str, Any]],
    compat: Compat,
    classifier: Mapping[str, Any] | None = None,
) -> list[SequentialEvaluator]:
    """The chains of a recipe; without any, its answers are only written.

    Of results with one name, those of the last chain count; only MMTrustEval's own rules allow it.

    ``classifier`` has keys of all classifiers; what one says itself counts more. Raises ConfigError
    with the key path.
    """
    chains = [
        SequentialEvaluator(_with(item, classifier), compat, f"{KEY}.{place}")
        for place, item in enumerate(given)
    ]
    # By chef's own rules, there is always a failure rate.
    if compat == "upstream" and any(given) and not any(map(_has_figures, chains)):
        raise ConfigError(
            "no sequence has a metric that gives a figure",
            where=KEY,
            hint="add one to the last evaluator of a sequence: metrics_cfg: {pred_mean: }",
        )
    known: dict[str, list[Any]] = {}
    for place, chain in enumerate(chains):
        made = [dict(step.arguments) for step in chain.steps]
        for end, prefix in enumerate(chain.prefixes, 1):
            if known.setdefault(prefix, made[:end]) != made[:end] and compat != "upstream":
                raise ConfigError(
                    f"two sequences have the evaluators {prefix} with different keys, so their "
                    "results would have the same names",
                    where=f"{KEY}.{place}",
                    hint="give the second one in a metric of its own: metric_cfg: [{...}, {...}]",
                )
    return chains


def _has_figures(chain: SequentialEvaluator) -> bool:
    last = chain.steps[-1:]
    return any(has_own_eval(step) or set(step.metrics_cfg) - {PREDICTIONS} for step in last)


def _with(chain: Mapping[str, Any], classifier: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """A chain whose classifiers have the keys that are given for all; raises ConfigError."""
    if not classifier or not isinstance(chain, Mapping):
        return chain
    for key in classifier:
        if key not in _OF_CLASSIFIERS:
            raise ConfigError(
                f"unknown key '{key}' of all classifiers",
                where=f"{CLASSIFIER_KEY}.{key}",
                hint=nearest(str(key), _OF_CLASSIFIERS),
            )
    return {
        name: {**classifier, **(keys or {})}
        if name in CLASSIFIERS and isinstance(keys, Mapping | None)
        else keys
        for name, keys in chain.items()
    }
