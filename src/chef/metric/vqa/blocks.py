"""Questions that are scored in blocks of a fixed size, such as the pairs of MMVP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from chef.errors import DataError
from chef.metric.base import Metric
from chef.metric.records import Record
from chef.metric.vqa.accuracy import Accuracy, match_ratio
from chef.stats import figures
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate
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
