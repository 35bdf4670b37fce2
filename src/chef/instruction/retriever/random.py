"""Examples drawn at random, anew for every query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from chef.common.seeding import sample_rng
from chef.instruction.retriever.base import Retriever
from chef.types import Sample


class Random(Retriever):
    """Every query draws without replacement, from a stream of its own.

    ``compat: upstream``: one stream of NumPy's for all, in the order of the evaluated set.
    """

    def preference(self, query: Sample) -> Iterator[int]:
        assert self.pool is not None
        rng = sample_rng(self.random_seed, "retrieve", query.id)
        drawn: set[int] = set()
        # Drawn one by one: a permutation of a large pool would cost more than it is worth.
        while len(drawn) < len(self.pool):
            index = rng.randrange(len(self.pool))
            if index not in drawn:
                drawn.add(index)
                yield index

    def listed(self, place: int) -> Sequence[int]:
        return self._lists[place]

    @cached_property
    def _lists(self) -> list[list[int]]:
        import numpy as np

        stream, length = np.random.RandomState(self.random_seed), len(self.evaluated)
        draws = (stream.choice(length, self.ice_num, replace=False) for _ in range(length))
        return [[int(index) for index in drawn] for drawn in draws]
