"""LAMM's two-dimensional benchmark: a system message on the task, then the question of the record.

A new data set is a row of ``lamm.yaml``, or, where its records need code, a subclass of `Lamm`.
CIFAR10 (Krizhevsky 2009) and FSC147 (Ranjan et al. 2021), as listed by LAMM, have ChEF's questions.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import msgspec

from chef.common.options import letters
from chef.common.seeding import sample_rng
from chef.common.yaml_text import shipped
from chef.scenario.base import class_of, read_section
from chef.scenario.records import values
from chef.scenario.records.files import Record
from chef.scenario.records.listed import Listed
from chef.scenario.voc2012 import objects_of
from chef.types import Sample

#: In the order in which ChEF scores them.
LABELS = (
    "cat", "ship", "airplane", "frog", "automobile", "truck", "dog", "horse", "deer", "bird",
)  # fmt: skip


class CIFAR10(Listed):
    """Images of ten classes; the question comes from the wording pool.

    Args:
        base_data_path: the root of LAMM's 2D benchmark.
        ppl: give the ten labels as options to score.
        split: a part of the file name ``meta_file/Classification_{split}CIFAR10.json``.
    """

    name = "CIFAR10"
    wording = "coarse_grained_classification"
    metric = "CG_Classification"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "LAMM_Classification"}
    random_accuracy = 1 / len(LABELS)

    def __init__(self, base_data_path: str, *, ppl: bool = False, split: str = "") -> None:
        super().__init__(base_data_path, f"meta_file/Classification_{split}CIFAR10.json")
        self._ppl = ppl

    def sample(self, index: int, record: Record) -> Sample:
        label = values.one_of("label", record["label"], LABELS)
        return Sample(
            id=self.sample_id(index),
            images=(self.image(record["image"]),),
            options=LABELS if self._ppl else (),
            answer=label,
            fields={"gt_choice": LABELS.index(label), "choices": list(LABELS)},
        )


class Window(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Keys of ``ppl_cfg``."""

    heatmap_width: Annotated[int, msgspec.Meta(ge=0)] = 2


class FSC147(Listed):
    """Counting; the number is generated or chosen.

    Args:
        base_data_path: the root of LAMM's 2D benchmark.
        ppl_cfg: give numbers around the right one as options. Key: ``heatmap_width`` (2), the
            largest distance on either side. Null, or a mapping without keys: no options.
    """

    name = "FSC147"
    wording = "counting"
    metric = "Counting"
    random_accuracy: float | None = 1 / 5

    def __init__(
        self,
        base_data_path: str = "data/LAMM/2D_Benchmark/",
        *,
        ppl_cfg: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(base_data_path, "meta_file/Counting_FSC147.json")
        # Unlike in other scenarios of ChEF, an empty mapping means no options here.
        self._window = read_section(Window, ppl_cfg or None)
        width = self._window.heatmap_width if self._window else None
        self.random_accuracy = None if width is None else 1 / (1 + 2 * width)

    def sample(self, index: int, record: Record) -> Sample:
        number = values.count(record, "num")
        numbers = numbers_around(number, self._window.heatmap_width) if self._window else []
        options = tuple(str(item) for item in numbers)
        return Sample(
            id=self.sample_id(index),
            images=(self.image(record["image"]),),
            question=values.text(record, "query"),
            options=options,
            answer=number,
            fields={"gt_choice": numbers.index(number)} if numbers else {},
        )


def numbers_around(number: int, width: int) -> list[int]:
    """The options for a count: numbers near it that have the same number of tens.

    These are the numbers at most ``width`` away. Each of them with fewer tens is replaced by the
    next number above the window, each with more tens by the next number below. Negative numbers
    are left out. So the tens of an option do not show whether it is right.

    >>> numbers_around(19, 2), numbers_around(10, 2)
    ([17, 18, 19, 16, 15], [13, 14, 10, 11, 12])
    """
    window = range(max(0, number - width), number + width + 1)
    above, below = window[-1], window[0]
    found = []
    for item in window:
        if item // 10 < number // 10:
            above += 1
            found.append(above)
        elif item // 10 > number // 10:
            below -= 1
            found.append(below)
        else:
            found.append(item)
    return [item for item in found if item >= 0]


#: A reference answer, and further fields of the sample.
Answer: TypeAlias = tuple[Any, dict[str, Any]]
#: The classes of UCMerced.
LAND_USES = (
    "agricultural", "airplane", "baseball diamond", "beach", "buildings", "chaparral",
    "dense residential", "forest", "freeway", "golf course", "harbor", "intersection",
    "medium residential", "mobile home park", "overpass", "parking lot", "river", "runway",
    "sparse residential", "storage tanks", "tennis court",
)  # fmt: skip
#: The colours of hair in CelebA.
HAIR = ("black", "blond", "brown", "gray", "bald")
_BY_UNSPACED_NAME = {label.replace(" ", ""): label for label in LAND_USES}


def boxes(record: Record) -> list[dict[str, Any]]:
    """The objects of a record, with their boxes."""
    return [{"label": label, "bbox": list(box)} for label, box in objects_of(record)]


def _land_use(record: Record, key: str) -> Answer:
    label = values.text(record, key)
    unspaced = label.replace(" ", "").replace("_", "").lower()
    answer = _BY_UNSPACED_NAME.get(unspaced) or values.one_of(key, label, LAND_USES)
    return answer, {"label": str(record[key]), "choices": list(LAND_USES)}


def _hair(record: Record, key: str) -> Answer:
    label = values.text(record, key)
    bare = label.lower().replace("_", " ").removesuffix(" hair")
    answer = label if bare in HAIR else values.one_of(key, label, HAIR)
    return answer, {"gt": str(record[key])}


def _smile(record: Record, key: str) -> Answer:
    answer = values.one_of(key, values.text(record, key), ("1", "-1"))
    return answer, {"gt": str(record[key])}


def _options(record: Record, _key: str) -> Answer:
    choices = values.texts(record, "gt_choices", blank=True)
    correct = values.choice(record, "gt_choice", len(choices))
    fields = {"gt_choice": correct, "choices": choices, "gt_choices": choices}
    return f"({letters(len(choices))[correct]})", fields


def _class(record: Record, key: str) -> Answer:
    label = values.one_of(key, record[key], LABELS)
    return label, {"label": label, "choices": list(LABELS)}


def _joints(record: Record, key: str) -> Answer:
    joints = values.points(record, key)
    if len(joints) in (2, 3) and len(joints[0]) > 3:  # rows are x, y (and visibility)
        joints = [list(joint) for joint in zip(*joints, strict=True)]
    return joints, {}


#: How reference answers are read, and the fields that metrics need besides.
_ANSWERS: Mapping[str, Callable[[Record, str], Answer]] = {
    "land_use": _land_use,
    "hair": _hair,
    "smile": _smile,
    "options": _options,
    "texts": lambda record, key: (values.texts(record, key), {}),
    "count": lambda record, key: (values.count(record, key), {}),
    "boxes": lambda record, _: (boxes(record), {}),
    "boxes_and_query": lambda record, _: (boxes(record), {"query": values.text(record, "query")}),
    "class": _class,
    "joints": _joints,
}


class LammTask(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A row of ``lamm.yaml``, which says what its keys are."""

    about: str
    wording: str
    metric: str
    meta_file: str
    answer: str
    asks: Literal["query", "labels", "nothing"] = "query"
    name: str = ""
    key: str = ""
    has_wordings: bool = True
    has_size: bool = False
    lamm: str = ""
    random_accuracy: float | None = None
    message: str = ""


class Lamm(Listed):
    """A data set of LAMM's two-dimensional benchmark.

    A subclass sets the attributes and `answer`. Where the question is not the record's ``query``,
    or metrics need more fields, it overrides `question` or `fields` as well.

    Args:
        base_data_path: the root of LAMM's 2D benchmark.

    Attributes:
        meta_file: the file that lists the records, below ``meta_file/``.
        message: the key in ``lamm_messages.yaml`` of the system message; empty for none.
    """

    meta_file: ClassVar[str]
    message: ClassVar[str] = ""

    def __init__(self, base_data_path: str) -> None:
        super().__init__(base_data_path, f"meta_file/{self.meta_file}")
        self.system_message = messages()[self.message] if self.message else ""

    def sample(self, index: int, record: Record) -> Sample:
        return Sample(
            id=self.sample_id(index),
            images=(self.image(record["image"]),),
            question=self.question(index, record),
            answer=self.answer(record),
            fields=self.fields(record),
        )

    def question(self, index: int, record: Record) -> str:  # noqa: ARG002
        """The text of the question."""
        return values.text(record, "query")

    @abstractmethod
    def answer(self, record: Record) -> Any:
        """The reference answer, in the form that the metric expects."""

    def fields(self, record: Record) -> dict[str, Any]:  # noqa: ARG002
        """Further fields of the sample, which metrics read."""
        return {}


class Tabled(Lamm):
    """A data set of ``lamm.yaml``; where it has options, their letters can be scored."""

    row: ClassVar[LammTask]

    def sample(self, index: int, record: Record) -> Sample:
        if self.row.answer == "options":
            answer, fields = _options(record, "")
            return Sample(
                id=self.sample_id(index),
                images=self.images(record.get("image")),
                question=self.question(index, record),
                options=tuple(f"({letter}" for letter in letters(len(fields["choices"]))),
                answer=answer,
                fields=fields,
            )
        sample = super().sample(index, record)
        if not self.row.has_size:
            return sample
        return replace(sample, fields={"image_size": list(sample.images[0].size)})

    def question(self, index: int, record: Record) -> str:
        """The query; labels after it are shuffled for each sample, as their order means nothing."""
        if self.row.asks == "nothing":
            return ""
        query = super().question(index, record)
        if self.row.asks == "query":
            return query
        listed = list(LABELS)
        sample_rng(0, self.name, self.sample_id(index)).shuffle(listed)
        return f"{query} The labels are: {', '.join(listed)}."

    def answer(self, record: Record) -> Any:
        return _ANSWERS[self.row.answer](record, self.row.key)[0]

    def fields(self, record: Record) -> dict[str, Any]:
        return _ANSWERS[self.row.answer](record, self.row.key)[1]


@cache
def _tasks() -> Mapping[str, LammTask]:
    return msgspec.convert(shipped("chef.scenario", "lamm.yaml"), dict[str, LammTask])


@cache
def _task_class(name: str) -> type[Tabled]:
    row = _tasks()[name]
    protocols = {"LAMM": row.lamm} if row.lamm else {}
    return class_of(
        Tabled, __name__, name, doc=row.about, row=row, name=row.name or name, wording=row.wording,
        has_wordings=row.has_wordings, metric=row.metric, protocols=protocols, message=row.message,
        random_accuracy=row.random_accuracy, meta_file=row.meta_file,
    )  # fmt: skip


def __getattr__(name: str) -> type[Tabled]:
    """The class of a row, so that it is found where a registry or a pickle says it is."""
    if name.startswith("__") or name not in _tasks():
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return _task_class(name)


@cache
def messages() -> Mapping[str, str]:
    """The system messages of LAMM, by task."""
    texts: Mapping[str, str] = shipped("chef.scenario", "lamm_messages.yaml")
    return texts
