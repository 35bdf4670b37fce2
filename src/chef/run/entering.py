"""Samples as they enter: their texts can be written, and their ids hold no secret."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar, cast

import msgspec

from chef.common.redaction import redact
from chef.common.text import REPLACED, count_replaced, encodable, encodable_data
from chef.types import Sample, TurnSpec

T = TypeVar("T")


def safe_id(name: T) -> T:
    """The id of a sample as the journal has it.

    An answer is found again by its id, so a secret is removed, and lone surrogates are replaced,
    before it is journaled. An id that is no text stays what it is.
    """
    return cast("T", redact(encodable(name))) if isinstance(name, str) else name


def safe_sample(sample: Sample) -> Sample:
    """The sample with a safe id and without lone surrogates; it says how many were replaced."""
    name = safe_id(sample.id)
    texts = (sample.question, sample.options, sample.answer, sample.fields, sample.shown_answer)
    turns = [(turn.prefix, turn.options, turn.truth) for turn in sample.turns]
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
        msgspec.json.encode(data, enc_hook=lambda _: None)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return False
    return True


def _turn(turn: TurnSpec) -> TurnSpec:
    return replace(
        turn,
        prefix=encodable(turn.prefix),
        options=encodable_data(turn.options),
        truth=encodable_data(turn.truth),
    )
