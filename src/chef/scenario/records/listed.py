"""Data sets that are a list of records, in ChEF's format.

The list is in a JSON file, with images in folders next to it, or a data set of the Hugging Face
hub, or one saved by `datasets`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

from chef.common.digest import file_digest
from chef.common.options import letters
from chef.errors import ConfigError, DataError, SampleError
from chef.frozen import Frozen
from chef.guard.files import user_path
from chef.image import Image
from chef.scenario.base import Scenario
from chef.scenario.records.files import BadRecord, Record, read_records
from chef.scenario.records.values import as_text
from chef.scenario.table.rows import RowTable, usable
from chef.types import Sample

#: The columns of ScienceQA by which its questions are grouped.
SCIENCE_GROUPS = ("subject", "topic", "category", "grade")
#: The origin of a scenario's records: files in ChEF's layout, or a data set of the hub.
Origin: TypeAlias = Literal["files", "hub"]


class Schema(Frozen):
    """The meaning of the columns of a data set, such as ``example``.

    Attributes:
        columns: the columns that are needed, including ``image``.
        record: converts the cells of a row and its number to a record; None leaves the row out.
        config: the configuration of the data set; None if it has only one.
        optional: further columns that are read where the data set has them.
    """

    example: str
    split: str
    columns: Sequence[str]
    record: Callable[[Mapping[str, Any], int], dict[str, Any] | None]
    config: str | None = None
    optional: Sequence[str] = ()


def scienceqa(cells: Mapping[str, Any], number: int) -> dict[str, Any] | None:
    r"""Convert a row of ScienceQA; rows without an image are left out, as in LAMM.

    >>> cells = {"question": "Which?", "hint": "", "choices": ["x", "y"], "answer": 1, "image": "i"}
    >>> scienceqa(cells, 3)["query"]
    'Which?\nContext: N/A\nOptions: (A) x (B) y'
    """
    if cells["image"] is None:
        return None
    choices = cells["choices"]
    options = zip(letters(len(choices)), choices, strict=True)
    listed = " ".join(f"({letter}) {text}" for letter, text in options)
    return {
        "id": str(number),
        "image": cells["image"],
        "query": f"{cells['question']}\nContext: {cells['hint'] or 'N/A'}\nOptions: {listed}",
        "gt_choice": cells["answer"],
        "gt_choices": choices,
        **{name: cells[name] for name in SCIENCE_GROUPS if cells.get(name)},
    }


def pope(category: str) -> Callable[[Mapping[str, Any], int], dict[str, Any] | None]:
    """A function that converts the rows of POPE in one category."""

    def record(cells: Mapping[str, Any], _number: int) -> dict[str, Any] | None:
        if cells["category"] != category:
            return None
        return {
            "question_id": cells["question_id"],
            "image": cells["image"],
            "text": cells["question"],
            "label": cells["answer"],
        }

    return record


def unchanged(cells: Mapping[str, Any], _number: int) -> dict[str, Any]:
    """Convert a row whose columns already have the names that the scenario expects."""
    return dict(cells)


_POPE = ("question_id", "question", "answer", "category", "image")
#: The schemas by scenario.
SCHEMAS: Mapping[str, Schema] = {
    "ScienceQA": Schema(
        "derek-thomas/ScienceQA", "test", ("question", "hint", "choices", "answer", "image"),
        scienceqa, optional=SCIENCE_GROUPS,
    ),
    **{
        f"POPE_COCO_{category}": Schema("lmms-lab/POPE", "test", _POPE, pope(category))
        for category in ("random", "popular", "adversarial")
    },
    "MME": Schema(
        "lmms-lab/MME", "test", ("question_id", "question", "answer", "category", "image"),
        unchanged,
    ),
    "SEEDBench": Schema(
        "lmms-lab/SEED-Bench", "test",
        ("question_id", "question", "answer", "data_type", "question_type_id", "choice_a",
         "choice_b", "choice_c", "choice_d", "image"),
        unchanged,
    ),
}  # fmt: skip


def schema_of(scenario: str) -> Schema:
    """The schema of a scenario's data set on the hub; ConfigError where none is known."""
    if scenario not in SCHEMAS:
        raise ConfigError(
            f"no data set of the hub is known for {scenario}",
            where="scenario_cfg.source",
            hint=f"remove it; it is known for: {', '.join(SCHEMAS)}",
        )
    return SCHEMAS[scenario]


class CellImages(Frozen):
    """The images in one cell, still encoded; they are read when a sample is made."""

    table: RowTable
    row: int
    name: str

    def images(self) -> tuple[Image, ...]:
        """All images of the cell, in order; SampleError where it holds something else."""
        cell = self.table.read(self.row)["image"]
        cells = cell if isinstance(cell, list) else [cell]
        try:
            sources = [item["bytes"] or Path(item["path"]) for item in cells]
        except (TypeError, KeyError) as error:
            raise SampleError("does not contain an encoded image", where=self.name) from error
        where = {"name": self.name, "row": self.row}
        return tuple(Image(source, self.name, where) for source in sources)


class HubRecords(Frozen):
    """Records in ChEF's format, with their images as `CellImages`, and a digest of the content."""

    records: list[Record]
    fingerprint: str


def read_hub(path: str, schema: Schema) -> HubRecords:
    """The records of one split of ``owner/name``, ``owner/name@revision``, or a local folder of
    `datasets` or Parquet files. ConfigError without such a split, DataError where it cannot be
    loaded or lacks a column.
    """
    from chef.scenario.table.sources import stored_table

    table = stored_table(path, config=schema.config, split=schema.split)
    missing = [name for name in schema.columns if name not in table.columns]
    if missing:
        raise DataError(
            f"has no column {', '.join(missing)}",
            where=path,
            hint=f"its columns: {', '.join(table.columns)}; is it {schema.example}?",
        )
    names = [
        name
        for name in (*schema.columns, *schema.optional)
        if name in table.columns and name != "image"
    ]
    records: list[Record] = []
    present = table.present("image")
    for number, (cells, has_image) in enumerate(zip(table.scan(names), present, strict=True)):
        image = CellImages(table, number, f"{path}: row {number}") if has_image else None
        record = schema.record({**usable(cells), "image": image}, number)
        if record is not None:
            records.append(record)
    return HubRecords(records, table.fingerprint())


class Listed(Scenario):
    """A scenario over a list of records; a subclass implements `sample` for one record.

    The list is read on first use. A record that lacks a key or has a wrong value becomes one
    `SampleError`, which gives its position; the other records are not affected.

    Args:
        base_data_path: the data root; the paths in the records are relative to it.
        meta: the file that lists the records, relative to the root.
        within: the key of the list, if the file contains a mapping.
        source: ``hub`` takes the records from a data set of the hub instead. ``base_data_path`` is
            then its name, or a local folder that contains it (`chef.scenario.records.listed`).

    Raises:
        ConfigError: ``source`` is ``hub``, and the columns of such a data set are not known.
    """

    def __init__(
        self,
        base_data_path: str,
        meta: str,
        within: str | None = None,
        source: Origin = "files",
    ) -> None:
        self.root = user_path(base_data_path)
        self.meta = self.root / meta
        self._within = within
        self._hub_name = base_data_path if source == "hub" else None
        if source == "hub":
            schema_of(self.name)

    @cached_property
    def records(self) -> list[Record]:
        """The records of the samples, in order; DataError if the file is missing or malformed."""
        try:
            return self.read()
        except (KeyError, TypeError, ValueError) as error:
            fault = f"a record has no key {error}" if isinstance(error, KeyError) else str(error)
            raise DataError(
                f"malformed: {fault}", where=str(self.meta), hint="download it again"
            ) from error

    @property
    def data(self) -> list[Record]:
        """ChEF's name of `records`; a subclass may assign other ones."""
        return self.records

    @data.setter
    def data(self, records: list[Record]) -> None:
        self.records = records

    def read(self) -> list[Record]:
        """Read the records, and `expand` each. One that cannot be expanded stays, as an error."""
        given = self._hub.records if self._hub_name else read_records(self.meta, self._within)
        return [record for place, one in enumerate(given) for record in self._expanded(place, one)]

    def expand(self, place: int, record: Record) -> Sequence[Record]:  # noqa: ARG002
        """The records of the samples that the record at a place stands for; none leaves it out.

        A SampleError, KeyError, TypeError or ValueError becomes the error of one sample.
        """
        return (record,)

    def _expanded(self, place: int, record: Record) -> Sequence[Record]:
        if isinstance(record, BadRecord):
            return (record,)
        try:
            return self.expand(place, record)
        except SampleError as error:
            return (BadRecord(error.what, record),)
        except (KeyError, TypeError, ValueError) as error:
            fault = f"the record has no key {error}" if isinstance(error, KeyError) else str(error)
            return (BadRecord(f"malformed: {fault}", record),)

    @cached_property
    def _hub(self) -> HubRecords:
        from chef.scenario.records.listed import read_hub

        assert self._hub_name is not None
        return read_hub(self._hub_name, schema_of(self.name))

    @abstractmethod
    def sample(self, index: int, record: Record) -> Sample:
        """Make the sample ``sample_id(index)`` of a record.

        A KeyError, TypeError, ValueError, AttributeError or IndexError becomes its `SampleError`.
        """

    def __len__(self) -> int:
        return len(self.records)

    def sample_id(self, index: int) -> str:
        """The id in the record, or its position if it has none."""
        return str(self.records[index].get("id", index))

    def __getitem__(self, index: int) -> Sample:
        record = self.records[index]
        where = f"{self._hub_name or self.meta}: record {index}"
        if isinstance(record, BadRecord):
            raise SampleError(record.problem, where=where, hint="correct the record")
        try:
            # By keyword, so that a subclass with other parameters fails instead of mixing them up.
            sample = self.sample(index=index, record=record)
        except KeyError as error:
            raise SampleError(
                f"the record has no key {error}",
                where=where,
                hint=f"its keys: {', '.join(record)}",
            ) from None
        except (TypeError, ValueError, AttributeError, IndexError) as error:
            raise SampleError(f"malformed: {error}", where=where) from error
        except SampleError as error:
            if error.where is not None:
                raise
            raise type(error)(error.what, where=where, hint=error.hint) from error
        image = record.get("image")
        if isinstance(image, str) and "image_path" not in sample.fields:
            # As in ChEF's records. Metrics use it to find the samples that share an image.
            return replace(sample, fields={"image_path": image, **sample.fields})
        return sample

    def image(self, relative: str) -> Image:
        """The image at a path relative to the data root; SampleError if it is no path."""
        relative = as_text("image", relative)
        return Image(self.root / relative)

    def images(self, value: Any, folder: Path | None = None) -> tuple[Image, ...]:
        """The images of a path below a folder or the root, or of a cell of the hub; or none."""
        if not value:
            return ()
        if isinstance(value, str):
            return (Image((folder or self.root) / value),)
        images: tuple[Image, ...] = value.images()
        return images

    def fingerprint(self) -> str:
        """A digest of the file that lists the records, or of the data set; images are not read."""
        return self._hub.fingerprint if self._hub_name else file_digest(self.meta)
