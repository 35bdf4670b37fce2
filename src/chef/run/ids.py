"""The ids of the samples that a run asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from chef.errors import DataError, SampleError
from chef.run.entering import safe_id
from chef.scenario import Scenario


@dataclass(frozen=True)
class SampleIds:
    """The samples of a run by id, in the order of the scenario.

    Answers are journaled by id, so of several samples with one id only the first keeps it; the
    others get an id made of their position, and are errors.

    Attributes:
        positions: the position of each sample in the scenario.
        repeated: the error of each sample whose id an earlier one has.
    """

    positions: Mapping[str, int]
    repeated: Mapping[str, SampleError] = field(default_factory=dict)

    @classmethod
    def of(cls, scenario: Scenario, drawn: Sequence[int]) -> SampleIds:
        """The ids of some samples of a scenario.

        Args:
            scenario: all its ids are read, so that an id does not depend on what is drawn.
            drawn: the positions of the samples of the run.

        Raises:
            DataError: there are no samples, or an id is no text.
        """
        where = f"scenario {scenario.name}"
        if not drawn:
            hint = "choose another split or size"
            raise DataError("there are no samples", where=where, hint=hint)
        first: dict[str, int] = {}
        repeated: dict[int, str] = {}
        for index in range(len(scenario)):
            name: object = scenario.sample_id(index)  # of a user's class, whatever it gives
            if not isinstance(name, str):
                hint = "return str(...) from sample_id"
                raise DataError("sample ids must be text", where=where, hint=hint)
            name = safe_id(name)
            if first.setdefault(name, index) != index:
                repeated[index] = name
        spare = {index: _spare(name, index, first) for index, name in repeated.items()}
        ids = {index: name for name, index in first.items()} | spare
        errors = {
            spare[index]: SampleError(
                f"sample {index + 1} has the id '{name}' of sample {first[name] + 1}",
                where=where,
                hint="give each sample an id of its own; answers are journaled by id",
            )
            for index, name in repeated.items()
        }
        positions = {ids[index]: index for index in sorted(drawn)}
        return cls(positions, {name: errors[name] for name in positions if name in errors})


def _spare(name: str, index: int, taken: Mapping[str, int]) -> str:
    spare = f"{name} (sample {index + 1})"
    while spare in taken:
        spare += "'"
    return spare
