"""Retrievers as in ChEF: draws from one random stream of NumPy, and nearest by inner products.

The nearest exclude only the query itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar

from chef.errors import ConfigError, SampleError
from chef.image import Image
from chef.instruction.retriever import draws, nearest
from chef.instruction.retriever.base import AT, ExamplePool
from chef.instruction.retriever.nearest import Nearest
from chef.instruction.retriever.upstream.base import ChefRetriever
from chef.types import Sample


class Random(ChefRetriever, draws.Random):
    """One draw for each sample, in the order of the evaluated set."""

    def listed(self, place: int) -> Sequence[int]:
        return self._lists[place]

    @cached_property
    def _lists(self) -> list[list[int]]:
        import numpy as np

        stream, length = np.random.RandomState(self.random_seed), len(self.evaluated)
        drawn = (stream.choice(length, self.ice_num, replace=False) for _ in range(length))
        return [[int(index) for index in draw] for draw in drawn]


class Fixed(ChefRetriever, draws.Fixed):
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
