"""Multiple choice by VLMEvalKit's own rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chef.common.options import letters
from chef.extraction.text import Extraction
from chef.extraction.vlmevalkit_rules.choices import can_infer, option_rule
from chef.metric.records import (
    answer_text,
    by_score,
    names,
    references_of,
    required_choices,
    scored_choice,
    scored_entry,
    true_choices,
)

Record = dict[str, Any]
#: The texts that pandas reads from a table as missing values unless it is told not to
#: (``read_csv``, ``na_values``): an option with one of them is none for VLMEvalKit.
MISSING = frozenset(
    (
        *("#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
        *("<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
    )
)
#: The text of the wrong option that an open question gets.
_OTHERS = "Other Answers"


def lettered_choices(record: Record) -> dict[str, str]:
    """The texts of a record's options by their labels, A, B, ... where it names none.

    Options with a text of `MISSING` are there, but `score_choice` finds none of them.
    """
    texts = names(record, "choices") or names(record, "options")
    labels = names(record, "labels")
    if len(labels) != len(texts):
        labels = letters(len(texts))
    return dict(zip(labels, texts, strict=True))


def is_open(record: Record) -> bool:
    """Whether a record is a question without options."""
    return not names(record, "choices") and not names(record, "options")


def score_choice(record: Record) -> dict[str, Any]:
    """The findings about a multiple-choice answer, read by `can_infer`.

    ``parsed`` is the index of the option; None where nothing is found, and for the label Z. An
    option whose text is of `MISSING` is not found, not even by its label.

    Raises:
        MissingTruthError: the record does not say which option is correct.
    """
    right = required_choices(record)
    choice = scored_choice(record)
    if choice is not None:
        found = by_score(choice, record)
    else:
        choices = lettered_choices(record)
        there = {label: text for label, text in choices.items() if text not in MISSING}
        found = read_choice(answer_text(record), there, list(choices))
    return {**scored_entry(found, right=found.value in right), "match": _match(found)}


def read_choice(answer: str, choices: Mapping[str, str], labels: Sequence[str]) -> Extraction[int]:
    """The place in ``labels`` of the option that `can_infer` finds, and which of its rules did."""
    label = can_infer(answer, choices)
    if label is None:
        return Extraction(None, "none")
    rule = "label" if option_rule(answer, choices) else "text of an option"
    return Extraction(labels.index(label) if label in labels else None, rule, label)


def score_converted(record: Record) -> dict[str, Any]:
    """The findings about an open question that VLMEvalKit turns into one of multiple choice.

    The options are the reference (A) and "Other Answers" (B), and A is correct. So a letter that
    stands in an answer by accident counts. Several references are one option, as their list is
    printed; what is known of VLMEvalKit's rules does not say how they are written there.

    Raises:
        MissingTruthError: there is no reference.
    """
    references = references_of(record)
    if not references:
        required_choices(record)
    text = str(references[0] if len(references) == 1 else references)
    found = read_choice(answer_text(record), {"A": text, "B": _OTHERS}, "AB")
    return {**scored_entry(found, right=found.value == 0), "match": _match(found)}


def _match(found: Extraction[int]) -> str | None:
    """Whether an option was found by its label or by its words, as the corrected class says it."""
    if found.value is None:
        return None
    return "content" if found.rule == "text of an option" else "option"


def is_multiple_choice(record: Record) -> bool:
    """Whether a record has options of which some are correct."""
    return not is_open(record) and bool(true_choices(record))
