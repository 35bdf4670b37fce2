"""Benchmarks of one's own: files in the data root whose names the table does not have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from chef.common.logs import logger
from chef.errors import DataError
from chef.registry import Registry
from chef.scenario.base import ColumnUse, Scenario, class_of
from chef.scenario.questions.family import Family, Kind
from chef.scenario.tsv.scenario import Tsv
from chef.scenario.vlmevalkit.benchmarks import KINDS
from chef.scenario.vlmevalkit.roots import root_folder
from chef.scenario.vlmevalkit.scenario import NamedBenchmark
from chef.scenario.vlmevalkit.table import Benchmark, Entry, registered_name, table

_log = logger(__name__)
#: A name that can be that of a file in the data root, and of a folder of results.
_NAME = re.compile(r"\w[\w. -]*")
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
        option_content: score the texts of the options instead of their labels.
        skip_noimg: leave out rows without an image, where the file has a column ``image``.
        split: take only the rows of this split.
        category: take only the rows of this category.
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
    if name in registry or not _NAME.fullmatch(name):
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


def __getattr__(name: str) -> type[Own]:
    """The class of a name, so that it is found where a registry or a pickle says it is."""
    if name not in _REGISTERED:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return own_class(name)
