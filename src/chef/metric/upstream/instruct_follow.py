"""Options under other names, by ChEF's own rule."""

from __future__ import annotations

from typing import Any

from chef.extraction.chef_rules import cascade
from chef.metric.records import names, required_choices, scored_entry
from chef.metric.upstream.choice import stored_text
from chef.metric.vqa import instruct_follow


class InstructFollow(instruct_follow.InstructFollow):
    """Answers are read by ChEF's `cascade`, which searches for the options themselves."""

    policy = "ChEF cascade"

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the index of the option."""
        right = required_choices(record)
        found = cascade(stored_text(record), names(record, "options"), content_only=True)
        return scored_entry(found, right=found.value in right)
