"""Sweeps run: what is asked, what is kept, and what goes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes import Hashing

import chef
from chef.config import load_recipe
from chef.errors import RunError
from chef.report.load import load_run
from chef.run.plan import RunOptions
from chef.run.session import Progress
from chef.session.settings import Settings
from chef.suite.sweep import planning
from chef.suite.sweep.running import Sweep, analysed
from chef.suite.sweep.samples import RunSamples, _clusters, read_sweep_json, scores_of

Write = Callable[..., Path]
TWO_BY_TWO = "wording: [0, 1]\nsize: {key: scenario_cfg.size, values: [4, 8]}"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What every model was shown, request by request."""
    shown: list[str] = []
    enter = Hashing._enter

    def noted(self: Hashing, requests: Any) -> None:
        enter(self, requests)
        shown.extend(self.calls[-1])

    return _in_plugin(monkeypatch, noted, shown)


def _in_plugin(monkeypatch: pytest.MonkeyPatch, noted: Any, shown: list[str]) -> list[str]:
    """Also in the module that the plugin of the model file becomes."""
    from chef.models import Model

    prepare = Model.prepare

    def prepared(self: Model) -> None:
        if type(self).__name__ == "Hashing":
            monkeypatch.setattr(type(self), "_enter", noted)
        prepare(self)

    monkeypatch.setattr(Model, "prepare", prepared)
    return shown


def quiet(progress: Progress) -> None:
    """Show nothing."""


def test_every_run_is_an_ordinary_folder_and_nothing_is_asked_twice(
    sweep_file: Write, tmp_path: Path, asked: list[str]
) -> None:
    file, save = sweep_file(TWO_BY_TWO), tmp_path / "results"
    found = chef.sweep(file, save_dir=save, on_progress=quiet)
    assert len(asked) == 2 * (4 + 8)
    assert found.factors == {"wording": ["0", "1"], "size": ["4", "8"]}
    assert str(found).startswith("s: 4 runs\n\nRuns\n┌")
    assert "│ wording │ size │" in str(found)
    for one in found.combinations:
        assert one.folder.name == f"r+size.{one.values['size']}+wording.{one.values['wording']}-s"
        assert one.folder.parent == save / "hashing" / "Numbers"
        run = load_run(one.folder)
        assert run.config["run"]["seed"] == 0
        assert len(run.predictions) == int(one.values["size"]) == one.figure.n
        assert one.figure == run.report.metrics["ACC"]
        written = run.config["recipe_cfg"]["eval_cfg"]["instruction_cfg"]["prompt_assigned_ids"]
        assert str(written) == one.values["wording"]
    asked.clear()
    again = chef.sweep(file, save_dir=save, on_progress=quiet)
    assert (again, asked) == (found, [])
    assert chef.sweep(save / "sweeps" / "s") == found
    moved = save.rename(tmp_path / "moved")
    assert [one.figure for one in analysed(moved / "sweeps" / "s").combinations] == [
        one.figure for one in found.combinations
    ]


def test_an_interrupted_sweep_goes_on(sweep_file: Write, tmp_path: Path, asked: list[str]) -> None:
    file, how = sweep_file(TWO_BY_TWO), Settings(RunOptions(batch_size=1), tmp_path / "results")
    seen = 0

    def stop(progress: Progress) -> None:
        nonlocal seen
        seen += 1
        if seen == 7:  # in the second run
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Sweep(file, how).run(stop)
    stored = read_sweep_json(tmp_path / "results" / "sweeps" / "s")
    assert [run.results is not None for run in stored.combinations] == [True, False, False, False]
    partly = analysed(tmp_path / "results" / "sweeps" / "s")
    assert len(partly.combinations) == 1
    assert "3 of 4 combinations have no scores" in partly.notes
    before = len(asked)
    ready = Sweep(file, how)
    ready.run(quiet)
    assert 7 <= before < 4 + 8
    # What was on its way when the run stopped is asked again, and no more.
    assert len(asked) <= 2 * (4 + 8) + 1
    assert len(ready.result().combinations) == 4


def test_a_value_added_the_next_day_asks_the_new_combinations_only(
    sweep_file: Write, tmp_path: Path, asked: list[str]
) -> None:
    save = tmp_path / "results"
    first = chef.sweep(sweep_file(TWO_BY_TWO), save_dir=save, on_progress=quiet)
    asked.clear()
    more = TWO_BY_TWO.replace("[0, 1]", "[2, 0, 1]")
    second = chef.sweep(sweep_file(more), save_dir=save, on_progress=quiet)
    assert len(asked) == 4 + 8
    by_folder = {one.folder: one for one in second.combinations}
    assert len(by_folder) == 6
    assert all(by_folder[one.folder] == one for one in first.combinations)


def test_combinations_that_ask_the_same_share_a_run(
    sweep_file: Write, tmp_path: Path, asked: list[str]
) -> None:
    vary = "examples: [0, 1]\nretriever: [random, fixed]"
    found = chef.sweep(sweep_file(vary), save_dir=tmp_path, on_progress=quiet)
    assert len(asked) == 3 * 12
    folders = {tuple(one.values.values()): one.folder for one in found.combinations}
    assert folders["0", "random"] == folders["0", "fixed"]
    assert len(set(folders.values())) == 3
    asked.clear()
    # The run keeps its name, though another combination now comes first.
    turned = sweep_file(vary.replace("random, fixed", "fixed, random"))
    chef.sweep(turned, save_dir=tmp_path, on_progress=quiet)
    assert asked == []


def test_one_combination_that_fails_loses_no_other(
    sweep_file: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.py").write_text(
        "from chef import Metric\n"
        "class Own(Metric):\n"
        "    def metric_func(self, answers):\n        return answers[0]['nothing']\n"
    )
    recipe = tmp_path / "r.yaml"
    recipe.write_text(recipe.read_text().replace("plugins: [", "plugins: [own.py, "))
    vary = "metric: {key: eval_cfg.metric_cfg.metric_type, values: [Own, Accuracy]}"
    ready = Sweep(sweep_file(vary), Settings(save_dir=tmp_path))
    ready.run(quiet)
    assert [report.recipe for report in ready.reports] == ["r+metric.Accuracy"]
    (failure,) = ready.failures
    assert failure.recipe.endswith("r.yaml (r+metric.Own)")
    stored = read_sweep_json(ready.folder)
    assert [bool(run.error) for run in stored.combinations] == [True, False]
    assert len(ready.result().combinations) == 1


def test_a_sweep_without_scores_says_so(sweep_file: Write, tmp_path: Path) -> None:
    ready = Sweep(sweep_file("wording: [0]"), Settings(save_dir=tmp_path))

    def stop(progress: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ready.run(stop)
    with pytest.raises(RunError, match="no run of this sweep has scores yet"):
        ready.result()


def test_seeds_keep_the_subset_and_change_what_is_sampled(
    sweep_file: Write, tmp_path: Path
) -> None:
    vary = "seed: [1, 2]\ninferencer: [{inferencer_type: Direct, temperature: 1.0}]"
    vary += "\nexamples: [1]"  # at random
    found = chef.sweep(
        sweep_file(vary, "limit: 6\nseed: 5\n"), save_dir=tmp_path, on_progress=quiet
    )
    runs = [load_run(one.folder) for one in found.combinations]
    assert [run.config["run"] for run in runs] == [
        {"sample_len": 6, "seed": seed, "subset_seed": 5} for seed in (1, 2)
    ]
    ids = [{item.sample_id for item in run.predictions} for run in runs]
    assert ids[0] == ids[1]
    shown = [json.dumps([item.to_record()["query"] for item in run.predictions]) for run in runs]
    assert shown[0] != shown[1]  # other examples


def test_models_and_their_keys(sweep_file: Write, tmp_path: Path) -> None:
    path = sweep_file("model: [hashing.yaml]\nsize: {key: scenario_cfg.size, values: [3]}")
    path.write_text(path.read_text().replace("model: hashing.yaml\n", "", 1))
    other = tmp_path / "other.yaml"
    other.write_text((tmp_path / "hashing.yaml").read_text())
    with pytest.raises(chef.ConfigError, match="another model of the sweep is called"):
        Sweep(
            path, Settings(save_dir=tmp_path), models=[str(tmp_path / "hashing.yaml"), str(other)]
        )


def test_a_table_is_varied_like_a_recipe(sweep_file: Write, tmp_path: Path) -> None:
    rows = "\n".join(f"{number},Is it {number}?,yes,no,A" for number in range(4))
    (tmp_path / "mine.csv").write_text(f"id,question,A,B,answer\n{rows}\n")
    path = sweep_file("wording: [0, 1]")
    path.write_text(path.read_text().replace("recipe: r.yaml", "recipe: mine.csv"))
    found = chef.sweep(path, save_dir=tmp_path / "results", on_progress=quiet)
    assert [one.report.label for one in found.combinations] == [
        "mine/mine+wording.0", "mine/mine+wording.1",
    ]  # fmt: skip


def test_a_key_of_the_model_is_in_its_name_wherever_the_sweep_lies(
    sweep_file: Write, tmp_path: Path
) -> None:
    path = sweep_file("speed: {key: model_cfg.rows_that_fit, values: [2, 3]}")
    models = Sweep(path, Settings(save_dir=tmp_path)).plan.models
    assert list(models) == ["hashing+speed.2", "hashing+speed.3"]


def test_a_model_that_is_named_in_two_ways_is_one(
    sweep_file: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["hashing.yaml", str(tmp_path / "hashing.yaml")]
    found = Sweep(sweep_file("wording: [0]"), Settings(save_dir=tmp_path), models=names)
    assert (len(found.plan.cells), len(found.plan.runs), list(found.plan.models)) == (
        2, 1, ["hashing"],
    )  # fmt: skip


def test_a_recipe_that_is_named_in_two_ways_asks_the_same(
    sweep_file: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sweep_file("wording: [0]")
    one, other = (load_recipe(path) for path in ("r.yaml", tmp_path / "r.yaml"))
    assert one.document.path != other.document.path
    assert planning.asked(one) == planning.asked(other)


def test_what_the_analysis_is_given(sweep_file: Write, tmp_path: Path) -> None:
    found = chef.sweep(sweep_file("wording: [0]"), save_dir=tmp_path, on_progress=quiet)
    folder = tmp_path / "sweeps" / "s"
    ((_, scores, clusters),) = scores_of(read_sweep_json(folder).combinations, folder)
    records = {
        item.sample_id: item.to_record()
        for item in load_run(found.combinations[0].folder).predictions
    }
    assert set(scores.ids) == {f"n{number}" for number in range(12)}
    for at, name in enumerate(scores.ids):
        assert scores.right[at] == int(name[1:]) % 4
        assert scores.chosen[at] == records[name]["choice"]
        assert scores.scores[at] == float(scores.chosen[at] == scores.right[at])
        assert clusters[at] == name


def test_clusters_mean_the_same_in_runs_of_other_samples() -> None:
    def run(**links: list[str]) -> RunSamples:
        return RunSamples(list(links), [], list(links.values()), [], [], [])

    runs = [run(a=["x"], b=["y"]), run(c=["z"], b=["y"], d=["y"]), run(d=["y", "v"], e=["v"])]
    assert _clusters(runs) == {"a": "a", "b": "b", "c": "c", "d": "b", "e": "b"}


class Says(chef.Model):
    """Says one word, which is the state of the object."""

    def __init__(self, word: str, name: str = "Says") -> None:
        self.word, self.name = word, name

    def generate_one(self, conversation: Any, max_new_tokens: int) -> str:
        return self.word


SUMS = [{"question": f"What is {n}+{n}?", "answer": str(2 * n)} for n in range(1, 6)]


@pytest.fixture
def swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """`chef.sweep` of two numbers of tokens, without a bar; the cache is in the test's folder."""
    monkeypatch.setenv("CHEF_CACHE", str(tmp_path / "cache"))
    tokens = {"eval_cfg.inferencer_cfg.max_new_tokens": [8, 16]}

    def run(content: dict[str, Any], **how: Any) -> Any:
        whole = {"name": "s", "limit": 4, "vary": tokens} | content
        return chef.sweep(whole, save_dir=tmp_path / "results", on_progress=quiet, **how)

    return run


def test_models_and_data_of_the_session_are_swept_as_files_are(swept: Any) -> None:
    found = swept({"model": [Says("2", "two"), Says("4", "four")], "recipe": SUMS, "limit": 5})
    values = {(one.values["model"], one.figure.value) for one in found.combinations}
    assert values == {("two", 20.0), ("four", 20.0)}
    assert len(found.combinations) == 4
    folders = {one.folder.parent.parent.name for one in found.combinations}
    assert folders == {"two", "four"}


def test_contents_and_loaded_recipes_are_values_of_a_factor(swept: Any) -> None:
    loaded = load_recipe("Shapes/direct", ["scenario_cfg.size=12"])
    content = {
        "scenario_cfg": {"dataset_name": "Shapes", "size": 20},
        "eval_cfg": {"inferencer_cfg": {"inferencer_type": "Direct"}},
    }
    vary = {"recipe": {"values": [content, loaded], "role": "nuisance"}}
    found = swept({"vary": vary}, model=Says("(A)"))
    assert len({one.values["recipe"] for one in found.combinations}) == 2


@pytest.mark.parametrize(
    ("content", "how", "told"),
    [
        ({}, {"model": [Says("a"), Says("b")]}, "another of the models is called 'Says' too"),
        ({}, {"model": Says}, "is no model"),
        ({"recipe": 3}, {"model": Says("a")}, "3 is no recipe"),
        ({}, {"model": Says("a"), "overrides": ["model_cfg.word=b"]}, "is an object"),
        ({}, {"model": Says("a"), "workers": 2}, "cannot be sent to workers"),
    ],
)
def test_objects_that_cannot_be_swept(swept: Any, content: Any, how: Any, told: str) -> None:
    with pytest.raises(chef.ChefError, match=told):
        swept({"recipe": "Shapes/direct"} | content, **how)
