"""Find the option that an answer chose, by ChEF's own rule."""

from __future__ import annotations

from typing import Any

from chef.metric.records import answer_text, names, required_choices, scored_choice, scored_entry
from chef.reading.rules.chef_options import LETTERS, cascade


def stored_text(record: dict[str, Any]) -> str:
    """The answer as ChEF stores it: generated text follows its chain of thought."""
    return answer_text(record) if scored_choice(record) is not None else with_thought(record)


def with_thought(record: dict[str, Any]) -> str:
    """The chain of thought and the answer, which may be a scored option."""
    return f"{record.get('CoT_answer') or ''}{answer_text(record)}"


def score_choice(
    record: dict[str, Any], *, known: str = LETTERS, content_only: bool = False
) -> dict[str, Any]:
    """The findings about a multiple-choice answer, read by `cascade`.

    ChEF reads the texts of scored options too, instead of taking their indices.

    Args:
        record: the record of one sample.
        known: the letters that options may have.
        content_only: the options are texts, so no letter is read.

    Raises:
        MissingTruthError: the record does not say which option is correct.
    """
    right = required_choices(record)
    choices = tuple(names(record, "choices"))
    found = cascade(stored_text(record), choices, known=known, content_only=content_only)
    match = None if found.value is None else found.rule
    return {**scored_entry(found, right=found.value in right), "match": match}
