"""``chef score`` on run folders: the same figures without the model, others beside them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import forked
import pytest
from conftest import ROOT, process_restored

from chef.cli import main
from chef.errors import ConfigError
from chef.scoring.record import RunRecord

Write = Callable[..., Path]
Score = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run_folder(model_file: Path, recipe_file: Write, tmp_path: Path) -> Path:
    recipe = recipe_file("Direct", size=12)
    arguments = ["eval", "--model_cfg", model_file, "--recipe_cfg", recipe, "--time", "t"]
    assert main([*map(str, arguments), "--save_dir", str(tmp_path / "results")]) == 0
    return tmp_path / "results" / "hashing" / "Numbers" / "r-t"


@pytest.fixture
def score(capsys: pytest.CaptureFixture[str]) -> Score:
    def score(*arguments: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["score", *map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return score


def content(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in folder.iterdir() if file.name != ".lock"}


def set_answers(folder: Path, answer: str, truth: object = None) -> None:
    changes = {"answer": answer} | ({"sample": {"gt_answers": truth}} if truth else {})
    lines = [json.loads(line) for line in (folder / "predictions.jsonl").read_text().splitlines()]
    text = "".join(json.dumps({**line, **changes}) + "\n" for line in lines)
    (folder / "predictions.jsonl").write_text(text)


def test_a_finished_run_scores_the_same_byte_for_byte(run_folder: Path, score: Score) -> None:
    before = content(run_folder)
    (run_folder / "scores.jsonl").unlink()
    code, out, _ = score(run_folder)
    assert code == 0
    assert "model: hashing" in out
    assert "Numbers/r " in out
    assert "12 of 12 samples scored" in out
    assert content(run_folder) == before


def test_figures_of_a_folder_that_cannot_be_written_are_shown(
    run_folder: Path, score: Score, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_answers(run_folder, "two")
    before = content(run_folder)
    monkeypatch.setattr("os.access", lambda *_: False)
    monkeypatch.setattr("fcntl.flock", lambda *_: pytest.fail("the folder is opened for writing"))
    code, out, err = score(run_folder)
    assert code == 0
    assert " 25.0%" in out
    assert "results.json cannot be written, so these scores are not kept" in err
    assert content(run_folder) == before
    (run_folder / "predictions.jsonl").write_text("")
    code, _, err = score(run_folder)
    assert code == 2
    assert "there is nothing to score: the journal is empty" in err


def test_new_answers_give_new_scores(run_folder: Path, score: Score) -> None:
    set_answers(run_folder, "two")
    assert score(run_folder)[0] == 0
    assert json.loads((run_folder / "results.json").read_text())["result"]["ACC"] == 25.0


def test_another_metric_stands_beside_the_runs_own(run_folder: Path, score: Score) -> None:
    before = content(run_folder)
    code, out, _ = score(run_folder, "--metric", "Caption")
    assert code == 0
    assert "results_Caption.json" in out
    after = content(run_folder)
    assert {name: after[name] for name in before} == before
    assert after.keys() - before.keys() == {"results_Caption.json", "scores_Caption.jsonl"}
    results = json.loads(after["results_Caption.json"])
    assert (results["metric_type"], results["random_accuracy"]) == ("Caption", None)


def test_options_of_a_metric_change_its_figures(run_folder: Path, score: Score) -> None:
    before = (run_folder / "results.json").read_text()
    set_answers(run_folder, "a dog at [0, 0, 1, 0.6]", [{"label": "dog", "bbox": [0, 0, 1, 1]}])
    for threshold, precision in ((0.5, 100.0), (0.7, 0.0)):
        options = "--metric", "Detection", f"threshold={threshold}"
        assert score(run_folder, *options)[0] == 0
        results = json.loads((run_folder / "results_Detection.json").read_text())
        assert results["result"][f"mAP@{threshold}"] == precision
    assert (run_folder / "results.json").read_text() == before


def test_the_runs_own_metric_with_other_options_is_another(run_folder: Path, score: Score) -> None:
    set_answers(run_folder, "a dog at [0, 0, 1, 0.6]", [{"label": "dog", "bbox": [0, 0, 1, 1]}])
    config = run_folder / "config.yaml"
    config.write_text(config.read_text().replace("metric_type: basic", "metric_type: Detection"))
    (run_folder / "results.json").unlink()
    assert score(run_folder, "threshold=0.7")[0] == 0
    assert not (run_folder / "results.json").exists()
    assert score(run_folder, "threshold=0.5")[0] == 0  # the default
    assert "mAP@0.5" in (run_folder / "results.json").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--metric", "Acuracy"], "did you mean 'Accuracy'"),
        (["--metric", "Detection", "treshold=1"], "did you mean 'threshold'"),
        (["scenario_cfg.size=3"], "only options of the metric"),
        (["--recipe_cfg", "nowhere.yaml"], "no such file"),
    ],
)
def test_wrong_wishes_are_refused(
    run_folder: Path, score: Score, arguments: list[str], message: str
) -> None:
    before = content(run_folder)
    code, _, err = score(run_folder, *arguments)
    assert code == 2
    assert message in err
    assert content(run_folder) == before


def test_a_folder_without_a_run_is_refused(tmp_path: Path, score: Score) -> None:
    code, _, err = score(tmp_path)
    assert code == 2
    assert "no run folder: it has no config.yaml" in err


def test_a_run_that_was_killed_is_scored_as_far_as_it_got(
    run_folder: Path, recipe_file: Write, score: Score
) -> None:
    (run_folder / "results.json").unlink()
    journal = (run_folder / "predictions.jsonl").read_text().splitlines(keepends=True)
    (run_folder / "predictions.jsonl").write_text("".join(journal[:5]) + journal[5][:20])
    code, out, _ = score(run_folder)
    assert code == 0
    assert "5 of 12 samples scored" in out
    assert "41.7%" in out  # coverage
    results = json.loads((run_folder / "results.json").read_text())
    assert (results["recipe"], results["scenario"]) == ("r", "Numbers")


def test_a_subset_asked_later_replaces_nothing(
    model_file: Path, recipe_file: Write, score: Score, tmp_path: Path
) -> None:
    def run(samples: int) -> dict[str, str]:
        arguments = ["eval", "--model_cfg", model_file, "--recipe_cfg", recipe, "--time", "t"]
        more = ["--save_dir", tmp_path / "results", "--sample_len", samples]
        assert main([*map(str, [*arguments, *more])]) == 0
        return content(folder)

    recipe = recipe_file("Direct", size=12)
    folder = tmp_path / "results" / "hashing" / "Numbers" / "r-t"
    assert json.loads(run(3)["results.json"])["coverage"]["total"] == 3
    whole = run(-1)
    assert json.loads(whole["results.json"])["coverage"]["total"] == 12  # the run has grown
    subset = run(5)
    assert set(subset) - set(whole) == {"results_5_samples.json", "scores_5_samples.jsonl"}
    assert {name: subset[name] for name in whole} == whole
    assert json.loads(subset["results_5_samples.json"])["coverage"]["total"] == 5
    assert subset["scores_5_samples.jsonl"].count("\n") == 5
    code, out, _ = score(folder)
    assert code == 0
    assert "12 of 12 samples scored" in out
    assert content(folder) == subset
    assert run(12) == run(100) == subset  # all samples, however many were asked for


def test_a_plugins_metric_needs_its_recipe(
    model_file: Path, recipe_file: Write, score: Score, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(
        "from chef.metric import Metric\n"
        "class Mine(Metric):\n"
        "    def metric_func(self, answers):\n"
        "        return {'mine': len(answers)}\n"
    )
    recipe = recipe_file(size=3)
    text = recipe.read_text().replace("plugins: [", "plugins: [mine.py, ")
    recipe.write_text(text + "  metric_cfg:\n    metric_type: Mine\n")
    arguments = ["eval", "--model_cfg", model_file, "--recipe_cfg", recipe, "--time", "t"]
    command = [*map(str, arguments), "--save_dir", str(tmp_path / "results")]
    # In a process of its own: plugins stay known for the life of one.
    run = [sys.executable, str(ROOT / "tools" / "eval.py"), *command[1:]]
    forked.run(run, check=True)
    folder = tmp_path / "results" / "hashing" / "Numbers" / "r-t"
    before = content(folder)
    with process_restored():
        assert score(folder)[0] == 0  # the run of the user's own
    (folder / ".seal").unlink()
    del before[".seal"]
    code, _, err = score(folder)
    assert code == 2
    assert "the metric 'Mine' of this run is not known here" in err
    assert "--recipe_cfg" in err
    assert score(folder, "--recipe_cfg", recipe)[0] == 0
    assert content(folder) == before


def test_a_plugin_in_config_yaml_runs_only_if_it_is_trusted(
    run_folder: Path, score: Score, tmp_path: Path
) -> None:
    plugin = tmp_path / "odd.py"
    plugin.write_text(
        "from pathlib import Path\nfrom chef.metric import Metric\n"
        f"Path({str(tmp_path / 'ran')!r}).write_text('ran')\n"
        "class Odd(Metric):\n"
        "    def metric_func(self, answers):\n"
        "        return 1.0\n"
    )
    config = run_folder / "config.yaml"
    config.write_text(
        config.read_text().replace("recipe_cfg:\n", f"recipe_cfg:\n  plugins: [{plugin}]\n")
    )
    code, _, err = score(run_folder)
    assert code == 2
    assert f"config.yaml names Python files, which its recipe runs: {plugin}" in err
    assert "--trust-plugins" in err
    assert not (tmp_path / "ran").exists()
    assert score(run_folder, "--trust-plugins")[0] == 0


def test_scoring_imports_neither_torch_nor_numpy_packages(run_folder: Path) -> None:
    code = (
        "import sys; from chef.cli import main; code = main(['score', sys.argv[1]]);"
        "print('heavy:', sorted({'torch', 'transformers', 'PIL', 'openpyxl', 'pandas', 'faiss'}"
        " & sys.modules.keys())); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(run_folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "heavy: []" in done.stdout


def test_a_protocol_is_asked_of_the_runs_scenario(run_folder: Path, score: Score) -> None:
    for name, message in (
        ("KOSMOS", "Numbers has no protocol of that name"),
        ("Acuracy", "did you mean 'Accuracy'"),
    ):
        code, _, err = score(run_folder, "--metric", name)
        assert (code, message in err) == (2, True), err
    config = run_folder / "config.yaml"
    config.write_text(config.read_text().replace("dataset_name: Numbers", "dataset_name: Gone"))
    code, _, err = score(run_folder, "--metric", "Acuracy")
    assert code == 2
    assert "cannot be told: unknown scenario 'Gone'" in err
    assert "did you mean 'Accuracy'" in err


def test_a_run_is_read_once(run_folder: Path) -> None:
    record = RunRecord.load(run_folder)
    for name in ("config.yaml", "results.json"):
        (run_folder / name).write_text("something else")
    assert (record.recipe_name, record.scenario_name, record.model_name) == (
        "r", "Numbers", "hashing",
    )  # fmt: skip
    assert record.metric_type == "basic"
    assert record.result is not None
    assert record.result.coverage.total == 12
    assert record.config["run"]["seed"] == 0
    assert record.recipe is record.recipe
    assert (record.recipe.scenario.name, len(record.scenario)) == ("Numbers", 12)
    with pytest.raises(ConfigError, match="holds no mapping"):
        RunRecord.load(run_folder)


def test_unreadable_results_are_named(run_folder: Path) -> None:
    (run_folder / "results.json").write_text("something else")
    with pytest.raises(ConfigError, match=r"results\.json: the file is unreadable"):
        RunRecord.load(run_folder)
