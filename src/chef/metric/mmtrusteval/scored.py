"""What the chains of a recipe have made of its answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from chef.metric.mmtrusteval.base import Failure
from chef.metric.mmtrusteval.chain import Processed


@dataclass(slots=True)
class Scored:
    """What the chains have made of some samples.

    Attributes:
        places: the place of each sample in the lists, by id.
        clusters: what each shares with dependent ones.
        subsets: the subset of each; None for none.
        chains: what each chain has made.
    """

    places: dict[str, int] = field(default_factory=dict)
    clusters: list[int] = field(default_factory=list)
    subsets: list[str | None] = field(default_factory=list)
    chains: list[Processed] = field(default_factory=list)

    def failures(self, place: int) -> dict[str, Failure]:
        """On which evaluators a sample failed, by the ids up to them: the first of each chain."""
        found: dict[str, Failure] = {}
        for done in self.chains:
            for key, items in done.outputs.items():
                if isinstance(item := items[place], Failure):
                    found.setdefault(key.rpartition(":")[0], item)
                    break
        return found

    def reasons(self) -> Counter[tuple[str, str]]:
        """How many samples lack the output of an evaluator, by its ids and the reason."""
        return Counter(
            (name, failure.reason)
            for place in self.places.values()
            for name, failure in self.failures(place).items()
            if failure.error is None
        )

    def by_subset(self, places: Sequence[int]) -> dict[str, list[int]]:
        """The samples of each subset, in the order in which subsets appear.

        As in MMTrustEval there are none unless the first sample has one.
        """
        if not places or self.subsets[places[0]] is None:
            return {}
        found: dict[str, list[int]] = {}
        for place in places:
            if (name := self.subsets[place]) is not None:
                found.setdefault(name, []).append(place)
        return found
