"""Multiple choice by VLMEvalKit's own rules: exact matching, then a judge, then a random option."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chef.common.judgements import JudgementStatus
from chef.common.options import letters
from chef.common.seeding import sample_rng
from chef.metric.records import (
    MISSING_CELLS,
    STORED_ANSWER,
    answer_text,
    by_score,
    names,
    references_of,
    required_choices,
    scored_choice,
    scored_entry,
    true_choices,
)
from chef.metric.verdicts import verdict
from chef.reading.rules.vlmevalkit import FAILED, can_infer, option_rule
from chef.reading.text import Reading
from chef.stats.estimate import Estimate

Record = dict[str, Any]
#: The texts that pandas reads from a table as missing values unless it is told not to
#: (``read_csv``, ``na_values``): an option with one of them is none for VLMEvalKit.
MISSING = frozenset(
    (
        *("#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
        *("<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
    )
)
#: What VLMEvalKit makes of a missing value where it takes a cell for a text.
NAN = "nan"
#: What a judge is asked.
JUDGED_AS = "vlmevalkit_option"
#: How the answers are matched whose judge cannot be read.
RANDOM = "random"
#: The text of the wrong option that an open question gets.
_OTHERS = "Other Answers"


def is_missing(text: str) -> bool:
    """Whether pandas reads a cell with this text as a missing value.

    >>> is_missing("None"), is_missing(""), is_missing("None of them")
    (True, True, False)
    """
    return not text or text in MISSING


def stored_text(record: Record) -> str:
    """The answer, as VLMEvalKit reads it from its table where it was stored in one."""
    return NAN if "prediction" in record.get(MISSING_CELLS, ()) else answer_text(record)


def gave_up(record: Record) -> bool:
    """Whether no reply can be read, and no request failed (those are asked again)."""
    given = record.get("judgements") or ()
    return bool(given) and all(item["status"] == JudgementStatus.UNPARSED for item in given)


def is_failed_call(record: Record) -> bool:
    """Whether the answer is the text that VLMEvalKit stores for a failed call."""
    return FAILED in answer_text(record)


def lettered_choices(record: Record) -> dict[str, str]:
    """The texts of a record's options by their labels, A, B, ... where it names none."""
    texts = names(record, "choices") or names(record, "options")
    labels = names(record, "labels")
    if len(labels) != len(texts):
        labels = letters(len(texts))
    return dict(zip(labels, texts, strict=True))


def is_open(record: Record) -> bool:
    """Whether a record is a question without options."""
    return not names(record, "choices") and not names(record, "options")


def score_choice(record: Record) -> dict[str, Any]:
    """The findings about a multiple-choice answer, read by `can_infer`, or as a judge reads it.

    ``parsed``: the option's index; None for none, for Z, and for a text of `MISSING`. ``match``:
    ``option``, ``content``, ``judge``, ``random``, or None. Raises MissingTruthError.
    """
    right = right_choices(record)
    choice = scored_choice(record)
    if choice is not None:
        found = by_score(choice, record)
    else:
        choices = lettered_choices(record)
        found = _read(record, choices, there_of(choices))
    return {**scored_entry(found, right=found.value in right), "match": _match(found, record)}


def right_choices(record: Record) -> set[int]:
    """The indices of the right options; none where the stored label is that of an option that
    VLMEvalKit has lost, so that the row is wrong. Raises MissingTruthError.
    """
    if (label := _stored_label(record)) is None:
        return required_choices(record)
    labels = list(lettered_choices(record))
    return {labels.index(label)} if label in labels else set()


def _stored_label(record: Record) -> str | None:
    label = str(record.get(STORED_ANSWER, ""))
    return label if label in letters(26) else None


def random_options(rows: list[Record]) -> dict[str, Estimate]:
    """How many answers have a random option, where there are any (a count)."""
    count = sum(row.get("match") == RANDOM for row in rows)
    found = Estimate(count, len(rows), unit="count", higher_is_better=False)
    return {"random_options": found} if count else {}


def there_of(choices: Mapping[str, str]) -> dict[str, str]:
    """The options that VLMEvalKit has: without those whose text is of `MISSING`."""
    return {label: text for label, text in choices.items() if text not in MISSING}


def _read(record: Record, choices: Mapping[str, str], there: Mapping[str, str]) -> Reading[int]:
    """The option that the judge names, if it was asked; that of `can_infer` otherwise.

    VLMEvalKit draws one, or none, where three replies cannot be read: here by the sample.
    """
    labels = list(choices)
    said = None if gave_up(record) else verdict(record)
    if said is not None:
        places = {place for place, label in enumerate(labels) if label in there}
        return said.as_extraction(said.value if said.value in places else None)
    by_rule = read_choice(stored_text(record), there, labels)
    if gave_up(record):
        if by_rule.rule != "none":
            return by_rule
        choice = sample_rng(0, "vlmevalkit judge", record["id"]).choice([*there, None])
        return Reading(None if choice is None else labels.index(choice), RANDOM)
    return by_rule


def read_choice(answer: str, choices: Mapping[str, str], labels: Sequence[str]) -> Reading[int]:
    """The place in ``labels`` of the option that `can_infer` finds, and which of its rules did."""
    label = can_infer(answer, choices)
    if label is None:
        return Reading(None, "none")
    rule = "label" if option_rule(answer, choices) else "text of an option"
    return Reading(labels.index(label) if label in labels else None, rule, label)


def is_converted(record: Record) -> bool:
    """Whether VLMEvalKit takes a record for a question without options: it has no option A."""
    return is_open(record) or "A" not in there_of(lettered_choices(record))


def score_converted(record: Record) -> dict[str, Any]:
    """The findings about a question without option A, which VLMEvalKit turns into one of multiple
    choice: the reference (A, correct; several as a printed list; of a question that has lost its
    option A the right label) and "Other Answers" (B), so that a letter in an answer counts by
    accident. Raises MissingTruthError.
    """
    if not references_of(record):
        right_choices(record)
    choices = converted_choices(record)
    found = _read(record, choices, choices)
    return {**scored_entry(found, right=found.value == 0), "match": _match(found, record)}


def converted_choices(record: Record) -> dict[str, str]:
    """The options that such a question has then, by their labels."""
    if is_open(record):
        references = references_of(record)
        text = str(references[0] if len(references) == 1 else references)
        return {"A": text, "B": _OTHERS}
    choices = lettered_choices(record)
    right = _stored_label(record) or list(choices)[min(required_choices(record))]
    others = {label: text for label, text in there_of(choices).items() if label not in "AB"}
    return {"A": right, "B": _OTHERS, **others}


def _match(found: Reading[int], record: Record) -> str | None:
    """Whether an option was found by its label or by its words, as the corrected class says it."""
    if found.rule == RANDOM:
        return RANDOM
    if found.value is None:
        return None
    if found.rule.startswith("judge") and record.get("judgements"):
        return "judge"
    return "content" if found.rule == "text of an option" else "option"


def is_multiple_choice(record: Record) -> bool:
    """Whether a record has options, and it is known which are correct."""
    is_known = _stored_label(record) is not None or bool(true_choices(record))
    return not is_open(record) and is_known
