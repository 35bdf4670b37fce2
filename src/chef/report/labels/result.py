"""A score made right by labels of people: with its interval, beside the run's own.

People who label elsewhere have a sheet: answers drawn into a CSV file, and read from one.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path

from chef.document.numbers import interval, number, quantity
from chef.document.sections import Section, Table
from chef.errors import ConfigError, DataError
from chef.frozen import Frozen
from chef.guard.files import read_text
from chef.guard.folder import has_file
from chef.report.compare.opening import open_sides
from chef.report.compare.side import Side
from chef.report.compare.verdict import RectifiedPair
from chef.report.export.tables import write_csv
from chef.report.labels.scales import ALL, DRAWN, draws, replies_of, scale_of, shuffled
from chef.scoring.result import RunResult
from chef.stats.agreement import Agreement, agreements
from chef.stats.estimate import PERCENT
from chef.stats.rectified import FEWEST, Rectified, rectified_difference, rectified_mean

#: What the scores of a run are called among those who read its answers.
OWN = "scores"


class LabelSet(Frozen):
    """Labels of some samples of a run by person and sample id, on a scale from least to most.

    ``strata`` has the stratum of each sample that could be drawn, by id; ``skipped`` counts samples
    of which a person could not tell, and no one has a label. ``unit`` is that of the mean.
    """

    people: Mapping[str, Mapping[str, float]]
    strata: Mapping[str, str]
    least: float = 0.0
    most: float = 1.0
    unit: str = "0-1"
    skipped: int = 0

    @property
    def means(self) -> dict[str, float]:
        """The mean label of each labelled sample, by its id."""
        found: dict[str, list[float]] = {}
        for labels in self.people.values():
            for name, value in labels.items():
                found.setdefault(name, []).append(value)
        return {name: sum(values) / len(values) for name, values in found.items()}

    def rectified(
        self, scores: Mapping[str, float], clusters: Mapping[str, Hashable], ids: Iterable[str]
    ) -> Rectified:
        """The score of samples with the labels of some; ValueError if these are too few.

        ``scores`` are the run's own; samples that could not be drawn are left out.
        """
        names = [name for name in ids if name in self.strata]
        means = self.means
        labels = {place: means[name] for place, name in enumerate(names) if name in means}
        return rectified_mean(
            [scores[name] for name in names],
            labels,
            [clusters[name] for name in names],
            unit=self.unit,
            least=self.least,
            most=self.most,
            strata=[self.strata[name] for name in names],
        )


class Labelled(Frozen):
    """A run whose score people have checked on ``number`` of its samples.

    ``rectified`` is the score that holds whatever metric or judge gave the run's own, ``agreement``
    that of these scores with each person's labels, and of the people; ``left_out`` counts scored
    samples from which no label was drawn, as they have changed since.
    """

    label: str
    figure: str
    number: int
    rectified: Rectified
    agreement: Sequence[Agreement]
    own: tuple[str, str]
    skipped: int = 0
    left_out: int = 0

    def section(self) -> Section:
        """The scores as a section of a report: sentences with their numbers."""
        exact, alone = self.rectified.estimate, self.rectified.labels
        rows = [
            ("by the run's own scores", *self.own),
            (f"by {self.number} labels alone", quantity(alone), interval(alone)),
            ("rectified: both together", quantity(exact), interval(exact)),
        ]
        if self.rectified.worth is not None:
            worth = f"{self.number * self.rectified.worth:.0f}"
            rows.append(("as many labels without scores tell as much", worth, ""))
        rows += [
            (_sentence(item), number(item.estimate.value, ""), interval(item.estimate))
            for item in self.agreement
        ]
        headers = (f"{self.label}: {self.figure}", "value", "95% interval")
        return Table("Labels of people", headers, rows, " ".join(dict.fromkeys(self._notes())))

    def _notes(self) -> list[str]:
        notes = ["The rectified score is right whatever the run's own scores are worth."]
        notes += [
            f"{_raters(item)} agree on {item.percent:.0f}%."
            for item in self.agreement
            if item.percent is not None
        ]
        if self.rectified.worth is not None:
            notes.append(f"A label counts for {self.rectified.worth:.1f} here.")
        if self.skipped:
            notes.append(
                f"{self.skipped} answers were skipped: the score is of answers like the others."
            )
        if self.left_out:
            notes.append(
                f"{self.left_out} samples are left out: they were scored, or have another answer, "
                "since the labels were drawn."
            )
        return notes


def _raters(item: Agreement) -> str:
    """Who agrees.

    >>> from chef.stats.estimate import Estimate
    >>> _raters(Agreement(("scores", "labels"), "", Estimate(0.5, 9), 80.0))
    'Scores and labels'
    """
    *first, last = item.raters
    text = f"{', '.join(first)} and {last}"
    return text[0].upper() + text[1:]


def _sentence(item: Agreement) -> str:
    text = _raters(item)
    measure = item.measure.removesuffix(" (nominal)").removesuffix(" (interval)")
    why = f": undefined, {item.reason}" if item.reason else ""
    return f"{text} agree beyond chance ({measure}{why})"


def has_labels(report: RunResult) -> bool:
    """Whether people were asked about the answers of a run."""
    return report.of_run and has_file(report.folder / DRAWN)


def of_report(report: RunResult) -> Labelled | None:
    """The score of a run with the labels that people gave, as `of_people`; None for a file."""
    if not has_labels(report):
        return None
    (side,) = open_sides([report], metric=None, recipe=None, trust=False)
    return of_people(side)


def of_people(side: Side) -> Labelled | None:
    """The score of a run with the labels that people gave of its answers; None without any.

    DataError for too few, ConfigError for a damaged file or a figure that is no mean.
    """
    labels = labels_of(side)
    return None if labels is None else score_with(side, labels)


def labels_of(side: Side) -> LabelSet | None:
    """The labels of people about the answers of a run as they are now; None without any."""
    drawn = draws(side.place)
    if not drawn:
        return None
    scale = scale_of(side)
    replies = replies_of(side.place, scale.name)
    if scale.name not in drawn or not replies:
        return None
    strata = drawn[scale.name].still(side)
    people = {
        person: {
            name: value for name, value in said.items() if value is not None and name in strata
        }
        for person, said in sorted(replies.items())
    }
    people = {person: said for person, said in people.items() if said}
    told = {name for said in people.values() for name in said}
    open_ = {name for said in replies.values() for name in said if name in strata} - told
    return LabelSet(people, strata, scale.least, scale.most, scale.unit, len(open_))


def score_with(side: Side, labels: LabelSet) -> Labelled:
    """The score of a run with labels of some of its samples; errors as `of_people`."""
    report, means = side.report, labels.means
    if len(means) < FEWEST:
        raise DataError(
            f"{len(means)} samples have a label, and {FEWEST} are the fewest",
            where=str(side.place),
            hint=f"label more of them: chef score {side.place} --label",
        )
    check_mean(side, is_share=(labels.least, labels.most) == (0, 1))
    names = sorted(side.scores)
    try:
        rectified = labels.rectified(side.scores, side.clusters, names)
    except ValueError as error:  # of a stratum
        hint = f"label more of them: chef score {side.place} --label"
        raise DataError(str(error), where=str(side.place), hint=hint) from None
    whole = report.metrics[report.primary]
    return Labelled(
        report.label, report.primary, len(means), rectified, _agreement(side, labels),
        (quantity(whole), interval(whole)), labels.skipped, len(side.scores) - len(labels.strata),
    )  # fmt: skip


def check_mean(side: Side, *, is_share: bool) -> None:
    """ConfigError unless the main figure is the mean of the samples' scores (a share: 0 to 1)."""
    report, scores = side.report, list(side.scores.values())
    whole, mean = report.metrics[report.primary], sum(scores) / len(scores)
    factor = PERCENT.get(whole.unit, 1.0) / (100.0 if is_share else 1.0)
    if whole.value is None or abs(whole.value * factor - mean) > 1e-6 * max(1.0, abs(mean)):
        raise ConfigError(
            f"{report.primary} is not the mean of the scores of the samples",
            where=str(side.place),
            hint="--metric NAME scores by another metric, such as Accuracy",
        )


def _agreement(side: Side, labels: LabelSet) -> list[Agreement]:
    """Of the scores with each person, and of the people; each sample by how it was drawn."""
    names = sorted(labels.means)
    readings: dict[str, list[float | None]] = {OWN: [side.scores[name] for name in names]}
    for person, said in labels.people.items():
        readings[person if person != OWN else f"{person} (a person)"] = [
            said.get(name) for name in names
        ]
    sizes = Counter(labels.strata.values())
    counts = Counter(labels.strata[name] for name in names)
    weights = [sizes[labels.strata[name]] / counts[labels.strata[name]] for name in names]
    values = {value for line in readings.values() for value in line if value is not None}
    return agreements(
        readings,
        [side.clusters[name] for name in names],
        numbers=not values <= {0.0, 1.0},
        rule=OWN,
        weights=weights if len(sizes) > 1 else None,
    )


def rectified_pair(
    sides: tuple[Side, Side], names: tuple[str, str]
) -> tuple[RectifiedPair | None, str]:
    """The difference of two runs by labels of people, or a sentence on why there is none.

    Both are empty where not both runs have labels; ConfigError if the main figure is no mean.
    """
    if not all(side.report.of_run and has_file(side.place / DRAWN) for side in sides):
        return None, ""
    first, second = (labels_of(side) for side in sides)
    if first is None or second is None:
        return None, ""
    what = f"labels of people tell no difference of {names[0]} and {names[1]}"
    if scale_of(sides[0]) != scale_of(sides[1]):
        return None, f"{what}: they were asked other questions"
    for side in sides:
        check_mean(side, is_share=(first.least, first.most) == (0, 1))
    ids = [name for name in sorted(first.strata) if name in second.strata]
    clusters = dict(zip(ids, sides[0].named_clusters(ids), strict=True))
    try:
        before = first.rectified(sides[0].scores, clusters, ids)
        after = second.rectified(sides[1].scores, clusters, ids)
    except ValueError as error:
        return None, f"{what}: {error}"
    better = sides[0].report.metrics[sides[0].report.primary].higher_is_better
    difference, p = rectified_difference(before, after, higher_is_better=better)
    marked = [first.means.keys() & set(ids), second.means.keys() & set(ids)]
    return RectifiedPair(
        *names, sides[0].report.primary, (len(marked[0]), len(marked[1])),
        len(marked[0] & marked[1]), difference, p,
    ), ""  # fmt: skip


def notes_of(found: Iterable[tuple[RectifiedPair | None, str]]) -> list[str]:
    """Why runs with labels have no rectified difference."""
    return list(dict.fromkeys(note for _, note in found if note))


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
    for line, row in enumerate(rows, 2):
        text = (row["label"] or "").strip()
        if text:
            found.setdefault(row["id"], []).append(_label(text, f"{file}, line {line}"))
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
