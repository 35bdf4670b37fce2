"""MMMU by ChEF's own rules."""

from __future__ import annotations

import random
from typing import Any

from chef.metric.records import (
    names,
    required_choices,
    required_references,
    scored_choice,
    scored_entry,
)
from chef.metric.upstream.choice import stored_text
from chef.metric.vqa import mmmu
from chef.metric.vqa.choice import score_choice
from chef.reading.rules.chef_options import mmmu_option
from chef.reading.rules.chef_texts import chef_open_answer


class MMMUMetric(mmmu.MMMUMetric):
    """Letters are read by `mmmu_option`, open answers by `chef_open_answer`.

    If `mmmu_option` finds nothing, it draws an option at random, seeded by the sample's id. Texts
    are read together with their chain of thought. Scored options are taken by their indices.
    """

    policy = "ChEF MMMU"

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the index of the option, or the matching reference, else the answer."""
        if record.get("question_type") == "open":
            accepted = required_references(record)
            return mmmu.score_open(chef_open_answer(stored_text(record), accepted))
        if scored_choice(record) is not None:
            return score_choice(record)
        right = required_choices(record)
        rng = random.Random(f"42 {record.get('id')}")
        found = mmmu_option(stored_text(record), names(record, "choices"), rng)
        return scored_entry(found, right=found.value in right)
