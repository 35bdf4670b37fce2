"""VLMEvalKit's table of accuracies: splits by overall, l2-categories and categories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chef.metric.vqa.accuracy import share_of

Record = dict[str, Any]

#: How the categories of MMBench are called in its tables.
_MMBENCH = {
    "coarse_perception": "CP",
    "finegrained_perception (instance-level)": "FP-S",
    "finegrained_perception (cross-instance)": "FP-C",
    "logic_reasoning": "LR",
    "relation_reasoning": "RR",
    "attribute_reasoning": "AR",
}


def overall(rows: Sequence[Record], key: str = "metric_result") -> dict[str, Any]:
    """``Overall``: the share of all rows, and of each split where there are several.

    VLMEvalKit's table has a row for each split and none for all of them.
    """
    splits = sorted({_split(row) for row in rows})
    found: dict[str, Any] = {"Overall": share_of(list(rows), key, "0-1")}
    if len(splits) > 1:
        for split in splits:
            part = [row for row in rows if _split(row) == split]
            found[split] = {"Overall": share_of(part, key, "0-1")}
    return found


def open_answers(
    rows: Sequence[Record], key: str = "metric_result", name: str = "Overall"
) -> dict[str, Any]:
    """The mean of free answers in %: of all rows and of each split, where none has one, category.

    Args:
        rows: the scored rows.
        key: what is averaged.
        name: of each figure.
    """
    column = "split" if any(row.get("split") for row in rows) else "category"
    found: dict[str, Any] = {name: share_of(list(rows), key)}
    for part in sorted({str(row[column]) for row in rows if row.get(column)}):
        members = [row for row in rows if str(row.get(column)) == part]
        found[part] = {name: share_of(members, key)}
    return found


def accuracy_table(
    rows: Sequence[Record], key: str = "metric_result", dataset_name: str = ""
) -> list[dict[str, Any]]:
    """A row for each split: the mean of ``key``, in 0..1, overall and of each category.

    Columns: ``split``, ``Overall``, each l2-category, each category, both in alphabetical order. A
    missing split is ``none``. A category that has the name of an l2-category replaces its column,
    and those of MMBench are abbreviated. A split without rows of a category has None there.

    Splits are sorted here; their order in VLMEvalKit depends on a hash seed.

    Args:
        rows: the scored rows.
        key: what is averaged.
        dataset_name: names with "MMBench" have abbreviated categories.
    """
    found = []
    for split in sorted({_split(row) for row in rows}):
        part = [row for row in rows if _split(row) == split]
        line: dict[str, Any] = {"split": split, "Overall": _mean(part, key)}
        for column in ("l2-category", "category"):
            for name in sorted({str(row[column]) for row in rows if row.get(column)}):
                shown = _MMBENCH.get(name, name) if "MMBench" in dataset_name else name
                line[shown] = _mean([row for row in part if str(row.get(column)) == name], key)
        found.append(line)
    return found


def _split(row: Record) -> str:
    return str(row.get("split") or "none")


def _mean(rows: Sequence[Record], key: str) -> float | None:
    return sum(row[key] for row in rows) / len(rows) if rows else None
