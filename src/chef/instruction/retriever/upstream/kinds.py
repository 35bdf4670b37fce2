"""Retrievers as in ChEF: draws from one random stream of NumPy, and nearest by inner products.

The evaluated set is their pool of examples, by position. ChEF makes one list of examples for each
sample, in the order of the evaluated set, and slices these lists by batches, with the length of the
current batch. So a last batch that is shorter than the others gets the lists of other samples. No
sample is excluded, a query may be its own example; the nearest exclude only the query itself.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar

from chef.common.circular import ROTATION, is_rotation
from chef.errors import ConfigError, SampleError
from chef.image import Image
from chef.instruction.retriever import base, nearest
from chef.instruction.retriever.base import AT, ExamplePool, Retriever
from chef.instruction.retriever.nearest import Nearest
from chef.scenario.base import Scenario
from chef.types import Sample


class EvaluatedSet(ExamplePool):
    """The samples of a run, in the order in which ChEF asks them, as the pool of examples.

    Args:
        scenario: all samples.
        order: the positions of those that are asked, in ChEF's order.
        batch_size: number of samples in a batch.
    """

    def __init__(self, scenario: Scenario, order: Sequence[int], batch_size: int) -> None:
        super().__init__(_Ordered(scenario, order))
        self.whole, self.batch_size = scenario, batch_size
        self._places = {self.scenario.sample_id(place): place for place in range(len(order))}

    def place(self, sample_id: str) -> int:
        """The position whose list of examples ChEF uses for this sample.

        Raises:
            SampleError: the sample is not among those that are asked.
        """
        if sample_id not in self._places:
            raise SampleError("is none of the evaluated samples", where=f"sample '{sample_id}'")
        batch, row = divmod(self._places[sample_id], self.batch_size)
        length = min(self.batch_size, len(self) - batch * self.batch_size)
        return batch * length + row

    def at(self, place: int) -> Sample:
        """The sample at a position; -1 is the last one, as in ChEF.

        Raises:
            SampleError: it cannot be made, or its true answer is not known.
        """
        sample = self.example(place % len(self))
        if sample is None:
            raise SampleError(f"the example at position {place} cannot be shown")
        return sample

    @cached_property
    def left_out(self) -> frozenset[int]:
        """Positions that retrieval by similarity ignores: rotations of a question.

        These are positions in the whole data set, even where a subset is asked.
        """
        first = next((item for item in map(self.example, range(len(self))) if item), None)
        if first is None or "circular_group" not in first.fields:
            return frozenset()
        names = [self.whole.sample_id(index) for index in range(len(self.whole))]
        # ChEF takes the first rotation of question 0, whose index is ROTATION, for a question.
        return frozenset(
            index for index, name in enumerate(names) if is_rotation(name) and int(name) != ROTATION
        )

    def usable(self, sample: Sample) -> bool:
        return sample.answer is not None


class _Ordered(Scenario):
    """Some samples of a scenario, in a given order."""

    def __init__(self, scenario: Scenario, order: Sequence[int]) -> None:
        self._scenario, self._order = scenario, order
        self.name, self.wording, self.metric = scenario.name, scenario.wording, scenario.metric

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, index: int) -> Sample:
        return self._scenario[self._order[index]]

    def sample_id(self, index: int) -> str:
        return self._scenario.sample_id(self._order[index])


class ChefRetriever(Retriever):
    """Takes examples from an `EvaluatedSet` and excludes none, not even the query itself."""

    @property
    def evaluated(self) -> EvaluatedSet:
        """The pool."""
        assert isinstance(self.pool, EvaluatedSet), "ChEF's examples come from the evaluated set"
        return self.pool

    def least(self, pool: ExamplePool) -> int:  # noqa: ARG002
        """A draw without replacement may take the whole set, the query included."""
        return self.ice_num

    @abstractmethod
    def listed(self, place: int) -> Sequence[int]:
        """Positions of the examples for the sample at a position of the evaluated set."""

    def retrieve(self, query: Sample) -> tuple[Sample, ...]:
        """The examples that ChEF gives to ``query``.

        Raises:
            SampleError: ``query`` is not in the evaluated set, or an example cannot be shown.
        """
        assert self.pool is not None, "prepare has to be called first"
        if not self.ice_num:
            return ()
        positions = self.listed(self.evaluated.place(query.id))
        return tuple(self.evaluated.at(place) for place in positions)


class Random(ChefRetriever, base.Random):
    """One draw for each sample, in the order of the evaluated set."""

    def listed(self, place: int) -> Sequence[int]:
        return self._lists[place]

    @cached_property
    def _lists(self) -> list[list[int]]:
        import numpy as np

        stream, length = np.random.RandomState(self.random_seed), len(self.evaluated)
        drawn = (stream.choice(length, self.ice_num, replace=False) for _ in range(length))
        return [[int(index) for index in draw] for draw in drawn]


class Fixed(ChefRetriever, base.Fixed):
    """The assigned examples or one draw for all, without substitutes; ids may be repeated."""

    def check_assigned(self, ids: list[int]) -> None:
        """Check that there are ``ice_num`` ids.

        Raises:
            ConfigError: there are fewer or more.
        """
        if len(ids) != self.ice_num:
            raise ConfigError(
                f"{len(ids)} ids for {self.ice_num} examples",
                where=f"{AT}.ice_assigned_ids",
                hint="give ice_num ids",
            )

    def least(self, pool: ExamplePool) -> int:
        """One sample is enough for assigned ids, which may be repeated."""
        return 1 if self.assigned else super().least(pool)

    def listed(self, place: int) -> Sequence[int]:  # noqa: ARG002 (the same for all)
        return self.assigned or self._drawn

    @cached_property
    def _drawn(self) -> list[int]:
        import numpy as np

        stream = np.random.RandomState(self.random_seed)
        choice = stream.choice(len(self.evaluated), self.ice_num, replace=False)
        return [int(index) for index in choice]


class ChefNearest(ChefRetriever, Nearest[Any]):
    """Compares inner products of vectors of any length."""

    unit_vectors: ClassVar[bool] = False

    def least(self, pool: ExamplePool) -> int:  # noqa: ARG002
        """One sample is enough, because the last sample takes the place of missing neighbours."""
        return 1

    def listed(self, place: int) -> Sequence[int]:
        evaluated, wanted = self.evaluated, self.ice_num + 1
        nearest = self.preference(evaluated.at(place))
        looked_at = (index for index in nearest if index not in evaluated.left_out)
        found = list(islice(looked_at, wanted))
        found += [-1] * (wanted - len(found))  # FAISS gives -1 for a missing neighbour
        return [index for index in found if index != place][: self.ice_num]


class TopkText(ChefNearest, nearest.TopkText):
    """`chef.instruction.retriever.nearest.TopkText`, compared as in ChEF."""


class TopkImg(ChefNearest, nearest.TopkImg):
    """`chef.instruction.retriever.nearest.TopkImg`, compared as in ChEF."""

    def items(self, sample: Sample) -> Sequence[Image]:
        if len(sample.images) > 1:
            raise SampleError(
                "ChEF's topk_img cannot compare samples of several images",
                where=f"sample '{sample.id}'",
                hint="write incontext_cfg.compat: corrected",
            )
        return super().items(sample)
