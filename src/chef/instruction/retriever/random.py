"""Examples drawn at random for every query."""

from __future__ import annotations

from collections.abc import Iterator

from chef.common.seeding import sample_rng
from chef.instruction.retriever.base import Retriever
from chef.types import Sample


class Random(Retriever):
    """Every query draws without replacement, from a random stream of its own."""

    def preference(self, query: Sample) -> Iterator[int]:
        assert self.pool is not None
        rng = sample_rng(self.random_seed, "retrieve", query.id)
        drawn: set[int] = set()
        # One by one, because a permutation of a large pool would be slow.
        while len(drawn) < len(self.pool):
            index = rng.randrange(len(self.pool))
            if index not in drawn:
                drawn.add(index)
                yield index
