"""How often is the right option chosen, or the right answer given?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chef.extraction import POLICY, Extraction, final_text
from chef.extraction.mentions import same_text
from chef.extraction.numbers import as_number
from chef.metric.base import BaseMetric, Estimate
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


class Accuracy(BaseMetric):
    """Share of right answers.

    An option chosen by its score is compared by index. A text is searched for an option, by label
    or by its words (`extract_option`); without options it is compared with the references, but
    for case, articles, punctuation, the form of a number, and words around an explicit answer.

    Figures:
        ``ACC``: right answers, in % of all scored; unparsed ones are not right.
        ``match_ratio``: answers that could be read, in % of all scored.
    """

    primary = "ACC"
    policy = POLICY

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is 1 or 0; ``parsed`` the index of the option, or the text."""
        right = true_choices(record)
        if right:
            found = read_choice(record)
            return scored_entry(found, right=found.value in right)
        if scored_choice(record) is not None:
            raise missing_truth(record, "gt_choice")
        return _score_open(record)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return accuracy(answers)


def accuracy(answers: list[dict[str, Any]]) -> dict[str, Any]:
    """``ACC`` and ``match_ratio`` of judged records, in %; their intervals heed clusters."""
    return {
        "ACC": share_of(answers, "metric_result"),
        "match_ratio": share([answer["parsed"] is not None for answer in answers], answers),
    }


def share(hits: Sequence[float], answers: list[dict[str, Any]], unit: str = "%") -> Estimate:
    """The share of hits, one an answer; answers on one image or one question are a cluster."""
    return clustered_proportion(hits, [cluster(answer) for answer in answers], unit)


def share_of(answers: list[dict[str, Any]], key: str, unit: str = "%") -> Estimate:
    """The share of ``key``, which each answer holds, as `share` computes it."""
    return share([answer[key] for answer in answers], answers, unit)


def _score_open(record: dict[str, Any]) -> dict[str, Any]:
    references = required_references(record, "gt_choice and no gt_answers")
    text = final_text(answer_text(record))
    found: Extraction[str] = Extraction(text or None, "text" if text else "none", text)
    number = as_number(text)
    equal = number is not None and number in map(as_number, references)
    return scored_entry(found, right=equal or bool(same_text(text, references)))
