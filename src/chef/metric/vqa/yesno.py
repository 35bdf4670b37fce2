"""Yes/no questions: accuracy, precision, recall, and the bias towards yes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar

from chef.errors import DataError
from chef.metric.base import Estimate, Metric
from chef.metric.records import (
    Record,
    answer_text,
    missing_truth,
    names,
    references_of,
    scored_choice,
    scored_entry,
    true_choices,
)
from chef.metric.verdicts import Verdict as JudgeVerdict
from chef.metric.verdicts import verdict
from chef.metric.vqa.accuracy import (
    NONE_OF_THEM,
    OPTION,
    match_ratio,
    parts_of,
    share,
    share_of,
    sum_of_shares,
)
from chef.reading.labels import option_names
from chef.reading.options import extract_option
from chef.reading.text import POLICY, Reading
from chef.reading.verdicts import Verdict, extract_verdict
from chef.stats import figures
from chef.stats.clusters import clusters_of
from chef.stats.estimate import undefined


class YesNo(Metric):
    """The metrics of POPE, from 0 to 1, under ChEF's names; "yes" is the positive class.

    Source: Li et al. 2023, "Evaluating Object Hallucination in Large Vision-Language Models".

    Metrics:
        ``Accuracy``: correct answers over all scored; unparsed ones are not correct.
        ``Precision``: ``TP / (TP + FP)``. ``Recall``: ``TP / (TP + FN)``; an unparsed answer to a
        question whose answer is yes is a false negative.
        ``F1 score``: their harmonic mean, ``2 TP / (2 TP + FP + FN)``.
        ``Yes ratio``: answers "yes" over all scored; neither high nor low is good in itself.
        ``match_ratio``: answers that could be read, in % of all scored.

    A metric that would divide by zero has no value. The intervals take into account that questions
    about one image are not independent.

    Where the recipe has a judge, it says whether a text means yes or no.
    """

    primary = mean_figure = "Accuracy"
    chance_for: Sequence[str] = ("Accuracy",)
    policy = POLICY
    judge_kinds: ClassVar[Sequence[str]] = (OPTION,)

    def judge_options(self, record: dict[str, Any]) -> list[str]:
        """The options of the question; "Yes" and "No" where it has none."""
        return super().judge_options(record) or ["Yes", "No"]

    def rule_reading(self, record: dict[str, Any]) -> int | None:
        """The index of the first option that says what the answer says."""
        found = self.rule_findings(record)["parsed"]
        places = range(len(self.judge_options(record)))
        return next((index for index in places if self._verdict_at(record, index) == found), None)

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is ``yes``, ``no`` or None; ``truth`` is ``yes`` or ``no``."""
        reference = self.reference(record)
        said = verdict(record)
        found = self.read(record) if said is None else self._judged(said, record)
        return {**scored_entry(found, right=found.value == reference), "truth": reference}

    def reference(self, record: dict[str, Any]) -> str:
        """The correct answer, ``yes`` or ``no``; raises MissingTruthError."""
        texts = [
            ("yes" if item else "no") if isinstance(item, bool) else str(item)
            for item in references_of(record)
        ]
        verdicts = [_stated(text) for text in texts]
        # "(A)" is neither yes nor no, but the option that it stands for is.
        verdicts += [_option_verdict(record, index) for index in sorted(true_choices(record))]
        for given in verdicts:
            if given:
                return given
        raise missing_truth(record, "yes or no in gt_answers or gt_choice")

    def read(self, record: dict[str, Any]) -> Reading[str]:
        """The verdict of an answer: of the option chosen by its score, or of the text."""
        return read_answer(record)

    def _judged(self, said: JudgeVerdict, record: dict[str, Any]) -> Reading[str]:
        """What a judge says that the answer means."""
        if said.value == NONE_OF_THEM:
            return said.as_extraction(None)
        meant = self._verdict_at(record, said.value)
        if meant is None:
            raise DataError(f"the judge chose option {said.value}, which is neither yes nor no")
        return said.as_extraction(meant)

    def _verdict_at(self, record: dict[str, Any], index: int) -> Verdict | None:
        """The verdict of an option that a judge can choose."""
        if super().judge_options(record):
            return _option_verdict(record, index)
        return extract_verdict(_at(self.judge_options(record), index)).value

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        predicted = [answer for answer in answers if answer["parsed"] == "yes"]
        true = [answer for answer in answers if answer["truth"] == "yes"]

        def part(of: list[dict[str, Any]], key: str) -> Estimate:
            return share([answer[key] == "yes" for answer in of], of, "0-1")

        return {
            "Accuracy": share_of(answers, "metric_result", "0-1"),
            "Precision": part(predicted, "truth"),
            "Recall": part(true, "parsed"),
            "F1 score": f1_score(answers),
            "Yes ratio": replace(part(answers, "parsed"), higher_is_better=None),
            "match_ratio": match_ratio(answers),
        }


def f1_score(answers: list[dict[str, Any]]) -> Estimate:
    """The F1 score of "yes", 0 to 1 (`chef.stats.figures.f1`)."""
    said = [answer["parsed"] == "yes" for answer in answers]
    true = [answer["truth"] == "yes" for answer in answers]
    pairs = list(zip(said, true, strict=True))
    return figures.f1(
        [float(one and other) for one, other in pairs],
        [float(one and not other) for one, other in pairs],
        [float(other and not one) for one, other in pairs],
        clusters_of(answers),
    )


def read_answer(record: dict[str, Any]) -> Reading[str]:
    """The verdict of an answer: of the option chosen by its score, or of the text."""
    choice = scored_choice(record)
    if choice is not None:
        predicted = _option_verdict(record, choice)
        if predicted is None:
            raise DataError(f"option {choice} was chosen, and it says neither yes nor no")
        return Reading(predicted, "option scores", _at(names(record, "options"), choice))
    answer = answer_text(record)
    found = extract_verdict(answer, str(record.get("question") or ""))
    if found.value is not None:
        return Reading(found.value, found.rule, found.text, found.span)
    labels, texts = option_names(names(record, "options"), names(record, "choices"))
    option = extract_option(answer, texts, labels)
    predicted = None if option.value is None else _option_verdict(record, option.value)
    return Reading(predicted, option.rule, option.text, option.span)


def _option_verdict(record: dict[str, Any], index: int) -> Verdict | None:
    """The verdict of option ``index``: of the option itself ("Yes"), or of its text if "(A"."""
    texts = [_at(names(record, key), index) for key in ("options", "choices")]
    return next((verdict for text in texts if (verdict := _stated(text))), None)


@lru_cache(1024)
def _stated(text: str) -> Verdict | None:
    """The verdict of a reference or an option; cached, as few of them differ."""
    return extract_verdict(text).value


def _at(items: Sequence[str], index: int) -> str:
    return items[index] if 0 <= index < len(items) else ""


class Pope(YesNo):
    """The metrics of `YesNo`, from 0 to 1. An answer that is neither yes nor no is unparsed.

    Where the samples have a field ``category`` with the split or splits that they belong to
    ("random,popular"), each split has the same metrics under its name: ``adversarial/F1 score``. A
    sample of several splits counts in each of them, and once in the metrics over all.
    """

    group_figures = ("Accuracy", "Precision", "Recall", "F1 score", "Yes ratio", "match_ratio")

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        whole = super().metric_func(answers)
        return {
            **whole,
            **{name: super(Pope, self).metric_func(part) for name, part in splits(answers).items()},
        }


def splits(answers: list[Record]) -> dict[str, list[Record]]:
    """The answers of each split; empty if they name none.

    >>> {name: len(part) for name, part in splits([{"category": "a, b"}, {}]).items()}
    {'a': 1, 'b': 1}
    """

    def named(answer: Record) -> Iterable[str]:
        return filter(None, map(str.strip, str(answer.get("category") or "").split(",")))

    return parts_of(answers, named)


#: What the names of AMBER's categories contain, and the kind of question that they are.
KINDS: Mapping[str, str] = {
    "attribute": "Attribute",
    "relation": "Relation",
    "hallucination": "Existence",
    "existence": "Existence",
}


class Amber(YesNo):
    """Accuracy of the questions about existence, attributes and relations.

    Source: Wang et al. 2023, "AMBER: An LLM-free Multi-dimensional Benchmark for MLLMs
    Hallucination Evaluation", its discriminative part.

    Metrics, in %:
        ``Avg ACC``: the mean of the accuracies of the kinds of questions that occur.
        ``Attribute``, ``Existence``, ``Relation``: right answers over all scored, of the
        categories whose names contain "attribute", "hallucination" or "existence", and "relation".
        ``Accuracy``: right answers over all scored. ``match_ratio``: answers that could be read.
    """

    primary = "Avg ACC"
    chance_for: Sequence[str] = ("Avg ACC", "Accuracy", "Attribute", "Existence", "Relation")

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        return {
            **accuracy_of_kinds(answers),
            "Accuracy": share_of(answers, "metric_result"),
            "match_ratio": match_ratio(answers),
        }


def accuracy_of_kinds(answers: list[Record]) -> dict[str, Estimate]:
    """``Avg ACC``, and the accuracy of each kind of question that occurs."""
    parts = parts_of(answers, lambda answer: [kind_of(answer)])
    rows = [
        (place, (answer["metric_result"], 1.0))
        for place, part in enumerate(parts.values())
        for answer in part
    ]
    clusters = clusters_of([answer for part in parts.values() for answer in part])
    return {
        "Avg ACC": sum_of_shares(rows, clusters, "%", parts=len(parts), most=100)
        if parts
        else undefined("%"),
        **{name: share_of(part, "metric_result") for name, part in parts.items()},
    }


def kind_of(answer: Record) -> str:
    """The kind of a question, by its category; another category is a kind of its own."""
    category = str(answer.get("category") or "other")
    return next((kind for part, kind in KINDS.items() if part in category.lower()), category)
