"""LAMM's multiple choice by its own rule."""

from __future__ import annotations

from typing import Any

from chef.metric.records import names, required_choices, scored_entry
from chef.metric.upstream.choice import with_thought
from chef.metric.vqa import lamm_vqa
from chef.reading.rules.chef_options import lamm_option


class LammVQA(lamm_vqa.LammVQA):
    """An answer is correct if it states the correct letter and no other (`lamm_option`).

    The chain of thought is read too, also before a scored option.
    """

    policy = "LAMM"

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the index of the option."""
        right = required_choices(record)
        found = lamm_option(with_thought(record), names(record, "choices"), min(right))
        return scored_entry(found, right=found.value in right)
