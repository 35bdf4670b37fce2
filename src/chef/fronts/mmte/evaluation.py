"""The results of chains of evaluators on some answers, as a task keeps and saves them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from chef.common.jsonable import to_jsonable
from chef.metric.mmtrusteval.base import Failure
from chef.metric.mmtrusteval.chain import PREDICTIONS, Processed, SequentialEvaluator
from chef.metric.mmtrusteval.chains import FAILURE_RATE, figures
from chef.metric.place import OutputsInMemory, Place
from chef.stats.estimate import Estimate

#: What is told of each sample besides predictions, and where a response has it.
COLUMNS = {"content": "content", "pred": "response", "label": "target", "extra": "extra"}


def evaluated(
    chains: Sequence[SequentialEvaluator],
    responses: Sequence[Mapping[str, Any]],
    place: Place | None = None,
) -> dict[str, Any]:
    """The evaluators' predictions (lists) and metrics by name, also of each subset.

    What several chains begin with is asked once.
    """
    preds, labels, extras = (
        [item[key] for item in responses] for key in ("response", "target", "extra")
    )
    names = [extra.get("subset") if isinstance(extra, Mapping) else None for extra in extras]
    subsets: dict[str, list[int]] = {}
    for number, subset in enumerate(names if names and names[0] is not None else []):
        if subset is not None:
            subsets.setdefault(str(subset), []).append(number)
    kept, results = OutputsInMemory(), dict[str, Any]()
    for chain in chains:
        done = chain.process(preds, labels, extras, place=place, kept=kept)
        results |= _lists(chain, done)
        results |= _metrics(chain, done, range(len(preds)))
        for name, members in subsets.items():
            metrics = _metrics(chain, done, members)
            results |= {
                f"{key}_{name}": value
                for key, value in metrics.items()
                if not key.endswith(f":{FAILURE_RATE}")
            }
    return results


def log_of(
    results: Mapping[str, Any], run: Mapping[str, Any], *, nan: bool = False
) -> dict[str, Any]:
    """The content of the log: figures, and a line for each sample; NaN is None unless ``nan``."""
    lists = {key: value for key, value in results.items() if isinstance(value, list)}
    length = max(map(len, lists.values()), default=0)
    lists = {key: value for key, value in lists.items() if len(value) == length}
    totals = {key: value for key, value in results.items() if key not in lists}
    return {
        "total_results": to_jsonable(totals, nan=nan),
        "per_sample_results": [
            to_jsonable({key: items[row] for key, items in lists.items()}, nan=nan)
            for row in range(length)
        ],
        "run": dict(run),
    }


def _lists(chain: SequentialEvaluator, done: Processed) -> dict[str, list[Any]]:
    """The predictions after each evaluator; those of the last one if a metric asks for them."""
    names = [f"{prefix}:{PREDICTIONS}" for prefix in chain.prefixes]
    if not chain.steps or PREDICTIONS not in chain.steps[-1].metrics_cfg:
        names = names[:-1]
    return {
        name: [None if isinstance(item, Failure) else item for item in done.outputs[name]]
        for name in names
    }


def _metrics(chain: SequentialEvaluator, done: Processed, of: Sequence[int]) -> dict[str, Any]:
    clusters = [str(number) for number in range(len(done.preds))]
    found = figures(chain, done, of, clusters)
    values = {
        key: item.value if isinstance(item, Estimate) else item for key, item in found.items()
    }
    if chain.compat != "upstream":
        return values
    return {key: math.nan if item is None else item for key, item in values.items()}
