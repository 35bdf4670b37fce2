"""What a model answered, what was read of it, and other facts of a sample."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from chef.common.judgements import Judgement
from chef.common.options import letters
from chef.metric.records import names, turns_of
from chef.report.export.rows import CATEGORIES, effort_of
from chef.report.sample_view import AnswerView, JudgementView, OptionView
from chef.scoring.errors import group_errors
from chef.scoring.sample_line import chosen_option, exchange_of, option_texts, right_options
from chef.types import Prediction, Status


def answers_of(prediction: Prediction, entry: Mapping[str, Any]) -> list[AnswerView]:
    """The answer, or one for each turn, with its line of scores.jsonl; none of a failed sample."""
    if prediction.answer is None:
        return []
    record = prediction.to_record()
    turns = turns_of(record)
    if turns:
        truths = exchange_of(record).truth  # a list, as there are turns
        parsed = entry.get("parsed")
        is_each = isinstance(parsed, list) and len(parsed) == len(turns)
        readings: list[Any] = [*parsed] if parsed and is_each else [None] * len(turns)
        return [_of_turn(*item) for item in zip(turns, truths, readings, strict=True)]
    text, evidence = plain(prediction.answer), entry.get("evidence")
    evidence = evidence if isinstance(evidence, Mapping) else {}
    chosen, right = chosen_option(record, entry), right_options(record)
    options = _options(_labels(record), option_texts(record), record.get("probs"), chosen, right)
    shown = [] if is_read_as_text(record, entry) else options
    return [
        AnswerView(
            text=text,
            span=_span(evidence.get("span"), text),
            rule=str(evidence.get("rule") or ""),
            parsed=_named(options, [] if chosen is None else [chosen], entry.get("parsed")),
            truth=_named(options, right, record.get("gt_answers")),
            options=shown,
        )
    ]


def confidence_of(prediction: Prediction) -> float | None:
    """The probability of the chosen option, 0 to 1: of several turns the lowest; None if unknown.

    It is the softmax over the mean log-probabilities of the options, as ChEF defines it.
    """
    turns = turns_of(prediction.scores)
    known = [_number(item.get("prob")) for item in (turns or [prediction.scores])]
    found = [item for item in known if item is not None]
    return min(found) if found else None


def plain(item: Any) -> str:
    """An answer or a reference as text: a list of texts with commas, other data as JSON.

    Boxes are their label and their corners.

    >>> plain(["cat", "dog"]), plain(None), plain({"dog": None})
    ('cat, dog', '', '{"dog": null}')
    >>> plain([{"label": "cat", "bbox": [0.1, 0.25, 0.5, 0.70001]}])
    'cat [0.1, 0.25, 0.5, 0.7]'
    """
    if item is None:
        return ""
    if isinstance(item, str | bool | int | float):
        return str(item)
    if isinstance(item, list | tuple) and all(isinstance(one, str) for one in item):
        return ", ".join(item)
    boxes = [_box(one) for one in item] if isinstance(item, list | tuple) else []
    if boxes and all(boxes):
        return "; ".join(boxes)
    return json.dumps(item, ensure_ascii=False, default=str)


def _box(item: Any) -> str:
    """A box with its label as text; empty for other data."""
    corners = item.get("bbox") if isinstance(item, Mapping) else None
    if not isinstance(corners, list) or not item.keys() <= {"label", "bbox", "score"}:
        return ""
    if not all(isinstance(one, int | float) for one in corners):
        return ""
    return f"{item.get('label', '')} [{', '.join(f'{round(one, 3):g}' for one in corners)}]".strip()


def reference_of(record: dict[str, Any]) -> str:
    """The reference answer in a line: of options letter and words, of turns with strokes between.

    >>> reference_of({"gt_answers": "(B)", "gt_choice": 1, "choices": ["cat", "dog"],
    ...               "options": ["(A)", "(B)"]})
    '(B) dog'
    """
    if turns_of(record):
        return " | ".join(map(plain, exchange_of(record).truth))
    return _named(_plain_options(record), right_options(record), record.get("gt_answers"))


def choice_of(record: dict[str, Any], entry: Mapping[str, Any]) -> str:
    """The option that the scores of the options chose, in words; empty where none were scored."""
    chosen = chosen_option(record, entry) if record.get("probs") else None
    if chosen is None or turns_of(record):
        return ""
    return _named(_plain_options(record), [chosen], None)


def is_read_as_text(record: dict[str, Any], entry: Mapping[str, Any]) -> bool:
    """Whether the metric read the answer to a question with options, and not as one of these."""
    parsed = entry.get("parsed")
    is_text = isinstance(parsed, str) and bool(parsed) and bool(option_texts(record))
    return is_text and chosen_option(record, entry) is None


def _of_turn(turn: Mapping[str, Any], truth: Any, parsed: Any) -> AnswerView:
    texts, choice = [str(item) for item in turn.get("options") or ()], turn.get("choice")
    right = [number for number, text in enumerate(texts) if text == truth]
    options = _options([""] * len(texts), texts, turn.get("probs"), choice, right)
    rule = "option scores" if choice is not None and texts else ""
    return AnswerView(
        text=plain(turn.get("answer")),
        rule=rule,
        parsed=plain(parsed),
        truth=plain(truth),
        options=options,
    )


def _options(
    labels: Sequence[str],
    texts: Sequence[str],
    probabilities: Any,
    chosen: int | None,
    right: Collection[int],
) -> list[OptionView]:
    known = isinstance(probabilities, list) and len(probabilities) == len(texts)
    return [
        OptionView(
            label=labels[number],
            text=text,
            probability=_number(probabilities[number]) if known else None,
            is_chosen=number == chosen,
            is_right=number in right,
        )
        for number, text in enumerate(texts)
    ]


def _plain_options(record: dict[str, Any]) -> list[OptionView]:
    return _options(_labels(record), option_texts(record), None, None, ())


def _labels(record: dict[str, Any]) -> list[str]:
    """The letters of the options; empty texts where they are scored by their words."""
    texts, scored = option_texts(record), names(record, "options")
    if scored == texts:
        return [""] * len(texts)
    labels = [item.strip(" ().:") for item in scored]
    if len(labels) == len(texts) and all(0 < len(item) <= 2 for item in labels):
        return labels
    return letters(len(texts))


def _named(options: Sequence[OptionView], meant: Sequence[int], value: Any) -> str:
    """What was read or is true: options as their letter and their words, else the value."""
    chosen = [options[number] for number in meant]
    if not chosen:
        return plain(value)
    return ", ".join(f"({one.label}) {one.text}" if one.label else one.text for one in chosen)


def _span(given: Any, text: str) -> tuple[int, int] | None:
    """The span of the evidence, if it is one of this text."""
    if not isinstance(given, list) or len(given) != 2:
        return None
    start, end = given
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start < end <= len(text):
        return None
    return start, end


def _number(item: Any) -> float | None:
    return float(item) if isinstance(item, int | float) and 0 <= item <= 1 else None


#: Fields of samples that the view shows elsewhere.
_SHOWN = frozenset(
    ("id", "question", "options", "choices", "gt_answers", "gt_choice", "multi_turn_prefix")
)
#: What a line of scores.jsonl has that the view shows elsewhere.
_OF_SCORES = frozenset(
    (
        "id", "status", "question", "answer", "truth", "score", "chosen_option", "true_option",
        "metric_result", "parsed", "evidence", "judgements", "error", "worded_by", "no_truth",
        "skipped", "matches",
    )
)  # fmt: skip
#: Longer texts and lists are no facts that a table shows.
_LONGEST = 500


def fields_of(
    prediction: Prediction, entry: Mapping[str, Any], groupings: Mapping[str, str]
) -> dict[str, Any]:
    """The groupings of a sample, its further fields, and what the metric says besides its score."""
    sample, trace = prediction.sample, prediction.trace
    first = {name: name for name in CATEGORIES} | dict(groupings)
    found = {name: sample[key] for name, key in first.items() if sample.get(key) not in (None, "")}
    found |= {key: value for key, value in sample.items() if key not in _SHOWN | found.keys()}
    found |= {
        key: value for key, value in entry.items() if key not in _OF_SCORES and key not in found
    }
    if prediction.status is Status.TRUNCATED:
        found["truncated"] = "the reply reached the token limit"
    for key in ("worded_by", "ices", "prompts"):
        if trace.get(key):
            found[_NAMES.get(key, key)] = trace[key]
    return {
        key: value if isinstance(value, str | bool | int | float) else plain(value)
        for key, value in found.items()
        if value is not None and (key in _NAMES.values() or len(plain(value)) <= _LONGEST)
    }


#: What fields of the trace are called for people.
_NAMES = {"worded_by": "worded by", "ices": "examples", "prompts": "text as sent"}


def effort_words(prediction: Prediction) -> str:
    """What an answer took, in words; empty where nothing is known.

    >>> effort = {"requests": 3, "retries": 2, "seconds": 1.234, "prompt_tokens": 812}
    >>> effort_words(Prediction("1", Status.OK, "B", trace={"tokens": 5}, effort=effort))
    '5 tokens, prompt 812 tokens, 1.23 s in 3 requests (2 sent again)'
    """
    effort = effort_of(prediction)
    found = []
    if "tokens" in effort:
        found.append(_counted(effort["tokens"], "token"))
    if "prompt_tokens" in effort:
        found.append(f"prompt {_counted(effort['prompt_tokens'], 'token')}")
    if "requests" in effort:
        again = f" ({effort['retries']:,} sent again)" if effort.get("retries") else ""
        requests = _counted(effort["requests"], "request")
        found.append(f"{effort.get('seconds', 0.0):.3g} s in {requests}{again}")
    return ", ".join(found)


def _counted(number: float, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def judgements_of(
    stored: Sequence[Judgement], entry: Mapping[str, Any], outputs: Sequence[tuple[str, Any]]
) -> list[JudgementView]:
    """What judges and evaluators said about an answer; from its scores where the file is gone."""
    found = [
        JudgementView(
            item.judge,
            item.kind,
            str(item.status),
            plain(item.reading),
            item.reply or str((item.error or {}).get("message", "")),
        )
        for item in stored
    ]
    short = entry.get("judgements")
    for line in short if isinstance(short, list) and not found else []:
        names = {key: plain(line.get(key)) for key in ("judge", "kind", "status", "reading")}
        found.append(JudgementView(**names, reply=plain(line.get("reply") or line.get("error"))))
    return [*found, *(JudgementView(name, "evaluator", "ok", plain(v), "") for name, v in outputs)]


def error_of(prediction: Prediction, entry: Mapping[str, Any]) -> str:
    """What failed, where, and how to fix it; empty if nothing did."""
    error = entry.get("error") or prediction.error
    if not error:
        return ""
    group = group_errors(
        [{"id": prediction.sample_id, "status": str(Status.ERROR), "error": dict(error)}]
    )[0]
    return "\n".join(
        line.removeprefix("    ") for line in group.lines() if not line.startswith("    samples: ")
    ).removeprefix("  1 x ")
