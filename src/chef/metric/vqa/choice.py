"""Find the option that an answer chose, by its score or by reading its text."""

from __future__ import annotations

from typing import Any, Literal

from chef.extraction.labels import option_names
from chef.extraction.mentions import normal
from chef.extraction.options import extract_option
from chef.extraction.text import Extraction
from chef.metric.records import (
    answer_text,
    by_score,
    names,
    required_choices,
    scored_choice,
    scored_entry,
)


def read_choice(record: dict[str, Any], *, content_only: bool = False) -> Extraction[int]:
    """The option that an answer chose.

    An option chosen by its score is taken by its index. Text is searched for an option's label or
    words; its chain of thought is ignored.

    Args:
        record: the record of one sample; ``labels`` lists the letters used in the question when
            the options themselves are texts.
        content_only: ignore letters, and match only the words of the options.
    """
    choice = scored_choice(record)
    if choice is not None:
        return by_score(choice, record)
    choices = tuple(names(record, "choices"))
    labels, texts = option_names(names(record, "options"), choices)
    lettered = tuple(names(record, "labels"))
    if lettered and len(lettered) == len(choices):
        labels, texts = lettered, choices
    if content_only:
        labels, texts = (), choices or texts
    question = str(record.get("question") or "")
    return extract_option(answer_text(record), texts, labels, question)


def score_choice(record: dict[str, Any], *, content_only: bool = False) -> dict[str, Any]:
    """The findings about a multiple-choice answer; the arguments are those of `read_choice`.

    Raises:
        MissingTruthError: the record does not say which option is correct.
    """
    right = required_choices(record)
    found = read_choice(record, content_only=content_only)
    return {**scored_entry(found, right=found.value in right), "match": match_kind(found, record)}


def match_kind(
    found: Extraction[int], record: dict[str, Any]
) -> Literal["option", "content"] | None:
    """How an answer was matched: by a label or a score (``option``), or by words (``content``)."""
    if found.value is None:
        return None
    choices = names(record, "choices")
    text = normal(choices[found.value]).casefold() if found.value < len(choices) else ""
    worded = bool(text) and text in normal(found.text).casefold()
    by_text = found.rule != "option scores" and (worded or found.rule.startswith("number"))
    return "content" if by_text else "option"
