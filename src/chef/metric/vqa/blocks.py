"""Questions that are scored together: blocks of a fixed size, as of MMVP; images, as of MME."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from chef.errors import DataError
from chef.metric.base import Metric
from chef.metric.records import Record
from chef.metric.vqa.accuracy import Accuracy, match_ratio, parts_of, share, share_of, sum_of_shares
from chef.metric.vqa.yesno import YesNo
from chef.stats import figures
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate, undefined
from chef.stats.figures import count
from chef.types import Prediction

#: The hits (0 or 1) of whole blocks, by the name of the block, in the order of their questions.
Blocks = dict[str, list[float]]


class InBlocks(Metric):
    """A mixin: ``block`` and ``block_place`` of a sample say which block it is of, and its place.

    Where the samples lack these fields, blocks are consecutive numbers in the ids: of a size of 2,
    1 and 2, 3 and 4 and so on; 0 and 1, 2 and 3 where there is an id 0.

    Attributes:
        size: the number of questions of a block.
    """

    size: ClassVar[int]
    _first: int = 1

    def answers_of_run(self, predictions: Sequence[Prediction]) -> Sequence[Prediction]:
        self._first = 0 if any(one.sample_id == "0" for one in predictions) else 1
        return super().answers_of_run(predictions)

    def scored_with(self, record: Record) -> str:
        """The block; of a sample that failed and does not say it, the sample itself."""
        place = self._place(record)
        return place[0] if place else f"id {record['id']}"

    def blocks(self, answers: list[Record]) -> tuple[Blocks, Estimate]:
        """The blocks with all questions scored, and the count of others; raises DataError."""
        found: dict[str, dict[int, float]] = {}
        for answer in answers:
            if (place := self._place(answer)) is None:
                raise DataError(
                    "the sample does not say which block it is of",
                    where=f"sample '{answer['id']}'",
                    hint="give it a number as id, or the fields block and block_place",
                )
            found.setdefault(place[0], {})[place[1]] = answer["metric_result"]
        whole = {
            name: [hits[place] for place in sorted(hits)]
            for name, hits in found.items()
            if len(hits) == self.size
        }
        missing = Estimate(
            len(found) - len(whole), len(found), unit="count", higher_is_better=False
        )
        return whole, missing

    def share_of_rows(self, answers: list[Record], unit: str = "%") -> Estimate:
        """Right answers over all scored."""
        hits = [answer["metric_result"] for answer in answers]
        return figures.share(hits, clusters_of(answers, self.drawn_with), unit)

    def share_of_blocks(
        self, hits: Mapping[str, float], answers: list[Record], unit: str = "%"
    ) -> Estimate:
        """The mean of one score a block, in 0..1 by its name."""
        numbers = clusters_of(answers, self.drawn_with)
        clusters = {
            self.scored_with(one): number for one, number in zip(answers, numbers, strict=True)
        }
        return figures.share(list(hits.values()), [clusters[name] for name in hits], unit)

    def _place(self, record: Record) -> tuple[str, int] | None:
        """The block and the place in it; None where the sample does not say."""
        if "block" in record:
            return str(record["block"]), int(record["block_place"])
        name = str(record["id"])
        if not (name.isascii() and name.isdecimal()):
            return None
        block, place = divmod(int(name) - self._first, self.size)
        return str(block), place


def all_right(blocks: Blocks) -> dict[str, float]:
    """1 for each block with all questions right, else 0."""
    return {name: float(all(hits)) for name, hits in blocks.items()}


class MMVP(InBlocks, Accuracy):
    """The share of pairs with both questions right.

    Source: Tong et al. 2024, "Eyes Wide Shut? Exploring the Visual Shortcomings of Multimodal
    LLMs".

    Metrics, in %:
        ``pair_acc``: pairs with both answers right, over the pairs with both scored.
        ``ACC``, ``match_ratio``: as of `Accuracy`, over the questions.
        ``incomplete_groups`` (a count): pairs of which one question was not scored.
    """

    primary = "pair_acc"
    chance_for = ("ACC",)
    size = 2

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        pairs, missing = self.blocks(answers)
        return {
            "pair_acc": self.share_of_blocks(all_right(pairs), answers),
            **super().metric_func(answers),
            "ACC": self.share_of_rows(answers),
            "incomplete_groups": missing,
        }


#: The places in a group of the two images of each question, and of the two questions on each image:
#: a group asks question 0 about images 0 and 1, then question 1.
_QUESTIONS, _IMAGES = ((0, 1), (2, 3)), ((0, 2), (1, 3))


class NaturalBench(InBlocks, Accuracy):
    """Accuracy of questions, of images and of groups of two questions about two images.

    Source: Li et al. 2024, "NaturalBench: Evaluating Vision-Language Models on Natural Adversarial
    Samples".

    Metrics, in %:
        ``Q_Acc``: questions right on both images. ``I_Acc``: images with both questions right.
        ``G_Acc``: groups with all four answers right. ``Acc``: right answers.
        ``match_ratio``: answers that could be read, over all scored.
        ``incomplete_groups`` (a count): groups without four scored answers; they count in ``Acc``
        and ``match_ratio`` alone.
    """

    primary = "G_Acc"
    chance_for = ("Acc",)
    size = 4

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        groups, missing = self.blocks(answers)
        return {
            **{
                name: self.share_of_blocks(hits, answers)
                for name, hits in group_scores(groups).items()
            },
            "Acc": self.share_of_rows(answers),
            "match_ratio": match_ratio(answers),
            "incomplete_groups": missing,
        }


def group_scores(groups: Blocks) -> dict[str, dict[str, float]]:
    """``Q_Acc``, ``I_Acc`` and ``G_Acc`` of each whole group, in 0..1.

    >>> group_scores({"0": [1, 1, 0, 1]})
    {'Q_Acc': {'0': 0.5}, 'I_Acc': {'0': 0.5}, 'G_Acc': {'0': 0.0}}
    """
    return {
        "Q_Acc": _pairs(groups, _QUESTIONS),
        "I_Acc": _pairs(groups, _IMAGES),
        "G_Acc": all_right(groups),
    }


def _pairs(groups: Blocks, places: Sequence[tuple[int, int]]) -> dict[str, float]:
    """The share of pairs of each group with both answers right."""
    return {
        name: sum(hits[first] == hits[second] == 1 for first, second in places) / len(places)
        for name, hits in groups.items()
    }


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
