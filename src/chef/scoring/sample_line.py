"""A line of scores.jsonl: what was asked, answered and true, so that it can be read alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from chef.common.jsonable import to_jsonable
from chef.errors import DataError
from chef.guard.folder import read_bytes
from chef.metric.judgeable import READING
from chef.metric.records import answer_text, names, scored_choice, true_choices, turns_of
from chef.metric.vqa.accuracy import choice_by_rule
from chef.types import Prediction, Status

#: A finding of metrics that read numbers.
_COUNT = "count_error"


#: The method of the model whose own prompt was asked; see `chef.instruction.model_prompt`.
WORDED_BY = "worded_by"


#: Keys that every line of `sample_line` has, and the entry of a metric has not.
_LINE = frozenset(("question", "answer", "truth", "score"))


class Exchange(NamedTuple):
    """Question, answer and reference of a sample; of several turns, lists with an item a turn."""

    question: Any
    answer: Any
    truth: Any


def sample_line(prediction: Prediction, entry: Mapping[str, Any]) -> dict[str, Any]:
    """One line, with the entry of what a metric says, whose keys take precedence.

    It has ``id, status, question, answer, truth, score`` (the metric's ``metric_result``; None if
    the sample has none); where there are options, ``chosen_option`` and ``true_option``, their
    words (a list where several are right); ``worded_by`` where the model's own prompt was asked.
    """
    record = prediction.to_record()
    exchange = exchange_of(record)
    return {
        "id": prediction.sample_id,
        "status": str(prediction.status),
        **to_jsonable(exchange._asdict()),
        "score": entry.get("metric_result"),
        **_options_in_words(record, entry),
        **{key: record[key] for key in (WORDED_BY,) if record.get(key)},
        **entry,
    }


def exchange_of(record: Mapping[str, Any]) -> Exchange:
    """What was asked, answered and true, from the record of a prediction.

    Where the prompt of the instruction is the whole question, that is the question.
    """
    turns = turns_of(record)
    if not turns:
        question = record.get("question") or record.get("query") or ""
        return Exchange(question, record.get("answer"), record.get("gt_answers"))
    asked = record.get("multi_turn_prefix") or ()
    return Exchange(
        [turn.get("question", "") for turn in turns],
        [turn.get("answer") for turn in turns],
        [_truth(turn, asked) for turn in turns],
    )


def _truth(turn: Mapping[str, Any], asked: Any) -> Any:
    """The reference of a turn; None if a conversation has made it about something else."""
    number = turn.get("turn", -1)
    known = asked[number] if 0 <= number < len(asked) else {}
    return known.get("gt_answers") if known.get("prefix") == turn.get("prefix") else None


def _options_in_words(record: dict[str, Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    texts = option_texts(record)
    if not texts or turns_of(record):
        return {}
    chosen = chosen_option(record, entry, texts)
    words = {"chosen_option": texts[chosen]} if chosen is not None else {}
    true = [texts[index] for index in right_options(record, texts)]
    return {**words, **({"true_option": true[0] if len(true) == 1 else true} if true else {})}


def option_texts(record: dict[str, Any]) -> list[str]:
    """The options in words; empty for a sample without options."""
    return names(record, "choices") or names(record, "options")


def right_options(record: dict[str, Any], texts: Sequence[str] | None = None) -> list[int]:
    """The indices of the right options, in order; empty where they are not known."""
    try:
        right = true_choices(record)
    except DataError:
        return []
    count = len(option_texts(record) if texts is None else texts) if right else 0
    return sorted([index for index in right if 0 <= index < count])


def chosen_option(
    record: dict[str, Any], entry: Mapping[str, Any], texts: list[str] | None = None
) -> int | None:
    """The index of the option that was chosen: by its score, or as the metric read the text.

    A text without a reference, which no metric reads, is read as `choice_by_rule` does, once:
    `sample_line` says what was read.
    """
    texts, parsed = option_texts(record) if texts is None else texts, entry.get("parsed")
    if _COUNT in entry:  # what was read is a number, and not the index of an option
        parsed = None if parsed is None else str(parsed)
    if record.get("status") == Status.ERROR or not texts:
        return None
    if "parsed" not in entry and entry.keys() >= _LINE:
        chosen = entry.get("chosen_option")
        return texts.index(chosen) if chosen in texts else None
    try:
        found = scored_choice(record)
        if found is None and "parsed" not in entry and not right_options(record, texts):
            found = choice_by_rule(record).value if answer_text(record) else None
    except DataError:
        return None
    if found is None and isinstance(parsed, int) and not isinstance(parsed, bool):
        found = parsed
    if found is None and isinstance(parsed, str):
        folded = [text.casefold() for text in texts]
        found = folded.index(parsed.casefold()) if parsed.casefold() in folded else None
    return found if found is not None and 0 <= found < len(texts) else None


class _ScoreLine(msgspec.Struct):
    """What every line of scores.jsonl has."""

    id: str


def score_lines(file: Path) -> list[dict[str, Any]]:
    """What scores.jsonl tells about the samples, or nothing; errors as `stored_lines`."""
    lines = stored_lines(file)
    for line in lines:
        line.pop(READING, None)
    return lines


def stored_lines(file: Path, *, key: str = "") -> list[dict[str, Any]]:
    """The lines of scores.jsonl as written, with how each answer was read (`Readings.noted`); none
    where the file has no such ``key``.

    OSError if it cannot be read; ValueError, RecursionError for a line that is no score.
    """
    try:
        content = read_bytes(file)
    except FileNotFoundError:
        return []
    lines = content.splitlines() if key.encode() in content else []
    found: list[dict[str, Any]] = []
    for number, line in enumerate(filter(None, lines), start=1):
        try:
            decoded = msgspec.json.decode(line)
            if not isinstance(decoded, dict) or not isinstance(decoded.get("id"), str):
                msgspec.convert(decoded, _ScoreLine)  # which says what is wrong
        except ValueError as error:
            raise ValueError(f"line {number} of {file.name}: {error}") from None
        found.append(decoded)
    return found
