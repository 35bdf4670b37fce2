"""A scenario around another one, whose samples it changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chef.scenario.base import ColumnUse, Scenario
from chef.types import Sample


class Wrapped(Scenario):
    """A scenario with the ids, groups and data of another one; a subclass says what differs."""

    def __init__(self, base: Scenario) -> None:
        self.base = base
        self.name, self.metric = base.name, base.metric
        self.has_wordings, self.system_message = base.has_wordings, base.system_message
        if base.has_wordings:
            self.wording = base.wording
        self.random_accuracy = base.random_accuracy
        # Those of the base, which are not attributes of this class.
        self.protocols = base.protocols  # type: ignore[misc]
        self.grouped_by = base.grouped_by  # type: ignore[method-assign]

    def changed(self, sample: Sample) -> Sample:
        """A sample as this scenario asks it; the same where a subclass changes nothing."""
        return sample

    def __len__(self) -> int:
        return len(self.base)

    def __getitem__(self, index: int) -> Sample:
        sample: Any = self.base[index]
        # What is no sample is refused by its name.
        return self.changed(sample) if isinstance(sample, Sample) else sample

    def outlines(self) -> Iterator[Sample | None]:
        return self.base.outlines()

    def column_use(self) -> ColumnUse | None:
        return self.base.column_use()

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
        return self.base.row_digests()
