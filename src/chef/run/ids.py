"""The samples that a run asks as they enter: their ids, and texts that can be written."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

import msgspec
from msgspec import field

from chef.common.redaction import redact
from chef.common.text import REPLACED, count_replaced, encodable, encodable_data
from chef.errors import DataError, SampleError
from chef.frozen import Frozen
from chef.scenario import Scenario
from chef.types import Sample, TurnSpec

T = TypeVar("T")


def safe_id(name: T) -> T:
    """The id of a sample as the journal has it, by which it is found: no secret, no lone
    surrogates.
    """
    return cast("T", redact(encodable(name))) if isinstance(name, str) else name


def safe_sample(sample: Sample, name: str) -> Sample:
    """The sample without lone surrogates, which says how many were replaced; and with a safe id,
    unless it is ``name``, by which the run knows it.
    """
    name = name if sample.id == name else safe_id(sample.id)
    texts = (sample.question, sample.options, sample.answer, sample.fields, sample.shown_answer)
    turns = [(it.prefix, it.options, it.truth) for it in sample.turns] if sample.turns else ()
    number = 0 if _is_encodable((texts, turns)) else count_replaced([texts, turns])
    if not number:
        return sample if name == sample.id else replace(sample, id=name)
    return replace(
        sample,
        id=name,
        question=encodable(sample.question),
        options=encodable_data(sample.options),
        answer=encodable_data(sample.answer),
        fields={**encodable_data(sample.fields), REPLACED: number},
        turns=tuple(map(_turn, sample.turns)),
        shown_answer=encodable_data(sample.shown_answer),
    )


def _is_encodable(data: Any) -> bool:
    """Whether no text has a lone surrogate; False also where that takes a closer look."""
    try:
        _ENCODER.encode(data)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return False
    return True


_ENCODER = msgspec.json.Encoder(enc_hook=lambda _: None)


def _turn(turn: TurnSpec) -> TurnSpec:
    return replace(
        turn,
        prefix=encodable(turn.prefix),
        options=encodable_data(turn.options),
        truth=encodable_data(turn.truth),
    )


class SampleIds(Frozen):
    """The samples of a run by id, in the order of the scenario.

    Answers are journaled by id, so of several samples with one id only the first keeps it; the
    others get an id made of their position, and are errors, in ``repeated``.
    """

    positions: Mapping[str, int]
    repeated: Mapping[str, SampleError] = field(default_factory=dict)

    @classmethod
    def of(cls, scenario: Scenario, drawn: Sequence[int]) -> SampleIds:
        """The ids of the drawn positions; all are read, so that an id does not depend on what is
        drawn.

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
            name = sys.intern(str(safe_id(name)))
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
