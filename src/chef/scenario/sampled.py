"""Several sampled answers to each question of any scenario (``samples: K``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from chef.common.digest import content_digest
from chef.scenario.base import Scenario
from chef.scenario.wrapped import Wrapped
from chef.types import Sample

#: The field of a sample with the id of its question; samples that share it are one cluster.
QUESTION = "sampled_from"
#: The field with the number of samples of each question.
SIZE = "sampled_size"
#: How many samples of the data are kept for their repetitions; their images stay decoded.
_KEPT = 4


class Sampled(Wrapped):
    """A scenario whose questions are asked several times each.

    Sample number k (from 1) of the question ``a`` has the id ``a#k``. As the random stream of an
    answer follows the id of its sample, each is drawn by (seed, question, k).
    """

    def __init__(self, base: Scenario, samples: int) -> None:
        super().__init__(base)
        self.samples = samples
        # The samples of a question follow each other and share an image, which is decoded once.
        self._sample = lru_cache(maxsize=_KEPT)(base.__getitem__)

    def __len__(self) -> int:
        return len(self.base) * self.samples

    def __getitem__(self, index: int) -> Sample:
        sample: Any = self._sample(index // self.samples)
        if not isinstance(sample, Sample):
            return sample  # type: ignore[no-any-return]  # it is refused by the name of the sample
        return self._repeated(sample, index)

    def sample_id(self, index: int) -> str:
        place, number = divmod(index, self.samples)
        return f"{self.base.sample_id(place)}#{number + 1}"

    def group(self, index: int) -> str | None:
        """The group of the question in its scenario, else the question itself."""
        place = index // self.samples
        return self.base.group(place) or self.base.sample_id(place)

    def outlines(self) -> Iterator[Sample | None]:
        for place, sample in enumerate(self.base.outlines()):
            for index in range(place * self.samples, (place + 1) * self.samples):
                yield None if sample is None else self._repeated(sample, index)

    def row_digests(self) -> Mapping[str, str]:
        digests = self.base.row_digests()
        return {
            self.sample_id(index): content_digest(digests[name], str(self.samples), size=8)
            for index in range(len(self))
            if (name := self.base.sample_id(index // self.samples)) in digests
        }

    def _repeated(self, sample: Sample, index: int) -> Sample:
        question = self.base.sample_id(index // self.samples)
        fields = {**sample.fields, QUESTION: question, SIZE: self.samples}
        return replace(sample, id=self.sample_id(index), fields=fields)
