"""The page of a score sheet: each fact once, no empty column, and what is missing."""

from __future__ import annotations

from typing import Any

from chef.document.outline import as_text
from chef.document.sections import Plot, Table, text_of
from chef.report.page.render import shell
from chef.stats.estimate import Estimate
from chef.suite.pages.view import sheet_page
from chef.suite.trust.scores import SheetScore
from chef.suite.trust.sheets import sheet_sections


def score(name: str, value: float | None, *parts: SheetScore, title: str = "") -> SheetScore:
    known = None if value is None else Estimate(value, 9, 1.0, value - 2, value + 2, "0-100")
    missing = {"T2": ["data"]} if value is None else {}
    return SheetScore(name, title, known, missing, parts)


def total(first: float, second: float | None) -> SheetScore:
    tasks = score("T1", first, title="world understanding"), score("T2", second, title="inference")
    parts = [score(name, second, *tasks) for name in ("truth", "safety", "privacy")]
    return score("total", second, *parts)


def page(**coverage: dict[str, float]) -> tuple[list[Plot], Table]:
    data: dict[str, Any] = {
        model: {**total(50.0, 40.0).to_json(), "coverage": of} for model, of in coverage.items()
    }
    content = sheet_page(data, "now", "a sheet")
    assert all(part for part in shell(content))
    *plots, table = content.sections
    assert all(isinstance(one, Plot) for one in plots)
    assert isinstance(table, Table)
    return plots, table  # type: ignore[return-value]


def test_totals_of_several_models_are_drawn_with_their_intervals() -> None:
    plots, _ = page(a={}, b={})
    assert [one.title for one in plots] == ["Total", "Aspects"]
    assert "a: 40.0% [38.0, 42.0]" in plots[0].text
    (alone,), _ = page(a={})
    assert alone.title == "Aspects"


def test_coverage_has_a_column_only_where_something_is_not_scored() -> None:
    whole, partly = {"T1": 1.0, "T2": 1.0}, {"T1": 1.0, "T2": 0.5}
    _, table = page(a=whole, b=partly)
    assert list(table.headers) == ["score", "a", "b", "coverage"]
    assert [text_of(row[-1]) for row in table.rows[2:4]] == ["100.0%", "50.0%"]
    assert table.note == "All samples of a are scored."
    _, table = page(a={})
    assert (list(table.headers), table.note) == (["score", "a"], "")


def test_a_task_is_named_in_full_where_there_is_room() -> None:
    sections = sheet_sections({"a": total(50.0, None)}, {})
    wide, narrow = as_text(sections), as_text(sections, 30)
    assert "T1 world understanding" in wide
    assert "50.00 [48.0, 52.0]" in wide
    assert "· T1 " in narrow
    assert "world" not in narrow
    assert "the total is withheld" in wide
    # Nothing but the task that is there has a value, so nothing can be drawn.
    assert [one.title for one in sections] == ["Scores"]
