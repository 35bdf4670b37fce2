"""Runs with several sampled answers to each question: what they need, and their figures."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from chef.errors import ConfigError
from chef.inferencer import Inferencer
from chef.inferencer.decoding import Decoding
from chef.metric import Estimate, Metric
from chef.metric.groups import natural
from chef.registry import recipe_name
from chef.scenario import Scenario
from chef.scenario.wrapped import QUESTION, SIZE, Sampled
from chef.stats.clusters import clusters_of
from chef.stats.sampled import Sampling, question_scores, sampled_figures

_WHERE = "scenario_cfg.samples (--samples)"


def check_sampled(scenario: Scenario, inferencer: Inferencer, metrics: Sequence[Metric]) -> None:
    """ConfigError unless several answers to a question differ, and each is right or wrong."""
    if not isinstance(scenario, Sampled):
        return
    decoding = getattr(inferencer, "decoding", None)
    if not isinstance(decoding, Decoding):
        raise ConfigError(
            f"{recipe_name(type(inferencer))} samples no text, so all answers would be the same",
            where=_WHERE,
            hint="use inferencer_type: Direct with a temperature, or leave out samples",
        )
    if decoding.temperature == 0:
        raise ConfigError(
            "answers are decoded greedily (temperature: 0), so all would be the same",
            where=_WHERE,
            hint="set eval_cfg.inferencer_cfg.temperature=0.7, or leave out samples",
        )
    for metric in metrics:
        if not metric.mean_figure:
            raise ConfigError(
                f"{recipe_name(type(metric))} does not say of single answers whether they are "
                "right",
                where=_WHERE,
                hint="choose a metric that does, such as Accuracy, or leave out samples; a class "
                "of your own says it with mean_figure, the name of its mean",
            )


def figures_of_questions(records: Iterable[Mapping[str, Any]]) -> Mapping[str, Estimate]:
    """The figures over the questions asked several times (a score of 1 is right), or none."""
    questions = _questions(records)
    if not questions:
        return {}
    firsts = [answers[0] for answers in questions]
    return sampled_figures(
        list(map(_sampling, questions)), clusters_of(firsts), int(firsts[0][SIZE])
    )


def scores_of_questions(records: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """By figure, the score 0 to 1 of each question, by the id of its first scored sample."""
    questions = _questions(records)
    if not questions:
        return {}
    names = [str(answers[0]["id"]) for answers in questions]
    by_figure = question_scores(list(map(_sampling, questions)), int(questions[0][0][SIZE]))
    return {
        figure: {names[place]: score for place, score in scores.items()}
        for figure, scores in by_figure.items()
    }


def _questions(records: Iterable[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """The scored answers to each question that was asked several times."""
    questions: dict[str, list[Mapping[str, Any]]] = {}
    asked = [record for record in records if QUESTION in record and "metric_result" in record]
    for record in sorted(asked, key=lambda record: natural(str(record["id"]))):
        questions.setdefault(str(record[QUESTION]), []).append(record)
    return list(questions.values())


def _sampling(entries: Sequence[Mapping[str, Any]]) -> Sampling:
    right = [entry["metric_result"] == 1 for entry in entries]
    return Sampling(right, [_named(entry.get("parsed")) for entry in entries])


def _named(parsed: Any) -> Hashable | None:
    """What was read, as a name of its own: lists and mappings, too."""
    return None if parsed is None else msgspec.json.encode(parsed, order="sorted")
