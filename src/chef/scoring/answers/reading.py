"""Reads a file of answers by its kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from chef.errors import DataError
from chef.guard.files import problem_of, read_bytes
from chef.metric.chef_answers import listed_answers, prediction_of
from chef.run.finding import part_of_run, run_hint
from chef.run.journal_line import decode, is_journal_line
from chef.scoring.answers.groups import with_group_sizes
from chef.scoring.answers.tables import read_table
from chef.types import Prediction

KINDS = (
    ".jsonl (lines of chef's predictions.jsonl, or ChEF's records one a line), .json (ChEF's list "
    "of records), .xlsx or .tsv (VLMEvalKit's table with the column 'prediction')"
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
        answers = listed_answers(path, part_of_run(path) or f"known: {KINDS}")
    elif kind in {".xlsx", ".tsv"}:
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
