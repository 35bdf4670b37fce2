"""The in-context examples of a finished run, by the ids that its journal has.

A retriever by similarity needs an encoder, and vectors of its whole pool, to choose examples. Which
were chosen is in the journal, so neither is loaded unless the journal does not tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from chef.config import Recipe
from chef.config.spec import Spec
from chef.instruction.retriever import ExamplePool, Retriever
from chef.instruction.retriever.nearest import Nearest
from chef.instruction.retriever.upstream import ChefRetriever
from chef.scenario import Scenario
from chef.types import Prediction, Sample


class Recalled(Retriever):
    """Gives the examples that a sample had; where they are not in the pool, chooses them again.

    Args:
        spec: the retriever of the recipe, which is made only if it has to choose.
    """

    def __init__(self, spec: Spec[Retriever]) -> None:
        super().__init__()
        self._spec = spec
        self._ids: tuple[str, ...] = ()
        self._chooses = False
        self.ice_num = spec.options.get("ice_num", 1)

    def recall(self, prediction: Prediction) -> None:
        """Take the ids of the examples that the next queries had; there may be none."""
        ids = prediction.trace.get("ices")
        self._ids = tuple(map(str, ids)) if isinstance(ids, list) else ()

    def prepare(self, pool: ExamplePool) -> None:
        """Set the pool. It is checked, and read, by the retriever that chooses."""
        self.pool = pool

    def prefetch(self, scenario: Scenario, indices: Sequence[int]) -> None:
        """Of use only to a retriever that has to choose."""
        if self._chooses:
            self._chooser.prefetch(scenario, indices)

    def preference(self, query: Sample) -> Iterator[int]:
        return self._chooser.preference(query)

    def retrieve(self, query: Sample) -> tuple[Sample, ...]:
        known = [self._known(name) for name in self._ids]
        found = tuple(sample for sample in known if sample is not None)
        if found and len(found) == len(known):
            return found
        return self._chooser.retrieve(query)

    def _known(self, name: str) -> Sample | None:
        """The sample of the pool that has this id, if one alone has it and it can be shown."""
        assert self.pool is not None, "prepare has to be called first"
        place = self._places.get(name)
        sample = None if place is None else self.pool.example(place)
        return sample if sample is not None and sample.id == name else None

    @cached_property
    def _places(self) -> dict[str, int | None]:
        """Where each id is in the pool; None for one that several samples have."""
        assert self.pool is not None, "prepare has to be called first"
        scenario, places = self.pool.scenario, dict[str, int | None]()
        for place in range(len(scenario)):
            name = str(scenario.sample_id(place))
            places[name] = None if name in places else place
        return places

    @cached_property
    def _chooser(self) -> Retriever:
        """The retriever of the recipe."""
        assert self.pool is not None, "prepare has to be called first"
        retriever = self._spec.build()
        retriever.prepare(self.pool)
        self._chooses = True
        return retriever


class RecalledAsChef(Recalled, ChefRetriever):
    """The same for ChEF's retrievers, whose pool is the evaluated set."""

    def listed(self, place: int) -> Sequence[int]:
        """Never asked: what cannot be recalled is chosen by the recipe's own retriever."""
        chooser = self._chooser
        assert isinstance(chooser, ChefRetriever)
        return chooser.listed(place)


def recalling(recipe: Recipe) -> Recipe:
    """The recipe with a retriever that recalls, if its own would need an encoder; else itself."""
    wanted = recipe.incontext
    if wanted is None or not issubclass(wanted.retriever.kind, Nearest):
        return recipe
    is_chefs = issubclass(wanted.retriever.kind, ChefRetriever)
    kind = RecalledAsChef if is_chefs else Recalled
    spec: Spec[Retriever] = replace(wanted.retriever, kind=kind, options={"spec": wanted.retriever})
    return replace(recipe, incontext=replace(wanted, retriever=spec))
