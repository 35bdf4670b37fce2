"""MME by VLMEvalKit's own rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chef.metric.vlmevalkit.yesno import YesNo
from chef.metric.vqa import mme
from chef.metric.vqa.accuracy import share_of
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate, undefined
from chef.stats.figures import share

Record = dict[str, Any]


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
    plus = share(right, clusters_of([pair[0] for pair in pairs]))
    score = replace(mme.points_of([paired]), n=len(pairs)) if pairs else undefined("points")
    return acc, plus, score, len(images) - len(pairs)


def _sum(names: tuple[str, ...], scores: dict[str, Estimate]) -> Estimate:
    values = [scores[name].value for name in names if name in scores]
    known = [value for value in values if value is not None]
    n = sum(scores[name].n for name in names if name in scores)
    return Estimate(sum(known) if len(known) == len(names) else None, n, unit="points")
