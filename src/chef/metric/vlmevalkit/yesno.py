"""Yes/no questions by VLMEvalKit's own rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chef.metric.records import answer_text, scored_choice
from chef.metric.vlmevalkit.binary import binary_scores
from chef.metric.vlmevalkit.failures import FailuresAreAnswers
from chef.metric.vlmevalkit.judging import gave_up, is_failed_call, unjudged
from chef.metric.vqa import yesno
from chef.metric.vqa.accuracy import share_of
from chef.metric.vqa.choice import NONE_OF_THEM
from chef.reading.rules.vlmevalkit import yes_no
from chef.reading.text import Reading

Record = dict[str, Any]


class YesNo(FailuresAreAnswers, yesno.YesNo):
    """Texts are read by `yes_no`; an answer that is unknown is wrong.

    Metrics, in %: ``Overall``, and one of each category and l2-category. Of data sets with "VSR"
    in their names: ``precision``, ``recall``, ``acc``, and ``f1_score``, in 0..1.
    """

    primary = "Overall"
    chance_for: Sequence[str] = ("Overall", "acc")
    policy = "VLMEvalKit yes or no"
    judge_kinds = ("vlmevalkit_yes_no",)

    def rule_reading(self, record: Record) -> int | None:
        """As with chef's rules; the text of a failed call is neither, and no judge is asked."""
        return NONE_OF_THEM if is_failed_call(record) else super().rule_reading(record)

    def score_sample(self, record: Record) -> Record:
        """An answer of which none of five replies of a judge can be read is unknown."""
        return super().score_sample(unjudged(record) if gave_up(record) else record)

    def read(self, record: Record) -> Reading[str]:
        if scored_choice(record) is not None:
            return super().read(record)
        found = yes_no(answer_text(record))
        known = found != "Unknown"
        return Reading(found.lower() if known else None, "yes or no" if known else "none", found)

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        return vsr_rating(answers) if "VSR" in self.dataset_name else default_rating(answers)

    def group_metrics(self, answers: list[Record]) -> dict[str, Any]:
        """``Overall`` of the group, of VSR all its figures."""
        values = self.metric_func(answers)
        return {"Overall": values["Overall"]} if "Overall" in values else values


def default_rating(rows: list[Record]) -> dict[str, Any]:
    """The share of right answers, in %: of all rows, of each category and of each l2-category."""
    found = {"Overall": share_of(rows, "metric_result")}
    for column in ("category", "l2-category"):
        for name in sorted({str(row[column]) for row in rows if row.get(column)}):
            part = [row for row in rows if str(row.get(column)) == name]
            found[name] = share_of(part, "metric_result")
    return found


def vsr_rating(rows: list[Record]) -> dict[str, Any]:
    """Precision, recall and accuracy in %; the F1 score is in 0..1."""
    scores = binary_scores(rows)
    f1 = scores.pop("f1_score").scaled(0.01, "0-1")
    return {"f1_score": f1, **scores, "acc": share_of(rows, "metric_result")}
