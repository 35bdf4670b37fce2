"""Answers as ChEF stores and reads them: generated text follows its chain of thought."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from chef.metric.base import Metric
from chef.metric.records import answer_text, scored_choice
from chef.reading.text import Reading

T = TypeVar("T")


def stored_text(record: dict[str, Any]) -> str:
    """The answer as ChEF stores it: generated text follows its chain of thought."""
    return answer_text(record) if scored_choice(record) is not None else with_thought(record)


def with_thought(record: dict[str, Any]) -> str:
    """The chain of thought and the answer, which may be a scored option."""
    return f"{record.get('CoT_answer') or ''}{answer_text(record)}"


def read_by(rule: Callable[[str], Reading[T]]) -> Callable[[Metric, dict[str, Any]], Reading[T]]:
    """The method ``read`` of a metric that reads its answers by a rule, as ChEF stores them."""

    def read(metric: Metric, record: dict[str, Any]) -> Reading[T]:
        del metric
        return rule(stored_text(record))

    return read
