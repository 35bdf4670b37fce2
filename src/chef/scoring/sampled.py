"""Runs with several sampled answers to each question: what they need, and their figures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.inferencer import Inferencer
from chef.inferencer.decoding import Decoding
from chef.metric import Metric
from chef.metric.groups import natural
from chef.registry import recipe_name
from chef.scenario import Scenario
from chef.scenario.wrapped import QUESTION, SIZE, Sampled
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate
from chef.stats.figures import share


class Sampling(Frozen):
    """The sampled answers to one question: whether each scored one is right, and what was read."""

    right: Sequence[bool]
    said: Sequence[Hashable | None]


def pass_at_k(n: int, right: int, k: int) -> float:
    """The chance that at least one of k answers, drawn from n without replacement, is right.

    It is the unbiased estimator ``1 - C(n - c, k) / C(n, k)`` of Chen et al. 2021, "Evaluating
    Large Language Models Trained on Code", with c = ``right``.

    >>> pass_at_k(4, 1, 2), pass_at_k(4, 3, 2)
    (0.5, 1.0)
    """
    return 1.0 - math.comb(n - right, k) / math.comb(n, k)


def majority_is_right(sampling: Sampling) -> float:
    """How likely the answer that was said most often is right, 0-1; of a tie, each is as likely.

    Wang et al. 2023, "Self-Consistency Improves Chain of Thought Reasoning in Language Models".
    Answers that could not be read have no vote. The order of the answers does not count: of a tie
    of m, taking the one that came first is right with the same chance, and says less.

    >>> majority_is_right(Sampling([False, True, True], ["B", "A", "A"]))
    1.0
    >>> majority_is_right(Sampling([False, True], ["B", "A"]))
    0.5
    """
    votes = Counter(value for value in sampling.said if value is not None)
    if not votes:
        return 0.0
    most = max(votes.values())
    winners = [value for value, count in votes.items() if count == most]
    return sum(sampling.right[sampling.said.index(value)] for value in winners) / len(winners)


def question_scores(questions: Sequence[Sampling], samples: int) -> dict[str, dict[int, float]]:
    """The scores, 0 to 1, of which figures of several answers to each question are the means.

    By figure, those of the questions in it by place: ``mean@K``, ``majority@K``, and ``pass@k`` for
    k = 2, 4, 8, ... and K, of questions with k scored answers. Each has one at least.
    """
    places = range(len(questions))
    means = {place: sum(questions[place].right) / len(questions[place].right) for place in places}
    scores = {f"mean@{samples}": means}
    for k in [*_powers(samples), samples]:
        rights = {place: questions[place].right for place in places}
        scores[f"pass@{k}"] = {
            place: pass_at_k(len(right), sum(right), k)
            for place, right in rights.items()
            if len(right) >= k
        }
    votes = {place: majority_is_right(questions[place]) for place in places}
    return {**scores, f"majority@{samples}": votes}


def sampled_figures(
    questions: Sequence[Sampling], clusters: Sequence[Hashable], samples: int
) -> Mapping[str, Estimate]:
    """The means of `question_scores` over the questions, in %."""
    return {
        figure: share(list(scores.values()), [clusters[place] for place in scores])
        for figure, scores in question_scores(questions, samples).items()
    }


def _powers(samples: int) -> list[int]:
    """2, 4, 8, ... below the number of samples."""
    return [1 << power for power in range(1, samples.bit_length()) if 1 << power < samples]


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
