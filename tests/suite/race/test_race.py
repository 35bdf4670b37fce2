"""Races: who wins, when nobody does, and what is left behind."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from knowing import Knowing

import chef
from chef.cli import main
from chef.errors import ConfigError
from chef.metric.confidence_sequence import Population
from chef.suite.race.standing import duels

Write = Callable[..., Path]
SIZE = 400


@pytest.fixture
def race(recipe_file: Write, tmp_path: Path):
    recipe = recipe_file(size=SIZE)

    def race(*models: Knowing, **options: object):
        return chef.race(models, recipe, save_dir=tmp_path / "results", **options)

    race.recipe = recipe
    return race


def three() -> list[Knowing]:
    return [Knowing(name="mid", share=0.7, luck="same"), Knowing(name="low", share=0.3),
            Knowing(name="top", share=0.95, luck="same")]  # fmt: skip


def test_the_better_one_wins_early_and_the_worst_leaves_first(race) -> None:
    models = three()
    found = race(*models)
    asked = [sum(map(len, model.calls)) for model in models]
    assert found.winner == "top"
    assert asked[1] < asked[0] == asked[2] == found.asked < SIZE
    assert found.saved == 3 * SIZE - sum(asked)
    for duel in found.duels:
        shares = {model.name: sum(map(model.knows, range(SIZE))) / SIZE for model in models}
        assert duel.low <= 100 * (shares[duel.first] - shares[duel.second]) <= duel.high
        assert duel.is_decided
    assert f"top wins at {found.asked} of {SIZE} samples: on this benchmark better by" in str(found)
    # All were asked the same samples, in the same order.
    ids = [[entry["id"] for entry in report.samples] for report in found.reports]
    assert ids[0] == ids[2]
    assert set(ids[1]) < set(ids[0])
    assert [report.coverage.coverage for report in found.reports] == [1, 1, 1]
    assert "Stopped early at" in str(found.reports[1])


def test_it_is_replayed_and_its_runs_are_finished_by_eval(race, tmp_path: Path) -> None:
    first = race(*three())
    models = three()
    again = race(*models)
    assert again.to_json() == first.to_json()
    assert not any(model.calls for model in models)
    mid = Knowing(name="mid", share=0.7, luck="same")
    whole = chef.evaluate(mid, race.recipe, save_dir=tmp_path / "results")
    assert whole.folder == first.reports[0].folder
    assert (whole.coverage.total, whole.stopped) == (SIZE, None)
    assert sum(map(len, mid.calls)) == SIZE - first.reports[0].coverage.total


def test_models_that_know_the_same_are_never_decided(race) -> None:
    found = race(Knowing(name="a", luck="same"), Knowing(name="b", luck="same"))
    assert found.winner is None
    assert found.asked == SIZE
    assert found.saved == 0
    assert "Not decided before all 400 samples were asked" in str(found)


def test_the_limit_ends_it(race) -> None:
    found = race(Knowing(name="a", share=0.8), Knowing(name="b", share=0.81), limit=50)
    assert (found.winner, found.asked, found.limit) == (None, 50, 50)
    assert "where the limit ended the race" in str(found)


def test_one_at_a_time_frees_and_loads_again(race) -> None:
    class Counted(Knowing):
        closed = 0

        def close(self) -> None:
            type(self).closed += 1

    found = race(Counted(name="e"), Counted(name="f"), limit=100, one_at_a_time=True)
    assert found.asked == 100
    assert Counted.closed == 3 * 2 + 2  # after each turn, which end at 32, 64 and 100; at the end
    race(Counted(name="e"), Counted(name="f"), limit=101)
    assert Counted.closed == 3 * 2 + 2 + 2


def test_what_is_no_race(race) -> None:
    with pytest.raises(ConfigError, match="two models"):
        race(Knowing())
    with pytest.raises(ConfigError, match="another of the models is called"):
        race(Knowing(), Knowing())


def test_the_command(
    race, tmp_path: Path, model_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plugin = Path(__file__).parents[2] / "knowing.py"
    other = tmp_path / "other.yaml"
    other.write_text(f"plugins: [{plugin}]\nmodel_name: Knowing\nname: good\nshare: 0.9\n")
    given = ["race", str(race.recipe), "--model_cfg", str(model_file), str(other)]
    place = ["--save_dir", str(tmp_path / "r"), "--json", str(tmp_path / "race.json")]
    assert main([*given, "scenario_cfg.size=300", *place]) == 0
    out = capsys.readouterr().out
    assert "good wins at" in out
    written = json.loads((tmp_path / "race.json").read_text())
    assert (written["winner"], written["total"]) == ("good", 300)
    assert main(["race", "--model_cfg", str(model_file), str(other)]) == 2
    assert "RECIPE is missing" in capsys.readouterr().err
    assert main(["race", str(race.recipe), "--model_cfg", str(model_file)]) == 2
    assert "two models or more, and" in capsys.readouterr().err


def false_winner(scores: Sequence[Sequence[float]], rng: random.Random) -> bool:
    """Whether a race that is looked at often finds a better one among equals."""
    size = len(scores[0])
    order = rng.sample(range(size), size)
    units = [[str(index)] for index in order]
    of = Population(size, size, 1)
    named = {str(place): {str(k): own[k] for k in order} for place, own in enumerate(scores)}
    return any(
        duel.is_decided
        for asked in (20, 40, 80, 110, 119)
        for duel in duels(units[:asked], named, of, len(scores))
    )


def test_equal_models_have_a_winner_in_at_most_five_percent() -> None:
    """Three models that are right on as many samples, but on others."""
    rng = random.Random(0)
    rights = [[1.0] * 80 + [0.0] * 40 for _ in range(3)]
    errors = 0
    for _ in range(60):
        errors += false_winner([rng.sample(own, len(own)) for own in rights], rng)
    assert errors <= 8  # 5 % of 60 is 3; more than 8 in one of a hundred simulations
