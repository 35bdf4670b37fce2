"""Labels of people: a sheet that is drawn from a run, and what its labels say about the score."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from chef.common.seeding import sample_rng
from chef.document.numbers import interval, quantity
from chef.document.sections import Section, Table
from chef.errors import ConfigError, DataError
from chef.guard.files import read_text
from chef.report.compare.opening import open_sides
from chef.report.compare.side import Side
from chef.report.export.tables import write_csv
from chef.stats.agreement import Agreement, kappa
from chef.stats.estimate import PERCENT
from chef.stats.rectified import FEWEST, Rectified, rectified_mean

#: The columns of a sheet; a person fills the last one.
COLUMNS = ("id", "question", "options", "reference", "answer", "label")
_WORDS = {"right": 1.0, "correct": 1.0, "yes": 1.0, "true": 1.0,
          "wrong": 0.0, "incorrect": 0.0, "no": 0.0, "false": 0.0}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Labelled:
    """A run whose score people have checked on some of its samples.

    Attributes:
        label: the run.
        figure: the name of its main figure.
        number: samples with a label.
        rectified: the score that holds whatever metric or judge gave the run's own.
        agreement: of the run's scores with the labels, where both are right or wrong.
        own: the run's score, as a text.
    """

    label: str
    figure: str
    number: int
    rectified: Rectified
    agreement: Agreement | None
    own: tuple[str, str]

    def section(self) -> Section:
        """The scores as a section of a report."""
        exact, alone = self.rectified.estimate, self.rectified.labels
        rows = [
            ("by the run's own scores", *self.own),
            (f"by {self.number} labels alone", quantity(alone), interval(alone)),
            ("rectified: both together", quantity(exact), interval(exact)),
        ]
        notes = ["The rectified score is right whatever the run's own scores are worth."]
        if self.agreement is not None and self.agreement.percent is not None:
            value = self.agreement.estimate.value
            chance = "" if value is None else f" (kappa {value:.2f})"
            notes.append(f"Scores and labels agree on {self.agreement.percent:.0f}%{chance}.")
        if self.rectified.worth is not None:
            notes.append(f"A label counts for {self.rectified.worth:.1f} here.")
        headers = (f"{self.label}: {self.figure}", "value", "95% interval")
        return Table("labels of people", headers, rows, " ".join(notes))


def draw_sheet(run: Path, file: Path, number: int, seed: int = 0, *, trust: bool = False) -> int:
    """Write a CSV file with samples drawn at random, for people to label; how many it has.

    It shows neither the model nor its score. The samples are drawn by the seed alone, so that a
    longer sheet of the same run begins with a shorter one.

    Raises:
        ConfigError: the file is there.
    """
    if file.exists():
        hint = "labels are never overwritten: give another file"
        raise ConfigError("the file is there", where=str(file), hint=hint)
    side = _side(run, trust=trust)
    drawn = sorted(side.scores, key=lambda name: sample_rng(seed, "label", name).random())[:number]
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
    """The score of a run with the labels of a file.

    Args:
        run: the run folder.
        file: a CSV file with the columns ``id`` and ``label``: right, wrong, yes, no, or a number
            on the scale of the sample scores. Rows without a label do not count; of several labels
            of a sample, by several people, the mean counts.
        metric: as in `chef.score`.
        trust: use what the folder of somebody else names.

    Raises:
        DataError: a label is malformed, of no scored sample, or there are too few.
        ConfigError: the run's main figure is no mean of sample scores.
    """
    side = _side(run, metric, trust=trust)
    labels = read_labels(file)
    names = sorted(side.scores)
    places = {name: place for place, name in enumerate(names)}
    if strange := [name for name in labels if name not in places]:
        raise DataError(
            f"'{strange[0]}' is no scored sample of {run}", where=str(file),
            hint="label the sheet that `chef score RUN --draw 100 --labels FILE` writes",
        )  # fmt: skip
    if len(labels) < FEWEST:
        raise DataError(
            f"{len(labels)} samples have a label, and {FEWEST} are the fewest", where=str(file),
            hint="fill in the column 'label' with right or wrong",
        )  # fmt: skip
    scores = [side.scores[name] for name in names]
    every = [*scores, *labels.values()]
    least, most = min(0.0, *every), max(1.0, *every)
    report = side.report
    whole, unit = report.metrics[report.primary], "0-1" if (least, most) == (0, 1) else ""
    mean = sum(scores) / len(scores)
    factor = PERCENT.get(whole.unit, 1.0) / (100.0 if unit else 1.0)
    if whole.value is None or abs(whole.value * factor - mean) > 1e-6 * max(1.0, abs(mean)):
        raise ConfigError(
            f"{report.primary} is not the mean of the scores of the samples", where=str(run),
            hint="--metric NAME scores by another metric, such as Accuracy",
        )  # fmt: skip
    clusters = [side.clusters[name] for name in names]
    marks = {places[name]: value for name, value in labels.items()}
    found = rectified_mean(scores, marks, clusters, unit=unit, least=least, most=most)
    own = quantity(whole), interval(whole)
    agreement = _agreement([(scores[at], value, clusters[at]) for at, value in marks.items()])
    return Labelled(report.label, report.primary, len(labels), found, agreement, own)


def read_labels(file: Path) -> dict[str, float]:
    """The label of each sample in a file, by its id.

    Raises:
        DataError: a column is missing, or a label is no known word and no number.
    """
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


def _side(run: Path, metric: str | None = None, *, trust: bool) -> Side:
    return open_sides([run], metric=metric, recipe=None, trust=trust)[0]


def _agreement(pairs: list[tuple[float, float, int]]) -> Agreement | None:
    """Cohen's kappa, where scores and labels are right or wrong."""
    if any(value not in (0.0, 1.0) for score, label, _ in pairs for value in (score, label)):
        return None
    return kappa([[item[0] for item in pairs], [item[1] for item in pairs]],
                 [item[2] for item in pairs])  # fmt: skip
