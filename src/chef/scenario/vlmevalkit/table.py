"""The table of benchmarks: what is known of each name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from chef.common.yaml_text import shipped
from chef.scenario.questions.family import Family

#: What a name that is also one of ChEF's data sets is called beside it: ``VLMEvalKit/MME``.
PREFIX = "VLMEvalKit/"
#: Names that chef has for ChEF's layout of the same data.
_CHEFS = ("MME", "MMBench", "SEEDBench2")
_MODULE = "chef.scenario.vlmevalkit.benchmarks"


@cache
def packaged_names() -> tuple[str, ...]:
    """The benchmarks that chef has no table for: those of an installed VLMEvalKit.

    >>> "HRBench4K" in packaged_names()
    True
    """
    return tuple(shipped("chef.scenario.vlmevalkit", "packaged.yaml")["names"].split())


class Benchmark(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One benchmark.

    Attributes:
        file: its file where that is not ``{name}.tsv``; a file of that name is taken first.
        images: the folder of its image files; empty: its name.
        url: where the file comes from; empty: not known.
        md5: the digest that VLMEvalKit states; empty: not known.
    """

    family: str
    file: str = ""
    images: str = ""
    url: str = ""
    md5: str = ""


class BenchmarkTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Families and benchmarks by name, and names that stand for several benchmarks."""

    families: Mapping[str, Family]
    benchmarks: Mapping[str, Benchmark]
    joined: Mapping[str, tuple[str, ...]] = {}


class Entry(msgspec.Struct, frozen=True):
    """A benchmark of the table with its name and its family."""

    name: str
    family: Family
    benchmark: Benchmark

    @property
    def file_names(self) -> tuple[str, ...]:
        """The names that its file may have, the first one first."""
        names = (f"{self.name}.tsv", self.benchmark.file)
        return tuple(filter(None, names))

    @property
    def images(self) -> str:
        """The folder of its image files, below ``images`` of the data root."""
        return self.benchmark.images or self.name


@cache
def table() -> BenchmarkTable:
    """The table, checked."""
    return msgspec.convert(shipped("chef.scenario.vlmevalkit", "table.yaml"), BenchmarkTable)


def entry(name: str) -> Entry:
    """The benchmark of that name, `PREFIX` or not, of a joined one its first; else KeyError."""
    plain = name.removeprefix(PREFIX)
    known = table()
    parts = known.joined.get(plain, (plain,))  # which are of one family
    benchmark = known.benchmarks[parts[0]]
    return Entry(plain, known.families[benchmark.family], benchmark)


def targets() -> dict[str, str]:
    """The classes by the names that recipes give them, for the registry of scenarios.

    >>> targets()["MMStar"]
    'chef.scenario.vlmevalkit.benchmarks:MMStar'
    """
    known = table()
    names = {registered_name(name): name for name in known.benchmarks}
    names |= {name: name for name in known.joined}
    return {called: f"{_MODULE}:{name}" for called, name in names.items()}


def benchmark_names() -> list[str]:
    """The names by which benchmarks are asked, as recipes give them.

    >>> {"MMStar", "VLMEvalKit/MME", "MME"} & {*benchmark_names()} == {"MMStar", "VLMEvalKit/MME"}
    True
    """
    return [*targets()]


def registered_name(name: str) -> str:
    """What recipes call a benchmark of the table.

    >>> registered_name("MMStar"), registered_name("MME")
    ('MMStar', 'VLMEvalKit/MME')
    """
    return PREFIX + name if name in _CHEFS else name
