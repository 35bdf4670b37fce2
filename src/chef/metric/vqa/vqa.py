"""Multiple-choice questions about images: ScienceQA, SEEDBench."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from chef.metric.base import Metric
from chef.metric.records import (
    MissingTruthError,
    by_score,
    names,
    required_choices,
    scored_choice,
    scored_entry,
)
from chef.metric.vqa.accuracy import (
    OPTION,
    MeanMetric,
    accuracy,
    choice_kind,
    score_choice,
    share_of,
)
from chef.reading.text import POLICY


class OptionMetric(Metric):
    """Answers to questions of multiple choice; a subclass says which of them count."""

    policy = POLICY
    judge_kinds: ClassVar[Sequence[str]] = (OPTION,)
    content_only: bool = False

    def judge_kind(self, record: dict[str, Any]) -> str | None:
        """``option``, unless an option was chosen by its score."""
        return choice_kind(record)

    def rule_reading(self, record: dict[str, Any]) -> int | None:
        """The index of the option."""
        index: int | None = self.rule_findings(record)["parsed"]
        return index

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the index of the option; ``match`` says how it was read (`match_kind`)."""
        return score_choice(record, content_only=self.content_only)


class VQA(OptionMetric):
    """Share of correct options.

    Metrics:
        ``ACC``: correct options, in % of all scored; unparsed answers are not correct.
        ``match_ratio``: answers that could be read, in % of all scored.

    Args:
        dataset_name: the name of the scenario.
        content_only: match only the words of the options, never their letters.
    """

    primary = mean_figure = "ACC"
    chance_for = ("ACC",)
    aggregates: ClassVar[Sequence[str]] = ("metric_result", "parsed")

    def __init__(self, dataset_name: str = "", *, content_only: bool = False) -> None:
        super().__init__(dataset_name)
        self.content_only = content_only

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return accuracy(answers)


class LammVQA(MeanMetric, VQA):
    """Share of correct options, from 0 to 1.

    Metrics:
        ``vision_acc``: correct options over all scored.
    """

    primary = mean_figure = "vision_acc"
    chance_for = ("vision_acc",)
    aggregates = ("metric_result",)
    unit = "0-1"


#: An abstention: an option that is never counted as wrong.
ABSTAIN = "I don't know."


class Ch3EfMetric(Metric):
    """Share of accepted options. Written answers are kept but not scored: people rate them.

    Metrics:
        ``ACC``: the correct option, or an abstention if it is offered, in % of all scored.
        ``abstained``: abstentions, in % of all scored; neither high nor low is good in itself.

    Args:
        dataset_name: the name of the scenario.
    """

    primary = "ACC"

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the index of the option."""
        right = required_choices(record)
        choice = scored_choice(record)
        if choice is None:
            raise MissingTruthError(
                "a written answer is judged by a person", hint="set ppl: true to score options"
            )
        options = names(record, "options")
        abstained = choice < len(options) and options[choice].strip() == ABSTAIN
        found = by_score(choice, record)
        return {**scored_entry(found, right=choice in right or abstained), "abstained": abstained}

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        abstained = share_of(answers, "abstained")
        return {
            "ACC": share_of(answers, "metric_result"),
            "abstained": replace(abstained, higher_is_better=None),
        }
