"""Examples drawn at random as in ChEF: from one random stream of NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from chef.errors import ConfigError
from chef.instruction.retriever import fixed, random
from chef.instruction.retriever.pool import AT, ExamplePool
from chef.instruction.retriever.upstream.base import ChefRetriever


class Random(ChefRetriever, random.Random):
    """One draw for each sample, in the order of the evaluated set."""

    def listed(self, place: int) -> Sequence[int]:
        return self._lists[place]

    @cached_property
    def _lists(self) -> list[list[int]]:
        import numpy as np

        stream, length = np.random.RandomState(self.random_seed), len(self.evaluated)
        draws = (stream.choice(length, self.ice_num, replace=False) for _ in range(length))
        return [[int(index) for index in draw] for draw in draws]


class Fixed(ChefRetriever, fixed.Fixed):
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
