"""Records of data sets on the Hugging Face hub, or saved by `datasets`, in ChEF's format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from chef.common.options import letters
from chef.errors import ConfigError, DataError, SampleError
from chef.frozen import Frozen
from chef.image import Image
from chef.scenario.records.files import Record
from chef.scenario.table.rows import RowTable, usable

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
