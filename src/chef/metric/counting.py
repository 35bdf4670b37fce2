"""How many? Exactly right, or how far off."""

from __future__ import annotations

from typing import Any, Literal

from chef.errors import DataError
from chef.extraction import POLICY, Extraction, extract_number
from chef.metric.base import BaseMetric
from chef.metric.records import (
    answer_text,
    check_kind,
    missing_truth,
    names,
    scored_choice,
    truths,
    verdict_of,
)
from chef.metric.statistics import bootstrap_mean
from chef.metric.vqa.accuracy import accuracy
from chef.types import Compat

_NUMBER_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen", "twenty",
)  # fmt: skip


class Counting(BaseMetric):
    """Exact counts and their mean absolute error.

    Figures:
        ``ACC``: exact counts, in % of all scored; unparsed answers are not exact.
        ``MAE``: mean of ``|count - truth|`` over the answers that hold a number, uncapped.
        ``MAE_capped``: ChEF's own, for comparison with its results: each error is capped by the
        truth, and an answer without a number counts as 0. It flatters wild answers.
        ``match_ratio``: answers that hold a number, in % of all scored.

    Args:
        dataset_name: the name of the scenario.
        inference_type: ``direct`` or ``ppl``; None goes by what the answers hold.
        compat: ``upstream``: ChEF's own figures. A count is the first word that is all digits, or
            no, zero to twenty; else 0. ``MAE`` is the capped one.
    """

    primary = "ACC"

    def __init__(
        self,
        dataset_name: str = "",
        inference_type: Literal["direct", "ppl"] | None = None,
        compat: Compat = "corrected",
    ) -> None:
        super().__init__(dataset_name)
        self.inference_type, self.compat = inference_type, compat
        self.needs_options = None if inference_type is None else inference_type == "ppl"

    def judge(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the number, ``count_error`` its distance from the truth, None without."""
        check_kind(self.inference_type, "ppl" if "choice" in record else "direct")
        truth = _truth(record)
        found = _first_number(record) if self.compat == "upstream" else _answer(record)
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
        given = [error for error in errors if error is not None]
        own = capped if self.compat == "upstream" else given
        return {
            "ACC": rates["ACC"],
            "MAE": bootstrap_mean(own, unit="count", higher_is_better=False),
            "MAE_capped": bootstrap_mean(capped, unit="count", higher_is_better=False),
            "match_ratio": rates["match_ratio"],
            "policy": POLICY,
        }


def _first_number(record: dict[str, Any]) -> Extraction[float]:
    """ChEF's rule, to the letter: "3." and "1,000" are no numbers."""
    for word in answer_text(record).split():
        if word.isdecimal():
            return Extraction(int(word), "first number", word)
        if word in _NUMBER_WORDS:
            return Extraction(_NUMBER_WORDS.index(word), "first number", word)
        if word == "no":
            return Extraction(0, "first number", word)
    return Extraction(0, "none is 0")


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
