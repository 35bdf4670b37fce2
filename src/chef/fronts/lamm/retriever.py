"""ChEF's base class of retrievers: all examples of all questions at once, by their places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from chef.instruction.retriever import ExamplePool, Retriever
from chef.instruction.retriever.base import Selection
from chef.types import Sample


class BaseRetriever(Retriever):
    """A retriever written for ChEF: `retrieve` without a question gives the examples of each."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Keep the subclass's ``retrieve()`` apart from chef's ``retrieve(query)``."""
        super().__init_subclass__(**options)
        if (own := vars(cls).get("retrieve")) is not None:
            cls.places = own  # type: ignore[method-assign]
            del cls.retrieve

    def __init__(
        self,
        train_dataset: Any,
        test_dataset: Any,
        ice_num: int | None = 1,
        random_seed: int = 0,
        **kwargs: Any,
    ) -> None:
        del kwargs
        super().__init__(selection=Selection(ice_num or 0, random_seed))
        self.index_ds, self.test_ds = train_dataset, test_dataset
        self._places: list[Sequence[int]] | None = None

    def places(self) -> list[Sequence[int]]:
        """For each question the places of its examples, in order of preference."""
        return [[] for _ in range(len(self.test_ds))]

    def retrieve(self, query: Sample | None = None) -> Any:
        """The examples of a question; without one, the places of the examples of every question."""
        return self.places() if query is None else super().retrieve(query)

    def preference(self, query: Sample) -> Iterator[int]:
        if self._places is None:
            self._places = list(self.places())
        return iter(self._places[self._place_of(query)])

    def get_corpus_from_dataset(self, dataset: Any) -> list[str]:
        """The questions of a data set."""
        return [str(item["question"]) for item in dataset]

    def process_list(self, items: Sequence[int], own: int) -> list[int]:
        """The places without a question's own, at most ``ice_num``."""
        return [place for place in items if place != own][: self.ice_num]

    def _place_of(self, query: Sample) -> int:
        pool: ExamplePool | None = self.pool
        assert pool is not None, "prepare has to be called first"
        scenario = pool.scenario
        names = (scenario.sample_id(place) for place in range(len(scenario)))
        return next(place for place, name in enumerate(names) if name == query.id)
