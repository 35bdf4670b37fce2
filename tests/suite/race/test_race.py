"""Races: who wins, when nobody does, and what is left behind."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from knowing import Knowing
from scipy.stats import norm

import chef
from chef.cli import main
from chef.errors import ConfigError
from chef.scoring.stopping import draws_of
from chef.stats.confidence_sequence import Population, log_capital
from chef.suite.race.result import AIMS, On, duels

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
    assert f"top wins at {found.asked} of {SIZE} samples: on questions like these better by" in str(
        found
    )
    told = found.table().partition("model: top")[2].replace(" ", "")
    assert f"│ACC│{found.reports[2].metrics['ACC'].value:.1f}%│" in told
    # All were asked the same samples, in the same order.
    ids = [[entry["id"] for entry in report.samples] for report in found.reports]
    assert ids[0] == ids[2]
    assert set(ids[1]) < set(ids[0])
    assert [report.coverage.coverage for report in found.reports] == [1, 1, 1]
    assert "Stopped early at" in str(found.reports[1])
    compared = str(chef.compare(found.reports[0].folder, found.reports[2].folder))
    assert f"top stopped early, at {found.asked} of {SIZE} samples" in compared
    assert "a race ends because of its scores" in compared


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


def test_more_answers_of_before_are_no_questions_of_the_race(race, tmp_path: Path) -> None:
    for name in ("a", "b"):
        chef.evaluate(Knowing(name=name), race.recipe, save_dir=tmp_path / "results")
    found = race(Knowing(name="a"), Knowing(name="b"), limit=20)
    assert found.saved == 0
    assert "did not have to be asked" not in str(found)


def test_models_that_know_the_same_are_never_decided(race) -> None:
    found = race(Knowing(name="a", luck="same"), Knowing(name="b", luck="same"))
    assert found.winner is None
    assert found.asked == SIZE
    assert found.saved == 0
    assert "Not decided by all 400 samples" in str(found)


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
    given = ["eval", "--race", str(race.recipe), "--model_cfg", str(model_file), str(other)]
    place = ["--save_dir", str(tmp_path / "r"), "--json", str(tmp_path / "race.json")]
    assert main([*given, "scenario_cfg.size=300", *place]) == 0
    out = capsys.readouterr().out
    assert "good wins at" in out
    written = json.loads((tmp_path / "race.json").read_text())
    assert (written["winner"], written["total"]) == ("good", 300)
    with pytest.raises(SystemExit):
        main(["eval", "--race", "--model_cfg", str(model_file), str(other)])
    assert "nothing is asked of " in capsys.readouterr().err
    assert main(["eval", "--race", str(race.recipe), "--model_cfg", str(model_file)]) == 2
    assert "two models or more, and" in capsys.readouterr().err


def test_a_class_of_ones_own_runs_against_a_checkpoint(
    race, tmp_path: Path, model_file: Path
) -> None:
    """Only chef's models have the key ``device``."""
    save = ["--save_dir", str(tmp_path / "r"), "--limit", "4"]
    models = ["--model_cfg", str(model_file), "tiny"]
    assert main(["eval", "--race", str(race.recipe), *models, *save]) == 0


def of_clusters(rng: np.random.Generator, models: int) -> tuple[list[list[str]], list[Any]]:
    """Images with 1 to 6 questions; models that are equally good on all such images, and the ids.

    Whole images are easy or hard for one model or another, so their questions are no independent
    evidence.
    """
    sizes = rng.integers(1, 7, 80)
    units = [[f"{unit} {k}" for k in range(size)] for unit, size in enumerate(sizes)]
    strength = rng.beta(0.7, 0.3, (models, len(units)))
    scores = [
        {
            name: float(rng.random() < own[place])
            for place, unit in enumerate(units)
            for name in unit
        }
        for own in strength
    ]
    return units, scores


def winners(units: list[list[str]], scores: Sequence[Mapping[str, float]], on: On) -> set[str]:
    """Who is ever found to be better than another model, at any draw of a unit."""
    sizes = [*map(len, units)]
    of = Population(len(units), sum(sizes), max(sizes), is_sample=on == "questions")
    level = math.log(2 * math.comb(len(scores), 2) / 0.05)
    found = set()
    for one, other in itertools.permutations(range(len(scores)), 2):
        apart = {name: (scores[one][name] - scores[other][name] + 1) / 2 for name in scores[one]}
        capital = log_capital(draws_of(units, apart), of, [a / 2 for a in AIMS], 0.5, larger=True)
        if capital[:-1].max() >= level:
            found.add(str(one))
            # The same is what a race says that looks just then.
            end = int(np.argmax(capital >= level)) + 1
            named = {str(place): own for place, own in enumerate(scores)}
            whole = replace(of, is_sample=False)
            said = duels(units[:end], named, whole, len(scores), on)
            assert any((str(one), item.is_decided) == (item.first, True) for item in said)
    return found


@pytest.mark.parametrize("models", [2, 4])
def test_models_that_are_equal_in_general_have_a_winner_in_at_most_five_percent(
    models: int,
) -> None:
    """Under continuous looking, with clusters drawn whole; the benchmark itself differs by luck."""
    rng, races = np.random.default_rng(models), 300 if models == 2 else 100
    found = [winners(*of_clusters(rng, models), "questions") for _ in range(races)]
    # 5 %, and what so many races leave open (one-sided, 99.9 %).
    assert sum(map(bool, found)) <= norm.ppf(0.999) * math.sqrt(races * 0.05 * 0.95) + 0.05 * races


def test_equal_scores_on_a_benchmark_have_a_winner_in_at_most_five_percent() -> None:
    """Three models that are right on as many of these very samples, but on others."""
    rng, errors = np.random.default_rng(0), 0
    units = [[str(place)] for place in range(120)]
    for _ in range(150):
        rights = [rng.permutation([1.0] * 80 + [0.0] * 40) for _ in range(3)]
        scores = [dict(zip((unit[0] for unit in units), own, strict=True)) for own in rights]
        errors += bool(winners(units, scores, "benchmark"))
    assert errors <= 0.05 * 150 + norm.ppf(0.999) * math.sqrt(150 * 0.05 * 0.95)


def test_a_race_on_this_benchmark_ends_where_one_in_general_goes_on(race) -> None:
    """A small difference that is nearly all asked is known here, and not for questions like it."""
    both = [Knowing(name="a", luck="x", share=0.86), Knowing(name="b", luck="x", share=0.78)]
    here = race(*both, on="benchmark")
    assert (here.winner, here.on) == ("a", "benchmark")
    assert here.asked < SIZE
    assert "samples: on this benchmark better by" in here.verdict
    assert here.duels[0].low < 0 < here.duels[0].benchmark_low
    general = race(*both, limit=here.asked)
    assert general.winner is None
    assert general.asked <= here.asked
    assert " On this benchmark, a is better by" in general.verdict
    with pytest.raises(ConfigError, match="'all' is no such place"):
        race(*both, on="all")


def test_questions_of_an_image_are_asked_together(race, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "from dataclasses import replace\nfrom fakes import Numbers\n\n"
        "class Shared(Numbers):\n    name = 'Shared'\n"
        "    def __getitem__(self, index):\n        made = super().__getitem__(index)\n"
        "        path = f'{index % 100}.png'\n"
        "        return replace(made, fields={**made.fields, 'image_path': path})\n"
    )
    text = (
        race.recipe.read_text()
        .replace("Numbers", "Shared")
        .replace("plugins: [", "plugins: [own.py, ")
    )
    (tmp_path / "shared.yaml").write_text(text)
    models = [Knowing(name="a"), Knowing(name="b")]
    found = chef.race(models, tmp_path / "shared.yaml", limit=58, save_dir=tmp_path / "results")
    assert found.asked == found.limit == 56  # 14 images of 4 questions
    images = [int(entry["id"][1:]) % 100 for entry in found.reports[0].samples]
    assert set(Counter(images).values()) == {4}
    kept = json.loads((found.reports[0].folder / "stopped_early.json").read_text())
    assert (kept["units"], kept["largest"]) == (100, 4)


def test_earlier_runs_say_where_models_differ(race, tmp_path: Path) -> None:
    """The winner is found in another order, and both intervals are those of this benchmark."""
    for share in (0.6, 0.7, 0.8, 0.9):
        chef.evaluate(
            Knowing(name=f"e{share}", share=share, luck="same"), race.recipe,
            save_dir=tmp_path / "earlier",
        )  # fmt: skip
    pair = [{"share": 0.84, "luck": "same"}, {"share": 0.76, "luck": "same"}]
    models = [Knowing(name=name, **how) for name, how in zip("ab", pair, strict=True)]
    plain = race(*models, on="benchmark", name="plain")
    found = race(*models, on="benchmark", earlier=[tmp_path / "earlier"])
    assert found.winner == plain.winner == "a"
    assert found.asked < SIZE
    assert {e["id"] for e in found.reports[0].samples} != {
        e["id"] for e in plain.reports[0].samples
    }
    (duel,) = found.duels
    truth = [sum(map(model.knows, range(SIZE))) / SIZE for model in models]
    assert duel.benchmark_low <= 100 * (truth[0] - truth[1]) <= duel.benchmark_high
    assert duel.interval("questions") == "not known"
    for report, share in zip(found.reports, truth, strict=True):
        assert report.stopped.runs == 4
        assert report.metrics["ACC"].low <= 100 * share <= report.metrics["ACC"].high
    # What is there is taken again; runs that came later change nothing.
    again = race(*models, on="benchmark", earlier=[tmp_path])
    assert again.to_json() == found.to_json()


def test_earlier_runs_tell_nothing_of_other_questions(race, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nothing of other questions") as caught:
        race(Knowing(name="a"), Knowing(name="b"), earlier=[tmp_path])
    assert "--on benchmark" in caught.value.hint


def test_objects_race_on_data_of_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Four(chef.Model):
        def generate_one(self, conversation: object, max_new_tokens: int) -> str:
            return "4"

    class Right(Four):
        def generate_one(self, conversation: Any, max_new_tokens: int) -> str:
            return str(2 * int(conversation[-1].text.split("+")[-1].split("?")[0]))

    monkeypatch.setenv("CHEF_CACHE", str(tmp_path / "cache"))
    rows = [{"question": f"What is {n}+{n}?", "answer": str(2 * n)} for n in range(1, 41)]
    assert chef.race([Four(), Right()], rows, save_dir=tmp_path / "results").winner == "Right"
