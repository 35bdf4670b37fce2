"""F1, precision and recall of yes as VLMEvalKit computes them: 0 where nothing was there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chef.metric.vqa.accuracy import share
from chef.metric.vqa.yesno import f1_score
from chef.stats.estimate import Estimate


def binary_scores(rows: list[dict[str, Any]]) -> dict[str, Estimate]:
    """``f1_score``, ``precision`` and ``recall`` of yes, in %; an unknown answer counts as no.

    Args:
        rows: scored rows with ``parsed`` and ``truth``, ``yes`` or ``no``.
    """
    predicted = [row for row in rows if row["parsed"] == "yes"]
    true = [row for row in rows if row["truth"] == "yes"]
    return {
        "f1_score": _or_zero(f1_score(rows).scaled(100.0, "%")),
        "precision": _or_zero(share([row["truth"] == "yes" for row in predicted], predicted)),
        "recall": _or_zero(share([row["parsed"] == "yes" for row in true], true)),
    }


def _or_zero(estimate: Estimate) -> Estimate:
    return estimate if estimate.value is not None else replace(estimate, value=0.0)
