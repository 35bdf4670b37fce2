"""HallusionBench: yes/no questions in sets, asked about several figures each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chef.errors import DataError
from chef.metric.records import Record
from chef.metric.vqa.yesno import YesNo
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate
from chef.stats.figures import share
from chef.types import Prediction, Status

#: The fields of an index such as ``VD_illusion_1_0_2_1`` that name set, figure and question.
_PLACES = {"set_id": 3, "figure_id": 4, "question_id": 5}


class HallusionBench(YesNo):
    """Accuracy of questions, of whole figures, and of questions over all their figures.

    Source: Guan et al. 2024, "HallusionBench: An Advanced Diagnostic Suite for Entangled Language
    Hallucination and Visual Illusion in Large Vision-Language Models".

    Set, figure and question come from the fields ``set_id``, ``figure_id`` and ``question_id`` of
    the samples, else from the last three of the six fields of an id ``VD_illusion_1_0_2_1``; they
    belong together within one ``l2-category``. Sets are the clusters of the intervals.

    Metrics, in %:
        ``aAcc``: right answers over all scored.
        ``fAcc``: figures with all questions right. ``qAcc``: questions right about all figures.
        ``incomplete_groups`` (a count): figures and questions that lack an answer because a sample
        failed; they are left out of ``fAcc`` and ``qAcc``.
    """

    primary = "aAcc"
    chance_for = ("aAcc",)
    group_figures = ("aAcc", "fAcc", "qAcc", "incomplete_groups")
    _failed: tuple[Record, ...] = ()

    def score_sample(self, record: Record) -> dict[str, Any]:
        """``parsed`` and ``truth`` are ``yes`` or ``no``; ``place``: set, figure and question."""
        score = super().score_sample(record)
        return {**score, "place": hallusion_place(record)}

    def answers_of_run(self, predictions: Sequence[Prediction]) -> Sequence[Prediction]:
        failed = ({"id": one.sample_id, **one.sample} for one in predictions if _has_failed(one))
        self._failed = tuple({**row, "place": hallusion_place(row)} for row in failed)
        return super().answers_of_run(predictions)

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        return self.values_of(answers, self._failed)

    def drawn_with(self, record: Record) -> str:
        """The set of a record: its figures are of one making."""
        return f"{record.get('l2-category', '')} {hallusion_place(record)['set_id']}"

    def values_of(self, answers: list[Record], failed: Iterable[Record]) -> dict[str, Any]:
        """The figures of answers, where the figures and questions of failed samples lack one."""
        sets = clusters_of(answers, self.drawn_with)
        hits = [answer["metric_result"] for answer in answers]
        lost = list(failed)
        parts = {name: _groups(answers, lost, key, sets) for name, key in _GROUPS.items()}
        return {
            "aAcc": share(hits, sets),
            **{name: whole for name, (whole, _) in parts.items()},
            "incomplete_groups": Estimate(
                sum(count for _, count in parts.values()),
                sum(whole.n + count for whole, count in parts.values()),
                unit="count",
                higher_is_better=False,
            ),
        }


#: The field that tells the groups of a set apart.
_GROUPS = {"fAcc": "figure_id", "qAcc": "question_id"}


def hallusion_place(record: Mapping[str, Any]) -> dict[str, str]:
    """Set, figure and question of a record, from its fields or its id.

    >>> hallusion_place({"id": "VD_illusion_1_0_2_1"})
    {'set_id': '0', 'figure_id': '2', 'question_id': '1'}

    Raises:
        DataError: it has neither.
    """
    if all(key in record for key in _PLACES):
        return {key: str(record[key]) for key in _PLACES}
    fields = str(record.get("id", "")).split("_")
    if len(fields) <= max(_PLACES.values()):
        raise DataError(
            "the sample does not say which set, figure and question it is",
            where=f"sample '{record.get('id', '?')}'",
            hint="give it an id such as VD_illusion_1_0_2_1, or set_id, figure_id and question_id",
        )
    return {key: fields[place] for key, place in _PLACES.items()}


def _has_failed(prediction: Prediction) -> bool:
    """Whether a sample failed of which set, figure and question are known."""
    if prediction.status != Status.ERROR or not prediction.sample:
        return False
    try:
        hallusion_place({"id": prediction.sample_id, **prediction.sample})
    except DataError:
        return False
    return True


def _key(row: Record, *keys: str) -> tuple[str, ...]:
    return (str(row.get("l2-category", "")), *(row["place"][key] for key in keys))


def _groups(
    rows: list[Record], failed: list[Record], key: str, clusters: list[int]
) -> tuple[Estimate, int]:
    """The share of groups with all rows right, and how many lack a row that failed."""
    groups: dict[tuple[str, ...], list[float]] = {}
    numbers: dict[tuple[str, ...], int] = {}
    for row, number in zip(rows, clusters, strict=True):
        name = _key(row, "set_id", key)
        groups.setdefault(name, []).append(row["metric_result"])
        numbers[name] = number
    lost = {_key(row, "set_id", key) for row in failed} & groups.keys()
    whole = {name: hits for name, hits in groups.items() if name not in lost}
    right = [float(all(hit == 1 for hit in hits)) for hits in whole.values()]
    return share(right, [numbers[name] for name in whole]), len(lost)
