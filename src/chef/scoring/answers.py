"""Reads a file of answers by its kind: lines, records, and VLMEvalKit's tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from chef.common.circular import PLACE, group_sizes, is_rotation, main_index, names_labels
from chef.common.logs import logger
from chef.common.options import letters
from chef.errors import DataError, SampleError
from chef.guard.files import problem_of, read_bytes
from chef.metric.chef_answers import answers_in, json_list, prediction_of
from chef.metric.records import MISSING_CELLS, STORED_ANSWER, STORED_HIT, STORED_QUESTION
from chef.metric.vlmevalkit.scores import is_missing
from chef.run.answers import decode, is_journal_line
from chef.run.configuration import part_of_run, run_hint
from chef.scenario.questions.family import OWN, Family, Kind, choices_of, guess_kind, row_groups
from chef.scenario.questions.question import Question, question_of
from chef.scenario.table.delimited import Delimited
from chef.scenario.table.joined import sheet
from chef.scenario.table.rows import is_missing as is_blank
from chef.scenario.tsv.table import TsvTable, option_columns
from chef.scenario.vlmevalkit.scenario import mathvista_fields
from chef.types import Prediction, Sample, Status

_log = logger(__name__)
KINDS = (
    ".jsonl (lines of chef's predictions.jsonl, ChEF's records one a line, the samples of lm-eval "
    "and lmms-eval, or the answers of LLaVA and of OpenAI's batches), .json (ChEF's list of "
    "records), .xlsx, .tsv, .csv or .json (VLMEvalKit's table with the column 'prediction')"
)


def read_answers(path: Path) -> list[Prediction]:
    """The answers in a file, with the true answers where its records have them.

    DataError for no such file, an unknown format, a malformed line, or ids that occur twice.
    """
    if problem := problem_of(path):
        what = problem.replace("no such file", "no such file or run folder")
        raise DataError(what, where=str(path), hint=run_hint(path))
    kind = path.suffix.lower()
    if kind == ".jsonl":
        answers = _read_lines(path)
    elif kind == ".json":
        records = json_list(path, part_of_run(path) or f"known: {KINDS}")
        answers = (
            _of_table(*_listed(records), path, by_pandas=False)
            if _is_table(records)
            else answers_in(records, path)
        )
    elif kind in _TABLES:
        answers = read_table(path)
    else:
        raise DataError(f"unknown kind of file '{kind}'", where=str(path), hint=f"known: {KINDS}")
    if not answers:
        raise DataError("holds no answers", where=str(path))
    _refuse_duplicates(answers, path)
    return with_group_sizes(answers)


def _read_lines(path: Path) -> list[Prediction]:
    """Lines of a journal, where the last line of an id counts, or records of ChEF."""
    own: dict[str, Prediction] = {}
    records: list[Prediction] = []
    for number, line in enumerate(read_bytes(path).split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            content = msgspec.json.decode(line)
            if is_journal_line(content):
                prediction = decode(line)
                own[prediction.sample_id] = prediction
            else:
                records.append(prediction_of(content, len(records)))
        except (msgspec.MsgspecError, DataError, UnicodeDecodeError) as error:
            hint = getattr(error, "hint", None) or "each line is a JSON object with id and answer"
            what, where = getattr(error, "what", str(error)), f"{path}: line {number}"
            raise DataError(f"cannot be read: {what}", where=where, hint=hint) from None
    if own and records:
        raise DataError("mixes two kinds of lines", where=str(path), hint=f"known: {KINDS}")
    return list(own.values()) or records


def _refuse_duplicates(answers: Sequence[Prediction], path: Path) -> None:
    counts = Counter(answer.sample_id for answer in answers)
    twice = [name for name, count in counts.items() if count > 1]
    if twice:
        raise DataError(
            f"{len(twice)} ids occur more than once, for example '{twice[0]}'",
            where=str(path),
            hint="keep one answer an id",
        )


def with_group_sizes(answers: Sequence[Prediction]) -> list[Prediction]:
    """The answers, each with the number of rows that its circular question should have.

    They also get their positions in the file (`PLACE`), because ChEF takes the row of a question
    that it meets first. The lines of chef's journal have none: they are in no particular order.

    The size is the number of its rows in the file, failed ones included, and at least the number of
    its options, because each option comes first in one rotation; questions with an option such as
    "both A and B" have no rotations. Records that state the size of their group, as those of the
    journal do, stay as they are, and so does a file without rotations.
    """
    if not any(is_rotation(answer.sample_id) for answer in answers):
        return list(answers)
    rows = ((answer.sample_id, _group(answer), _options(answer)) for answer in answers)
    sizes = group_sizes(rows)
    needed: Counter[str] = Counter()
    for answer in answers:
        if (name := main_index(answer.sample_id)) is not None and name == _group(answer):
            needed[name] = max(needed[name], _options(answer))
    sizes |= needed
    return [_sized(answer, sizes, place) for place, answer in enumerate(answers)]


def _sized(answer: Prediction, sizes: Counter[str], place: int) -> Prediction:
    group = _group(answer)
    if group is None or "circular_size" in answer.sample:
        return answer
    found = {"circular_size": sizes[group], PLACE: place}
    return replace(answer, sample={**answer.sample, **found})


def _group(answer: Prediction) -> str | None:
    given = answer.sample.get("circular_group")
    return main_index(answer.sample_id) if given is None else str(given)


def _options(answer: Prediction) -> int:
    """The number of options that move in rotations; 0 for none, or if the record does not say."""
    texts = answer.sample.get("choices")
    listed = texts or answer.sample.get("options")
    if not isinstance(listed, list | tuple | dict):
        return 0
    labels = answer.sample.get("labels") or letters(len(listed))
    stays = texts and names_labels(map(str, texts), labels)
    return 0 if stays else len(listed)


#: What VLMEvalKit writes for an answer that it could not get.
FAILED = "Failed to obtain answer via API."
#: Longer texts are cut by the xlsx format.
CELL_LIMIT = 32_767
#: Further columns that metrics read: those of MMMU.
FURTHER = ("question_type", "subject", "subfield")
#: What stands for a question while a row without one is read, as those of captions.
_NO_QUESTION = "-"
#: NaturalBench has options in its questions; its column ``type`` says so.
_NATURAL = Family(kind="mcq", layout="natural", wording="VQA", metric="NaturalBench")
_NATURAL_TYPES = frozenset({"yes_no", "multiple_choice"})

#: The columns in which VLMEvalKit takes a missing value for a text.
_TEXTS = ("prediction", "answer")
#: The column of the verdicts in a table of results (``_result``), and what they are.
_HIT = "hit"
_HITS: Mapping[str, int] = {"0": 0, "0.0": 0, "1": 1, "1.0": 1}

Cells = Mapping[str, str]


def read_table(path: Path) -> list[Prediction]:
    """The rows of a table of text or a workbook as predictions, with the true answers they have.

    A row whose columns give no true answer keeps its prediction. The text that VLMEvalKit writes
    for a failed call becomes an error. An answer of the maximum length of the format counts as
    truncated. DataError if the file is unreadable, a column is missing, or a row has no index.
    """
    return _of_table(*_TABLES[path.suffix.lower()](path), path)


def _of_table(
    columns: Sequence[str], rows: Sequence[Cells], path: Path, *, by_pandas: bool = True
) -> list[Prediction]:
    """See `read_table`; ``by_pandas``: it reads some texts of the file as missing values."""
    names = list(map(_column, columns))
    if names != list(columns):
        columns = names
        rows = [{_column(name): cell for name, cell in row.items()} for row in rows]
    if {"id", "answer"} <= {*columns} and not {"index", "prediction"} & {*columns}:
        return answers_in([_of_id(row) for row in rows], path)
    for column in ("index", "prediction"):
        if column not in columns:
            raise DataError(
                f"has no column '{column}'; it has {', '.join(columns)[:200]}",
                where=str(path),
                hint="give the table that holds the predictions, with the columns index and "
                "prediction, or id and answer",
            )
    kind = guess_kind(columns, (row.get("answer", "") for row in rows))
    circular = any(is_rotation(row["index"].strip()) for row in rows)
    labels = option_columns(tuple(columns))
    has_hits = _HIT in columns and all(row[_HIT] in _HITS for row in rows)
    if has_hits:
        _log.info(
            "%s: has verdicts in its column '%s': compat: vlmevalkit counts those about options, "
            "and chef's own rules read the answers again", path, _HIT,
        )  # fmt: skip
    predictions = []
    for number, row in enumerate(rows, 1):
        if not row["index"].strip():
            raise DataError("has no index", where=f"{path}: row {number}")
        read = _prediction(row, kind, labels, circular)
        if by_pandas and (
            missing := [name for name in _TEXTS if name in row and is_missing(row[name])]
        ):
            read = replace(read, sample={**read.sample, MISSING_CELLS: missing})
        if has_hits:
            read = replace(read, sample={**read.sample, STORED_HIT: _HITS[row[_HIT]]})
        predictions.append(read)
    return predictions


def _of_id(row: Cells) -> dict[str, str | None]:
    """A row as a record: a table without VLMEvalKit's columns, such as ``--export csv`` writes."""
    has_answer = row.get("status", "").strip() != Status.ERROR
    return {"id": row["id"].strip(), "answer": row["answer"] if has_answer else None}


def _column(name: str) -> str:
    """The name of a column, whose case does not count; that of an option is one capital letter."""
    return name if len(name) == 1 else name.lower()


def _prediction(row: Cells, kind: Kind, labels: Sequence[str], circular: bool) -> Prediction:
    name, text = row["index"].strip(), row["prediction"]
    groups = row_groups(row, is_circular=circular)
    has_failed = text.strip().startswith(FAILED.rstrip("."))
    # Its group is incomplete.
    sample: dict[str, Any] = {"id": name, **(groups if has_failed else {})}
    try:
        question = _question(row, kind, labels)
        further = {column: row[column] for column in FURTHER if row.get(column)}
        further |= mathvista_fields(row) if row.get("answer_type") else {}
        fields = {**question.fields, **groups, **further}
        sample = Sample(
            name, (), question.question, question.options, question.answer, fields
        ).to_record()
        if question.question:
            sample[STORED_QUESTION] = row["question"].strip()
    except SampleError:  # no readable true answer; a scenario may give it
        if answer := row.get("answer", "").strip():
            sample |= {**groups, **_as_stored(row, kind, labels), STORED_ANSWER: answer}
    if has_failed:
        failure = {"type": "ApiError", "message": text.strip()}
        return Prediction(name, Status.ERROR, sample=sample, error=failure)
    status = Status.TRUNCATED if len(text) >= CELL_LIMIT else Status.OK
    return Prediction(name, status, text, sample=sample)


def _question(row: Cells, kind: Kind, labels: Sequence[str]) -> Question:
    """The question of a row, empty where it has none; SampleError without a true answer too."""
    family = _family(row, kind)
    if row.get("question", "").strip():
        return question_of(family, row, labels, None)
    if not row.get("answer", "").strip():
        raise SampleError("the question is missing")
    question = question_of(family, {**row, "question": _NO_QUESTION}, labels, None)
    return replace(question, question="")


def _family(row: Cells, kind: Kind) -> Family:
    """How a row is read."""
    is_natural = kind == "vqa" and row.get("type", "").strip() in _NATURAL_TYPES
    return _NATURAL if is_natural else OWN[kind]


def _as_stored(row: Cells, kind: Kind, labels: Sequence[str]) -> dict[str, Any]:
    """The question and the options of a row whose answer chef's own rules cannot read."""
    choices = choices_of(row, labels) if kind == "mcq" else {}
    options = {"choices": list(choices.values()), "labels": list(choices)} if choices else {}
    return {"question": row.get("question", "").strip(), **options}


def _read_tsv(path: Path) -> tuple[Sequence[str], list[Cells]]:
    index = TsvTable(path)
    if bad := [*index.survey.problems.values()]:
        what = f"{len(bad)} rows cannot be used; the first: {bad[0].what}"
        raise DataError(what, where=str(path), hint=bad[0].hint)
    return index.columns, [index.read(position) for position in range(len(index.rows))]


def _read_csv(path: Path) -> tuple[Sequence[str], list[Cells]]:
    table = Delimited(path)
    return table.columns, [table.read(position) for position in range(len(table))]


def _read_xlsx(path: Path) -> tuple[Sequence[str], list[Cells]]:
    columns, rows = sheet(path)
    return _listed([dict(zip(columns, row, strict=False)) for row in rows], columns)


#: How the tables are read, by the endings of their names: the columns, and the cells of each row.
_TABLES: Mapping[str, Callable[[Path], tuple[Sequence[str], list[Cells]]]] = {
    ".tsv": _read_tsv,
    ".csv": _read_csv,
    ".xlsx": _read_xlsx,
}


def _is_table(records: Sequence[Any]) -> bool:
    """Whether a list of records is a table of VLMEvalKit's: ChEF calls an answer ``answer``."""
    return bool(records) and all(
        isinstance(record, Mapping) and {"index", "prediction"} <= record.keys()
        for record in records
    )


def _listed(
    rows: Sequence[Mapping[str, Any]], columns: Sequence[str] = ()
) -> tuple[Sequence[str], list[Cells]]:
    """The columns, those of the rows where none are named, and the cells of each row as texts."""
    names = columns or list(dict.fromkeys(name for row in rows for name in row))
    return names, [{name: _text(row.get(name)) for name in names} for row in rows]


def _text(cell: object) -> str:
    """A cell as text, empty for an empty cell."""
    return "" if is_blank(cell) else str(cell)
