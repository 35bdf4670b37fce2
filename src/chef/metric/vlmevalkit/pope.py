"""POPE by VLMEvalKit's own rules."""

from __future__ import annotations

from typing import Any

from chef.metric.vlmevalkit.binary import binary_scores
from chef.metric.vlmevalkit.yesno import YesNo
from chef.metric.vqa import pope
from chef.metric.vqa.accuracy import share_of

Record = dict[str, Any]


class Pope(YesNo, pope.Pope):
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
