"""Which answers of a run ChEF's own rules score, and in which order it meets them."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from chef.common.circular import PLACE
from chef.metric.base import Metric
from chef.metric.chef_answers import NOT_FINITE
from chef.metric.records import names, turns_of
from chef.metric.upstream.wordnet import stored_text
from chef.reading.rules.chef_options import mmmu_option
from chef.types import Prediction, Status

#: The field of a sample of MMMU for the option that ChEF draws, as it reads none in the answer.
DRAWN = "drawn_choice"
_SEED = 42
_NUMBER = re.compile(r"(\d+)")


def with_any_scores(self: Metric, predictions: Sequence[Prediction]) -> Sequence[Prediction]:
    """The answers of a run, among them options that ChEF chose by scores of NaN."""
    answers: Sequence[Prediction] = self.own_rules.answers_of_run(
        self, [_chosen(prediction) for prediction in predictions]
    )
    return answers


def _chosen(prediction: Prediction) -> Prediction:
    if (prediction.error or {}).get("message") != NOT_FINITE:
        return prediction
    choice, turns = prediction.scores.get("choice"), turns_of(prediction.trace)
    if choice is None and not turns:
        return prediction
    answer: Any = [turn["answer"] for turn in turns]
    if choice is not None:
        answer = prediction.sample["options"][choice]
    return replace(prediction, status=Status.OK, answer=answer, error=None)


def data_order(row: Mapping[str, Any]) -> tuple[int, Sequence[str | int]]:
    """Sorts rows as ChEF meets them: by their places in a file, those of a run by their ids."""
    parts = _NUMBER.split(str(row["id"]))
    return row.get(PLACE, 0), [int(part) if part.isdecimal() else part for part in parts]


def with_draws(self: Metric, predictions: Sequence[Prediction]) -> Sequence[Prediction]:
    """As `with_any_scores`; where no letter is read, with the option that ChEF draws (`DRAWN`).

    One random stream runs through the answers, in the order of the data.
    """
    rng, answers = random.Random(_SEED), with_any_scores(self, predictions)
    ordered = sorted(answers, key=lambda one: data_order({"id": one.sample_id, **one.sample}))
    return [_with_draw(one, rng) for one in ordered]


def _with_draw(prediction: Prediction, rng: random.Random) -> Prediction:
    record = prediction.to_record()
    choices = names(record, "choices")
    is_other = record.get("question_type") == "open" or record.get("choice") is not None
    if prediction.status is not Status.OK or is_other or not choices:
        return prediction
    reading = mmmu_option(stored_text(record), choices, rng)
    drawn = {DRAWN: reading.value} if reading.rule == "random" else {}
    return replace(prediction, sample={**prediction.sample, **drawn})
