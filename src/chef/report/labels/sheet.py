"""Sheets of answers for people who label elsewhere: drawn into a CSV file, and read from one."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from chef.errors import ConfigError, DataError
from chef.guard.files import read_text
from chef.report.compare.opening import open_sides
from chef.report.export.tables import write_csv
from chef.report.labels.result import Labelled, LabelSet, score_with
from chef.report.labels.scales import ALL, shuffled
from chef.stats.rectified import FEWEST

#: The columns of a sheet; a person fills the last one.
COLUMNS = ("id", "question", "options", "reference", "answer", "label")
_WORDS = {"right": 1.0, "correct": 1.0, "yes": 1.0, "true": 1.0,
          "wrong": 0.0, "incorrect": 0.0, "no": 0.0, "false": 0.0}  # fmt: skip


def draw_sheet(run: Path, file: Path, number: int, *, trust: bool = False) -> int:
    """Write a CSV file with samples drawn at random, for people to label; how many it has.

    It shows neither the model nor its score. The samples are drawn by their ids alone, so that a
    longer sheet of the same run begins with a shorter one. ConfigError if the file is there.
    """
    if file.exists():
        hint = "labels are never overwritten: give another file"
        raise ConfigError("the file is there", where=str(file), hint=hint)
    (side,) = open_sides([run], metric=None, recipe=None, trust=trust)
    drawn = shuffled(list(side.scores), 0)[:number]
    rows = []
    for name in drawn:
        record = side.predictions[name].to_record()
        rows.append({
            "id": name, "question": record.get("question"), "options": record.get("options"),
            "reference": record.get("gt_answers"), "answer": record.get("answer"), "label": "",
        })  # fmt: skip
    write_csv(file, COLUMNS, rows)
    return len(rows)


def labelled(run: Path, file: Path, *, metric: str | None = None, trust: bool = False) -> Labelled:
    """The score of a run with the labels of a CSV file with the columns ``id`` and ``label``.

    A label is right, wrong, yes, no, or a number on the scale of the sample scores; of several of a
    sample the mean counts. DataError for a malformed one, one of no scored sample, or too few;
    ConfigError if the run's main figure is no mean of sample scores.
    """
    (side,) = open_sides([run], metric=metric, recipe=None, trust=trust)
    labels = read_labels(file)
    if strange := [name for name in labels if name not in side.scores]:
        raise DataError(
            f"'{strange[0]}' is no scored sample of {run}", where=str(file),
            hint="label the sheet that `chef score RUN --draw 100 --labels FILE` writes",
        )  # fmt: skip
    if len(labels) < FEWEST:
        raise DataError(
            f"{len(labels)} samples have a label, and {FEWEST} are the fewest", where=str(file),
            hint="fill in the column 'label' with right or wrong",
        )  # fmt: skip
    every = [*side.scores.values(), *labels.values()]
    least, most = min(0.0, *every), max(1.0, *every)
    unit = "0-1" if (least, most) == (0, 1) else ""
    strata = dict.fromkeys(side.scores, ALL)
    return score_with(side, LabelSet({"labels": labels}, strata, least, most, unit))


def read_labels(file: Path) -> dict[str, float]:
    """The label of each sample in a file, by its id; DataError for a malformed file."""
    rows = csv.DictReader(io.StringIO(read_text(file, "utf-8-sig")))
    if not {"id", "label"} <= {*(rows.fieldnames or ())}:
        hint = "`chef score RUN --draw 100 --labels FILE` writes such a file"
        raise DataError("it has no columns 'id' and 'label'", where=str(file), hint=hint)
    found: dict[str, list[float]] = {}
    for number, row in enumerate(rows, 2):
        text = (row["label"] or "").strip()
        if text:
            found.setdefault(row["id"], []).append(_label(text, f"{file}, line {number}"))
    return {name: sum(values) / len(values) for name, values in found.items()}


def _label(text: str, where: str) -> float:
    value = _WORDS.get(text.lower())
    if value is not None:
        return value
    try:
        return float(text)
    except ValueError:
        hint = "write right or wrong, or a number on the scale of the scores"
        raise DataError(f"the label '{text}' is not known", where=where, hint=hint) from None
