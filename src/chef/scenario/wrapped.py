"""Scenarios around another one, whose samples are changed, or asked in several rows each."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from chef.common.digest import content_digest
from chef.scenario.base import ColumnUse, Scenario
from chef.types import Sample


class Wrapped(Scenario):
    """A scenario with the ids, groups and data of another one; a subclass says what differs."""

    def __init__(self, base: Scenario) -> None:
        self.base = base
        self.name, self.metric = base.name, base.metric
        self.metric_by_name = base.metric_by_name
        self.has_wordings, self.system_message = base.has_wordings, base.system_message
        if base.has_wordings:
            self.wording = base.wording
        self.random_accuracy = base.random_accuracy
        # Those of the base, which are not attributes of this class.
        self.protocols = base.protocols  # type: ignore[misc]
        self.grouped_by = base.grouped_by  # type: ignore[method-assign]

    def changed(self, sample: Sample) -> Sample:
        """A sample as this scenario asks it; the same where a subclass changes nothing."""
        return sample

    def __len__(self) -> int:
        return len(self.base)

    def __getitem__(self, index: int) -> Sample:
        sample: Any = self.base[index]
        # What is no sample is refused by its name.
        return self.changed(sample) if isinstance(sample, Sample) else sample

    def outlines(self) -> Iterator[Sample | None]:
        return self.base.outlines()

    def column_use(self) -> ColumnUse | None:
        return self.base.column_use()

    def sample_id(self, index: int) -> str:
        return self.base.sample_id(index)

    def group(self, index: int) -> str | None:
        return self.base.group(index)

    def pool(self) -> Scenario | None:
        return self.base.pool()

    def fingerprint(self) -> str:
        return self.base.fingerprint()

    def row_state(self) -> str:
        return self.base.row_state()

    def row_digests(self) -> Mapping[str, str]:
        return self.base.row_digests()


#: How many samples of the data are kept for their repetitions; their images stay decoded.
_KEPT = 4


class ManyRows(Wrapped):
    """A scenario that asks a question of another one in several rows, which follow each other.

    A subclass says which rows there are (`row`, ``__len__``), and what each asks (`row_sample`).
    """

    def __init__(self, base: Scenario) -> None:
        super().__init__(base)
        # The rows of a question share an image, which is decoded once.
        self._sample = lru_cache(maxsize=_KEPT)(base.__getitem__)

    @abstractmethod
    def row(self, index: int) -> tuple[int, ...]:
        """The place of a row's question in the data, then what tells the row from its others."""

    @abstractmethod
    def row_sample(self, sample: Sample, index: int) -> Sample:
        """What a row asks of its question."""

    @abstractmethod
    def row_part(self, index: int) -> str:
        """What the digest of a row has besides that of its question."""

    def __getitem__(self, index: int) -> Sample:
        sample: Any = self._sample(self.row(index)[0])
        # What is no sample is refused by its name.
        return self.row_sample(sample, index) if isinstance(sample, Sample) else sample

    def group(self, index: int) -> str | None:
        """The group of the question in its scenario, else the question itself."""
        place = self.row(index)[0]
        return self.base.group(place) or self.base.sample_id(place)

    def row_digests(self) -> Mapping[str, str]:
        digests = self.base.row_digests()
        return {
            self.sample_id(index): content_digest(digests[name], self.row_part(index), size=8)
            for index in range(len(self))
            if (name := self.base.sample_id(self.row(index)[0])) in digests
        }


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
