"""LAMM's multiple choice by its own rule."""

from __future__ import annotations

from typing import Any

from chef.extraction.chef_rules import lamm_option
from chef.metric.records import names, required_choices, scored_entry
from chef.metric.upstream.choice import stored_text
from chef.metric.vqa import lamm_vqa


class LammVQA(lamm_vqa.LammVQA):
    """An answer is correct if the correct letter is among those it states (`lamm_option`)."""

    policy = "LAMM"

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the index of the option."""
        right = required_choices(record)
        found = lamm_option(stored_text(record), names(record, "choices"), min(right))
        return scored_entry(found, right=found.value in right)
