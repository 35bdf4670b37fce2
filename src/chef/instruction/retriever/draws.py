"""Examples that are drawn: the same for every query, or others for each."""

from __future__ import annotations

from collections.abc import Iterator

from chef.common.keys import flat_keywords
from chef.common.seeding import sample_rng
from chef.errors import ConfigError
from chef.instruction.retriever.base import AT, ExamplePool, Retriever, Selection
from chef.types import Sample


class Fixed(Retriever):
    """Examples that the recipe assigns, or one random draw.

    All queries begin with the same examples, which is fast to score. An example that a query may
    not see is replaced by the next sample of the pool, in a random order.

    Args:
        selection: how many examples; the seed of the draw and of that order.
        ice_assigned_ids: positions in the pool; as many as ``ice_num``.
    """

    @flat_keywords
    def __init__(
        self,
        *,
        selection: Selection = Selection(),
        ice_assigned_ids: list[int] | None = None,
    ) -> None:
        super().__init__(selection=selection)
        if ice_assigned_ids is not None:
            self.check_assigned(ice_assigned_ids)
        self.assigned = tuple(ice_assigned_ids or ())
        self._line: list[int] = []

    def check_assigned(self, ids: list[int]) -> None:
        """Check ``ice_assigned_ids``.

        They must differ: a repeated id shows nothing new and is most likely a slip.

        Raises:
            ConfigError: they are not ``ice_num`` different ids.
        """
        if len(set(ids)) != self.ice_num:
            raise ConfigError(
                f"{len(set(ids))} different ids for {self.ice_num} examples",
                where=f"{AT}.ice_assigned_ids",
                hint="give ice_num different ids",
            )

    def prepare(self, pool: ExamplePool) -> None:
        super().prepare(pool)
        for index in self.assigned:
            if not 0 <= index < len(pool):
                raise ConfigError(
                    f"id {index} is outside the pool, which has {len(pool)} samples",
                    where=f"{AT}.ice_assigned_ids",
                    hint=f"choose from 0 to {len(pool) - 1}",
                )
        others = list(range(len(pool)))
        sample_rng(self.random_seed, "fixed").shuffle(others)
        self._line = list(dict.fromkeys([*self.assigned, *others]))

    def preference(self, query: Sample) -> Iterator[int]:  # noqa: ARG002 (the same for all)
        return iter(self._line)


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
