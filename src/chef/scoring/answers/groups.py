"""How many rotations the questions in a file of answers have, so that missing ones are noticed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from chef.common.circular import group_sizes, is_rotation, main_index
from chef.types import Prediction


def with_group_sizes(answers: Sequence[Prediction]) -> list[Prediction]:
    """The answers, each with the number of rows that its circular question should have.

    The size is the number of its rows in the file, failed ones included, and at least the number of
    its options, because each option comes first in one rotation. Records that state the size of
    their group keep it. A file without rotations is returned as it is.
    """
    if not any(is_rotation(answer.sample_id) for answer in answers):
        return list(answers)
    sizes = group_sizes((answer.sample_id, _group(answer)) for answer in answers)
    needed: Counter[str] = Counter()
    for answer in answers:
        if (name := main_index(answer.sample_id)) is not None and name == _group(answer):
            needed[name] = max(needed[name], _options(answer))
    sizes |= needed
    return [_sized(answer, sizes) for answer in answers]


def _sized(answer: Prediction, sizes: Counter[str]) -> Prediction:
    group = _group(answer)
    if group is None or "circular_size" in answer.sample:
        return answer
    return replace(answer, sample={**answer.sample, "circular_size": sizes[group]})


def _group(answer: Prediction) -> str | None:
    given = answer.sample.get("circular_group")
    return main_index(answer.sample_id) if given is None else str(given)


def _options(answer: Prediction) -> int:
    """The number of options of a question; 0 if its record does not say."""
    listed = answer.sample.get("choices") or answer.sample.get("options")
    return len(listed) if isinstance(listed, list | tuple | dict) else 0
