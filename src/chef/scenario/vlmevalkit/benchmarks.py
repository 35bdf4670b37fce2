"""The benchmarks of the table as scenarios: a class for each name, made when it is asked for.

A name may stand for several of them: ``MMMB`` is its six files, one for each language.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, ClassVar

from chef.common.digest import content_digest
from chef.common.logs import logger
from chef.errors import ConfigError, DataError, nearest
from chef.registry import Registry
from chef.scenario.base import ColumnUse, Scenario, class_of
from chef.scenario.circular import circular_metric
from chef.scenario.questions.family import Family, Kind
from chef.scenario.tsv.scenario import Tsv
from chef.scenario.vlmevalkit.scenario import NamedBenchmark
from chef.scenario.vlmevalkit.table import (
    Benchmark,
    Entry,
    entry,
    registered_name,
    root_folder,
    table,
)
from chef.types import Sample

#: The fields by which metrics put rows together; their values are those of one file.
_OF_FILE = ("circular_group", "image_row")
#: What the kinds of questions are called.
KINDS = {
    "mcq": "multiple choice",
    "yesno": "yes or no",
    "vqa": "open questions",
    "caption": "captions",
    "turns": "conversations",
}


@cache
def benchmark_class(name: str) -> type[NamedBenchmark]:
    """The scenario of a benchmark of the table; KeyError if there is none of that name."""
    known = entry(name)
    return class_of(
        NamedBenchmark, __name__, known.name, doc=_described(known), entry=known, name=known.name,
        wording=known.family.wording, metric=known.family.metric,
    )  # fmt: skip


def _described(known: Entry) -> str:
    family, benchmark = known.family, known.benchmark
    facts = [
        f"Its layout is {family.layout}, its wordings are those of the pool {family.wording}",
        *(["its file has the rotations of each question"] if family.circular else []),
        *([f"its answers need a judge ({family.judge}): --judge_cfg"] if family.judge else []),
    ]
    digest = f"its md5 is {benchmark.md5}" if benchmark.md5 else "its digest is not known"
    where = f"from {benchmark.url}" if benchmark.url else "to be brought by hand"
    return (
        f"{KINDS[family.kind].capitalize()}, scored by {family.metric}; "
        f"recipe VLMEvalKit/{family.recipe}.\n\n"
        f"{'; '.join(facts)}.\n\n"
        f"The file {known.file_names[0]} in $LMUData or ~/LMUData, {where}; {digest}."
    )


class Joined(Scenario):
    """Several benchmarks of VLMEvalKit's table as one, with figures for each and for all rows.

    A row has the id ``BENCHMARK/INDEX`` and the name of its benchmark in the field ``split``, by
    which results are grouped. Rotations belong together within their file.

    Args:
        data_root: another data root; on the command line also ``--data_root DIR``.
        check_md5: compare each file with the digest that VLMEvalKit states, where it is known.
        option_content: score the texts of the options instead of their labels.
        skip_noimg: leave out rows without an image, where a file has a column ``image``.
        split: take only the rows of this benchmark.
        category: take only the rows of this category.

    Raises:
        DataError: a file is missing, has another digest, or cannot be read as a table.
    """

    paths = ("data_root",)
    groupings = NamedBenchmark.groupings
    parts: ClassVar[tuple[str, ...]]

    def __init__(
        self,
        *,
        data_root: str | None = None,
        check_md5: bool = True,
        option_content: bool = False,
        skip_noimg: bool = True,
        split: str | None = None,
        category: str | None = None,
    ) -> None:
        self._bases = {
            name: benchmark_class(name)(
                data_root=data_root,
                check_md5=check_md5,
                option_content=option_content,
                skip_noimg=skip_noimg,
                category=category,
            )
            for name in self._wanted(split)
        }
        sizes = [len(base) for base in self._bases.values()]
        self._ends = [*accumulate(sizes)]
        bases = [*self._bases.values()]
        self.metric_by_name = self.metric
        if any(base.metric != self.metric for base in bases):  # one has rotations
            self.metric = circular_metric(self.metric)
        chances = [base.random_accuracy for base in bases]
        known = [chance for chance in chances if chance is not None]
        if len(known) == len(bases):
            weighted = sum(chance * size for chance, size in zip(known, sizes, strict=True))
            self.random_accuracy = weighted / self._ends[-1]

    def _wanted(self, split: str | None) -> tuple[str, ...]:
        if split is None:
            return self.parts
        if split not in self.parts:
            raise ConfigError(
                f"{self.name} has no part '{split}'",
                where="scenario_cfg.split",
                hint=nearest(split, self.parts),
            )
        return (split,)

    def __len__(self) -> int:
        return self._ends[-1]

    def __getitem__(self, index: int) -> Sample:
        name, base, place = self._place(index)
        return _named(base[place], name)

    def outlines(self) -> Iterator[Sample | None]:
        for name, base in self._bases.items():
            for sample in base.outlines():
                yield None if sample is None else _named(sample, name)

    def sample_id(self, index: int) -> str:
        name, base, place = self._place(index)
        return f"{name}/{base.sample_id(place)}"

    def group(self, index: int) -> str | None:
        """The question that the row is a rotation of, with its file."""
        name, base, place = self._place(index)
        group = base.group(place)
        return None if group is None else f"{name}/{group}"

    def fingerprint(self) -> str:
        """A digest of the rows of all files, without their images."""
        return content_digest(*(base.fingerprint() for base in self._bases.values()))

    def row_state(self) -> str:
        return repr([base.row_state() for base in self._bases.values()])

    def row_digests(self) -> Mapping[str, str]:
        """A digest of each row with its images, by the id of its sample."""
        return {
            f"{name}/{row}": digest
            for name, base in self._bases.items()
            for row, digest in base.row_digests().items()
        }

    def _place(self, index: int) -> tuple[str, Scenario, int]:
        """The file that a row is of, and its place in it."""
        if not 0 <= index < len(self):
            raise IndexError(index)
        number = bisect_right(self._ends, index)
        name, base = [*self._bases.items()][number]
        return name, base, index - (self._ends[number] - len(base))


def _named(sample: Sample, name: str) -> Sample:
    """The sample of a row as one of several files."""
    fields: dict[str, Any] = {**sample.fields, "split": name}
    fields |= {key: f"{name}/{fields[key]}" for key in _OF_FILE if key in fields}
    return replace(sample, id=f"{name}/{sample.id}", fields=fields)


@cache
def joined_class(name: str) -> type[Joined]:
    """The scenario of a name that stands for several benchmarks; KeyError if there is none."""
    parts = table().joined[name]
    first = benchmark_class(parts[0])
    doc = f"{', '.join(parts)} as one, with figures for each.\n\n{first.__doc__}"
    return class_of(
        Joined, __name__, name, doc=doc, name=name, parts=parts, wording=first.wording,
        metric=first.metric,
    )  # fmt: skip


def __getattr__(name: str) -> type[Scenario]:
    """The class of a name, so that it is found where a registry or a pickle says it is."""
    known = table()
    if not name.startswith("__") and name in known.benchmarks:
        return benchmark_class(name)
    if not name.startswith("__") and name in known.joined:
        return joined_class(name)
    if name in _REGISTERED:
        return own_class(name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


_log = logger(__name__)
#: A name that can be that of a file in the data root, and of a folder of results.
_NAME = r"\w[\w. -]*"
#: The family of each kind of file; captions have no column ``question``.
_FAMILIES: Mapping[Kind, str] = {
    "mcq": "mcq",
    "yesno": "yes_no",
    "vqa": "open",
    "caption": "caption",
}
_TOLD = {
    "mcq": "because it has the columns A and B",
    "yesno": "because all its answers are yes or no",
    "vqa": "because it has no options",
    "caption": "because it has no column 'question'",
}

#: The names that were registered in this process.
_REGISTERED: set[str] = set()


class Own(NamedBenchmark):
    """A benchmark of one's own: a file ``NAME.tsv`` in the data root.

    It is multiple choice (columns A and B), yes or no (all answers are), captions (no column
    ``question``), otherwise open questions; ``metric_cfg`` says how these are scored where their
    usual metric is not meant.

    Args:
        data_root: the folder of the file; default: ``$LMUData`` if that is a folder, else
            ``~/LMUData``.
        image_root: another folder for image files than ``images/NAME`` of the data root.
        kind: the kind of questions, instead of what the columns say.
    """

    def __init__(
        self,
        *,
        data_root: str | None = None,
        image_root: str | None = None,
        kind: Kind | None = None,
        option_content: bool = False,
        skip_noimg: bool = True,
        split: str | None = None,
        category: str | None = None,
    ) -> None:
        self._given = table().families[_FAMILIES[kind]] if kind else None
        super().__init__(
            data_root=data_root,
            image_root=image_root,
            option_content=option_content,
            skip_noimg=skip_noimg,
            split=split,
            category=category,
        )
        why = "as the recipe says" if kind else _TOLD[self.kind]
        message = "%s: %s is a benchmark of your own: %s, %s"
        _log.info(message, self.name, self._index.path, KINDS[self.kind], why)

    def told_family(self) -> Family | None:
        """That of the kind that the recipe names."""
        return self._given

    def _family(self) -> Family:
        """The family of the kind of questions."""
        if self._given is None and self.kind != "mcq" and "question" not in self._index.columns:
            self.kind = "caption"
        return self._given or table().families[_FAMILIES[self.kind]]

    def column_use(self) -> ColumnUse | None:
        """As of any table."""
        return Tsv.column_use(self)

    def _check_columns(self) -> None:
        """A file with images and no questions is one of captions; DataError without either."""
        columns = self._index.columns
        if not {"question", "image", "image_path"} & {*columns}:
            raise DataError(
                f"has no column 'question', and none of images; it has {', '.join(columns)[:200]}",
                where=self._index.path,
                hint="rename the column of the question to 'question', that of the answer to "
                "'answer'; or read the table as it is: dataset_name: Records",
            )


def registered(section: Mapping[str, Any], registry: Registry[Scenario], beside: Path) -> Any:
    """The name of a section's scenario, after a file of one's own was registered under it.

    A name that is one of ChEF's too means the file if the section names no folder of ChEF's; a
    relative ``data_root`` is looked for ``beside`` first.
    """
    name = section.get("dataset_name")
    if not isinstance(name, str):
        return name
    if registered_name(name) != name:
        return name if "base_data_path" in section else registered_name(name)
    if name in registry or not re.fullmatch(_NAME, name):
        return name
    given = section.get("data_root")
    root = root_folder(given if isinstance(given, str) else None)
    if any((folder / f"{name}.tsv").is_file() for folder in (beside / root, root)):
        _REGISTERED.add(name)
        registry.register(name, f"{__name__}:{name}")
    return name


def own_tables(root: Path) -> dict[str, Path]:
    """The tables of one's own in a data root, by their names."""
    return {file.stem: file for file in root.glob("*.tsv") if file.stem not in table().benchmarks}


@cache
def own_class(name: str) -> type[Own]:
    """The scenario of a file of one's own."""
    known = Entry(name, table().families["open"], Benchmark(family="open"))
    return class_of(Own, __name__, name, doc=Own.__doc__, entry=known)
