"""The chains of a recipe, checked together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chef.errors import ConfigError, nearest
from chef.metric.mmtrusteval.chain import PREDICTIONS, SequentialEvaluator
from chef.metric.mmtrusteval.figures import has_own_eval
from chef.metric.mmtrusteval.networks import CLASSIFIERS
from chef.types import Compat

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

    Args:
        given: the keys of the evaluators of each chain, by id.
        compat: whose rules they follow.
        classifier: keys of all classifiers; what one says itself counts more.

    Raises:
        ConfigError: one is wrong, results of two would have the same names, or none would give a
            figure; ``where`` is the path of the key.
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
            if known.setdefault(prefix, made[:end]) != made[:end]:
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
    """A chain whose classifiers have the keys that are given for all of them.

    Raises:
        ConfigError: there is no such key.
    """
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
