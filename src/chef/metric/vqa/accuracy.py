"""Accuracy: the share of correct options or answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from chef.errors import DataError
from chef.metric.base import Estimate, Metric
from chef.metric.records import (
    answer_text,
    missing_truth,
    references_of,
    required_references,
    scored_choice,
    scored_entry,
    true_choices,
)
from chef.metric.verdicts import verdict
from chef.metric.vqa.choice import (
    EQUIVALENCE,
    OPTION,
    equivalence,
    equivalence_by_rule,
    read_choice,
)
from chef.reading.text import POLICY
from chef.stats import figures
from chef.stats.clusters import clusters_of

#: How free answers are compared, as the table and the results say it.
OPEN_ANSWERS = "right where they contain a reference as a phrase; numbers by value and unit"


class Accuracy(Metric):
    """Share of correct answers.

    An option chosen by its score is compared by index. Text is searched for an option's label or
    words (`extract_option`). Without options, an answer is right where it contains a reference as a
    whole phrase that it does not negate; numbers are compared by value and unit (`compare`). Other
    comparisons are metrics of their own: `ExactMatch`, `VQAAccuracy`, `ANLS`, `RelaxedAccuracy`.

    Where the recipe has a judge, it says which option a text means, or whether an answer without
    options is equivalent to the reference.

    Metrics:
        ``ACC``: correct answers, in % of all scored; unparsed ones are not correct.
        ``match_ratio``: answers that could be read, in % of all scored.
    """

    primary = "ACC"
    mean_figure = "ACC"
    chance_for: Sequence[str] = ("ACC",)
    policy = POLICY
    judge_kinds: ClassVar[Sequence[str]] = (OPTION, EQUIVALENCE)

    def judge_kind(self, record: dict[str, Any]) -> str | None:
        """``option`` where there are options, otherwise ``equivalence``; None without truth."""
        return answer_kind(record)

    def rule_reading(self, record: dict[str, Any]) -> int | bool | None:
        """The index of the option; without options, whether the answer is right."""
        found = self.rule_findings(record)
        return equivalence_by_rule(found) if not true_choices(record) else found["parsed"]

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is 1 or 0; ``parsed`` is the index of the option, or the text."""
        right = true_choices(record)
        if judged := equivalence(record):
            return judged
        if right:
            found = read_choice(record)
            return scored_entry(found, right=found.value in right)
        if scored_choice(record) is not None:
            raise missing_truth(record, "gt_choice")
        return _score_open(record)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        found = accuracy(answers)
        by_rule = any(map(_is_open_by_rule, answers))
        return {**found, **({"open_answers": OPEN_ANSWERS} if by_rule else {})}


def _is_open_by_rule(answer: dict[str, Any]) -> bool:
    return not true_choices(answer) and answer.get("judgements") is None


def answer_kind(record: dict[str, Any]) -> str | None:
    """What a judge can be asked about an answer; None where nothing, or the truth is not known.

    ``option``: which of the options it means; ``equivalence``: whether it is the reference.
    """
    try:
        right = true_choices(record)
        if scored_choice(record) is not None or not (right or references_of(record)):
            return None
    except DataError:  # it is not scored
        return None
    return OPTION if right else EQUIVALENCE


def accuracy(answers: list[dict[str, Any]]) -> dict[str, Any]:
    """``ACC`` and ``match_ratio`` of scored records, in %, with clustered intervals."""
    return {
        "ACC": share_of(answers, "metric_result"),
        "match_ratio": share([answer["parsed"] is not None for answer in answers], answers),
    }


def share(hits: Sequence[float], answers: list[dict[str, Any]], unit: str = "%") -> Estimate:
    """The share of hits, one per answer, with an interval by the clusters of the answers."""
    return figures.share(hits, clusters_of(answers), unit)


def share_of(answers: list[dict[str, Any]], key: str, unit: str = "%") -> Estimate:
    """The mean of ``key`` over the answers, as `share` computes it; its values are 0..1."""
    return share([answer[key] for answer in answers], answers, unit)


def _score_open(record: dict[str, Any]) -> dict[str, Any]:
    references = required_references(record, "gt_choice and no gt_answers")
    verdict(record)  # an answer that was to be judged is not compared by rule
    from chef.reading.free_answers import compare

    compared = compare(answer_text(record), references, str(record.get("question") or ""))
    return scored_entry(compared.reading, right=compared.right)
