"""MME: accuracy per subtask on questions and on images, and the scores of its leaderboard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from chef.metric.records import Record
from chef.metric.vqa.accuracy import parts_of, share, share_of, sum_of_shares
from chef.metric.vqa.yesno import YesNo
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate, undefined
from chef.stats.figures import count

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
    group_figures = ("overall", "overall_plus", "incomplete_images")

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        subtasks = parts_of(answers, lambda answer: [subtask_of(answer)])
        metrics: dict[str, Any] = {}
        for name, part in subtasks.items():
            metrics |= {
                name: share_of(part, "metric_result"),
                f"{name}_plus": self._plus(by_image(part)),
            }
        # An image may occur in several subtasks; its questions are a pair only within one.
        images = [image for part in subtasks.values() for image in by_image(part)]
        incomplete = [not self.pairs([image]) for image in images]
        return {
            "overall": share_of(answers, "metric_result"),
            "overall_plus": self._plus(images),
            **{
                name: points_of([subtasks.get(part, []) for part in parts], self.pairs)
                for name, parts in SCORES.items()
            },
            **dict(sorted(metrics.items())),
            "incomplete_images": count(incomplete, clusters_of([image[0] for image in images])),
        }

    def scored_with(self, record: Record) -> str:
        """The image within its subtask."""
        return f"{subtask_of(record)} {record.get('image_path', record['id'])}"

    def pairs(self, images: Iterable[list[Record]]) -> list[list[Record]]:
        """The images whose two questions were both scored."""
        return complete(images)

    def _plus(self, images: list[list[Record]]) -> Estimate:
        pairs = self.pairs(images)
        return share([float(_both(pair)) for pair in pairs], [pair[0] for pair in pairs])


def subtask_of(record: Record) -> str:
    """The subtask of a question: its ``task_type``, or in VLMEvalKit's table its ``category``."""
    return str(record.get("task_type") or record.get("category") or "other")


def by_image(answers: list[Record]) -> list[list[Record]]:
    """The questions about each image."""
    images: dict[str, list[Record]] = {}
    for answer in answers:
        images.setdefault(str(answer.get("image_path", answer["id"])), []).append(answer)
    return list(images.values())


def _both(image: list[Record]) -> bool:
    return bool(sum(answer["metric_result"] for answer in image) == 2)


def complete(images: Iterable[list[Record]]) -> list[list[Record]]:
    """The images whose two questions were both scored."""
    return [image for image in images if len(image) == 2]


def points_of(
    parts: Sequence[list[Record]],
    pairs: Callable[[Iterable[list[Record]]], list[list[Record]]] = complete,
) -> Estimate:
    """Right questions in % plus images with both right in %, summed over subtasks of 200 points
    each; ``pairs`` says which images count for the latter.
    """
    if not all(parts):
        return undefined("points")
    images = [(place, image) for place, part in enumerate(parts) for image in by_image(part)]
    rows = []
    for place, image in images:
        right, pair = sum(answer["metric_result"] for answer in image), float(bool(pairs([image])))
        rows.append((place, (right, len(image), pair * _both(image), pair)))
    clusters, most = clusters_of([image[0] for _, image in images]), 200.0 * len(parts)
    found = sum_of_shares(rows, clusters, "points", parts=len(parts), most=most)
    return replace(found, n=sum(map(len, parts)))
