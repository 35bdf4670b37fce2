"""The front door: the functions of ``chef`` that a notebook or a script calls."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import forked
import numpy as np
import pytest
from conftest import FAKES, ROOT
from fakes import Hashing

import chef
from chef.errors import ConfigError

RECIPE = {
    "scenario_cfg": {"dataset_name": "Shapes", "size": 20},
    "eval_cfg": {"inferencer_cfg": {"inferencer_type": "PPL"}},
}


def evaluate(folder: Path, recipe=RECIPE, **options):
    return chef.evaluate(Hashing(), recipe, save_dir=folder, name="t", **options)


def test_all_public_names_exist() -> None:
    assert set(chef.__all__) <= set(dir(chef))
    for name in chef.__all__:
        assert getattr(chef, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'evalute'"):
        _ = chef.evalute


def test_import_loads_no_heavy_packages() -> None:
    heavy = ("torch", "numpy", "omegaconf", "PIL")
    code = f"import sys, chef; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_report_has_numeric_values(tmp_path: Path) -> None:
    report = evaluate(tmp_path)
    accuracy = report.metrics["ACC"]
    written = json.loads((report.folder / "results.json").read_text())["metrics"]["ACC"]
    assert (accuracy.value, accuracy.low, accuracy.high) == (
        written["value"], written["low"], written["high"],
    )  # fmt: skip
    assert report.value == accuracy.value
    assert accuracy.low < accuracy.value < accuracy.high
    assert report.coverage.scored == len(report.samples) == 20
    assert f"{accuracy.value:.1f}%" in str(report)
    assert str(report.folder) in str(report)
    assert "n=20" in repr(report)
    assert len(repr(report)) < 120


def test_data_frames(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    report = evaluate(tmp_path)
    frame = report.to_frame().set_index("metric")
    assert frame.loc["ACC", "value"] == report.value
    assert list(report.samples_frame()["id"]) == sorted(item["id"] for item in report.samples)


def test_the_same_call_does_not_ask_again(tmp_path: Path) -> None:
    seen: list[chef.Progress] = []
    first = evaluate(tmp_path, on_progress=seen.append)
    assert [state.done for state in seen] == list(range(1, 21))
    assert seen[-1].total == 20
    assert seen[-1].score == pytest.approx(first.value / 100)
    again = evaluate(tmp_path, on_progress=seen.append)
    assert len(seen) == 20
    assert again.metrics == first.metrics
    assert again.folder == first.folder


def test_a_progress_bar_is_shown_unless_there_is_a_callback(tmp_path: Path, capsys) -> None:
    evaluate(tmp_path / "a")
    assert "20/20" in capsys.readouterr().err
    evaluate(tmp_path / "b", on_progress=lambda _: None)
    assert "20/20" not in capsys.readouterr().err


def test_several_recipes_and_their_objects(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text(json.dumps(RECIPE))
    loaded = chef.load_recipe(path, ["scenario_cfg.size=12"])
    reports = evaluate(tmp_path, [RECIPE, loaded])
    assert [report.coverage.total for report in reports] == [20, 12]
    assert [report.recipe for report in reports][1] == "own"
    assert evaluate(tmp_path, (RECIPE,))[0].metrics == reports[0].metrics


def test_recipes_given_as_mappings_have_separate_folders(tmp_path: Path) -> None:
    other = {**RECIPE, "scenario_cfg": {"dataset_name": "Shapes", "size": 24}}
    one, two = evaluate(tmp_path, [RECIPE, other])
    assert one.folder != two.folder
    with pytest.raises(chef.ChefError, match="same run folder as") as refused:
        evaluate(tmp_path, [RECIPE, RECIPE])
    assert refused.value.where == one.recipe


def test_limit_and_invalid_arguments(tmp_path: Path) -> None:
    assert evaluate(tmp_path, limit=5).coverage.total == 5
    wrong = {**RECIPE, "eval_cfg": {"inferencer_cfg": {"inferencer_type": "PLL"}}}
    with pytest.raises(chef.ChefError, match="unknown inferencer 'PLL'") as refused:
        evaluate(tmp_path, wrong)
    assert "PPL" in str(refused.value)
    with pytest.raises(chef.ChefError, match="model object cannot be sent to workers"):
        evaluate(tmp_path, workers=2)
    with pytest.raises(TypeError, match="sample_lenght"):
        evaluate(tmp_path, sample_lenght=3)


def test_runs_are_loaded(tmp_path: Path) -> None:
    report = evaluate(tmp_path)
    run = chef.load_run(report.folder)
    assert run.report == report
    assert {item.sample_id for item in run.predictions} == {item["id"] for item in report.samples}
    assert run.config["run"]["seed"] == 0
    assert run.environment["sessions"][0]["asked"] == 20
    with pytest.raises(chef.ChefError, match="is no run folder"):
        chef.load_run(tmp_path)


def test_a_report_stands_for_its_run_and_nothing_for_none(tmp_path: Path) -> None:
    report = evaluate(tmp_path)
    run = chef.load_run(report)
    assert run.folder == chef.load_run(run).folder == report.folder
    for none in (None, 3):
        with pytest.raises(chef.ConfigError, match="is no run"):
            chef.load_run(none)
        with pytest.raises(chef.ConfigError, match="holds no answers"):
            chef.compare(none, report)


def test_a_name_that_no_folder_can_have(tmp_path: Path) -> None:
    with pytest.raises(chef.ConfigError, match="too long for the name of a run"):
        chef.evaluate(Hashing(), RECIPE, save_dir=tmp_path, name="x" * 300)


def test_a_column_is_no_table(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    with pytest.raises(chef.DataError, match="a Series is one column") as caught:
        evaluate(tmp_path, pandas.Series(["What?", "Who?"]))
    assert "to_frame('question')" in str(caught.value.hint)


def test_an_unscored_run_has_no_report(tmp_path: Path) -> None:
    folder = evaluate(tmp_path).folder
    (folder / "results.json").unlink()
    run = chef.load_run(str(folder))
    assert len(run.predictions) == 20
    with pytest.raises(chef.ChefError, match="no scores yet"):
        _ = run.report


def test_scoring_a_run_again(tmp_path: Path) -> None:
    report = evaluate(tmp_path)
    for answers in (report, report.folder, str(report.folder), chef.load_run(report.folder)):
        assert chef.score(answers).metrics == report.metrics
    other = chef.score(report, "VQA", options={"content_only": True})
    assert other.file.name == "results_VQA.json"
    assert other.metrics["ACC"].value == report.value
    with pytest.raises(chef.ChefError, match="content_onyl"):
        chef.score(report, "VQA", options={"content_onyl": True})


def test_a_script_needs_no_main_guard(tmp_path: Path) -> None:
    """Two workers read model and recipe from the mappings that the script gives."""
    pytest.importorskip("ray")
    script = tmp_path / "script.py"
    script.write_text(
        "import chef\n"
        f"recipe, model = {RECIPE!r}, {{'plugins': [{str(FAKES)!r}], 'model_name': 'Hashing'}}\n"
        'report = chef.evaluate(model, recipe, workers=2, save_dir="out")\n'
        "print(report.coverage.scored, report.value)\n"
    )
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["20", str(evaluate(tmp_path / "here").value)], done.stderr


def test_the_page_on_python_runs(tmp_path: Path) -> None:
    """As printed: each block is a script of its own, in a folder with ``configs``."""
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs" / "reference" / "python.md").read_text(), re.DOTALL
    )
    (tmp_path / "configs").symlink_to(ROOT / "configs")
    for number, block in enumerate(blocks):
        (tmp_path / f"{number}.py").write_text(block)
    # They share a process, as torch takes longer to import than they take to run.
    each = "run_path(f'{number}.py', run_name='__main__'), print('@@')"
    code = f"from runpy import run_path\nfor number in range({len(blocks)}): {each}"
    done = forked.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    outputs = done.stdout.split("@@\n")[:-1]
    assert len(outputs) == len(blocks)
    assert "32 of 32 samples scored" in outputs[0]
    assert "VQA" not in outputs[0].splitlines()[0]
    value, chance = map(float, outputs[1].split())
    assert 0 <= value <= 60
    assert chance == 0.25


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": -1}, "give a number 1 or more"),
        ({"limit": 2.5}, "not a whole number"),
        ({"seed": 2**32}, "seed"),
        ({"batch_size": 0}, "batch_size"),
        ({"batch_size": True}, "not a whole number"),
        ({"verify": -1}, "verify"),
        ({"name": "/"}, "no name of a run"),
    ],
)
def test_settings_are_checked(tmp_path: Path, options: dict, words: str) -> None:
    with pytest.raises(chef.ConfigError) as refused:
        chef.evaluate(Hashing(), RECIPE, save_dir=tmp_path, **options)
    assert words in str(refused.value)
    assert not any(tmp_path.iterdir())


def test_workers_are_checked(tmp_path: Path) -> None:
    model = {"model_name": "tiny"}
    with pytest.raises(chef.ConfigError, match="out of range"):
        chef.evaluate(model, RECIPE, save_dir=tmp_path, workers=0)
    with pytest.raises(chef.ConfigError, match="within one process"):
        chef.evaluate(model, RECIPE, save_dir=tmp_path, workers=2, verify=2)


def test_what_is_no_model_and_no_recipe(tmp_path: Path) -> None:
    for model in (None, Hashing, 3):
        with pytest.raises(chef.ConfigError, match="is no model"):
            chef.evaluate(model, RECIPE, save_dir=tmp_path)
    for recipe in (None, 3, [None], b"x"):
        with pytest.raises(chef.ConfigError, match="is no recipe"):
            evaluate(tmp_path, recipe)
    with pytest.raises(chef.ConfigError, match="holds no answers"):
        chef.score(None)


class Colours(chef.Scenario):
    """A class of the session, which has no file that a recipe could name."""


@pytest.mark.parametrize("recipe", [Colours, {**RECIPE, "scenario_cfg": {"dataset_name": Colours}}])
def test_a_class_of_the_session_needs_a_file(tmp_path: Path, recipe: object) -> None:
    with pytest.raises(chef.ConfigError) as caught:
        evaluate(tmp_path, recipe)
    assert "'Colours', and its file: plugins: [FILE.py]" in str(caught.value)


class Failing(Hashing):
    """A model all of whose requests fail."""

    def score(self, requests):
        raise KeyError("x")


def test_what_all_samples_failed_by_is_printed(tmp_path: Path) -> None:
    report = chef.evaluate(Failing(), RECIPE, save_dir=tmp_path, name="t", limit=4)
    assert "\n4 x KeyError('x')\n  -> correct " in str(report)
    assert "KeyError" in report._repr_html_()


def test_a_comparison_has_a_short_form(tmp_path: Path) -> None:
    report = evaluate(tmp_path)
    shown = repr(chef.compare(report, report))
    assert shown.startswith("Comparison(hashing, hashing (2): No difference between ")
    assert len(shown) < 250


def test_numbers_of_numpy_and_generators_are_welcome(tmp_path: Path) -> None:
    recipe = {**RECIPE, "scenario_cfg": {"dataset_name": "Shapes", "size": np.int64(16)}}
    (report,) = evaluate(tmp_path, (item for item in [recipe]), limit=np.int64(4))
    assert report.coverage.total == 4


def test_overrides_of_a_mapping_make_another_recipe(tmp_path: Path) -> None:
    sizes = [chef.load_recipe(RECIPE, [f"scenario_cfg.size={size}"]) for size in (10, 14)]
    assert [item.coverage.total for item in evaluate(tmp_path, sizes)] == [10, 14]


def test_scores_older_than_the_answers_are_refused(tmp_path: Path) -> None:
    def stop(state: chef.Progress) -> None:
        if state.done == 6:
            raise KeyboardInterrupt

    report = evaluate(tmp_path, limit=4)
    with pytest.raises(KeyboardInterrupt):
        evaluate(tmp_path, limit=8, on_progress=stop)
    with pytest.raises(chef.DataError, match="have changed since it was scored"):
        _ = chef.load_run(report.folder).report
    whole = evaluate(tmp_path, limit=8)
    assert chef.load_run(report.folder).report == whole
    fewer = evaluate(tmp_path, limit=4)
    assert (fewer.coverage.total, fewer.file.name) == (4, "results_4_samples.json")
    assert chef.load_run(report.folder).report == whole  # a subset replaces nothing


def test_damaged_scores_are_said(tmp_path: Path) -> None:
    report = evaluate(tmp_path)
    (report.folder / "scores.jsonl").write_text("{broken\n")
    with pytest.raises(chef.DataError, match="damaged"):
        _ = chef.load_run(report.folder).report
    chef.score(report)
    assert chef.load_run(report.folder).report.metrics == report.metrics


class Wrapped(chef.Model):
    def __init__(self, net: object) -> None:
        self.net = net

    def score_one(self, conversation, candidates):
        return [0.0 for _ in candidates]


def test_what_the_fingerprint_cannot_see_is_said(tmp_path: Path, caplog) -> None:
    chef.evaluate(Wrapped(object()), RECIPE, save_dir=tmp_path, limit=3)
    assert "net" not in caplog.text
    chef.evaluate(Wrapped(object()), RECIPE, save_dir=tmp_path, limit=3)
    assert "3 answer(s) of an earlier call are used. Whether" in caplog.text
    assert "net" in caplog.text


def test_a_model_file_says_all_itself(tmp_path: Path, caplog) -> None:
    (tmp_path / "mine.py").write_text(
        "import chef\nclass Private(chef.Model):\n"
        "    def __init__(self, *, words: int = 3) -> None:\n        self._words = words\n"
        "    def score_one(self, conversation, candidates):\n"
        "        return [0.0 for _ in candidates]\n"
    )
    model = {"model_name": "Private", "plugins": [str(tmp_path / "mine.py")]}
    for _ in range(2):
        chef.evaluate(model, RECIPE, save_dir=tmp_path, limit=3)
    assert not caplog.records


def test_a_model_name_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    model = Hashing()
    model.name = ".."
    with pytest.raises(chef.ConfigError, match="cannot be the name of a model"):
        chef.evaluate(model, RECIPE, save_dir=tmp_path / "results")


def test_an_edited_plugin_is_not_run_as_the_old_one(tmp_path: Path) -> None:
    plugin = tmp_path / "mine.py"
    lines = ["import chef", "class Mine(chef.Metric):", "    def metric_func(self, answers):"]
    text = "\n".join([*lines, "        return {}\n"])
    plugin.write_text(text)
    recipe = {**RECIPE, "plugins": [str(plugin)]}
    chef.load_recipe(recipe)
    chef.load_recipe(recipe)
    plugin.write_text(text.replace("{}", "{'a': 1}"))
    with pytest.raises(chef.ConfigError, match="has changed since this process loaded it"):
        chef.load_recipe(recipe)


def test_answers_from_elsewhere_are_scored_again(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    record = {"id": "1", "answer": "A", "gt_choice": 0, "choices": ["x", "y"]}
    file.write_text(json.dumps(record) + "\n")
    first = chef.score(file, "VQA")
    assert chef.score(first, "Accuracy").metrics["ACC"].value == first.value == 100.0


def test_former_names_of_errors_and_instructions() -> None:
    error = chef.SampleError("wrong", mend="do this")
    assert error.hint == error.mend == "do this"
    recipe = {**RECIPE, "eval_cfg": {**RECIPE["eval_cfg"]}}
    recipe["eval_cfg"]["instruction_cfg"] = {"instruction_type": "Instruction"}
    assert chef.load_recipe(recipe).instruction.name == "Instruction"


def test_overrides_are_a_list() -> None:
    for wrong in ("compat=upstream", {"compat": "upstream"}):
        with pytest.raises(ConfigError, match="overrides: they are a list of texts") as caught:
            chef.load_recipe("Shapes/ppl", wrong)  # type: ignore[arg-type]
        assert "write ['key.path=value']" in str(caught.value)
