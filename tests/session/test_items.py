"""``--items`` and ``--from``: samples drawn by what earlier runs say about them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from knowing import Knowing

import chef
from chef.errors import ConfigError
from chef.session.drawing import ITEMS, expectations

Write = Callable[..., Path]
SIZE = 400


@pytest.fixture
def recipe(recipe_file: Write) -> Path:
    return recipe_file(size=SIZE)


@pytest.fixture
def ask(recipe: Path, tmp_path: Path):
    """Asks a model that knows a share of the answers; the report, and how many were asked."""

    def ask(share: float, name: str, **options: object) -> tuple[chef.RunResult, int]:
        model = Knowing(share=share)
        model.name = name
        report = chef.evaluate(model, recipe, save_dir=tmp_path / "results", **options)
        return report, sum(map(len, model.calls))

    return ask


@pytest.fixture
def earlier(ask) -> None:
    for share in (0.5, 0.7, 0.9):
        ask(share, f"knows{share}")


def truth(share: float) -> float:
    return 100 * sum(map(Knowing(share=share).knows, range(SIZE))) / SIZE


def test_items_are_asked_and_the_whole_is_estimated(ask, earlier, tmp_path: Path) -> None:
    report, asked = ask(0.8, "new", items=100)
    assert asked == report.coverage.total == 100
    figure, stopped = report.metrics["ACC"], report.stopped
    assert figure.low <= truth(0.8) <= figure.high
    assert (stopped.items, stopped.runs, stopped.total) == (100, 3, SIZE)
    assert stopped.of_asked == pytest.approx(
        100 * sum(entry["metric_result"] for entry in report.samples) / 100
    )
    assert "3 earlier runs said which samples" in str(report)
    # Half of the weight is by size, so even what all know is asked at times.
    ids = [f"n{i}" for i in range(SIZE)]
    expected = expectations(report.label, ids, [], tmp_path / "results", [report.folder])
    of_asked = [expected.scores[str(entry["id"])] for entry in report.samples]
    unsure = sum(0.2 < item < 0.8 for item in of_asked) / 100
    assert unsure > sum(0.2 < item < 0.8 for item in expected.scores.values()) / SIZE
    # Asked again: nothing is; scored again: the same.
    again, more = ask(0.8, "new", items=100)
    assert (more, again.metrics) == (0, report.metrics)
    assert chef.score(report.folder).metrics == report.metrics
    assert chef.load_run(report.folder).report.stopped == stopped


def test_runs_by_items_are_compared_on_the_samples_that_both_asked(ask, earlier) -> None:
    first, second = (ask(share, f"new{share}", items=100)[0] for share in (0.6, 0.8))
    whole = ask(0.7, "whole")[0]
    compared = chef.compare(first, second, allow=["subset"])
    difference = compared.pairs[0].differences["ACC"]
    shared = {str(entry["id"]): entry["metric_result"] for entry in first.samples}
    shared = {
        name: (shared[name], entry["metric_result"])
        for entry in second.samples
        if (name := str(entry["id"])) in shared
    }
    plain = 100 * sum(b - a for a, b in shared.values()) / len(shared)
    assert difference.difference.value == pytest.approx(plain)
    assert difference.difference.low is not None
    assert any("--items asked samples that tell" in note for note in compared.notes)
    assert not any("race" in note for note in compared.notes)
    # A run that asked more before counts the samples of its report alone.
    again = ask(0.7, "whole", items=50)[0]
    assert (again.coverage.total, whole.coverage.total) == (50, SIZE)
    assert chef.compare(again, second, allow=["subset"]).pairs[0].samples


def test_more_items_go_on_and_all_of_them_are_the_plain_score(ask, earlier) -> None:
    first, asked = ask(0.8, "new", items=60)
    second, more = ask(0.8, "new", items=150)
    assert first.folder == second.folder
    assert asked + more == second.coverage.total == 150
    whole, rest = ask(0.8, "new")
    assert asked + more + rest == SIZE
    assert whole.stopped is None
    assert whole.metrics["ACC"].value == pytest.approx(truth(0.8))
    assert ask(0.8, "other", items=SIZE)[0].metrics["ACC"].value == pytest.approx(truth(0.8))


def test_what_a_run_began_with_stays(ask, earlier) -> None:
    """Runs that come later must not move the order: it would depend on what was seen."""
    first, _ = ask(0.8, "new", items=60)
    kept = json.loads((first.folder / ITEMS).read_text())
    ask(0.3, "late")
    second, more = ask(0.8, "new", items=100)
    assert more == 40
    assert json.loads((second.folder / ITEMS).read_text()) == kept
    assert second.stopped.runs == 3


def test_precision_takes_earlier_runs(ask, earlier, tmp_path: Path) -> None:
    plain, without = ask(0.8, "plain", precision=5)
    guided, asked = ask(0.8, "guided", precision=5, earlier=[tmp_path / "results"])
    assert asked < without  # 3 of the runs know what it knows
    figure = guided.metrics["ACC"]
    assert figure.low <= truth(0.8) <= figure.high
    assert guided.stopped.half_width <= 5
    assert guided.stopped.runs == 4
    assert "earlier runs said" in str(guided)
    assert "earlier runs said" not in str(plain)


def test_what_cannot_be_is_refused_with_the_remedy(ask, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no earlier run there has scored samples") as caught:
        ask(0.8, "new", items=50)
    assert "--from RUN" in caught.value.hint
    assert not (tmp_path / "results").exists()  # refused before there is a folder
    with pytest.raises(ConfigError, match="items are drawn from all") as caught:
        ask(0.8, "new", items=50, limit=60)
    assert "--limit" in caught.value.hint
    with pytest.raises(ConfigError, match="all are asked") as caught:
        ask(0.8, "new", earlier=[tmp_path])
    assert "--items N" in caught.value.hint


def test_nothing_is_left_of_a_run_that_is_refused(ask, tmp_path: Path) -> None:
    ask(0.5, "new")  # its own run says nothing about it
    before = sorted((tmp_path / "results").rglob("*"))
    with pytest.raises(ConfigError, match="no earlier run there has scored samples"):
        ask(0.8, "new", fresh=True, items=50)
    assert sorted((tmp_path / "results").rglob("*")) == before


def test_several_recipes_are_refused_before_the_first_has_a_folder(
    ask, earlier, recipe_file: Write, recipe: Path, tmp_path: Path
) -> None:
    model = Knowing(share=0.8)
    model.name = "new"
    other = recipe_file(name="other.yaml", size=SIZE)
    with pytest.raises(ConfigError, match="no earlier run there has scored samples"):
        chef.evaluate(model, [recipe, other], save_dir=tmp_path / "results", items=50)
    assert not (tmp_path / "results" / "new").exists()
    assert not model.calls


def test_a_run_of_other_samples_is_not_taken_over(
    ask, earlier, recipe: Path, tmp_path: Path
) -> None:
    """Each way to choose samples has a folder; of a run with a name nothing else becomes."""
    models = [Knowing(share=0.8), Knowing(share=0.2)]
    models[0].name, models[1].name = "new", "other"
    results = tmp_path / "results"
    items = chef.evaluate(models[0], recipe, save_dir=results, items=60, name="mine")
    before = (items.folder / "results.json").read_bytes()
    race = chef.race(models, recipe, save_dir=results)
    precise, _ = ask(0.8, "new", precision=8)
    more, _ = ask(0.8, "new", items=100)
    whole, _ = ask(0.8, "new")
    again, asked = ask(0.8, "new", items=60)
    folders = [race.reports[0].folder, precise.folder, more.folder, items.folder]
    assert len({*folders}) == 4
    assert (again.folder, asked) == (items.folder, 0)
    assert whole.folder not in (items.folder, race.reports[0].folder, precise.folder)
    assert (items.folder / "results.json").read_bytes() == before


def test_items_do_not_replace_the_figures_of_all(ask, earlier) -> None:
    whole, _ = ask(0.8, "new")
    part, asked = ask(0.8, "new", items=60)
    assert (part.coverage.total, asked) == (60, 60)
    assert part.folder != whole.folder
    assert chef.load_run(whole.folder).report.stopped is None
