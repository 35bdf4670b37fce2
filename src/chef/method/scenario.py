"""Any scenario, whose samples a method changes (``method_cfg``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chef.common.digest import content_digest
from chef.method.base import Method
from chef.scenario.base import Scenario
from chef.types import Sample


class WithMethod(Scenario):
    """A scenario whose samples a method changes.

    In-context examples are changed where they are samples of the scenario itself; those of another
    split stay as they are.

    Args:
        base: the scenario.
        method: what is done to each of its samples.
    """

    def __init__(self, base: Scenario, method: Method) -> None:
        self.base, self.method = base, method
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
        # What is no sample is refused by its name.
        return self.method.transform(sample) if isinstance(sample, Sample) else sample

    def outlines(self) -> Iterator[Sample | None]:
        return self.base.outlines()

    def sample_id(self, index: int) -> str:
        return self.base.sample_id(index)

    def group(self, index: int) -> str | None:
        return self.base.group(index)

    def pool(self) -> Scenario | None:
        return self.base.pool()

    def fingerprint(self) -> str:
        own = self.method.fingerprint()
        return content_digest(self.base.fingerprint(), own) if own else self.base.fingerprint()

    def row_state(self) -> str:
        return self.base.row_state()

    def row_digests(self) -> Mapping[str, str]:
        return self.base.row_digests()


def with_method(scenario: Scenario, method: Method) -> Scenario:
    """A scenario whose samples a method changes: it does so itself, or they are changed after it.

    A data set written for MMTrustEval applies a method of that kind itself (``method_hook``).
    """
    take = getattr(scenario, "take_method", None)
    return scenario if take is not None and take(method) else WithMethod(scenario, method)
