"""The metric table, to which users may add theirs, and an evaluator that chef divides otherwise."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from functools import wraps
from typing import Any

from chef.common.logs import logger
from chef.errors import ConfigError
from chef.metric.mmtrusteval.kinds import MetricKind
from chef.metric.mmtrusteval.metrics import METRICS as KINDS
from chef.metric.mmtrusteval.networks import (
    ClassifierEvaluator,
    FollowEvaluator,
    RejectEvaluator,
)

_log = logger(__name__)


class MetricTable(MutableMapping[str, Callable[..., Any]]):
    """The metrics that ``metrics_cfg`` may name: ``METRICS["accuracy_score"](y_true, y_pred)``.

    An added function counts like chef's own: its further annotated arguments are the keys of the
    metric. It has no interval.
    """

    def __getitem__(self, name: str) -> Callable[..., Any]:
        return KINDS[name].compute

    def __setitem__(self, name: str, compute: Callable[..., Any]) -> None:
        if not callable(compute):
            raise ConfigError(
                f"the metric '{name}' is no function: {compute!r:.80}",
                hint="give a function of (y_true, y_pred)",
            )
        is_new = name not in KINDS or KINDS[name].compute.__module__ == compute.__module__
        if not is_new:
            _log.warning("the metric '%s' is that of %s now", name, compute.__module__)
        KINDS[name] = MetricKind(_with_nan(compute))

    def __delitem__(self, name: str) -> None:
        del KINDS[name]

    def __iter__(self) -> Iterator[str]:
        return iter(KINDS)

    def __len__(self) -> int:
        return len(KINDS)


def _with_nan(compute: Callable[..., Any]) -> Callable[..., Any]:
    """A user's metric, which is given NaN where an evaluator could not decide."""

    @wraps(compute)
    def computed(y_true: Sequence[Any], y_pred: Sequence[Any], **keys: Any) -> Any:
        return compute(y_true, [math.nan if item is None else item for item in y_pred], **keys)

    return computed


METRICS = MetricTable()


class ClassiferActionEvaluator(ClassifierEvaluator):
    """Whether an answer rejects the question, or follows it; which one, its id says."""

    evaluator_ids = (*RejectEvaluator.evaluator_ids, *FollowEvaluator.evaluator_ids)

    def __init__(
        self,
        evaluator_id: str,
        metrics_cfg: Mapping[str, Mapping[str, Any] | None],
        *,
        label_fields: list[str] | None = None,
    ) -> None:
        follows = evaluator_id in FollowEvaluator.evaluator_ids
        usual = (FollowEvaluator if follows else RejectEvaluator).usual_labels
        chosen = list(usual) if label_fields is None else label_fields
        super().__init__(evaluator_id, metrics_cfg, label_fields=chosen)
