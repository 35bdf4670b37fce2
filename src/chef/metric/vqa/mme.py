"""MME: accuracy per subtask on questions and on images, and the scores of its leaderboard."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from statistics import NormalDist
from typing import Any

from chef.metric.statistics import CONFIDENCE, proportion
from chef.metric.vqa.accuracy import share_of
from chef.metric.vqa.yesno import YesNo
from chef.stats.estimate import Estimate, undefined

Record = dict[str, Any]

SCORES: Mapping[str, tuple[str, ...]] = {
    "perception": (
        "existence", "count", "position", "color", "posters", "celebrity", "scene", "landmark",
        "artwork", "OCR",
    ),
    "cognition": (
        "commonsense_reasoning", "numerical_calculation", "text_translation", "code_reasoning",
    ),
}  # fmt: skip


class MMEVQA(YesNo):
    """Accuracy on questions and on images, per subtask and over all of them.

    Source: Fu et al. 2023, "MME: A Comprehensive Evaluation Benchmark for Multimodal Large Language
    Models".

    Metrics:
        ``{subtask}``: correct questions, in %. ``{subtask}_plus``: images with both questions
        correct, in % of those with both scored (and no third one).
        ``overall``, ``overall_plus``: the same over all subtasks.
        ``perception`` (0 to 2000), ``cognition`` (0 to 800): the sums of ``{subtask} +
        {subtask}_plus`` over ten and four subtasks, as on MME's leaderboard; no value if a
        subtask is missing.
        ``incomplete_images`` (a count): images without exactly two scored questions in a subtask;
        they are left out of all ``_plus``, but their questions count in ``{subtask}``.
    """

    primary = "overall"
    chance_for = ("overall", *(name for names in SCORES.values() for name in names))

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        subtasks: dict[str, list[Record]] = defaultdict(list)
        for answer in answers:
            subtasks[subtask_of(answer)].append(answer)
        metrics: dict[str, Any] = {}
        for name, part in subtasks.items():
            metrics |= {name: _right(part), f"{name}_plus": self._plus(_by_image(part))}
        # An image may occur in several subtasks; its questions are a pair only within one.
        images = [image for part in subtasks.values() for image in _by_image(part)]
        pairs = self.pairs(images)
        return {
            "overall": _right(answers),
            "overall_plus": self._plus(images),
            **{name: self._score(parts, subtasks) for name, parts in SCORES.items()},
            **dict(sorted(metrics.items())),
            "incomplete_images": Estimate(
                len(images) - len(pairs), len(images), unit="count", higher_is_better=False
            ),
        }

    def group_metrics(self, answers: list[Record]) -> dict[str, Any]:
        """``overall``, ``overall_plus`` and ``incomplete_images`` of the group."""
        values = self.metric_func(answers)
        return {key: values[key] for key in ("overall", "overall_plus", "incomplete_images")}

    def scored_with(self, record: Record) -> str:
        """The image within its subtask."""
        return f"{subtask_of(record)} {record.get('image_path', record['id'])}"

    def pairs(self, images: Iterable[list[Record]]) -> list[list[Record]]:
        """The images whose two questions were both scored."""
        return [image for image in images if len(image) == 2]

    def _plus(self, images: list[list[Record]]) -> Estimate:
        pairs = self.pairs(images)
        return proportion(sum(_both(pair) for pair in pairs), len(pairs))

    def _score(self, names: tuple[str, ...], subtasks: Mapping[str, list[Record]]) -> Estimate:
        """The sum of independent means, one per subtask, with its standard error."""
        value = variance = 0.0
        n = 0
        for name in names:
            part = subtasks.get(name, [])
            first, second = _right(part), self._plus(_by_image(part))
            if first.value is None or second.value is None:
                return undefined("points")
            value += first.value + second.value
            variance += _variance(_by_image(part))
            n += len(part)
        if not variance:  # no variation in the sample says little about other images
            return Estimate(value, n, unit="points")
        stderr = math.sqrt(variance)
        half = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2) * stderr
        low, high = max(0.0, value - half), min(200.0 * len(names), value + half)
        return Estimate(value, n, stderr, low, high, "points", "normal")


def subtask_of(record: Record) -> str:
    """The subtask of a question: its ``task_type``, or in VLMEvalKit's table its ``category``."""
    return str(record.get("task_type") or record.get("category") or "other")


def _by_image(answers: list[Record]) -> list[list[Record]]:
    images: dict[str, list[Record]] = {}
    for answer in answers:
        images.setdefault(str(answer.get("image_path", answer["id"])), []).append(answer)
    return list(images.values())


def _right(answers: list[Record]) -> Estimate:
    return share_of(answers, "metric_result")


def _both(image: list[Record]) -> bool:
    return bool(sum(answer["metric_result"] for answer in image) == 2)


def _variance(images: list[list[Record]]) -> float:
    """The variance of a subtask's score, a mean over images of 0, 50 or 200 points each."""
    n = len(images)
    if n < 2:
        return 0.0
    points: list[float] = [
        100 * sum(answer["metric_result"] for answer in image) / len(image) + 100 * _both(image)
        for image in images
    ]
    mean = sum(points) / n
    squares = sum((point - mean) ** 2 for point in points)
    return squares / (n - 1) / n
