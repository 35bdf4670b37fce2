"""The scores of samples whose mean is the first figure of a metric."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from chef.errors import DataError
from chef.metric.base import Metric
from chef.metric.report import Report
from chef.stats.estimate import PERCENT
from chef.types import Prediction, Status

#: What marks the entry of a sample that has an answer and is not scored.
_UNSCORED = ("no_truth", "unjudged", "skipped")


def has_mean(metric: Metric) -> bool:
    """Whether a metric says that its first figure is the mean of the scores of its samples."""
    return bool(metric.mean_figure) and metric.mean_figure == metric.primary


def scores_of(samples: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The score of each scored sample by id; raises DataError where one is not in 0..1."""
    scores = {}
    for entry in samples:
        if entry["status"] == Status.ERROR or any(key in entry for key in _UNSCORED):
            continue
        score = entry.get("metric_result")
        if not isinstance(score, bool | int | float) or not 0 <= score <= 1:
            what = f"the score of sample '{entry['id']}' is {score!r}, and not a number from 0 to 1"
            raise DataError(what)
        scores[str(entry["id"])] = float(score)
    return scores


def mean_scores(report: Report) -> dict[str, float]:
    """Scores of scored samples by id; raises DataError if their mean is not the first figure."""
    scores = scores_of(report.samples)
    figure = report.metrics[report.primary]
    if not scores or figure.value is None:
        return scores
    if figure.unit not in PERCENT:
        raise DataError(
            f"{report.primary} is no share in percent or from 0 to 1, which chef.stats.figures."
            "share(scores, chef.stats.clusters.clusters_of(answers)) in metric_func is"
        )
    value, mean = figure.value * PERCENT[figure.unit] / 100, sum(scores.values()) / len(scores)
    if abs(value - mean) > 1e-9:
        raise DataError(
            f"{report.primary} is {100 * value:.2f}%, and the mean of the scores of the samples is "
            f"{100 * mean:.2f}%"
        )
    return scores


class Versions(Protocol):
    """Answers by sample id, of which it can be told whether one is another than before."""

    def __getitem__(self, name: str, /) -> Prediction: ...

    def version(self, name: str) -> int:
        """A number that changes if a sample is answered again."""


class ScoresSoFar:
    """`mean_scores` of answers that are looked at again and again; each answer is read once."""

    def __init__(self, metric: Metric) -> None:
        self._metric = metric
        self._read: dict[str, int] = {}
        self._scores: dict[str, float] = {}

    def of(self, answers: Versions, names: Iterable[str]) -> Mapping[str, float]:
        """The score by id of these scored samples, and of earlier ones; raises as `mean_scores`."""
        versions = {name: answers.version(name) for name in names}
        new = [name for name, version in versions.items() if self._read.get(name) != version]
        if new:
            found = mean_scores(self._metric.evaluate(answers[name] for name in new))
            for name in new:  # which may have had a score, before it was asked again
                self._scores.pop(name, None)
                self._read[name] = versions[name]
            self._scores.update(found)
        return self._scores
