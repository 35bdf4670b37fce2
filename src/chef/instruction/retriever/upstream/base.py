"""What ChEF's retrievers share: one list of examples for each position of the evaluated set."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from chef.instruction.retriever.base import Retriever
from chef.instruction.retriever.pool import ExamplePool
from chef.instruction.retriever.upstream.evaluated_set import EvaluatedSet
from chef.types import Sample


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
