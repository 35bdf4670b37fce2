"""Reads a file of answers by its kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from chef.common.circular import PLACE, group_sizes, is_rotation, main_index, names_labels
from chef.common.options import letters
from chef.errors import DataError
from chef.guard.files import problem_of, read_bytes
from chef.metric.chef_answers import listed_answers, prediction_of
from chef.run.finding import part_of_run, run_hint
from chef.run.journal_line import decode, is_journal_line
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
    stays = texts and any(names_labels(str(text), labels) for text in texts)
    return 0 if stays else len(listed)
