"""The boxes of a sample, to be drawn over its image."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chef.common.boxes import upright
from chef.report.sample_view import BoxView


def boxes_of(record: Mapping[str, Any], entry: Mapping[str, Any]) -> list[BoxView]:
    """The boxes of the reference answer, then those that the metric read in the answer.

    Args:
        record: the record of the prediction: of ``gt_answers`` what has the form
            ``{label, bbox}``, ``bbox`` in shares of width and height.
        entry: its line of scores.jsonl: of ``parsed`` the same.
    """
    references = [*_boxes(record.get("gt_answers"), is_reference=True)]
    return [*references, *_boxes(entry.get("parsed"), is_reference=False)]


def _boxes(items: Any, *, is_reference: bool) -> Iterator[BoxView]:
    for item in items if isinstance(items, list) else []:
        corners = item.get("bbox") if isinstance(item, Mapping) else None
        if not isinstance(corners, list) or not all(isinstance(n, int | float) for n in corners):
            continue
        box = upright(corners)
        if box is None or min(box) > 1 or max(box) < 0:
            continue
        left, top, right, bottom = (min(max(number, 0.0), 1.0) for number in box)
        yield BoxView((left, top, right, bottom), str(item.get("label") or ""), is_reference)
