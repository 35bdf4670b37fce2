"""Winoground: match two captions with two images."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.errors import DataError
from chef.metric.base import Metric
from chef.metric.records import Record, names, required_choices
from chef.metric.vqa.yesno import YesNo
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate
from chef.stats.figures import share

#: How likely the model finds it that caption c describes image i, by ``c{c}i{i}``.
Scores = Mapping[str, float | None]

TYPES = ("c0i0", "c0i1", "c1i0", "c1i1")


def unshuffled(scores: Scores, shuffle: int) -> dict[str, float | None]:
    """Scores by the original captions and images; ``shuffle`` 1 swapped captions, 2 images, any
    other nothing.
    """
    if shuffle not in {1, 2}:
        return dict(scores)
    place = 1 if shuffle == 1 else 3
    return {
        f"{key[:place]}{1 - int(key[place])}{key[place + 1 :]}": score
        for key, score in scores.items()
    }


def outcome(scores: Scores) -> dict[str, bool]:
    """Whether an example is correct.

    ``Text``: each image scores higher with its own caption than with the other one; ``Image``: each
    caption scores higher with its own image; ``Group``: both. Source: Thrush et al. 2022,
    section 4.2.

    >>> outcome({"c0i0": -1.0, "c0i1": -3.0, "c1i0": -2.0, "c1i1": -2.5})
    {'Text': True, 'Image': False, 'Group': False}
    """
    text = _more(scores, "c0i0", "c1i0") and _more(scores, "c1i1", "c0i1")
    image = _more(scores, "c0i0", "c0i1") and _more(scores, "c1i1", "c1i0")
    return {"Text": text, "Image": image, "Group": text and image}


def outcome_shares(
    outcomes: list[dict[str, bool]], firsts: list[Record], incomplete: int
) -> dict[str, Estimate]:
    """The share of whole examples, of one record each, with each outcome (`outcome`), in 0..1."""
    n, clusters = len(outcomes), clusters_of(firsts)
    shares = {
        name: share([float(item[name]) for item in outcomes], clusters, "0-1")
        for name in ("Text", "Image", "Group")
    }
    left_out = Estimate(incomplete, n + incomplete, unit="count", higher_is_better=False)
    return {**shares, "incomplete_groups": left_out}


class WinogroundMetric(YesNo):
    """Examples of four yes/no questions, compared by the likelihood of "Yes".

    Metrics, in 0..1, over the examples with all four questions scored:
        ``Text``, ``Image``, ``Group``: see `outcome`.
        ``incomplete_groups`` (a count): examples left out because one of their questions failed or
        was not asked.

    A written answer counts as 1 for yes and 0 for no, so two equal answers are not correct.
    """

    primary = "Group"
    chance_for = ()

    def score_sample(self, record: Record) -> dict[str, Any]:
        """``yes_score`` is the mean log-probability of "Yes" (for written text: 1, 0 or None)."""
        found = super().score_sample(record)
        scores = record.get("ppl_results")
        if scores is None:
            score = {"yes": 1.0, "no": 0.0}.get(str(found["parsed"]))
            return {**found, "yes_score": score}
        yes = [option.strip().lower() for option in names(record, "options")].index("yes")
        return {**found, "yes_score": float(scores[yes])}

    def scored_with(self, record: Record) -> str:
        """The example."""
        return str(record.get("main_id", record["id"]))

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        examples: dict[str, dict[str, Record]] = {}
        for answer in answers:
            examples.setdefault(str(answer["main_id"]), {})[str(answer["type"])] = answer
        whole = [rows for rows in examples.values() if set(rows) == set(TYPES)]
        outcomes = [
            outcome(
                unshuffled(
                    {key: row["yes_score"] for key, row in rows.items()},
                    rows["c0i0"]["shuffle"],
                )
            )
            for rows in whole
        ]
        firsts = [rows["c0i0"] for rows in whole]
        return dict(outcome_shares(outcomes, firsts, len(examples) - len(whole)))


class WinogroundCapMetric(Metric):
    """Examples of one question with four statements, all of which are scored.

    Metrics, in 0..1: ``Text``, ``Image``, ``Group``: see `outcome`.
    """

    primary = "Group"

    def score_sample(self, record: Record) -> dict[str, Any]:
        """``metric_result`` is 1 if ``Group`` is true, else 0; ``outcome``: see `outcome`."""
        required_choices(record)
        scores = record.get("ppl_results")
        if scores is None or len(scores) != len(TYPES):
            raise DataError("needs the scores of four statements", hint="use inferencer_type: PPL")
        by_pair = dict(zip(TYPES, map(float, scores), strict=True))
        found = outcome(unshuffled(by_pair, record["shuffle"]))
        return {"metric_result": float(found["Group"]), "outcome": found}

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        shares = outcome_shares([answer["outcome"] for answer in answers], answers, 0)
        shares.pop("incomplete_groups")
        return dict(shares)


def _more(scores: Scores, larger: str, smaller: str) -> bool:
    first, second = scores[larger], scores[smaller]
    return first is not None and second is not None and first > second
