"""Tables of VLMEvalKit: the columns of its TSV, with the answers in ``prediction``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chef.common.circular import is_rotation
from chef.errors import DataError, SampleError
from chef.scenario.questions.cells import guess_kind, row_groups
from chef.scenario.questions.family import OWN, Kind
from chef.scenario.questions.question import question_of
from chef.scenario.table.memory import sheet
from chef.scenario.tsv.table import TsvTable, option_columns
from chef.types import Prediction, Sample, Status

#: What VLMEvalKit writes for an answer that it could not get.
FAILED = "Failed to obtain answer via API."
#: Longer texts are cut by the xlsx format.
CELL_LIMIT = 32_767
#: Further columns that metrics read: those of MMMU.
FURTHER = ("question_type", "subject", "subfield")

Cells = Mapping[str, str]


def read_table(path: Path) -> list[Prediction]:
    """The rows of a .tsv or .xlsx file as predictions, with the true answers of their columns.

    A row whose columns give no true answer keeps its prediction. The text that VLMEvalKit writes
    for a failed call becomes an error. An answer of the maximum length of the format counts as
    truncated. DataError if the file is unreadable, a column is missing, or a row has no index.
    """
    columns, rows = _read_tsv(path) if path.suffix.lower() == ".tsv" else _read_xlsx(path)
    for column in ("index", "prediction"):
        if column not in columns:
            raise DataError(
                f"has no column '{column}'; it has {', '.join(columns)[:200]}",
                where=str(path),
                hint="give the table that holds the predictions",
            )
    kind = guess_kind(columns, (row.get("answer", "") for row in rows))
    circular = any(is_rotation(row["index"].strip()) for row in rows)
    labels = option_columns(tuple(columns))
    predictions = []
    for number, row in enumerate(rows, 1):
        if not row["index"].strip():
            raise DataError("has no index", where=f"{path}: row {number}")
        predictions.append(_prediction(row, kind, labels, circular))
    return predictions


def _prediction(row: Cells, kind: Kind, labels: Sequence[str], circular: bool) -> Prediction:
    name, text = row["index"].strip(), row["prediction"]
    groups = row_groups(row, is_circular=circular)
    has_failed = text.strip() == FAILED
    # Its group is incomplete.
    sample: dict[str, Any] = {"id": name, **(groups if has_failed else {})}
    try:
        question = question_of(OWN[kind], row, labels, None)
        further = {column: row[column] for column in FURTHER if row.get(column)}
        fields = {**question.fields, **groups, **further}
        sample = Sample(
            name, (), question.question, question.options, question.answer, fields
        ).to_record()
    except (SampleError, KeyError):
        pass  # no question, or no readable true answer; a scenario may give them
    if has_failed:
        failure = {"type": "ApiError", "message": text.strip()}
        return Prediction(name, Status.ERROR, sample=sample, error=failure)
    status = Status.TRUNCATED if len(text) >= CELL_LIMIT else Status.OK
    return Prediction(name, status, text, sample=sample)


def _read_tsv(path: Path) -> tuple[Sequence[str], list[Cells]]:
    index = TsvTable(path)
    if bad := [*index.survey.problems.values()]:
        what = f"{len(bad)} rows cannot be used; the first: {bad[0].what}"
        raise DataError(what, where=str(path), hint=bad[0].hint)
    return index.columns, [index.read(position) for position in range(len(index.rows))]


def _read_xlsx(path: Path) -> tuple[Sequence[str], list[Cells]]:
    columns, rows = sheet(path)
    empty = dict.fromkeys(columns, "")
    return columns, [{**empty, **dict(zip(columns, map(_text, row), strict=False))} for row in rows]


def _text(cell: object) -> str:
    """A cell as text, empty for an empty cell."""
    return "" if cell is None else str(cell)
