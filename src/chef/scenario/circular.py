"""The rotations of the questions of any multiple-choice scenario (``circular: true``).

As in MMBench, whose TSV holds its rotations (Liu et al. 2023, "MMBench: Is Your Multi-modal Model
an All-around Player?"): a question with k options is asked k times, and the texts of its options
move on by one label each time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from chef.common.circular import names_labels, rotated, rotation_index, rotation_step
from chef.common.digest import content_digest
from chef.common.options import letters, relisted
from chef.errors import ConfigError, SampleError
from chef.scenario.base import Scenario
from chef.types import Sample

#: The metrics of multiple choice that do not know rotations; instead of them: `_CIRCULAR`.
_PLAIN = ("Accuracy", "VQA", "MMVP")
_CIRCULAR = "MMBenchVQA"
#: How many samples of the data are kept for their rotations; their images stay decoded.
_KEPT = 4
#: How a reference may name an option by its label.
_FORMS = ("({})", "({}", "{}", "{}.")


def circular_metric(metric: str) -> str:
    """The metric that scores the rotations of a question together; ``metric`` where there is none.

    >>> circular_metric("Accuracy"), circular_metric("MMMU_Metric")
    ('MMBenchVQA', 'MMMU_Metric')
    """
    return _CIRCULAR if metric in _PLAIN else metric


class Row(NamedTuple):
    """One of the rows that are asked about a sample of the data.

    Attributes:
        place: the position of the sample in its scenario.
        number: of the rotation; 0 is the sample itself.
        size: the number of rows of the question.
    """

    place: int
    number: int
    size: int


class Circular(Scenario):
    """A scenario whose questions are asked with every rotation of their options.

    Rotation number i of a question with the id 7 has the id i * 1,000,000 + 7 (or a step of more
    zeros, so that no id occurs twice), of one with the id ``a`` it is ``a~i``. Its fields
    ``circular_group`` (the id of the question) and ``circular_size`` (its rows) tell metrics what
    belongs together; the images are those of the question.

    A question is asked once if its text does not list its options as ``(A) ... (B) ...``, if its
    answer is not known, or if an option is a label or names several ("Both A and B"). Which ones
    those are is known when every sample was made once, without its images being decoded.

    Args:
        base: the scenario.

    Raises:
        ConfigError: (when it is first asked for its length) it has rotations already, or no
            question that could be rotated.
    """

    def __init__(self, base: Scenario) -> None:
        self.base = base
        self.name = base.name
        self.has_wordings, self.system_message = base.has_wordings, base.system_message
        if base.has_wordings:
            self.wording = base.wording
        self.random_accuracy = base.random_accuracy
        self.metric = circular_metric(base.metric)
        # Rotations follow each other and share an image, which is decoded once.
        self._sample = lru_cache(maxsize=_KEPT)(base.__getitem__)
        # Those of the base, which are not attributes of this class.
        self.protocols = base.protocols  # type: ignore[misc]
        self.grouped_by = base.grouped_by  # type: ignore[method-assign]

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> Sample:
        row = self._rows[index]
        sample: Any = self._sample(row.place)
        if not isinstance(sample, Sample):
            return sample  # type: ignore[no-any-return]  # it is refused by the name of the sample
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

    def sample_id(self, index: int) -> str:
        row = self._rows[index]
        return rotation_index(self.base.sample_id(row.place), row.number, self._step)

    def group(self, index: int) -> str | None:
        """The group of the question in its scenario, else the question itself."""
        place = self._rows[index].place
        return self.base.group(place) or self.base.sample_id(place)

    def pool(self) -> Scenario | None:
        return self.base.pool()

    def fingerprint(self) -> str:
        return self.base.fingerprint()

    def row_state(self) -> str:
        return self.base.row_state()

    def row_digests(self) -> Mapping[str, str]:
        digests = self.base.row_digests()
        return {
            self.sample_id(index): content_digest(digests[name], repr(row), size=8)
            for index, row in enumerate(self._rows)
            if (name := self.base.sample_id(row.place)) in digests
        }

    @cached_property
    def _step(self) -> int:
        return rotation_step(map(self.base.sample_id, range(len(self.base))))

    @cached_property
    def _rows(self) -> list[Row]:
        sizes = [self._size(index) for index in range(len(self.base))]
        if sizes and max(sizes) == 1:
            raise ConfigError(
                "no question can be rotated",
                where="scenario_cfg.circular",
                hint="remove it: no question lists its options as (A) ... (B) ..., "
                "with a known answer",
            )
        return [
            Row(index, number, size) for index, size in enumerate(sizes) for number in range(size)
        ]

    def _size(self, index: int) -> int:
        try:
            sample: Any = self.base[index]
        except Exception:  # it becomes the error of its one row
            return 1
        if not isinstance(sample, Sample):  # likewise
            return 1
        if sample.fields.get("circular_size", 1) > 1:
            raise ConfigError(
                f"the data of {self.name} has rotations already",
                where="scenario_cfg.circular",
                hint="remove it",
            )
        choices = sample.fields.get("choices") or ()
        return len(choices) if rotation(sample, 1) is not None else 1


def rotation(sample: Sample, number: int) -> Sample | None:
    """A sample with its options rotated, under the same id; None if it cannot be rotated.

    The text of option j moves to the label j - number. Question, options, reference and the fields
    with the options change with it.

    Args:
        sample: the sample as its scenario makes it.
        number: how many places the texts move.
    """
    texts = list(map(str, sample.fields.get("choices") or ()))
    correct = sample.fields.get("gt_choice")
    if len(texts) < 2 or not isinstance(correct, int) or sample.turns:
        return None
    labels = list(map(str, sample.fields.get("labels") or letters(len(texts))))
    if len(labels) != len(texts) or any(names_labels(text, labels) for text in texts):
        return None
    old = dict(zip(labels, texts, strict=True))
    new = dict(zip(labels, rotated(texts, number), strict=True))
    question = relisted(sample.question, old, new)
    if question is None:
        return None
    now = (correct - number) % len(texts)
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
