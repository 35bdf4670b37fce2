"""Options under other names, by ChEF's own rule."""

from __future__ import annotations

from typing import Any

from chef.common.circular import PLACE
from chef.metric.records import names, required_choices, scored_entry
from chef.metric.upstream.choice import stored_text
from chef.metric.vqa import instruct_follow
from chef.metric.vqa.mmbench import questions
from chef.reading.rules.chef_options import mapped_option


class InstructFollow(instruct_follow.InstructFollow):
    """Answers are searched for the options themselves (`mapped_option`), never for their texts.

    The row that counts for a question is the first one scored, whatever its rotation. In a file of
    answers it is the first in the file, in a run that with the lowest index, as in MMBench's files.
    """

    policy = "ChEF mapped options"

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the index of the option."""
        right = required_choices(record)
        options = names(record, "options")
        found = mapped_option(stored_text(record), options)
        accepted = {options[index].lower() for index in right if index < len(options)}
        hit = found.value is not None and options[found.value].lower() in accepted
        return scored_entry(found, right=hit)

    def first_rows(self, answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        groups = questions(answers).values()
        return [min(rows, key=lambda row: row.get(PLACE, 0)) for rows in groups]
