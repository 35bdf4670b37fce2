"""Groups of samples by several fields at once: split x l2-category x category."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

#: The groupings that are crossed, in the order of their columns.
CROSSED = ("split", "l2-category", "category")
#: What is between the fields of a crossing, and between the values in the name of a group.
COMMA, TIMES = ",", " × "


def with_crossing(groupings: Mapping[str, str]) -> dict[str, str]:
    """The groupings, and the crossing of those of `CROSSED` if there are at least two.

    >>> with_crossing({"category": "task_type", "split": "split"})
    {'category': 'task_type', 'split': 'split', 'split,category': 'split,task_type'}
    >>> with_crossing({"category": "category"})
    {'category': 'category'}
    """
    names = [name for name in CROSSED if name in groupings]
    if len(names) < 2:
        return dict(groupings)
    return {**groupings, COMMA.join(names): COMMA.join(groupings[name] for name in names)}


def fields_of(field: str, records: Iterable[Mapping[str, Any]]) -> list[str]:
    """The fields that a grouping stands for; empty for a crossing of which one is there at most.

    Args:
        field: the field of a grouping, or several between commas.
        records: the samples.
    """
    if COMMA not in field:
        return [field]
    fields = field.split(COMMA)
    there = {name for record in records for name in (*fields, field) if record.get(name)}
    if field in there:  # a column of a user's may have a comma in its name
        return [field]
    return fields if len(there) > 1 else []


def group_cells(name: str, columns: int) -> list[str]:
    """The values in the name of a group, one for each column.

    >>> group_cells("dev × logic × what × why", 3)
    ['dev', 'logic', 'what × why']
    """
    cells = name.split(TIMES, columns - 1)
    return cells + [""] * (columns - len(cells))
