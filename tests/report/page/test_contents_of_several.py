"""What a page of several runs says: flips, the overview, axes and curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from report.page.reading_pages import lines, opened, table, texts

from chef.report.compare.compare import compare
from chef.report.page.comparison import comparison_page
from chef.report.page.content import Cell, Plot, Words
from chef.report.page.overview import OverviewRun, examples_of, examples_plots, suite_page
from chef.report.page.plots import IntervalMark, radar_or_dots
from chef.report.runs import line_of
from chef.stats.estimate import Estimate


def test_the_comparison_counts_flips_as_the_scores_do(made: Callable[..., Path]) -> None:
    folders = [made(), made("Direct")]
    runs = [opened(folder, name) for folder, name in zip(folders, "ab", strict=True)]
    comparison = compare([run.run for run in runs], allow=["metric"])
    content = comparison_page(comparison, runs, "now")
    before, after = ({line["id"]: line["score"] for line in lines(one)} for one in folders)
    lost = sorted(str(key) for key in before if before[key] == 1 and after[key] == 0)
    flips = table(content, "Flips")
    (_, _, gained, _), (_, what, number, ids) = texts(flips)
    assert (what, int(number)) == ("lost", len(lost))
    assert len(lost) > 0
    assert sorted(ids.split(", ")) == lost
    assert int(gained) == sum(before[key] == 0 and after[key] == 1 for key in before)
    cell = flips.rows[1][2]
    assert isinstance(cell, Cell)
    assert cell.filter == {"flip": "lost", "run": "2"}
    assert [row.id for row in content.rows if None in row.runs] == []
    rows = texts(table(content, "What the configurations differ in"))
    differs = {row[0]: row[1:] for row in rows}
    key = "recipe_cfg.eval_cfg.inferencer_cfg.inferencer_type"
    assert differs[key] == ["PPL", "Direct"]


def test_flips_of_every_pair_lead_to_their_samples(made: Callable[..., Path]) -> None:
    folders = [made(), made("Direct"), made("Direct", "Question 7?")]
    runs = [opened(folder, name) for folder, name in zip(folders, "abc", strict=True)]
    comparison = compare([run.run for run in runs], allow=["metric"])
    content = comparison_page(comparison, runs, "now")
    found = {(str(row[0]), str(row[1])): row[2] for row in table(content, "Flips").rows}
    assert len(found) == 6
    for (pair, what), cell in found.items():
        assert isinstance(cell, Cell)
        first, second = (comparison.runs.index(name) + 1 for name in pair.split(" → "))
        wanted = {"flip": what, "run": str(second)} | (
            {} if first == 1 else {"against": str(first)}
        )
        assert cell.filter == (wanted if int(cell.text) else None)
    told = next(item for item in content.sections if isinstance(item, Words))
    assert [text for text in told.paragraphs if "is shown in ACC" in text]


def test_several_runs_have_an_overview(made: Callable[..., Path]) -> None:
    runs = [opened(made()), opened(made("Direct"))]
    links = ["a/report.html", ""]
    listed = [
        OverviewRun(line_of(run.run.folder), run, link)
        for run, link in zip(runs, links, strict=True)
    ]
    content = suite_page(listed, "now")
    rows = table(content, "Runs").rows
    assert [row[2].href for row in rows] == links
    assert [row[5].run for row in rows] == [1, 0]
    assert {len(row.runs) for row in content.rows} == {2}
    assert len(content.rows) == len(runs[0].views.predictions)  # the same questions, once


def test_a_damaged_run_and_those_of_a_sweep_have_no_cells_of_their_own(
    made: Callable[..., Path],
) -> None:
    run = opened(made())
    line = line_of(run.run.folder)
    damaged = replace(line, state="damaged", what="why", estimate=None, model="other")
    swept = [OverviewRun(replace(line, recipe=name), sweep="letters") for name in "ab"]
    content = suite_page(
        [OverviewRun(damaged), OverviewRun(line, run, "x.html"), *swept],
        "now",
        {"letters": "s.html"},
    )
    assert [(row[0], row[5].run) for row in table(content, "Runs").rows] == [
        (line.model, 1), ("other", 0),
    ]  # fmt: skip
    assert "damaged: why" in table(content, "Runs").note
    ((name, models, count, *_),) = table(content, "Sweeps").rows
    assert (name.text, name.href, models, count) == ("letters", "s.html", line.model, "2")
    assert content.links == ["x.html"]


def test_more_than_eight_axes_are_dots() -> None:
    def drawn(count: int) -> Plot | None:
        axes = [f"axis {number}" for number in range(count)]
        marks = {name: IntervalMark(name, 50.0, 40.0, 60.0, 9) for name in axes}
        return radar_or_dots("t", axes, {"tiny": marks})

    shown = [drawn(count) for count in (2, 8, 9)]
    assert shown[0] is None
    radar, dots = shown[1:]
    assert radar is not None
    assert dots is not None
    assert ("[40.0, 60.0]" in radar.text, "[40.0, 60.0]" in dots.text) == (False, True)


@pytest.mark.parametrize(
    ("section", "number"),
    [({}, 0), ({"incontext_cfg": {"ice_num": 4}}, 4), ({"incontext_cfg": None}, 0)],
)
def test_the_number_of_examples_of_a_run(section: dict[str, object], number: int) -> None:
    config = {"recipe_cfg": {"eval_cfg": {"instruction_cfg": section}}}
    assert examples_of(config) == number


def test_a_curve_over_examples_joins_runs_that_differ_in_nothing_else() -> None:
    def run(number: int, inferencer: str, value: float) -> Any:
        examples = {"incontext_cfg": {"retriever_type": "random", "ice_num": number}}
        section = {"instruction_cfg": examples if number else {"incontext_cfg": None}}
        recipe = {"eval_cfg": {**section, "inferencer_cfg": {"inferencer_type": inferencer}}}
        return SimpleNamespace(
            primary=Estimate(value, 9, unit="%"),
            report=SimpleNamespace(model="m", scenario="s", primary="ACC"),
            run=SimpleNamespace(config={"recipe_cfg": recipe, "model_cfg": {}}),
        )

    runs = [run(0, "PPL", 50), run(2, "PPL", 60), run(4, "PPL", 70), run(8, "Direct", 90)]
    (drawn,) = examples_plots(runs)
    assert "70.0%" in drawn.text
    assert "90.0%" not in drawn.text
    assert list(examples_plots([runs[0], runs[3]])) == []
