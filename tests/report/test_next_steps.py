"""What the end of a run says may be typed next."""

from __future__ import annotations

from pathlib import Path

from chef.metric import Coverage
from chef.metric.groups import Group
from chef.report.runs import next_steps
from chef.scoring.result import RunResult


def report(folder: str, *fields: str) -> RunResult:
    group = Group({}, Coverage(1, 1))
    return RunResult(
        recipe="ppl", scenario="S", model="m", file=Path(folder) / "results.json", metrics={},
        primary="", coverage=Coverage(1, 1),
        by={name: {"a": group} for name in fields},
    )  # fmt: skip


def test_the_table_by_category_and_the_page() -> None:
    found = next_steps(
        [report("r/1"), report("my runs/2", "split,category", "category")], Path("r")
    )
    assert found.splitlines() == [
        "look at the samples: chef show 'my runs/2' --page",
        "by category: chef score 'my runs/2' --by category",
    ]


def test_nothing_more_is_said_than_there_is() -> None:
    assert next_steps([report("r/1")], Path("r")) == "look at the samples: chef show r/1 --page"
    shown = next_steps([report("r/1", "category")], Path("r"), by=["category"])
    assert "--by" not in shown
    several = next_steps([report("r/1"), report("r/2")], Path("r"))
    assert several.endswith("\nall runs: chef show r")
