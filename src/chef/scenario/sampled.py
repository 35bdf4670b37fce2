"""Several sampled answers to each question of any scenario (``samples: K``)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from chef.scenario.base import Scenario
from chef.scenario.wrapped import ManyRows
from chef.types import Sample

#: The field of a sample with the id of its question; samples that share it are one cluster.
QUESTION = "sampled_from"
#: The field with the number of samples of each question.
SIZE = "sampled_size"


class Sampled(ManyRows):
    """A scenario whose questions are asked several times each.

    Sample number k (from 1) of the question ``a`` has the id ``a#k``. As the random stream of an
    answer follows the id of its sample, each is drawn by (seed, question, k).
    """

    def __init__(self, base: Scenario, samples: int) -> None:
        super().__init__(base)
        self.samples = samples

    def __len__(self) -> int:
        return len(self.base) * self.samples

    def row(self, index: int) -> tuple[int, ...]:
        return divmod(index, self.samples)

    def row_sample(self, sample: Sample, index: int) -> Sample:
        question = self.base.sample_id(index // self.samples)
        fields = {**sample.fields, QUESTION: question, SIZE: self.samples}
        return replace(sample, id=self.sample_id(index), fields=fields)

    def row_part(self, index: int) -> str:  # noqa: ARG002
        return str(self.samples)

    def sample_id(self, index: int) -> str:
        place, number = self.row(index)
        return f"{self.base.sample_id(place)}#{number + 1}"

    def outlines(self) -> Iterator[Sample | None]:
        for place, sample in enumerate(self.base.outlines()):
            for index in range(place * self.samples, (place + 1) * self.samples):
                yield None if sample is None else self.row_sample(sample, index)
