"""The rotations of the questions of any multiple-choice scenario (``circular: true``).

As in MMBench, whose TSV holds its rotations (Liu et al. 2023, "MMBench: Is Your Multi-modal Model
an All-around Player?"): a question with k options is asked k times, and the texts of its options
move on by one label each time.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

from chef.common.circular import (
    list_start,
    names_labels,
    relisted,
    rotated,
    rotation_index,
    rotation_step,
)
from chef.common.digest import content_digest
from chef.common.logs import logger
from chef.common.options import letters
from chef.errors import ConfigError, SampleError
from chef.scenario.base import Scenario
from chef.scenario.wrapped import ManyRows, Wrapped
from chef.types import Sample

_log = logger(__name__)
#: The metrics of multiple choice that do not know rotations; instead of them: `_CIRCULAR`.
_PLAIN = ("Accuracy", "VQA", "MMVP")
_CIRCULAR = "MMBenchVQA"
#: How a reference may name an option by its label.
_FORMS = ("({})", "({}", "{}", "{}.", "{})", "{}:")
#: Why questions are asked once: each follows their number.
_NO_OPTIONS = "have no options (choices in the fields of the sample)"
_TURNS = "are asked in several turns"
_NO_ANSWER = "have no known answer (gt_choice in the fields: its position, from 0)"
_NAMES_LABELS = "have an option that is a label or names several"
_NOT_LISTED = (
    "do not list their options: write them into the question after their letters, "
    "as (A) ..., A. ..., A) ... or A: ..."
)


def circular_metric(metric: str) -> str:
    """The metric that scores the rotations of a question together; ``metric`` where there is none.

    >>> circular_metric("Accuracy"), circular_metric("MMMU_Metric")
    ('MMBenchVQA', 'MMMU_Metric')
    """
    return _CIRCULAR if metric in _PLAIN else metric


class RotatedRow(NamedTuple):
    """A row of a question of so many rows: the place in the data, and its rotation (0: none)."""

    place: int
    number: int
    size: int


class Circular(ManyRows):
    """A scenario whose questions are asked with every rotation of their options.

    Rotation number i of a question with the id 7 has the id i * 1,000,000 + 7 (or a step of more
    zeros, so that no id occurs twice), of one with the id ``a`` it is ``a~i``. A question is asked
    once if its text does not list its options after their labels, if its answer is not known, or if
    an option is a label or names several ("Both A and B"). Asking for the length makes every sample
    once, and is a ConfigError where no question can be rotated, or the data has rotations already.
    """

    def __init__(self, base: Scenario) -> None:
        super().__init__(base)
        self.metric = circular_metric(base.metric)
        self.metric_by_name = None  # the recipe asks for rotations, whatever the name says

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def row(self, index: int) -> RotatedRow:
        index = range(len(self))[index]
        place = bisect_right(self._ends, index)
        end, before = self._ends[place], self._ends[place - 1] if place else 0
        return RotatedRow(place, index - before, end - before)

    def row_sample(self, sample: Sample, index: int) -> Sample:
        row = self.row(index)
        fields = {
            **sample.fields,
            "circular_group": self.base.sample_id(row.place),
            "circular_size": row.size,
        }
        whole = replace(sample, id=self.sample_id(index), fields=fields)
        if not row.number:
            return whole
        turned = rotation(whole, row.number)
        if turned is None:
            raise SampleError(
                "the question changed while the run went on, and cannot be rotated any more",
                hint="let __getitem__ make the same sample each time",
            )
        return turned

    def row_part(self, index: int) -> str:
        return repr(self.row(index))

    def sample_id(self, index: int) -> str:
        row = self.row(index)
        return rotation_index(self.base.sample_id(row.place), row.number, self._step)

    def outlines(self) -> Iterator[Sample | None]:
        return Scenario.outlines(self)  # of the rotations, not of the questions

    @cached_property
    def _step(self) -> int:
        return rotation_step(map(self.base.sample_id, range(len(self.base))))

    @cached_property
    def _ends(self) -> list[int]:
        """How many rows there are up to each question, with its own."""
        found = [self._look_at(sample) for sample in self.base.outlines()]
        once = Counter([why for _, why in found if why])
        told = "; ".join(f"{count:,} of {len(found):,} {why}" for why, count in once.most_common())
        ends = [*accumulate([size for size, _ in found])]
        if ends and ends[-1] == len(found):
            raise ConfigError(
                "no question can be rotated",
                where="scenario_cfg.circular",
                hint=f"remove it; of the questions, {told}" if told else "remove it",
            )
        if once:
            _log.info("%s: circular: some questions are asked once: %s", self.name, told)
        return ends

    def _look_at(self, sample: object) -> tuple[int, str]:
        """The number of rows of a question, and why it is asked once; empty if it is not."""
        if not isinstance(sample, Sample):  # it becomes the error of its one row
            return 1, ""
        if sample.fields.get("circular_size", 1) > 1:
            raise ConfigError(
                f"the data of {self.name} has rotations already",
                where="scenario_cfg.circular",
                hint="remove it",
            )
        texts = _texts(sample)
        why = _obstacle(sample, texts)
        return (1, why) if why else (len(texts), "")


def rotation(sample: Sample, number: int) -> Sample | None:
    """A sample whose option j has the label j - number, under its id; None if that cannot be."""
    return reordered(sample, rotated(range(choice_count(sample)), number))


def choice_count(sample: Sample) -> int:
    """The number of the options of a sample."""
    return len(_texts(sample))


def reordered(sample: Sample, order: Sequence[int]) -> Sample | None:
    """A sample with its options in an order of their places, same id; None if that cannot be."""
    texts = _texts(sample)
    if _obstacle(sample, texts):
        return None
    labels, correct = _labels(sample, len(texts)), _correct(sample, len(texts))
    old = dict(zip(labels, texts, strict=True))
    new = dict(zip(labels, (texts[place] for place in order), strict=True))
    question = relisted(sample.question, old, new)
    if question is None or correct is None:
        return None
    now = [*order].index(correct)
    options = _options(sample.options, old, new)
    # How a reference may name the correct option, and how it names it now.
    names = {form.format(labels[correct]): form.format(labels[now]) for form in _FORMS}
    if len(options) == len(texts):
        names.setdefault(sample.options[correct], options[now])
    return replace(
        sample,
        question=question,
        options=options,
        answer=_moved(sample.answer, names),
        shown_answer=_moved(sample.shown_answer, names),
        fields={**_fields(sample.fields, texts, list(new.values())), "gt_choice": now},
    )


def _obstacle(sample: Sample, texts: list[str]) -> str:
    """Why a question with these options is asked once; empty if it can be rotated."""
    labels = _labels(sample, len(texts))
    if sample.turns:
        return _TURNS
    if len(texts) < 2:
        return _NO_OPTIONS
    if _correct(sample, len(texts)) is None:
        return _NO_ANSWER
    if len(labels) != len(texts) or names_labels(texts, labels):
        return _NAMES_LABELS
    listed = dict(zip(labels, texts, strict=True))
    return _NOT_LISTED if list_start(sample.question, listed) is None else ""


def _texts(sample: Sample) -> list[str]:
    """The texts of the options; of a class that names no choices, those that are scored."""
    return list(map(str, sample.fields.get("choices") or sample.options))


def _labels(sample: Sample, options: int) -> list[str]:
    return list(map(str, sample.fields.get("labels") or letters(options)))


def _correct(sample: Sample, options: int) -> int | None:
    """The position of the right one of so many options; None if it is not known, or not one."""
    given = sample.fields.get("gt_choice")
    if given is None and not sample.fields.get("choices") and sample.answer in sample.options:
        return sample.options.index(sample.answer)
    return given if isinstance(given, int) and 0 <= given < options else None


def _fields(fields: Mapping[str, Any], old: list[str], new: list[str]) -> dict[str, Any]:
    """The fields, in which every list of the options is in the new order."""
    return {key: new if value == old else value for key, value in fields.items()}


def _options(
    options: tuple[str, ...], old: Mapping[str, str], new: Mapping[str, str]
) -> tuple[str, ...]:
    """The options to score: labels stay, texts and labelled texts change."""
    if len(options) != len(old):
        return options
    found = []
    for option, label in zip(options, old, strict=True):
        labelled = relisted(option, {label: old[label]}, {label: new[label]})
        found.append(new[label] if option == old[label] else labelled or option)
    return tuple(found)


def _moved(answer: Any, names: Mapping[str, str]) -> Any:
    """The reference answer after a rotation, if it names the option; a text stays as it is."""
    return names.get(answer, answer) if isinstance(answer, str) else answer


class Rotated(Wrapped):
    """A scenario whose option j has the label j - places; ids and what cannot be moved stay."""

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
