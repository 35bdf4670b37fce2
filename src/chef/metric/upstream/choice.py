"""Find the option that an answer chose, by ChEF's own rule."""

from __future__ import annotations

from typing import Any

from chef.extraction.chef_rules import cascade
from chef.metric.records import answer_text, names, required_choices, scored_choice, scored_entry


def stored_text(record: dict[str, Any]) -> str:
    """The answer as ChEF stores it: generated text follows its chain of thought."""
    thought = "" if scored_choice(record) is not None else record.get("CoT_answer") or ""
    return f"{thought}{answer_text(record)}"


def score_choice(record: dict[str, Any], *, content_only: bool = False) -> dict[str, Any]:
    """The findings about a multiple-choice answer, read by `cascade`.

    ChEF reads the texts of scored options too, instead of taking their indices.

    Args:
        record: the record of one sample.
        content_only: the options are texts, not letters.

    Raises:
        MissingTruthError: the record does not say which option is correct.
    """
    right = required_choices(record)
    found = cascade(stored_text(record), tuple(names(record, "choices")), content_only=content_only)
    return {**scored_entry(found, right=found.value in right), "match": found.rule}
