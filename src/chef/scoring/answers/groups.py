"""The rotations of the questions in a file of answers: how many there are, and in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from chef.common.circular import PLACE, group_sizes, is_rotation, main_index, names_labels
from chef.common.options import letters
from chef.types import Prediction


def with_group_sizes(answers: Sequence[Prediction]) -> list[Prediction]:
    """The answers, each with the number of rows that its circular question should have.

    They also get their positions in the file (`PLACE`), because ChEF takes the row of a question
    that it meets first. The lines of chef's journal have none: they are in no particular order.

    The size is the number of its rows in the file, failed ones included, and at least the number of
    its options, because each option comes first in one rotation; questions with an option such as
    "both A and B" have no rotations. Records that state the size of their group, as those of the
    journal do, stay as they are, and so does a file without rotations.
    """
    if not any(is_rotation(answer.sample_id) for answer in answers):
        return list(answers)
    rows = ((answer.sample_id, _group(answer), _options(answer)) for answer in answers)
    sizes = group_sizes(rows)
    needed: Counter[str] = Counter()
    for answer in answers:
        if (name := main_index(answer.sample_id)) is not None and name == _group(answer):
            needed[name] = max(needed[name], _options(answer))
    sizes |= needed
    return [_sized(answer, sizes, place) for place, answer in enumerate(answers)]


def _sized(answer: Prediction, sizes: Counter[str], place: int) -> Prediction:
    group = _group(answer)
    if group is None or "circular_size" in answer.sample:
        return answer
    found = {"circular_size": sizes[group], PLACE: place}
    return replace(answer, sample={**answer.sample, **found})


def _group(answer: Prediction) -> str | None:
    given = answer.sample.get("circular_group")
    return main_index(answer.sample_id) if given is None else str(given)


def _options(answer: Prediction) -> int:
    """The number of options that move in rotations; 0 for none, or if the record does not say."""
    texts = answer.sample.get("choices")
    listed = texts or answer.sample.get("options")
    if not isinstance(listed, list | tuple | dict):
        return 0
    labels = answer.sample.get("labels") or letters(len(listed))
    stays = texts and any(names_labels(str(text), labels) for text in texts)
    return 0 if stays else len(listed)
