"""MathVista: what an answer comes to, compared as the type of the reference asks for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from chef.common.options import list_literal
from chef.metric.base import Metric
from chef.metric.records import (
    Record,
    answer_text,
    names,
    references_of,
    required_references,
    scored_entry,
    true_choices,
)
from chef.metric.verdicts import verdict
from chef.metric.vqa.accuracy import accuracy, choice_by_rule, shares_of
from chef.metric.vqa.open_answers import plain
from chef.reading.free_answers import compare
from chef.reading.quantities import quantity
from chef.reading.text import POLICY, Reading
from chef.stats.estimate import Estimate


class MathVista(Metric):
    """Share of right answers, where a judge finds out what a free answer comes to.

    Of a question with choices the choice is read by rule; where that fails, and of all other
    questions, the judge writes down the value that the answer comes to, without seeing the
    reference. It is compared by the type of the answer: whole numbers and lists of numbers have to
    be equal, decimals after rounding to the ``precision`` of the sample, texts up to case,
    punctuation and articles. Without a judge, free answers are compared as by `Accuracy`.

    Source: Lu et al. 2024, "MathVista: Evaluating Mathematical Reasoning of Foundation Models in
    Visual Contexts".

    Metrics, in % of all scored:
        ``ACC``: right answers. ``match_ratio``: answers that could be read.
        ``task/{name}``, ``skill/{name}``: right answers of each task and of each skill; a question
        counts for each of its skills.
    """

    primary = "ACC"
    policy = POLICY
    judge_kinds: ClassVar[Sequence[str]] = ("extraction",)
    needs_options = False
    group_figures = ("ACC", "match_ratio")

    def judge_kind(self, record: Record) -> str | None:
        """None where a choice is read by rule, or there is no reference."""
        if is_choice(record):
            return None if self.reads(record) else self.judge_kinds[0]
        return self.judge_kinds[0] if references_of(record) else None

    def reads(self, record: Record) -> bool:
        """Whether the rule finds something to compare."""
        return self.rule_findings(record)["parsed"] is not None

    def score_sample(self, record: Record) -> Record:
        """``metric_result`` is 1 or 0; ``parsed`` is the choice by its index, or the text."""
        if not is_choice(record):
            required_references(record)
        said = verdict(record)
        if said is None:
            return self.by_rule(record)
        text = str(said.value)
        if not is_choice(record):
            right = self.is_equal(text, record)
            return scored_entry(said.as_extraction(text or None), right=right)
        choice = self.read_choice({**record, "answer": text})
        return scored_entry(
            said.as_extraction(choice.value), right=choice.value in true_choices(record)
        )

    def by_rule(self, record: Record) -> Record:
        """The findings of `score_sample` where no judge was asked."""
        if is_choice(record):
            choice = self.read_choice(record)
            return scored_entry(choice, right=choice.value in true_choices(record))
        references = required_references(record)
        compared = compare(answer_text(record), references, str(record.get("question") or ""))
        return scored_entry(compared.reading, right=compared.right)

    def read_choice(self, record: Record) -> Reading[int]:
        """The choice that a text names."""
        return choice_by_rule(record)

    def is_equal(self, text: str, record: Record) -> bool:
        """Whether a value that a judge wrote down is the reference, by the type of the answer."""
        kind, precision = str(record.get("answer_type") or ""), record.get("precision")
        return any(is_value(text, str(item), kind, precision) for item in references_of(record))

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        parts = {"task": shares(answers, "task"), "skill": shares(answers, "skills")}
        return {**accuracy(answers), **parts}


def is_choice(record: Record) -> bool:
    """Whether a sample has choices of which the right one is known."""
    return bool(names(record, "choices")) and bool(true_choices(record))


def is_value(text: str, reference: str, kind: str, precision: object = None) -> bool:
    """Whether a text is a reference, ``integer``, ``float`` (to ``precision`` decimals), ``list``,
    ``text``.

    >>> is_value("7.0", "7", "integer"), is_value("2.04", "2.0", "float", 1)
    (True, True)
    >>> is_value("1, 2", "[1, 2]", "list"), is_value("A red one.", "red one", "text")
    (True, True)
    """
    if kind == "list":
        given, wanted = _values(text), _values(reference)
        return given == wanted and given is not None
    if kind not in ("integer", "float"):
        return plain(text) == plain(reference)
    one, other = quantity(text), quantity(reference)
    if one is None or other is None:
        return plain(text) == plain(reference)
    decimals = precision if isinstance(precision, int) and kind == "float" else None
    if decimals is None:
        return math.isclose(one.value, other.value, rel_tol=1e-9, abs_tol=1e-9)
    return round(one.value, decimals) == round(other.value, decimals)


def shares(answers: list[Record], key: str) -> dict[str, Estimate]:
    """The share of right answers, in %, by each value of a field that may be a list."""
    return shares_of(answers, lambda answer: names(answer, key))


def _values(text: str) -> list[float | str] | None:
    """The elements of a list, with or without its brackets; None for any other text."""
    found = list_literal(text.strip())
    if found is None:
        found = list_literal(f"[{text.strip().strip('[]')}]")
    if found is None:
        return None
    return [float(item) if isinstance(item, int | float) else plain(str(item)) for item in found]
