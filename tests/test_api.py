"""The front door: the functions of ``chef`` that a notebook or a script calls."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT
from fakes import Hashing

import chef

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
        f"recipe = {RECIPE!r}\n"
        'report = chef.evaluate({"model_name": "tiny"}, recipe, workers=2, save_dir="out")\n'
        "print(report.coverage.scored, report.value > 60)\n"
    )
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["20", "True"], done.stderr


def test_the_page_on_python_runs(tmp_path: Path) -> None:
    """As printed: each block is a script of its own, in a folder with ``configs``."""
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(), re.DOTALL
    )
    (tmp_path / "configs").symlink_to(ROOT / "configs")
    outputs = [
        subprocess.run(
            [sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout
        for block in blocks
    ]
    assert "32 of 32 samples scored" in outputs[0]
    assert "VQA" not in outputs[0].splitlines()[0]
    value, chance = map(float, outputs[1].split())
    assert 0 <= value <= 60
    assert chance == 0.25
