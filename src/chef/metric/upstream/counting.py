"""Counting by ChEF's own rules."""

from __future__ import annotations

from typing import Any

from chef.metric import counting
from chef.metric.upstream.choice import stored_text
from chef.reading.rules.chef_texts import first_number
from chef.reading.text import Reading


class Counting(counting.Counting):
    """A count is the `first_number` of the text, or 0 if there is none; ``MAE`` is capped.

    The texts of scored options are read in the same way. ``MAE`` is the ``MAE_capped`` of the
    corrected class: each error is at most the true count.
    """

    policy = "ChEF numbers"

    def read(self, record: dict[str, Any]) -> Reading[float]:
        return first_number(stored_text(record))

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        values = super().metric_func(answers)
        capped = values.pop("MAE_capped")
        return {**values, "MAE": capped}
