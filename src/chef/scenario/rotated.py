"""Any multiple-choice scenario with the options of its questions moved on (``rotation: 1``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chef.common.digest import content_digest
from chef.scenario.base import Scenario
from chef.scenario.circular import rotation
from chef.types import Sample


class Rotated(Scenario):
    """A scenario whose questions are asked with their options in another order.

    The text of option j moves to the label j - places; of a question with k options, k places are
    none. Ids stay, so that the runs of several rotations ask the same samples. A question whose
    options cannot be moved (see `Circular`) is asked as it is.

    Args:
        base: the scenario.
        places: by how many places, 1 or more.
    """

    def __init__(self, base: Scenario, places: int) -> None:
        self.base, self.places = base, places
        self.name, self.metric = base.name, base.metric
        self.has_wordings, self.system_message = base.has_wordings, base.system_message
        if base.has_wordings:
            self.wording = base.wording
        self.random_accuracy = base.random_accuracy
        # Those of the base, which are not attributes of this class.
        self.protocols = base.protocols  # type: ignore[misc]
        self.grouped_by = base.grouped_by  # type: ignore[method-assign]

    def __len__(self) -> int:
        return len(self.base)

    def __getitem__(self, index: int) -> Sample:
        sample: Any = self.base[index]
        if not isinstance(sample, Sample):
            return sample  # type: ignore[no-any-return]  # it is refused by the name of the sample
        return rotation(sample, self.places) or sample

    def outlines(self) -> Iterator[Sample | None]:
        return self.base.outlines()

    def sample_id(self, index: int) -> str:
        return self.base.sample_id(index)

    def group(self, index: int) -> str | None:
        return self.base.group(index)

    def pool(self) -> Scenario | None:
        return self.base.pool()

    def fingerprint(self) -> str:
        return self.base.fingerprint()

    def row_state(self) -> str:
        return self.base.row_state()

    def row_digests(self) -> Mapping[str, str]:
        digests = self.base.row_digests()
        return {
            name: content_digest(digest, str(self.places), size=8)
            for name, digest in digests.items()
        }
