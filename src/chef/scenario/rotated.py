"""Any multiple-choice scenario with the options of its questions moved on (``rotation: 1``)."""

from __future__ import annotations

from collections.abc import Mapping

from chef.common.digest import content_digest
from chef.scenario.base import Scenario
from chef.scenario.circular import rotation
from chef.scenario.wrapped import Wrapped
from chef.types import Sample


class Rotated(Wrapped):
    """A scenario whose questions are asked with their options in another order.

    The text of option j moves to the label j - places; of a question with k options, k places are
    none. Ids stay, so that the runs of several rotations ask the same samples. A question whose
    options cannot be moved (see `Circular`) is asked as it is.

    Args:
        base: the scenario.
        places: by how many places, 1 or more.
    """

    def __init__(self, base: Scenario, places: int) -> None:
        super().__init__(base)
        self.places = places

    def changed(self, sample: Sample) -> Sample:
        return rotation(sample, self.places) or sample

    def row_digests(self) -> Mapping[str, str]:
        digests = super().row_digests()
        return {
            name: content_digest(digest, str(self.places), size=8)
            for name, digest in digests.items()
        }
