"""``report_acc``: the table of the accuracy of each category that evaluation code writes."""

from __future__ import annotations

from typing import Any

from chef.scenario.hooks.vlmevalkit.files import pandas_module

#: The split of rows that name none.
NO_SPLIT = "none"


def report_acc(df: Any) -> Any:
    """The means of the column ``hit``: overall, and of each l2-category and category, by split.

    Args:
        df: a pandas frame with ``hit`` (0 or 1), and perhaps ``split``, ``l2-category`` and
            ``category``.

    Returns:
        A frame with the columns ``split``, ``Overall`` and one for each group, sorted; a row for
        each split, in which values are from 0 to 1. Of a category that is named like an l2-category
        the column is that of the category.
    """
    pandas = pandas_module()
    splits = df["split"].fillna(NO_SPLIT) if "split" in df else [NO_SPLIT] * len(df)
    rows = []
    for split, part in df.groupby(pandas.Series(list(splits), index=df.index), sort=True):
        row = {"split": split, "Overall": float(part["hit"].mean())}
        for column in ("l2-category", "category"):
            if column in part:
                means = part.groupby(column, sort=True)["hit"].mean()
                row |= {str(name): float(mean) for name, mean in means.items()}
        rows.append(row)
    return pandas.DataFrame(rows)
