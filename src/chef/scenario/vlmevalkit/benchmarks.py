"""The benchmarks of the table as scenarios: a class for each name, made when it is asked for.

A name may stand for several of them: ``MMMB`` is its six files, one for each language.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import accumulate
from typing import Any, ClassVar

from chef.common.digest import content_digest
from chef.errors import ConfigError, nearest
from chef.scenario.base import Scenario, class_of
from chef.scenario.circular import circular_metric
from chef.scenario.vlmevalkit.scenario import NamedBenchmark
from chef.scenario.vlmevalkit.table import Entry, entry, table
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
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
