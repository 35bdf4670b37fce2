"""Yes/no questions: accuracy, and whether the model leans to yes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chef.errors import DataError
from chef.metric.base import BaseMetric
from chef.metric.extraction import (
    POLICY,
    Extraction,
    extract_option,
    extract_verdict,
    option_names,
)
from chef.metric.extraction.verdict import Verdict
from chef.metric.records import (
    answer_text,
    missing_truth,
    names,
    scored_choice,
    true_choices,
    truths,
    verdict_of,
)
from chef.metric.statistics import bootstrap_ratio, proportion


class YesNo(BaseMetric):
    """The figures of POPE, on a scale of 0 to 1, under ChEF's names; "yes" is the positive class.

    Source: Li et al. 2023, "Evaluating Object Hallucination in Large Vision-Language Models".

    Figures:
        ``Accuracy``: right verdicts over all scored; unparsed ones are not right.
        ``Precision``: yes rightly said over yes said. ``Recall``: yes rightly said over yes true.
        ``F1 score``: their harmonic mean, ``2 TP / (yes said + yes true)``.
        ``Yes ratio``: yes said over all scored; neither high nor low is good in itself.
        ``match_ratio``: answers that could be read, in % of all scored.
        A figure that would divide by zero has no value.
    """

    primary = "Accuracy"

    def judge(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is ``yes``, ``no`` or None, ``truth`` is ``yes`` or ``no``."""
        truth = _truth(record)
        found = _answer(record)
        return {**verdict_of(found, right=found.value == truth), "truth": truth}

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        n = len(answers)
        said = [answer["parsed"] == "yes" for answer in answers]
        true = [answer["truth"] == "yes" for answer in answers]
        both = [first and second for first, second in zip(said, true, strict=True)]
        right = sum(answer["metric_result"] for answer in answers)
        return {
            "Accuracy": proportion(right, n, "0-1"),
            "Precision": proportion(sum(both), sum(said), "0-1"),
            "Recall": proportion(sum(both), sum(true), "0-1"),
            "F1 score": bootstrap_ratio(
                [2.0 * hit for hit in both],
                [float(first + second) for first, second in zip(said, true, strict=True)],
                unit="0-1",
            ),
            "Yes ratio": proportion(sum(said), n, "0-1", higher_is_better=None),
            "match_ratio": proportion(sum(answer["parsed"] is not None for answer in answers), n),
            "policy": POLICY,
        }


def _truth(record: dict[str, Any]) -> str:
    said = [
        "yes" if item is True else "no" if item is False else str(item) for item in truths(record)
    ]
    verdicts = [extract_verdict(text).value for text in said]
    # "(A)" says neither; the option it stands for does.
    verdicts += [_option_verdict(record, index) for index in sorted(true_choices(record))]
    for verdict in verdicts:
        if verdict:
            return verdict
    raise missing_truth(record, "yes or no in gt_answers or gt_choice")


def _answer(record: dict[str, Any]) -> Extraction[str]:
    choice = scored_choice(record)
    if choice is not None:
        said = _option_verdict(record, choice)
        if said is None:
            raise DataError(f"option {choice} was chosen, and it says neither yes nor no")
        return Extraction(said, "option scores", _at(names(record, "options"), choice))
    answer = answer_text(record)
    found = extract_verdict(answer)
    if found.value is not None:
        return Extraction(found.value, found.rule, found.text, found.span)
    labels, texts = option_names(names(record, "options"), names(record, "choices"))
    option = extract_option(answer, texts, labels)
    said = None if option.value is None else _option_verdict(record, option.value)
    return Extraction(said, option.rule, option.text, option.span)


def _option_verdict(record: dict[str, Any], index: int) -> Verdict | None:
    """What option ``index`` says: the option itself ("Yes"), or its text, when it is "(A"."""
    texts = [_at(names(record, key), index) for key in ("options", "choices")]
    return next((verdict for text in texts if (verdict := extract_verdict(text).value)), None)


def _at(items: Sequence[str], index: int) -> str:
    return items[index] if 0 <= index < len(items) else ""
