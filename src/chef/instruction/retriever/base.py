"""What every retriever offers: examples for a query that never give its answer away.

Examples come from the scenario's own pool split when it has one, else from the evaluated set
itself. Whatever the retriever prefers, an example is passed over when it is the query itself,
shows one of its images (the same pixels, however stored), or is another form of the same question
(its circular group). The choice depends on the query alone, never on batches or workers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from chef.common.keys import flat_keywords
from chef.errors import ConfigError, SampleError
from chef.instruction.retriever.pool import AT, ExamplePool, leaks
from chef.scenario.base import Scenario
from chef.types import Sample


@dataclass(frozen=True, slots=True)
class Selection:
    """The keys of ``incontext_cfg`` that every retriever has.

    Attributes:
        ice_num: how many examples a query gets; 0 for none.
        random_seed: seed of every random choice.

    Raises:
        ConfigError: the number is negative.
    """

    ice_num: int = 1
    random_seed: int = 0

    def __post_init__(self) -> None:
        if self.ice_num < 0:
            raise ConfigError(
                f"ice_num is {self.ice_num}", where=f"{AT}.ice_num", mend="it must be 0 or more"
            )


class Retriever(ABC):
    """Chooses examples; subclasses say in which order they prefer them.

    A subclass takes its ``incontext_cfg`` keys as annotated keyword arguments.

    Args:
        selection: how many examples, and the random seed.
    """

    @flat_keywords
    def __init__(self, *, selection: Selection = Selection()) -> None:
        self.ice_num = selection.ice_num
        self.random_seed = selection.random_seed
        self.pool: ExamplePool | None = None

    def prepare(self, pool: ExamplePool) -> None:
        """Get ready to serve from ``pool``; called once, before any query.

        Raises:
            ConfigError: the pool has too few examples, none can be shown, or the settings do not
                fit it.
        """
        if self.ice_num and len(pool) <= self.ice_num:
            raise ConfigError(
                f"{self.ice_num} examples are wanted, and the pool has {len(pool)} samples",
                where=f"{AT}.ice_num",
                mend="ask for fewer",
            )
        if self.ice_num:
            pool.check()
        self.pool = pool

    def prefetch(self, scenario: Scenario, indices: Sequence[int]) -> None:  # noqa: B027
        """Prepare for these queries, all at once where that is cheaper than one by one.

        It changes no choice, only when the work is done; a query may also come unannounced.
        """

    def release(self) -> None:  # noqa: B027
        """Give back memory that the model may need; what is asked later loads again."""

    def record(self) -> dict[str, Any]:
        """What the choices stand on beside the recipe, for environment.json."""
        return {}

    @abstractmethod
    def preference(self, query: Sample) -> Iterator[int]:
        """Positions in the pool, the most wanted first, each once."""

    def retrieve(self, query: Sample) -> tuple[Sample, ...]:
        """The examples for ``query``, the most wanted first.

        Raises:
            SampleError: fewer than ``ice_num`` samples of the pool may serve.
        """
        assert self.pool is not None, "prepare comes first"
        if not self.ice_num:
            return ()
        found: list[Sample] = []
        for index in self.preference(query):
            example = self.pool.example(index)
            if example is not None and not leaks(example, query):
                found.append(example)
            if len(found) == self.ice_num:
                return tuple(found)
        raise SampleError(
            f"only {len(found)} samples of the pool may serve as examples, not {self.ice_num}",
            where=f"sample '{query.id}'",
            mend="lower ice_num, or give the scenario a larger pool",
        )
