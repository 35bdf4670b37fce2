"""The analysis of a sweep put together: what it says, as a table and as a page."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import numpy as np
import pytest
from sweeps_by_hand import run_of

from chef.report.page.content import Cell, Plot, Table, Words
from chef.stats.estimate import Estimate
from chef.stats.figures import share
from chef.suite.sweep.analysis import analyse
from chef.suite.sweep.file import Role
from chef.suite.sweep.page import sweep_page, sweep_table
from chef.suite.sweep.result import SweepResult
from chef.suite.sweep.samples import CombinationScores

FACTORS = {
    "wording": ["plain", "<b>terse</b>"],
    "inferencer": ["ppl", "direct"],
    "ices": ["0", "1", "2"],
}
EFFECTS = {"plain": 0.05, "<b>terse</b>": -0.05, "ppl": 0.1, "direct": -0.1}
ROLES: dict[str, Role] = {"wording": "nuisance"}


def combinations(
    factors: Mapping[str, Sequence[str]] = FACTORS, samples: int = 300, missing: int = 0
) -> list[CombinationScores]:
    """Runs of lettered questions; those by ``direct`` say A where they do not know."""
    rng = np.random.default_rng(0)
    right, difficulty = rng.integers(0, 4, samples), rng.uniform(-0.2, 0.2, samples)
    found = []
    for cell in itertools.product(*factors.values()):
        values = dict(zip(factors, cell, strict=True))
        chance = 0.6 + difficulty + sum(EFFECTS.get(value, 0.0) for value in cell)
        habit = np.zeros(samples, int) if "direct" in cell else rng.integers(0, 4, samples)
        chosen = np.where(rng.random(samples) < chance, right, habit)
        scores: list[float | None] = (chosen == right).astype(float).tolist()
        lost = len(found) % 2 * missing
        scores[:lost] = [None] * lost
        known = [score for score in scores if score is not None]
        found.append(
            run_of(values, share(known, None), scores, None, chosen.tolist(), right.tolist())
        )
    return found


@pytest.fixture(scope="module")
def found() -> SweepResult:
    return analyse("Demo", Path("sweeps/Demo"), FACTORS, combinations(), roles=ROLES)


def test_planted_factors_are_told(found: SweepResult) -> None:
    terms = [item.term for item in found.shares]
    assert terms[:2] == ["inferencer", "wording"]
    assert terms[-3:] == ["other interactions", "samples", "rest"]
    assert [item.p_value is not None and item.p_value < 0.05 for item in found.shares[:2]] == [
        True,
        True,
    ]
    assert sum(item.of_answers.value or 0.0 for item in found.shares if item.of_answers) > 0.99
    best = next(item for item in found.stable if item.chosen)
    assert best.values["inferencer"] == "ppl"
    assert set(best.values) == {"inferencer", "ices"}
    assert {item.factor for item in found.biases} >= {"", "inferencer"}
    levels = {(item.factor, item.value): item.effect.value for item in found.levels}
    assert levels["wording", "plain"] == pytest.approx(-(levels["wording", "<b>terse</b>"] or 0.0))
    means = [
        100 * np.mean([score or 0.0 for score in item.samples.scores])
        for item in combinations()
        if item.run.values["ices"] == "1"
    ]
    (level,) = [item for item in found.levels if item.value == "1"]
    assert level.score.value == pytest.approx(np.mean(means))


def test_the_same_input_gives_the_same_numbers(found: SweepResult) -> None:
    runs = combinations()
    assert analyse("Demo", Path("sweeps/Demo"), FACTORS, runs, roles=ROLES) == found


def test_the_table_says_it_in_words(found: SweepResult) -> None:
    text = sweep_table(found, 80)
    assert max(map(len, text.splitlines())) <= 80
    assert "of answers" in sweep_table(found, None)
    prose = " ".join(text.split())
    assert re.search(r"inferencer decides \d+\.\d% \[\d+\.\d, \d+\.\d\] of the variance", prose)
    scores = {item.value: item.score.value for item in found.levels if item.factor == "inferencer"}
    low, high = sorted(scores, key=lambda name: scores[name] or 0.0)
    ends = f"from {scores[low]:.1f}% ({low}) to {scores[high]:.1f}% ({high})"
    assert ends in prose
    assert re.search(r", a standard deviation of \d+\.\d \[\d+\.\d, \d+\.\d\] points\.", prose)
    assert prose.count("letter │") == 1, (
        "one table of letters; the factors' biases have a line each"
    )
    assert "│ inferencer ppl" in prose
    assert "Most stable recipe: inferencer ppl, ices" in prose
    assert "Position bias: A is chosen most above how often it is right" in prose
    scores = [
        float(item)
        for item in re.findall(r"│ +(\d+\.\d)% │ +\[", sweep_table(found).partition("What")[0])
    ]
    assert len(scores) == 12
    assert scores == sorted(scores, reverse=True)


def test_the_page_has_the_tables_and_well_formed_drawings(found: SweepResult) -> None:
    links = [f"{place}.html" for place in range(12)]
    page = sweep_page(found, links, "2026-01-01 00:00")
    titles = [item.title for item in page.sections]
    assert (page.kind, page.title, len(page.rows)) == ("sweep", "Demo", 0)
    for title in ("What was found", "Score by wording", "Score against ices", "Runs"):
        assert title in titles
    assert "Score against wording" not in titles
    assert sum(" and " in title for title in titles) == 3  # the pairs of three factors
    for item in page.sections:
        if isinstance(item, Plot):
            ET.fromstring(item.svg)
            assert "<b>terse" not in item.svg
            assert item.text
        elif isinstance(item, Table):
            assert {len(row) for row in item.rows} == {len(item.headers)}
        else:
            assert isinstance(item, Words)
            assert all(item.paragraphs)
    (runs,) = [item for item in page.sections if item.title == "Runs"]
    assert isinstance(runs, Table)
    best = max(range(12), key=lambda place: found.combinations[place].figure.value or 0.0)
    cells = [cell for cell in runs.rows[0] if isinstance(cell, Cell)]
    assert cells[0].href == links[best]


def test_samples_without_a_score_are_told() -> None:
    made = combinations(missing=20)
    found = analyse("Demo", Path("d"), FACTORS, made, roles=ROLES)
    assert any(note.startswith("20 of 300 samples are left out") for note in found.notes)
    many = analyse("Demo", Path("d"), FACTORS, combinations(missing=200), roles=ROLES)
    assert any("by least squares on the samples that they share" in note for note in many.notes)
    assert many.shares[0].term == "inferencer"
    assert not any(note.startswith("0 of") for note in many.notes)


def test_figures_that_are_no_mean_are_told() -> None:
    made = combinations(samples=60)
    assert not any("main figure" in note for note in analyse("D", Path(), FACTORS, made).notes)
    figure = Estimate(12.0, 60, unit="%")
    other = run_of(made[0].run.values, figure, made[0].samples.scores)
    notes = analyse("D", Path(), FACTORS, [other, *made[1:]]).notes
    assert any("The main figure is not the mean" in note for note in notes)


def test_without_a_nuisance_the_spread_is_over_wordings_or_unknown() -> None:
    wordings = analyse("D", Path(), FACTORS, combinations())
    assert any("over the wordings" in note for note in wordings.notes)
    assert all("wording" not in item.values for item in wordings.stable)
    factors = {"inferencer": FACTORS["inferencer"], "ices": FACTORS["ices"]}
    alone = analyse("D", Path(), factors, combinations(factors))
    assert any("compared by accuracy alone" in note for note in alone.notes)
    assert {item.interval for item in alone.stable} == {None}
    assert "spread" not in sweep_table(alone).partition("Recipes")[2].partition("Option")[0]


def test_one_run_or_none_tells_nothing() -> None:
    for made in (combinations()[:1], []):
        found = analyse("D", Path(), FACTORS, made)
        assert found.notes == ["Fewer than two runs have scores: there is nothing to compare."]
        assert "nothing to compare" in sweep_table(found, 80)
        assert sweep_page(found).sections


def test_runs_of_one_factor_are_analysed() -> None:
    factors = {"inferencer": FACTORS["inferencer"]}
    found = analyse("D", Path(), factors, combinations(factors))
    assert [item.term for item in found.shares] == ["inferencer", "samples", "rest"]
    assert found.shares[0].share.value == 1.0
    assert sweep_table(found, 80)


def test_main_figures_of_several_kinds_are_named() -> None:
    made = combinations(samples=50)
    run = made[0].run
    report = msgspec.structs.replace(run.report, metrics={"CIDEr": run.figure}, primary="CIDEr")
    other = replace(run, report=report)
    mixed = analyse("D", Path(), FACTORS, [made[0]._replace(run=other), *made[1:]])
    assert any("of 2 kinds (ACC, CIDEr)" in note for note in mixed.notes)
    assert not any("kinds" in note for note in analyse("D", Path(), FACTORS, made).notes)


def test_scores_that_are_no_shares_are_in_points() -> None:
    made = []
    for place, item in enumerate(combinations(samples=50)):
        ratings = [1.0 + 4.0 * (score or 0.0) + place % 2 for score in item.samples.scores]
        figure = Estimate(float(np.mean(ratings)), 50, unit="1-6")
        made.append(run_of(item.run.values, figure, ratings))
    found = analyse("D", Path(), FACTORS, made)
    assert found.levels[0].score.unit == "points"
    assert not found.notes or not any("main figure" in note for note in found.notes)
    assert found.biases == []


def test_maps_have_the_colour_of_effects_that_are_more_than_chance(found: SweepResult) -> None:
    shown = {"inferencer", "wording"}
    shares = [replace(one, p_value=0.001 if one.term in shown else 0.9) for one in found.shares]
    plots = {one.title: one for one in sweep_page(replace(found, shares=shares)).sections}
    cells = colours(plots["inferencer and ices"])
    # Rows differ by the inferencer; that the examples change something is not shown.
    assert len({shade for _, shade in cells[:3]}) == len({shade for _, shade in cells[3:]}) == 1
    assert cells[0] != cells[3]
    nothing = [replace(one, p_value=0.9) for one in found.shares]
    for one in sweep_page(replace(found, shares=nothing)).sections:
        if one.title in {"inferencer and ices", "wording and inferencer"}:
            assert {name for name, _ in colours(one)} == {"muted"}


def colours(section: object) -> list[tuple[str | None, str | None]]:
    """The class and the opacity of each cell of a heat map."""
    assert isinstance(section, Plot)
    rects = ET.fromstring(section.svg).iter("{http://www.w3.org/2000/svg}rect")
    return [(one.get("class"), one.get("fill-opacity")) for one in rects]
