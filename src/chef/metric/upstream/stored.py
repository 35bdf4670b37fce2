"""Answers as ChEF stores and reads them: generated text follows its chain of thought."""

from __future__ import annotations

from typing import Any

from chef.metric.records import answer_text, scored_choice


def stored_text(record: dict[str, Any]) -> str:
    """The answer as ChEF stores it: generated text follows its chain of thought."""
    return answer_text(record) if scored_choice(record) is not None else with_thought(record)


def with_thought(record: dict[str, Any]) -> str:
    """The chain of thought and the answer, which may be a scored option."""
    return f"{record.get('CoT_answer') or ''}{answer_text(record)}"
