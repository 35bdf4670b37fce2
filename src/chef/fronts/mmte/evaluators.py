"""MMTrustEval's evaluators under the names of its classes, where chef divides them otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.metric.mmtrusteval.networks import (
    ClassifierEvaluator,
    FollowEvaluator,
    RejectEvaluator,
)


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
