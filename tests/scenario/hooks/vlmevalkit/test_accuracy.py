"""The table of `report_acc` on rows that are counted by hand."""

from __future__ import annotations

import pandas as pd
import pytest

from chef.scenario.hooks.vlmevalkit.families import report_acc

ROWS = pd.DataFrame(
    {
        "split": ["test", "dev", "dev", "dev"],
        "l2-category": ["logic", "logic", "sight", "sight"],
        "category": ["b", "b", "a", "b"],
        "hit": [1, 0, 1, 1],
    }
)


def test_by_split_and_group() -> None:
    table = report_acc(ROWS)
    assert list(table.columns) == ["split", "Overall", "logic", "sight", "a", "b"]
    assert table["split"].tolist() == ["dev", "test"]
    assert table["Overall"].tolist() == pytest.approx([2 / 3, 1.0])
    dev, test = table.to_dict("records")
    assert (dev["logic"], dev["sight"], dev["a"], dev["b"]) == (0.0, 1.0, 1.0, 0.5)
    assert test["logic"] == test["b"] == 1.0
    assert pd.isna(test["sight"])


def test_without_groups_or_splits() -> None:
    table = report_acc(ROWS[["hit"]])
    assert table.to_dict("records") == [{"split": "none", "Overall": 0.75}]
    unnamed = ROWS.assign(split=[None, "dev", "dev", "dev"])
    assert report_acc(unnamed)["split"].tolist() == ["dev", "none"]
