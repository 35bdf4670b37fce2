"""The chains of a recipe, checked together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chef.errors import ConfigError
from chef.metric.mmtrusteval.chain import SequentialEvaluator
from chef.types import Compat

#: The key of the recipe with the chains.
KEY = "evaluator_seq_cfgs"


def chains_of(given: Sequence[Mapping[str, Any]], compat: Compat) -> list[SequentialEvaluator]:
    """The chains of a recipe.

    Raises:
        ConfigError: there is none, one is wrong, or results of two would have the same names;
            ``where`` is the path of the key.
    """
    if not any(given):
        raise ConfigError(
            "there are no evaluators",
            where=KEY,
            hint="give a list of sequences: [{rule_yes_or_no_eval: {metrics_cfg: {pred_mean: }}}]",
        )
    chains = [
        SequentialEvaluator(item, compat, f"{KEY}.{place}") for place, item in enumerate(given)
    ]
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
