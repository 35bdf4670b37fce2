"""Answers that a judge scores or extracts from, by VLMEvalKit's own rules."""

from __future__ import annotations

from typing import Any

from chef.metric import judged
from chef.metric.judged import mean_score
from chef.metric.records import answer_text, references_of, required_references, scored_entry
from chef.metric.vlmevalkit.choice import lettered_choices, read_choice, there_of
from chef.metric.vlmevalkit.failures import UnreadIsWrong
from chef.metric.vqa import mathvista
from chef.metric.vqa.accuracy import share_of
from chef.reading.text import Reading

Record = dict[str, Any]


class JudgedAccuracy(UnreadIsWrong, judged.JudgedAccuracy):
    """As with chef's rules; an answer is wrong where none of three replies can be read."""

    judge_kinds = judged.JudgedAccuracy.judge_kinds


class JudgedGrade(UnreadIsWrong, judged.JudgedGrade):
    """The grade is the whole reply of the judge; it is 0 where none of five can be read."""

    judge_kinds = ("vlmevalkit_grade",)


class MMVet(JudgedGrade, judged.MMVet):
    """The grades of `JudgedGrade` with these rules.

    Metrics, in %: ``Overall``, and the mean of each capability by its name.
    """

    primary = "Overall"

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        return {**self.group_metrics(answers), **judged.capabilities(answers)}

    def group_metrics(self, answers: list[Record]) -> dict[str, Any]:
        """``Overall`` of the group."""
        return {"Overall": mean_score(answers)}


class MathVista(UnreadIsWrong, mathvista.MathVista):
    """Choices are read by `can_infer`; what a judge extracts is compared by Python's own types.

    A whole number is what ``int`` reads as the same, a decimal what ``float`` does ("7.0" is not
    the whole number 7), everything else equal text. An answer that is the reference already needs
    no judge. Without a judge every other free answer is wrong, as where none of five replies can
    be read.

    Metrics, in %: ``Overall``, and right answers of each task and of each skill by its name.
    """

    primary = "Overall"
    policy = "VLMEvalKit can_infer"
    judge_kinds = ("vlmevalkit_extraction",)

    def judge_kind(self, record: Record) -> str | None:
        """None also where a free answer is the reference as it stands."""
        if not mathvista.is_choice(record) and self.is_equal(answer_text(record), record):
            return None
        return super().judge_kind(record)

    def by_rule(self, record: Record) -> Record:
        """The findings without a judge: the choice, or whether the whole text is the reference."""
        if mathvista.is_choice(record):
            return super().by_rule(record)
        required_references(record)
        text = answer_text(record)
        right = self.is_equal(text, record)
        return scored_entry(Reading(text if right else None, "text", text), right=right)

    def read_choice(self, record: Record) -> Reading[int]:
        choices = lettered_choices(record)
        return read_choice(answer_text(record), there_of(choices), list(choices))

    def is_equal(self, text: str, record: Record) -> bool:
        kind = str(record.get("answer_type") or "")
        return any(_is_same(text, str(item), kind) for item in references_of(record))

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        parts = {**mathvista.shares(answers, "task"), **mathvista.shares(answers, "skills")}
        return {**self.group_metrics(answers), **parts}

    def group_metrics(self, answers: list[Record]) -> dict[str, Any]:
        """``Overall`` of the group."""
        return {"Overall": share_of(answers, "metric_result")}


def _is_same(text: str, reference: str, kind: str) -> bool:
    try:
        if kind == "integer":
            return int(text) == int(reference)
        if kind == "float":
            return float(text) == float(reference)
    except ValueError:
        return False
    return text == reference
