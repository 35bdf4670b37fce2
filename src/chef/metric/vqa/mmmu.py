"""MMMU: accuracy per subject, on multiple-choice and open questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from chef.metric.base import Estimate, Metric
from chef.metric.records import (
    answer_text,
    references_of,
    required_references,
    scored_entry,
)
from chef.metric.verdicts import verdict
from chef.metric.vqa.accuracy import (
    EQUIVALENCE,
    OPTION,
    choice_kind,
    equivalence,
    equivalence_by_rule,
    parts_of,
    score_choice,
    share_of,
)
from chef.reading.open_answers import open_matches
from chef.reading.text import POLICY, Reading

Record = dict[str, Any]


class MMMUMetric(Metric):
    """Share of correct answers; an answer that cannot be read is not correct.

    Source of the rule for open questions: Yue et al. 2024, "MMMU"; see `open_matches`.

    Metrics, for ``Overall`` and for each subject:
        ``acc``: in %. ``sample_nums``: questions scored (a count). Each subject also has
        ``correct_nums`` (a count).

    Args:
        dataset_name: the name of the scenario.
    """

    primary = mean_figure = "Overall/acc"
    group_figures = ("Overall/acc",)
    policy = POLICY
    judge_kinds: ClassVar[Sequence[str]] = (OPTION, EQUIVALENCE)

    def judge_kind(self, record: Record) -> str | None:
        """``equivalence`` for open questions, otherwise ``option``."""
        if _is_open(record):
            return EQUIVALENCE if references_of(record) else None
        return choice_kind(record)

    def rule_reading(self, record: Record) -> int | bool | None:
        """The index of the option; of an open question, whether the answer is right."""
        reading = self.rule_findings(record)
        return equivalence_by_rule(reading) if _is_open(record) else reading["parsed"]

    def score_sample(self, record: Record) -> dict[str, Any]:
        """``parsed`` is the index of the option, or the matching reference, else the answer."""
        if judged := equivalence(record):
            return judged
        if not _is_open(record):
            return score_choice(record)
        references = required_references(record)
        verdict(record)  # an answer that was to be judged is not compared by rule
        return score_open(open_matches(answer_text(record), references))

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        subjects = parts_of(answers, lambda answer: [str(answer.get("subject", "other"))])
        overall = _metrics(answers)
        overall.pop("correct_nums")
        return {"Overall": overall, **{name: _metrics(part) for name, part in subjects.items()}}


def score_open(found: Reading[str]) -> dict[str, Any]:
    """The findings about an answer to an open question, as `open_matches` read it."""
    return scored_entry(found, right=found.rule in {"number", "words"})


def _is_open(record: Record) -> bool:
    return record.get("question_type") == "open"


def _metrics(answers: list[Record]) -> dict[str, Estimate]:
    right = sum(answer["metric_result"] for answer in answers)
    n = len(answers)
    return {
        "acc": share_of(answers, "metric_result"),
        "correct_nums": Estimate(right, n, unit="count"),
        "sample_nums": Estimate(n, n, unit="count", higher_is_better=None),
    }
