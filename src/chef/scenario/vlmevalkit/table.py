"""The table of VLMEvalKit's benchmarks, and where their files are: its data root."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

import msgspec

from chef.common.digest import checksum, content_digest
from chef.common.writing import write_atomically
from chef.common.yaml_text import shipped
from chef.embedding.cache import cache_folder
from chef.errors import ChefError, DataError
from chef.frozen import Frozen
from chef.guard.files import read_text, user_path
from chef.scenario.questions.family import Family

#: The environment variable that names the root.
VARIABLE = "LMUData"
_DEFAULT = "~/LMUData"
#: What names of data sets of an installed VLMEvalKit begin with.
PACKAGED = "vlmeval:"


class TableRoots(Frozen):
    """A recipe's data root for classes (None: the usual one), and whether digests count."""

    root: str | None = None
    check_md5: bool = True


_USUAL = TableRoots()
_source: ContextVar[TableRoots | None] = ContextVar("vlmevalkit_source", default=None)


@contextmanager
def reading_from(source: TableRoots) -> Iterator[None]:
    """Let `root_folder` and `is_checked` follow a recipe in the block."""
    token = _source.set(source)
    try:
        yield
    finally:
        _source.reset(token)


def is_checked() -> bool:
    """Whether tables are compared with the digests that are stated for them."""
    return (_source.get() or _USUAL).check_md5


def root_folder(given: str | None = None) -> Path:
    """The folder of files: given, else `reading_from`'s, ``$LMUData`` if there, ``~/LMUData``."""
    if given := given or (_source.get() or _USUAL).root:
        return user_path(given)
    named = os.environ.get(VARIABLE)
    if named and user_path(named).is_dir():
        return user_path(named)
    return user_path(_DEFAULT)


def find_file(root: Path, names: Sequence[str], fetch: str | None) -> Path:
    """The first file that is there; DataError without one (`chef prepare` brings ``fetch``)."""
    for name in names:
        if (root / name).is_file():
            return root / name
    named = os.environ.get(VARIABLE)
    is_lost = named and not user_path(named).is_dir()
    lost = f" (${VARIABLE} is {named}, which is no folder)" if is_lost else ""
    shown = shlex.quote(str(root))
    bring = f"`chef prepare {fetch} --root {shown}` fetches it" if fetch else "put the file there"
    if near := _written_otherwise(root, names[0]):
        bring = f"there is {near}: rename it"
    raise DataError(
        f"there is no {names[0]}" if root.is_dir() else f"no such folder, so no {names[0]}",
        where=f"{root}{lost}",
        hint=f"{bring}; another folder: --data_root DIR, data_root in scenario_cfg, or ${VARIABLE}",
    )


def _written_otherwise(root: Path, name: str) -> str:
    """A file of that name in other letters: small ones, say; empty if there is none."""
    files = (file.name for file in root.iterdir()) if root.is_dir() else ()
    return next((file for file in files if file.casefold() == name.casefold()), "")


def check_digest(file: Path, expected: str, stated: str, bring: str) -> None:
    """DataError where a file has not the md5 that ``stated`` states; it is computed anew only for a
    changed file. ``bring`` says how to get the right one.
    """
    actual = _digest(file)
    if actual != expected.strip().lower():
        raise DataError(
            f"its md5 is {actual}, and {stated} is {expected}",
            where=str(file),
            hint=f"{bring}; if the file is right (a newer version, or a part), set check_md5: "
            "false in scenario_cfg",
        )


def _digest(file: Path) -> str:
    state = file.stat()
    key = content_digest(repr((str(file.resolve()), state.st_size, state.st_mtime_ns)))
    known = cache_folder() / "digests" / f"{key}.md5"
    try:
        return read_text(known, limit=64).strip()
    except (OSError, ValueError):
        found = checksum(file, "md5")
    try:
        known.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(known, found + "\n")
    except (OSError, ChefError):
        pass  # it is computed again the next time
    return found


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
