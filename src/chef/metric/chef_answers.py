"""The answers of ChEF: a JSON list with one flat mapping for each sample."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chef.common.circular import PLACE
from chef.common.logs import logger
from chef.common.options import letters
from chef.errors import DataError
from chef.guard.files import read_text
from chef.metric.report import Report
from chef.types import Prediction, Status

_log = logger(__name__)
#: So many characters of the names of keys are shown.
_SHOWN = 200
_TRACE = ("query", "CoT_query", "CoT_answer", "ices")
_SCORES = ("ppl_results", "probs", "prob")
#: Keys that ChEF's metrics add to a record.
_RESULTS = ("metric_result", "correct", "parsed_answer")
#: What lm-eval and lmms-eval call the replies of a sample, after its filters and before.
_RESPONSES = {"filtered_resps", "resps"}
#: Where ``Det_PPL`` of ChEF's first generation has its answers and the losses of their options.
_CLASSES, _BOXES = "classification_answer", "grounding_answer"
_CLASS_LOSSES, _BOX_LOSSES = "classification_ppl_results", "grounding_ppl_results"
#: What the id of a record is called in the files of others.
_IDS = ("question_id", "custom_id", "qid")
#: The error of an answer that has a score which is NaN or infinite.
NOT_FINITE = "a score is no finite number, so no option can be chosen"


def listed_answers(path: Path) -> list[Prediction]:
    """The answers in a JSON list of records; raises DataError where there is none."""
    return answers_in(json_list(path), path)


def json_list(path: Path, hint: str = "") -> list[Any]:
    """The list in a JSON file; raises DataError with ``hint`` where there is none."""
    try:
        content: Any = json.loads(read_text(path))
    except ValueError as error:
        raise DataError(f"is not valid JSON: {error}", where=str(path)) from None
    if not isinstance(content, list):
        what = f"holds a {type(content).__name__}, not a list of records"
        raise DataError(what, where=str(path), hint=hint or None)
    return content


def answers_in(records: Sequence[Any], path: Path) -> list[Prediction]:
    """The answers of ChEF's records; ``path`` is for messages. Raises DataError."""
    answers = []
    for number, record in enumerate(records):
        try:
            answers.append(prediction_of(record, number))
        except DataError as error:
            raise DataError(error.what, where=f"{path}: record {number}", hint=error.hint) from None
    return answers


def values_of(report: Report, path: Path) -> dict[str, float | None]:
    """The figures of a report by name; a note says how many answers of the file they lack.

    Raises DataError where none can be scored.
    """
    left_out = report.coverage.total - report.coverage.scored
    if left_out:
        why = next((entry["error"]["message"] for entry in report.samples if "error" in entry), "")
        what = f"{left_out} of {report.coverage.total} answers cannot be scored"
        what += f": {why or 'they have no reference'}"
        if not report.coverage.scored:
            raise DataError(what, where=str(path))
        _log.warning("%s: %s", path, what)
    return {name: item.value for name, item in report.metrics.items()}


def prediction_of(record: Any, position: int) -> Prediction:
    """One record of ChEF, lm-eval or lmms-eval as a prediction, without its chain of thought.

    Raises DataError without an answer. The scored option is found by its text, not by the largest
    of ``ppl_results``, because the first generation of ChEF wrote losses there.
    """
    if not isinstance(record, Mapping):
        raise DataError(f"is a {type(record).__name__}, not a mapping")
    if {"status", "score", "truth"} <= record.keys():
        raise DataError("is a line of scores.jsonl; answers are in predictions.jsonl")
    record = _in_usual_form(record)
    name = str(record.get("id", position))
    if "answer" not in record and "turn_answer" not in record:
        keys = ", ".join(map(str, record))[:_SHOWN]
        raise DataError(
            "has no 'answer'",
            hint="write id and answer, and gt_answers where no recipe has them; its keys: " + keys,
        )
    apart = {*_TRACE, *_SCORES, *_RESULTS, "answer", "turn_answer"}
    sample = {key: value for key, value in record.items() if key not in apart}
    sample = with_usual_names(sample | {"id": name, PLACE: position})
    trace = {key: record[key] for key in _TRACE if key in record}
    scores = {key: _finite(record[key]) for key in _SCORES if key in record}
    measured = [record["ppl_results"]] if "ppl_results" in record else []
    try:
        if "turn_answer" in record:
            trace["turn_answer"] = _turns(record)
            answer: Any = [turn.get("answer") for turn in trace["turn_answer"]]
            for key in ("probs", "ppl_results"):
                measured += [turn[key] for turn in record["turn_answer"] if key in turn]
        else:
            answer = _without_reasoning(record)
        if "ppl_results" in record and (options := record.get("options")):
            scores["choice"] = choice_of(answer, options)
    except DataError as error:
        failure = {"type": "DataError", "message": error.what}
        return Prediction(name, Status.ERROR, sample=sample, error=failure)
    if not all(map(_is_finite, measured)):
        failure = {"type": "DataError", "message": NOT_FINITE}
        return Prediction(name, Status.ERROR, None, scores, trace, sample, failure)
    return Prediction(name, Status.OK, answer, scores, trace, sample)


def _in_usual_form(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A record with ``answer`` or ``turn_answer``, of any of these systems. Raises DataError."""
    if "answer" not in record and _RESPONSES & record.keys():
        return _of_lm_eval(record)
    if "turn_answer" in record:
        return record
    is_det = _CLASSES in record or isinstance(record.get("answer"), Mapping)
    return _with_turns(record) if is_det else _of_others(record)


def _with_turns(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record of ``Det_PPL`` or ``Det`` of ChEF's first generation, its answers as turns.

    ``Det_PPL`` has lists of answers and of the losses of their options: of each class of the image,
    then of each box by classes. ``Det`` has the text about each class, None for one that the first
    answer, which it does not keep, did not name. Other records stay. DataError: lists do not fit.
    """
    objects = record.get("gt_answers")
    if not isinstance(objects, list) or not all(isinstance(one, Mapping) for one in objects):
        return dict(record)
    labels = [str(one.get("label")) for one in objects]
    classes = dict.fromkeys(labels)
    if _CLASSES in record:
        prefixes = [(0, "") for _ in classes]
        prefixes += [(1, name) for name in classes for label in labels if label == name]
        answers = [*record[_CLASSES], *(record.get(_BOXES) or ())]
        losses = [*(record.get(_CLASS_LOSSES) or ()), *(record.get(_BOX_LOSSES) or ())]
        fit = len(prefixes) == len(answers) == len(losses)
        if not fit or not all(isinstance(one, list) and one for one in losses):
            raise DataError(
                f"{len(answers)} answers, {len(losses)} lists of losses for {len(prefixes)} turns"
            )
        extra = [{"ppl_results": one, "choice": one.index(min(one))} for one in losses]
    else:
        texts = {name: text for name, text in record["answer"].items() if text is not None}
        prefixes = [(0, ""), *((1, str(name)) for name in texts)]
        answers = [" ".join(map(str, texts)), *texts.values()]
        extra = [{} for _ in prefixes]
    specs = [{"prompt_idx": kind, "prefix": name} for kind, name in prefixes]
    turns = [
        {**spec, "answer": answer, **more}
        for spec, answer, more in zip(specs, answers, extra, strict=True)
    ]
    return {**record, "multi_turn_prefix": specs, "turn_answer": turns}


def _of_others(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record under the names of chef: a line of OpenAI's batches, LLaVA's answers (``text``), the
    results of VQA, and a ``prediction``, beside which an ``answer`` is the truth.

    >>> _of_others({"question_id": 7, "prediction": "B", "answer": "A"})
    {'question_id': 7, 'gt_answers': 'A', 'answer': 'B', 'id': 7}
    """
    fields = dict(record)
    if isinstance(response := fields.get("response"), Mapping) and "custom_id" in fields:
        body = response.get("body")
        choices = body.get("choices") if isinstance(body, Mapping) else None
        message = choices[0].get("message") if isinstance(choices, list) and choices else None
        text = message.get("content") if isinstance(message, Mapping) else None
        return {"id": fields["custom_id"], "answer": text}
    if "prediction" in fields:
        if (truth := fields.pop("answer", None)) is not None:
            fields.setdefault("gt_answers", truth)
        fields["answer"] = fields.pop("prediction")
    elif "answer" not in fields and {"question_id", "text"} <= fields.keys():
        fields["answer"] = fields.pop("text")
        fields.setdefault("question", fields.pop("prompt", ""))
    for key in _IDS:
        if key in fields:
            fields.setdefault("id", fields[key])
    return fields


def _of_lm_eval(record: Mapping[str, Any]) -> dict[str, Any]:
    """A line of the samples of lm-eval or lmms-eval under the names of chef.

    DataError where it has the scores of options and no text.
    """
    text = record.get("filtered_resps") or record.get("resps")
    while isinstance(text, list) and len(text) == 1:
        text = text[0]
    if not isinstance(text, str):
        raise DataError(
            "its filtered_resps are scores of options, or several replies, and not one text",
            hint="write lines with id, answer (the text of the option chosen) and gt_answers",
        )
    doc = record.get("doc")
    question = doc.get("question") if isinstance(doc, Mapping) else record.get("input")
    sample = {"id": record.get("doc_id"), "question": question, "gt_answers": record.get("target")}
    return {"answer": text, **{key: value for key, value in sample.items() if value is not None}}


def with_usual_names(sample: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a record of ChEF, its truth and its choices under the names of most scenarios.

    In LAMM's they are ``gt``, ``label`` and ``gt_choices``; MMMU's choices are ``options``, and its
    ``gt_choice`` is a letter.

    >>> with_usual_names({"gt": "-1"})
    {'gt': '-1', 'gt_answers': '-1'}
    """
    fields = dict(sample)
    for key in ("gt", "label"):
        if key in fields and "gt_choice" not in fields:
            fields.setdefault("gt_answers", fields[key])
    if "gt_choices" in fields:
        fields.setdefault("choices", fields["gt_choices"])
    options = fields.get("options")
    if fields.get("question_type") == "multiple-choice" and isinstance(options, list):
        fields.setdefault("choices", options)
        labels, right = letters(len(options)), fields.get("gt_choice")
        fields["gt_choice"] = labels.index(right) if right in labels else right
    return fields


def choice_of(answer: Any, options: Sequence[str]) -> int:
    """The index of the first option that equals an answer; raises DataError where none does."""
    if answer not in options:
        raise DataError(f"the scored answer {answer!r} is none of the options {list(options)}")
    return list(options).index(answer)


def _without_reasoning(record: Mapping[str, Any]) -> Any:
    answer, reasoning = record["answer"], record.get("CoT_answer")
    # A record was written without an answer; an empty text is what a model said.
    if answer is None or (isinstance(answer, float) and math.isnan(answer)):
        raise DataError("the record has no answer: its 'answer' is empty (null)")
    if isinstance(answer, str) and isinstance(reasoning, str) and reasoning:
        return answer.removeprefix(reasoning)
    return answer


def _is_finite(scores: Any) -> bool:
    """Whether they are a list of finite numbers."""
    return isinstance(scores, list) and None not in _finite(scores)


def _finite(value: Any) -> Any:
    """A score or several, with None for those that are no finite numbers."""
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return value if isinstance(value, int | float) and math.isfinite(value) else None


def _turns(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The turns, each with its number, its prefix and the index of the chosen option."""
    asked = record.get("multi_turn_prefix") or ()
    turns = []
    for number, given in enumerate(record["turn_answer"]):
        known = asked[number] if number < len(asked) else {}
        turn = {"turn": number, "prefix": known.get("prefix", ""), **given}
        if "probs" in turn:
            options = turn.get("options") or known.get("options") or ()
            turn |= {"options": options, "choice": choice_of(turn.get("answer"), options)}
        turns.append(turn | {key: _finite(turn[key]) for key in _SCORES if key in turn})
    return turns
