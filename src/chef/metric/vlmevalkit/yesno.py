"""Yes/no questions by VLMEvalKit's own rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from chef.metric.records import answer_text, scored_choice
from chef.metric.vlmevalkit.failures import FailuresAreAnswers, gave_up, is_failed_call, unjudged
from chef.metric.vqa import hallusionbench, mme, yesno
from chef.metric.vqa.accuracy import share, share_of
from chef.metric.vqa.choice import NONE_OF_THEM
from chef.metric.vqa.yesno import f1_score
from chef.reading.rules.vlmevalkit import yes_no
from chef.reading.text import Reading
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate, undefined
from chef.stats.figures import share as share_of_items

Record = dict[str, Any]


class YesNo(FailuresAreAnswers, yesno.YesNo):
    """Texts are read by `yes_no`; an answer that is unknown is wrong.

    Metrics, in %: ``Overall``, and one of each category and l2-category. Of data sets with "VSR"
    in their names: ``precision``, ``recall``, ``acc``, and ``f1_score``, in 0..1.
    """

    primary = "Overall"
    chance_for: Sequence[str] = ("Overall", "acc")
    policy = "VLMEvalKit yes or no"
    judge_kinds = ("vlmevalkit_yes_no",)

    def rule_reading(self, record: Record) -> int | None:
        """As with chef's rules; the text of a failed call is neither, and no judge is asked."""
        return NONE_OF_THEM if is_failed_call(record) else super().rule_reading(record)

    def score_sample(self, record: Record) -> Record:
        """An answer of which none of five replies of a judge can be read is unknown."""
        return super().score_sample(unjudged(record) if gave_up(record) else record)

    def read(self, record: Record) -> Reading[str]:
        if scored_choice(record) is not None:
            return super().read(record)
        found = yes_no(answer_text(record))
        known = found != "Unknown"
        return Reading(found.lower() if known else None, "yes or no" if known else "none", found)

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        return vsr_rating(answers) if "VSR" in self.dataset_name else default_rating(answers)

    def group_metrics(self, answers: list[Record]) -> dict[str, Any]:
        """``Overall`` of the group, of VSR all its figures."""
        values = self.metric_func(answers)
        return {"Overall": values["Overall"]} if "Overall" in values else values


def default_rating(rows: list[Record]) -> dict[str, Any]:
    """The share of right answers, in %: of all rows, of each category and of each l2-category."""
    found = {"Overall": share_of(rows, "metric_result")}
    for column in ("category", "l2-category"):
        for name in sorted({str(row[column]) for row in rows if row.get(column)}):
            part = [row for row in rows if str(row.get(column)) == name]
            found[name] = share_of(part, "metric_result")
    return found


def vsr_rating(rows: list[Record]) -> dict[str, Any]:
    """Precision, recall and accuracy in %; the F1 score is in 0..1."""
    scores = binary_scores(rows)
    f1 = scores.pop("f1_score").scaled(0.01, "0-1")
    return {"f1_score": f1, **scores, "acc": share_of(rows, "metric_result")}


def binary_scores(rows: list[Record]) -> dict[str, Estimate]:
    """``f1_score``, ``precision`` and ``recall`` of yes, in %; an unknown answer counts as no.

    Args:
        rows: scored rows with ``parsed`` and ``truth``, ``yes`` or ``no``.
    """
    predicted = [row for row in rows if row["parsed"] == "yes"]
    true = [row for row in rows if row["truth"] == "yes"]
    return {
        "f1_score": _or_zero(f1_score(rows).scaled(100.0, "%")),
        "precision": _or_zero(share([row["truth"] == "yes" for row in predicted], predicted)),
        "recall": _or_zero(share([row["parsed"] == "yes" for row in true], true)),
    }


def _or_zero(estimate: Estimate) -> Estimate:
    return estimate if estimate.value is not None else replace(estimate, value=0.0)


class Pope(YesNo, yesno.Pope):
    """Texts are read by `yes_no`; a row counts once for each of its categories, in all figures.

    Metrics, in %: ``Overall`` (the F1 score), ``acc``, ``precision`` and ``recall`` of yes, of all
    rows and of each category. An unknown answer counts as no, and is never right. A figure that
    would divide by zero is 0.
    """

    primary = "Overall"
    chance_for = ("acc",)

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        return pope_rating(answers)

    def group_metrics(self, answers: list[Record]) -> dict[str, Any]:
        """The figures of all rows of the group."""
        return _scores([row for row, _ in exploded(answers)])


def pope_rating(rows: list[Record]) -> dict[str, Any]:
    """The four figures of all rows, and of each category by its name."""
    pairs = exploded(rows)
    names = sorted({name for _, name in pairs if name is not None})
    found: dict[str, Any] = _scores([row for row, _ in pairs])
    return {
        **found,
        **{name: _scores([row for row, one in pairs if one == name]) for name in names},
    }


def exploded(rows: list[Record]) -> list[tuple[Record, str | None]]:
    """Each row once for each category between the commas of its field ``category``.

    >>> [name for _, name in exploded([{"category": "random,popular"}, {}])]
    ['random', 'popular', None]
    """
    return [
        (row, name)
        for row in rows
        for name in (str(row["category"]).split(",") if row.get("category") else [None])
    ]


def _scores(rows: list[Record]) -> dict[str, Any]:
    scores = binary_scores(rows)
    f1 = scores.pop("f1_score")
    return {"Overall": f1, "acc": share_of(rows, "metric_result"), **scores}


class Amber(YesNo, yesno.Amber):
    """Texts are read by `yes_no`.

    Metrics, in %: ``Avg ACC``, the mean of the accuracies of ``Attribute``, ``Existence`` and
    ``Relation``.
    """

    primary = "Avg ACC"
    chance_for = ("Avg ACC", "Attribute", "Existence", "Relation")

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        return dict(self.kinds(answers))

    def group_metrics(self, answers: list[Record]) -> dict[str, Any]:
        """The same of the group."""
        return self.metric_func(answers)


class HallusionBench(YesNo, hallusionbench.HallusionBench):
    """Texts are read by `yes_no`; groups that lack a row count by the rows that are there.

    Metrics: ``aAcc``, ``fAcc`` and ``qAcc``, in %. Set, figure and question are taken to be the
    fields 3 to 5 of an id, counted from 0.
    """

    primary = "aAcc"
    chance_for = ("aAcc",)

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        values = self._values(answers, ())
        del values["incomplete_groups"]
        return values

    def group_metrics(self, answers: list[Record]) -> dict[str, Any]:
        """The same of the group."""
        return self.metric_func(answers)


class MMEVQA(YesNo, mme.MMEVQA):
    """Texts are read by `yes_no`; the scores are ``acc + acc_plus`` of each subtask, in points.

    Metrics: ``perception`` (0 to 2000), ``reasoning`` (0 to 800): sums over ten and four subtasks,
    without a value if one is missing. ``{subtask}`` (0 to 200): the right questions in % plus the
    images with both questions right in %. ``incomplete_images``: images without exactly two rows,
    which VLMEvalKit refuses; they are left out here.
    """

    primary = "perception"
    chance_for = ()

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        return mme_rating(answers)

    def group_metrics(self, answers: list[Record]) -> dict[str, Any]:
        """``acc``, ``acc_plus`` in % and the score of the group's images."""
        acc, plus, score, _ = _subtask(answers)
        return {"acc": acc, "acc_plus": plus, "score": score}


def mme_rating(rows: list[Record]) -> dict[str, Any]:
    """The two sums, and the score of each subtask (``category``, or ``task_type``)."""
    names = sorted(set(map(mme.subtask_of, rows)))
    parts = {name: _subtask([row for row in rows if mme.subtask_of(row) == name]) for name in names}
    scores = {name: part[2] for name, part in parts.items()}
    left_out = sum(part[3] for part in parts.values())
    return {
        "perception": _sum(mme.SCORES["perception"], scores),
        "reasoning": _sum(mme.SCORES["cognition"], scores),
        **scores,
        "incomplete_images": Estimate(left_out, len(rows), unit="count", higher_is_better=False),
    }


def _subtask(rows: list[Record]) -> tuple[Estimate, Estimate, Estimate, int]:
    """``acc``, ``acc_plus``, their sum, and the number of images that are left out."""
    images: dict[str, list[Record]] = {}
    for row in rows:
        images.setdefault(str(row.get("image_path", row["id"])), []).append(row)
    pairs = [image for image in images.values() if len(image) == 2]
    paired = [row for pair in pairs for row in pair]
    acc = share_of(paired, "metric_result")
    right = [float(all(row["metric_result"] == 1 for row in pair)) for pair in pairs]
    plus = share_of_items(right, clusters_of([pair[0] for pair in pairs]))
    score = replace(mme.points_of([paired]), n=len(pairs)) if pairs else undefined("points")
    return acc, plus, score, len(images) - len(pairs)


def _sum(names: tuple[str, ...], scores: dict[str, Estimate]) -> Estimate:
    values = [scores[name].value for name in names if name in scores]
    known = [value for value in values if value is not None]
    n = sum(scores[name].n for name in names if name in scores)
    return Estimate(sum(known) if len(known) == len(names) else None, n, unit="points")
