"""How many? Exactly right, or how far off."""

from __future__ import annotations

from typing import Any

from chef.errors import DataError
from chef.metric.accuracy import accuracy
from chef.metric.base import BaseMetric
from chef.metric.extraction import POLICY, Extraction, extract_number
from chef.metric.records import (
    answer_text,
    missing_truth,
    names,
    scored_choice,
    truths,
    verdict_of,
)
from chef.metric.statistics import bootstrap_mean


class Counting(BaseMetric):
    """Exact counts and their mean absolute error.

    Figures:
        ``ACC``: exact counts, in % of all scored; unparsed answers are not exact.
        ``MAE``: mean of ``|count - truth|`` over the answers that hold a number, uncapped.
        ``MAE_capped``: ChEF's own, for comparison with its results: each error is capped by the
        truth, and an answer without a number counts as 0. It flatters wild answers.
        ``match_ratio``: answers that hold a number, in % of all scored.
    """

    primary = "ACC"

    def judge(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the number, ``count_error`` its distance from the truth, None without."""
        truth = _truth(record)
        found = _answer(record)
        distance = None if found.value is None else abs(found.value - truth)
        capped = min(abs(truth), abs(truth) if distance is None else distance)
        return {
            **verdict_of(found, right=distance == 0),
            "count_error": distance,
            "count_error_capped": capped,
        }

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        errors = [answer["count_error"] for answer in answers]
        capped = [answer["count_error_capped"] for answer in answers]
        rates = accuracy(answers)
        return {
            "ACC": rates["ACC"],
            "MAE": bootstrap_mean(
                [error for error in errors if error is not None],
                unit="count",
                higher_is_better=False,
            ),
            "MAE_capped": bootstrap_mean(capped, unit="count", higher_is_better=False),
            "match_ratio": rates["match_ratio"],
            "policy": POLICY,
        }


def _truth(record: dict[str, Any]) -> float:
    for item in truths(record):
        number = extract_number(str(item)).value
        if number is not None:
            return number
    raise missing_truth(record, "number in gt_answers")


def _answer(record: dict[str, Any]) -> Extraction[float]:
    choice = scored_choice(record)
    if choice is None:
        return extract_number(answer_text(record))
    for key in ("options", "choices"):
        texts = names(record, key)
        number = extract_number(texts[choice]).value if choice < len(texts) else None
        if number is not None:
            return Extraction(number, "option scores", texts[choice])
    raise DataError(f"option {choice} was chosen, and it is no number")
