"""VLMEvalKit's table of accuracies: splits by overall, l2-categories and categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from chef.metric.vqa.accuracy import share_of

Record = dict[str, Any]

#: The row of all splits in MMT-Bench's table.
_ALL = "ALL"
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

    Names with "MMT-Bench" have a last row ``ALL`` of all splits, in which an l2-category is the
    mean of its categories whatever their sizes. Names with "MMSci" have a column for each
    ``setting``.

    Args:
        rows: the scored rows.
        key: what is averaged.
        dataset_name: names with "MMBench" have abbreviated categories.
    """
    columns = ("l2-category", "category", *(("setting",) if "MMSci" in dataset_name else ()))
    names = {
        column: sorted({str(row[column]) for row in rows if row.get(column)}) for column in columns
    }
    short = _MMBENCH if "MMBench" in dataset_name else {}
    found = []
    for split in sorted({_split(row) for row in rows}):
        part = [row for row in rows if _split(row) == split]
        found.append({"split": split, **_line(part, names, key, short)})
    if "MMT-Bench" in dataset_name and rows:
        found.append({"split": _ALL, **_line(rows, names, key, short), **_macro(rows, key)})
    return found


def _line(
    rows: Sequence[Record], names: Mapping[str, Sequence[str]], key: str, short: Mapping[str, str]
) -> dict[str, float | None]:
    """The mean of all rows, and of those with each name in each column."""
    line = {"Overall": _mean(rows, key)}
    for column, values in names.items():
        for name in values:
            part = [row for row in rows if str(row.get(column)) == name]
            line[short.get(name, name)] = _mean(part, key)
    return line


def _macro(rows: Sequence[Record], key: str) -> dict[str, float | None]:
    """Each l2-category as the mean of its categories; rows without one are a category, too."""
    parts: dict[str, dict[str, list[Record]]] = {}
    for row in rows:
        if row.get("l2-category"):
            categories = parts.setdefault(str(row["l2-category"]), {})
            categories.setdefault(str(row.get("category", "")), []).append(row)
    taken = {str(row["category"]) for row in rows if row.get("category")}  # they keep their columns
    return {
        name: fmean(fmean(row[key] for row in part) for part in categories.values())
        for name, categories in parts.items()
        if name not in taken
    }


def _split(row: Record) -> str:
    return str(row.get("split") or "none")


def _mean(rows: Sequence[Record], key: str) -> float | None:
    return fmean(row[key] for row in rows) if rows else None
