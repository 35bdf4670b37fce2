"""Joins answers with the samples of a scenario, which give the true answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from chef.common.circular import PLACE
from chef.common.logs import logger
from chef.errors import DataError, SampleError
from chef.metric.chef_answers import choice_of
from chef.scenario import Scenario
from chef.scoring.answers.matching import Matching
from chef.types import Prediction, Status

_log = logger(__name__)


def with_truth(answers: Sequence[Prediction], scenario: Scenario, path: Path) -> list[Prediction]:
    """The answers, each with its sample of the scenario (by `Matching`), whose id it gets.

    Answers to no sample are left out, and how many these are is logged; DataError if that is all. A
    scored option is looked up among the options of the sample by its text, because these may be in
    another order.
    """
    matching = Matching(answers, scenario)
    places = matching.places(path)
    known = [
        (replace(answer, sample_id=scenario.sample_id(place)), place)
        for answer, place in zip(answers, places, strict=True)
        if place is not None
    ]
    if not known:
        raise _no_sample(answers, scenario, path, matching.problem())
    if len(known) < len(answers):
        strange = next(
            answer.sample_id for answer, place in zip(answers, places, strict=True) if place is None
        )
        _log.warning(
            "%s: %d of %d answers are to no sample of %s and left out, for example '%s'",
            path, len(answers) - len(known), len(answers), scenario.name, strange,
        )  # fmt: skip
    return [_join(answer, scenario, place) for answer, place in known]


def _no_sample(
    answers: Sequence[Prediction], scenario: Scenario, path: Path, problem: str
) -> DataError:
    theirs = ", ".join(f"'{answer.sample_id}'" for answer in answers[:3])
    ours = ", ".join(f"'{scenario.sample_id(place)}'" for place in range(min(3, len(scenario))))
    numbered = f". As positions they do not fit either: {problem}" if problem else ""
    return DataError(
        f"none of its {len(answers)} ids is a sample of {scenario.name}: it has {theirs}, "
        f"the scenario {ours}{numbered}",
        where=str(path),
        hint="is it the right recipe, with the right split?",
    )


def _join(answer: Prediction, scenario: Scenario, number: int) -> Prediction:
    if answer.status is Status.ERROR:
        return answer
    try:
        sample = scenario[number].to_record()
        if PLACE in answer.sample:
            sample[PLACE] = answer.sample[PLACE]
        scores, trace = _replaced(answer, sample)
    except (SampleError, DataError) as error:
        failure = {"type": type(error).__name__, "message": str(error)}
        return Prediction(answer.sample_id, Status.ERROR, sample=answer.sample, error=failure)
    return replace(answer, sample=sample, scores=scores, trace=trace)


def _replaced(
    answer: Prediction, sample: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Scores and trace, with choices as indices of the options of the sample."""
    scores, trace = dict(answer.scores), dict(answer.trace)
    ours = sample.get("options", [])
    if "choice" in scores and answer.sample.get("options") != ours:
        # The scores of another list of options do not apply to these.
        scores = {"prob": scores["prob"]} if "prob" in scores else {}
        if ours:
            scores["choice"] = choice_of(answer.answer, ours)
    if "turn_answer" in trace:
        asked = sample.get("multi_turn_prefix", [])
        trace["turn_answer"] = [_replaced_turn(turn, asked) for turn in trace["turn_answer"]]
    return scores, trace


def _replaced_turn(
    turn: Mapping[str, Any], asked: Sequence[Mapping[str, Any]]
) -> Mapping[str, Any]:
    number = turn.get("turn", len(asked))
    if "choice" not in turn or number >= len(asked):
        return turn
    ours = asked[number].get("options", [])
    return (
        turn
        if turn.get("options") == ours
        else {**turn, "options": ours, "choice": choice_of(turn.get("answer"), ours)}
    )
