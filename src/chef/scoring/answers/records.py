"""The records of ChEF: one flat mapping a sample, everything in it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from chef.errors import DataError
from chef.types import Prediction, Status

_TRACE = ("query", "CoT_answer", "ices")
_SCORES = ("ppl_results", "probs", "prob")
#: What ChEF's metrics have added to the record.
_RESULTS = ("metric_result", "correct", "parsed_answer")


def prediction_of(record: Any, position: int) -> Prediction:
    """One record of ChEF as a prediction.

    The text of a chain of thought is no part of the answer. An option chosen by its score is known
    by its place among ``options``: the answer is its text. (The largest of ``ppl_results`` is not
    asked: the first generation of ChEF wrote losses there.)

    Args:
        record: the mapping.
        position: its place in the file, the id of a record that has none.

    Raises:
        DataError: no mapping, or it has no answer.
    """
    if not isinstance(record, Mapping):
        raise DataError(f"is a {type(record).__name__}, not a mapping")
    name = str(record.get("id", position))
    if "answer" not in record and "turn_answer" not in record:
        raise DataError("has no 'answer'", mend=f"its keys: {', '.join(map(str, record))}")
    apart = {*_TRACE, *_SCORES, *_RESULTS, "answer", "turn_answer"}
    sample = {key: value for key, value in record.items() if key not in apart} | {"id": name}
    trace = {key: record[key] for key in _TRACE if key in record}
    scores = {key: record[key] for key in _SCORES if key in record}
    try:
        if "turn_answer" in record:
            trace["turn_answer"] = _turns(record)
            answer: Any = [turn.get("answer") for turn in trace["turn_answer"]]
        else:
            answer = _after_the_thought(record)
        if "ppl_results" in record:
            _check_finite(record["ppl_results"])
            if options := record.get("options"):
                scores["choice"] = choice_of(answer, options)
    except DataError as error:
        failure = {"type": "DataError", "message": error.what}
        return Prediction(name, Status.ERROR, sample=sample, error=failure)
    return Prediction(name, Status.OK, answer, scores, trace, sample)


def choice_of(answer: Any, options: Sequence[str]) -> int:
    """The index of the option that an answer is; of equal options the first.

    Raises:
        DataError: it is none of them.
    """
    if answer not in options:
        raise DataError(f"the scored answer {answer!r} is none of the options {list(options)}")
    return list(options).index(answer)


def _after_the_thought(record: Mapping[str, Any]) -> Any:
    answer, thought = record["answer"], record.get("CoT_answer")
    if isinstance(answer, str) and isinstance(thought, str) and thought:
        return answer.removeprefix(thought)
    return answer


def _check_finite(scores: Any) -> None:
    if not isinstance(scores, list) or not all(
        isinstance(item, int | float) and math.isfinite(item) for item in scores
    ):
        raise DataError("a score is no finite number, so no option can be chosen")


def _turns(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The turns with the place and the prefix of each, and the index of what was chosen."""
    asked = record.get("multi_turn_prefix") or ()
    turns = []
    for number, given in enumerate(record["turn_answer"]):
        known = asked[number] if number < len(asked) else {}
        turn = {"turn": number, "prefix": known.get("prefix", ""), **given}
        if "probs" in turn:
            _check_finite(turn["probs"])
            options = turn.get("options") or known.get("options") or ()
            turn |= {"options": options, "choice": choice_of(turn.get("answer"), options)}
        turns.append(turn)
    return turns
