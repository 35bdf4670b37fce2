"""Counts: the share that is exactly right, and the mean absolute error."""

from __future__ import annotations

from typing import Any, Literal

from chef.errors import DataError
from chef.metric.base import Metric
from chef.metric.records import (
    answer_text,
    check_kind,
    missing_truth,
    names,
    references_of,
    scored_choice,
    scored_entry,
)
from chef.metric.vqa.accuracy import accuracy
from chef.reading.numbers import extract_number
from chef.reading.text import POLICY, Reading
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate
from chef.stats.figures import mean


class Counting(Metric):
    """Exact counts and their mean absolute error.

    Metrics:
        ``ACC``: exact counts, in % of all scored; unparsed answers are not exact.
        ``MAE``: mean of ``|count - true count|`` over the answers that contain a number.
        ``MAE_capped``: ChEF's own, for comparison with its results: each error is at most the true
        count, and an answer without a number counts as 0. Wild answers get too good a value.
        ``match_ratio``: answers that contain a number, in % of all scored.

    Args:
        dataset_name: the name of the scenario.
        inference_type: ``direct`` or ``ppl``; None accepts both.
    """

    primary = mean_figure = "ACC"
    chance_for = ("ACC",)
    policy = POLICY

    def __init__(
        self, dataset_name: str = "", inference_type: Literal["direct", "ppl"] | None = None
    ) -> None:
        super().__init__(dataset_name)
        self.inference_type = inference_type
        self.needs_options = None if inference_type is None else inference_type == "ppl"

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the number read, ``count_error`` its error; both None if there is none."""
        check_kind(self.inference_type, "ppl" if "choice" in record else "direct")
        reference = _reference(record)
        found = self.read(record)
        distance = None if found.value is None else abs(found.value - reference)
        capped = min(abs(reference), abs(reference) if distance is None else distance)
        return {
            **scored_entry(found, right=distance == 0),
            "count_error": distance,
            "count_error_capped": capped,
        }

    def read(self, record: dict[str, Any]) -> Reading[float]:
        """The number of an answer: the one of the chosen option, or the one in the text."""
        choice = scored_choice(record)
        if choice is None:
            return extract_number(answer_text(record), str(record.get("question") or ""))
        for key in ("options", "choices"):
            texts = names(record, key)
            number = extract_number(texts[choice]).value if choice < len(texts) else None
            if number is not None:
                return Reading(number, "option scores", texts[choice])
        raise DataError(f"option {choice} was chosen, and it is no number")

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        rates = accuracy(answers)
        parsed = [answer for answer in answers if answer["count_error"] is not None]
        return {
            "ACC": rates["ACC"],
            "MAE": _mean_of(parsed, "count_error"),
            "MAE_capped": _mean_of(answers, "count_error_capped"),
            "match_ratio": rates["match_ratio"],
        }


def _mean_of(answers: list[dict[str, Any]], key: str) -> Estimate:
    errors = [answer[key] for answer in answers]
    return mean(errors, clusters_of(answers), "count", least=0, higher_is_better=False)


def _reference(record: dict[str, Any]) -> float:
    for item in references_of(record):
        number = extract_number(str(item)).value
        if number is not None:
            return number
    raise missing_truth(record, "number in gt_answers")
