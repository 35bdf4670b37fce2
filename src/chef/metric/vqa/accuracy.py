"""Accuracy: the share of correct options or answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chef.extraction.free_answers import compare
from chef.extraction.text import POLICY
from chef.metric.base import Estimate, Metric
from chef.metric.records import (
    answer_text,
    cluster,
    missing_truth,
    required_references,
    scored_choice,
    scored_entry,
    true_choices,
)
from chef.metric.statistics import clustered_proportion
from chef.metric.vqa.choice import read_choice

#: How free answers are compared, as the table and the results say it.
OPEN_ANSWERS = "right where they contain a reference as a phrase; numbers by value and unit"


class Accuracy(Metric):
    """Share of correct answers.

    An option chosen by its score is compared by index. Text is searched for an option's label or
    words (`extract_option`). Without options, an answer is right where it contains a reference as a
    whole phrase that it does not negate; numbers are compared by value and unit (`compare`). Other
    comparisons are metrics of their own: `ExactMatch`, `VQAAccuracy`, `ANLS`, `RelaxedAccuracy`.

    Metrics:
        ``ACC``: correct answers, in % of all scored; unparsed ones are not correct.
        ``match_ratio``: answers that could be read, in % of all scored.
    """

    primary = "ACC"
    chance_for: Sequence[str] = ("ACC",)
    policy = POLICY

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is 1 or 0; ``parsed`` is the index of the option, or the text."""
        right = true_choices(record)
        if right:
            found = read_choice(record)
            return scored_entry(found, right=found.value in right)
        if scored_choice(record) is not None:
            raise missing_truth(record, "gt_choice")
        return _score_open(record)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        found = accuracy(answers)
        return {**found, **({"open_answers": OPEN_ANSWERS} if any(map(_is_open, answers)) else {})}


def _is_open(answer: dict[str, Any]) -> bool:
    return not true_choices(answer)


def accuracy(answers: list[dict[str, Any]]) -> dict[str, Any]:
    """``ACC`` and ``match_ratio`` of scored records, in %, with clustered intervals."""
    return {
        "ACC": share_of(answers, "metric_result"),
        "match_ratio": share([answer["parsed"] is not None for answer in answers], answers),
    }


def share(hits: Sequence[float], answers: list[dict[str, Any]], unit: str = "%") -> Estimate:
    """The share of hits, one per answer. Answers about one image or question form a cluster."""
    return clustered_proportion(hits, [cluster(answer) for answer in answers], unit)


def share_of(answers: list[dict[str, Any]], key: str, unit: str = "%") -> Estimate:
    """The mean of ``key`` over the answers, as `share` computes it; its values are 0..1."""
    return share([answer[key] for answer in answers], answers, unit)


def _score_open(record: dict[str, Any]) -> dict[str, Any]:
    references = required_references(record, "gt_choice and no gt_answers")
    compared = compare(answer_text(record), references, str(record.get("question") or ""))
    return scored_entry(compared.reading, right=compared.right)
