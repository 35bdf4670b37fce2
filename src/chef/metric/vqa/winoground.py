"""Winoground: the right caption for each image, the right image for each caption."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.errors import DataError
from chef.metric.base import BaseMetric
from chef.metric.estimate import Estimate
from chef.metric.records import names, required_choices
from chef.metric.statistics import proportion
from chef.metric.vqa.yesno import YesNo

Record = dict[str, Any]

#: How sure the model is that caption c goes with image i, by ``c{c}i{i}``; larger is surer.
Scores = Mapping[str, float | None]

TYPES = ("c0i0", "c0i1", "c1i0", "c1i1")


def unshuffled(scores: Scores, shuffle: int) -> dict[str, float | None]:
    """The scores by true caption and image.

    Args:
        scores: by caption and image as shown.
        shuffle: 1 where the captions were swapped, 2 where the images were.
    """
    place = 1 if shuffle == 1 else 3
    return {
        f"{key[:place]}{1 - int(key[place])}{key[place + 1 :]}": score
        for key, score in scores.items()
    }


def outcome(scores: Scores) -> dict[str, bool]:
    """Whether an example is right.

    ``Text``: for each image its own caption scores higher; ``Image``: for each caption its own
    image does; ``Group``: both. Source: Thrush et al. 2022, section 4.2.

    >>> outcome({"c0i0": -1.0, "c0i1": -3.0, "c1i0": -2.0, "c1i1": -2.5})
    {'Text': True, 'Image': False, 'Group': False}
    """
    text = _more(scores, "c0i0", "c1i0") and _more(scores, "c1i1", "c0i1")
    image = _more(scores, "c0i0", "c0i1") and _more(scores, "c1i1", "c1i0")
    return {"Text": text, "Image": image, "Group": text and image}


def outcome_shares(outcomes: list[dict[str, bool]], incomplete: int) -> dict[str, Estimate]:
    """The share of examples with each outcome, in 0..1."""
    n = len(outcomes)
    shares = {
        name: proportion(sum(item[name] for item in outcomes), n, "0-1")
        for name in ("Text", "Image", "Group")
    }
    left_out = Estimate(incomplete, n + incomplete, unit="count", higher_is_better=False)
    return {**shares, "incomplete_groups": left_out}


class WinogroundMetric(YesNo):
    """Examples of four yes/no questions; how likely "Yes" is decides.

    Figures, in 0..1 of the examples with all four scored:
        ``Text``, ``Image``, ``Group``: see `outcome`.
        ``incomplete_groups`` (a count): examples left out, because a question of theirs failed or
        was not asked.

    A written answer counts as 1 for yes and 0 for no, so that two equal ones are not right.
    """

    primary = "Group"

    def score_sample(self, record: Record) -> dict[str, Any]:
        """``yes_score``: the mean log-probability of "Yes" (or 1, 0, None for a text)."""
        found = super().score_sample(record)
        scores = record.get("ppl_results")
        if scores is None:
            score = {"yes": 1.0, "no": 0.0}.get(str(found["parsed"]))
            return {**found, "yes_score": score}
        yes = [option.strip().lower() for option in names(record, "options")].index("yes")
        return {**found, "yes_score": float(scores[yes])}

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
        return dict(outcome_shares(outcomes, len(examples) - len(whole)))


class WinogroundCapMetric(BaseMetric):
    """Examples of one question with four statements, all of them scored.

    Figures, in 0..1: ``Text``, ``Image``, ``Group``: see `outcome`.
    """

    primary = "Group"

    def score_sample(self, record: Record) -> dict[str, Any]:
        """``metric_result`` is 1 where the whole group is right; ``outcome`` says what is."""
        required_choices(record)
        scores = record.get("ppl_results")
        if scores is None or len(scores) != len(TYPES):
            raise DataError("needs the scores of four statements", mend="use inferencer_type: PPL")
        by_pair = dict(zip(TYPES, map(float, scores), strict=True))
        found = outcome(unshuffled(by_pair, record["shuffle"]))
        return {"metric_result": float(found["Group"]), "outcome": found}

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        shares = outcome_shares([answer["outcome"] for answer in answers], 0)
        shares.pop("incomplete_groups")
        return dict(shares)


def _more(scores: Scores, larger: str, smaller: str) -> bool:
    first, second = scores[larger], scores[smaller]
    return first is not None and second is not None and first > second
