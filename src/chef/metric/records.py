"""Read the flat records of the journal. A missing field is an error, never a wrong answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any, TypeAlias

from chef.errors import DataError
from chef.reading.excerpt import left_out
from chef.reading.text import Reading
from chef.types import check_choice

#: What is told of a sample and of the answer to it.
Record: TypeAlias = dict[str, Any]
#: The cell with the answer of a stored row, where chef's own rules read no true answer in it.
STORED_ANSWER = "stored_answer"
#: The columns of a stored row whose cells pandas reads as missing values.
MISSING_CELLS = "missing_cells"
#: The field with the question of a stored row as it is, without the options around it.
STORED_QUESTION = "stored_question"
#: The verdict of a stored row that a judge of VLMEvalKit's has read: 0 or 1.
STORED_HIT = "stored_hit"
_LABEL = r"\(?([A-Z]{1,2})\)?"
#: So many options are shown in an error.
_SHOWN = 6


def answer_text(record: dict[str, Any]) -> str:
    """The answer as text; empty if there is none."""
    answer = record.get("answer")
    return "" if answer is None else str(answer)


def scored_choice(record: dict[str, Any]) -> int | None:
    """The index of the option chosen by its score, None of text; raises DataError."""
    choice = record.get("choice")
    if choice is None:
        return None
    listed = record.get("options")
    if type(choice) is int and type(listed) is list and 0 <= choice < len(listed):
        return choice
    if isinstance(choice, bool) or not isinstance(choice, Integral):
        raise DataError(f"the scored choice is {choice!r}, not the index of an option")
    options = names(record, "options") or names(record, "choices")
    if options and not 0 <= int(choice) < len(options):
        raise DataError(f"the scored choice is {choice}, and there are {len(options)} options")
    return int(choice)


def names(record: dict[str, Any], key: str) -> list[str]:
    """The list of strings under ``key``; empty if the record does not have it."""
    return list(map(str, _items(record.get(key))))


def references_of(record: dict[str, Any]) -> list[Any]:
    """``gt_answers`` as a list without None; a scalar becomes a list of one."""
    return [item for item in _items(record.get("gt_answers")) if item is not None]


def true_choices(record: dict[str, Any]) -> set[int]:
    """The indices of the correct options, of ``gt_choice`` or by ``gt_answers``; empty if not told.

    Raises DataError.
    """
    known, listed = record.get("gt_choice"), record.get("options")
    if type(known) is int and type(listed) is list and 0 <= known < len(listed):
        return {known}
    given = [item for item in _items(known) if item is not None]
    if given:
        options = len(_items(record.get("options")) or _items(record.get("choices")))
        if type(known) is int and 0 <= known < options:
            return {known}
        check_choice(given, options)
        return {int(item) for item in given}
    if not has_options(record):
        return set()
    wanted = {str(item).strip() for item in references_of(record)}
    for key in ("options", "choices"):
        right = {i for i, name in enumerate(names(record, key)) if name.strip() in wanted}
        if right:
            return right
    return set()


def has_options(record: Mapping[str, Any]) -> bool:
    """Whether an answer of the record is one of some options."""
    return bool(record.get("options") or record.get("choices"))


def check_kind(wanted: str | None, kind: str, key: str = "inference_type") -> None:
    """Raise DataError for answers of a kind that ``key`` of the recipe does not ask for."""
    if wanted is not None and wanted != kind:
        raise DataError(
            f"the answers are of {key} {kind}, and the recipe says {wanted}",
            hint=f"set metric_cfg.{key}: {kind}, or leave it out",
        )


def scored_as_one(record: Mapping[str, Any]) -> str:
    """What is scored as one with a sample, as a rule: the rotations of its question."""
    return str(record.get("circular_group") or f"id {record['id']}")


class MissingTruthError(DataError):
    """The correct answer is not known (as in a test split): the sample is not scored."""


class UnjudgedError(DataError):
    """An answer that a judge was to read has no judgement: it is not scored, by no rule either."""


def missing_truth(record: dict[str, Any], keys: str) -> DataError:
    """The error for a record whose reference is missing or has the wrong form."""
    given = record.get("gt_answers") is not None or record.get("gt_choice") is not None
    kind = DataError if given else MissingTruthError
    return kind(
        f"the sample has no {keys}",
        where=f"sample '{record.get('id', '?')}'",
        hint="choose a metric for such answers; metric_type: basic is the scenario's own"
        if given
        else "score a split that has its answers",
    )


def missing_choice(record: dict[str, Any]) -> DataError:
    """The error for a record of whose options none is known to be right."""
    options = names(record, "options") or names(record, "choices")
    references = references_of(record)
    if not options or not references:
        return missing_truth(record, "gt_choice")
    more = ", ..." if len(options) > _SHOWN else ""
    return DataError(
        f"the right answer {references[0]!r} is none of the options "
        f"{', '.join(map(repr, options[:_SHOWN]))}{more}",
        where=f"sample '{record.get('id', '?')}'",
        hint="write it as the option is written, or give its position, from 0, as gt_choice in the "
        "fields of the sample",
    )


def required_choices(record: dict[str, Any]) -> set[int]:
    """`true_choices`, of which there must be at least one; raises MissingTruthError."""
    right = true_choices(record)
    if not right:
        raise missing_choice(record)
    return right


def required_references(record: dict[str, Any], what: str = "gt_answers") -> list[str]:
    """The texts of ``gt_answers``, one or more; raises MissingTruthError, which names ``what``."""
    references = [str(item) for item in references_of(record)]
    if not references:
        raise missing_truth(record, what)
    return references


def required_texts(record: dict[str, Any], what: str = "gt_answers") -> list[str]:
    """`required_references` that are texts; DataError for the label of an option, "(A)", which
    "A" and the text of the option do not equal.
    """
    references, choices = required_references(record, what), names(record, "choices")
    if record.get("gt_choice") is None or len(choices) < 2:
        return references
    matches = [re.fullmatch(_LABEL, item.strip()) for item in references]
    labels = [match[1] if match else "" for match in matches]
    if all(labels) and not {*references} & {*choices}:
        raise DataError(
            f"the reference '{references[0]}' is the label of an option, and texts are compared",
            where=f"sample '{record.get('id', '?')}'",
            hint="the metric Accuracy reads which option an answer means: metric_type: Accuracy, "
            "or --metric Accuracy",
        )
    return references


def scored_entry(extraction: Reading[Any], *, right: bool) -> dict[str, Any]:
    """The findings that most metrics share: ``metric_result, parsed, evidence``."""
    return {
        "metric_result": 1.0 if right else 0.0,
        "parsed": extraction.value,
        "evidence": extraction.evidence(),
    }


def note_left_out(found: dict[str, Any], answer: Any) -> None:
    """Let the evidence say how many characters of an answer were too many to be read."""
    texts = answer if isinstance(answer, list) else [answer]
    count = sum(left_out(text) for text in texts if isinstance(text, str))
    if count and isinstance(found.get("evidence"), dict):
        found["evidence"]["left_out"] = count


def by_score(choice: int, record: dict[str, Any]) -> Reading[int]:
    """An option that was chosen by its score, as an `Reading`."""
    options = _items(record.get("options"))
    return Reading(choice, "option scores", str(options[choice]) if options else "")


def _items(item: Any) -> list[Any]:
    if isinstance(item, list):
        return item
    if item is None:
        return []
    return list(item) if isinstance(item, tuple | set | frozenset) else [item]


Turns = Sequence[Mapping[str, Any]]


def turns_of(record: Mapping[str, Any]) -> Turns:
    """The answered turns of a record; empty if it was asked in a single turn."""
    turns = record.get("turn_answer")
    return turns if isinstance(turns, list) else []


def is_scored(turns: Turns) -> bool:
    """Whether options were scored in these turns, rather than text written."""
    return any("choice" in turn for turn in turns)
