"""Several metrics in one recipe: what is checked, written, shown, and scored again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import chef
from chef.cli import main
from chef.config import load_recipe
from chef.errors import ConfigError
from chef.scoring.result import score_file_of

RECIPE = """\
plugins: [own.py]
scenario_cfg: {dataset_name: Shapes, task: mcq, size: 12}
eval_cfg:
  inferencer_cfg: {inferencer_type: Direct}
  metric_cfg:
"""
OWN = '''\
from chef.errors import DependencyError
from chef.metric import Metric

class Length(Metric):
    """How long the answers are, in letters or words."""

    def __init__(self, dataset_name: str = "", *, words: bool = False, fails: bool = False) -> None:
        super().__init__(dataset_name)
        self.words, self.fails = words, fails

    def score_sample(self, record):
        answer = record["answer"]
        return {"metric_result": len(answer.split() if self.words else answer)}

    def metric_func(self, answers):
        if self.fails:
            raise ValueError("no mean today")
        return {"mean": sum(item["metric_result"] for item in answers) / len(answers)}

class Absent(Length):
    """Needs what nobody has."""

    def require(self, *, scored):
        raise DependencyError("needs a package", hint="pip install it")
'''
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def recipe(tmp_path: Path) -> Callable[[str], Path]:
    (tmp_path / "own.py").write_text(OWN)

    def write(metrics: str) -> Path:
        path = tmp_path / "r.yaml"
        path.write_text(RECIPE.replace("metric_cfg:\n", f"metric_cfg: {metrics}\n"))
        return path

    return write


@pytest.fixture
def run(tmp_path: Path, model_file: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: object) -> tuple[int, str, str]:
        given = ["--model_cfg", model_file, "--save_dir", tmp_path / "results", "--run_name", "t"]
        command = ["eval", *arguments, *given] if arguments[0] != "score" else arguments
        code = main([str(item) for item in command])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def folder(tmp_path: Path) -> Path:
    return tmp_path / "results" / "hashing" / "Shapes" / "r-t"


def mean(file: Path) -> float:
    return json.loads(file.read_text())["result"]["mean"]


LIST = "[VQA, {metric_type: Length}, {metric_type: Length, words: true}]"


def test_every_metric_has_its_files_and_rows(recipe, run: Run, tmp_path: Path) -> None:
    code, out, _ = run("--recipe_cfg", recipe(LIST))
    assert code == 0
    place = folder(tmp_path)
    answers = [json.loads(line)["answer"] for line in (place / "predictions.jsonl").open()]
    assert "ACC" in json.loads((place / "results.json").read_text())["result"]
    assert mean(place / "results_Length.json") == sum(map(len, answers)) / 12
    assert mean(place / "results_Length_2.json") == sum(len(a.split()) for a in answers) / 12
    for name in ("scores.jsonl", "scores_Length.jsonl", "scores_Length_2.jsonl"):
        assert len((place / name).read_text().splitlines()) == 12
    assert [out.count(word) for word in ("│ Shapes/r", "│ by Length", "│ mean")] == [1, 2, 2]
    report = chef.load_run(place).report
    assert [item.metric_type for item in report.all_metrics] == ["VQA", "Length", "Length"]
    assert report.further[1].value == mean(place / "results_Length_2.json")


def test_an_edited_list_asks_nothing_again(recipe, run: Run, tmp_path: Path) -> None:
    run("--recipe_cfg", recipe("{metric_type: VQA}"))
    journal = (folder(tmp_path) / "predictions.jsonl").read_bytes()
    for metrics in ("Accuracy", LIST, "[Length, VQA]"):
        code, _, err = run("--recipe_cfg", recipe(metrics))
        assert code == 0
        assert "nothing is asked" in err
        assert (folder(tmp_path) / "predictions.jsonl").read_bytes() == journal
    assert mean(folder(tmp_path) / "results.json") > 0
    config = (folder(tmp_path) / "config.yaml").read_text()
    assert "metric_cfg:\n    - metric_type: Length\n    - metric_type: VQA\n" in config


def test_score_scores_all_of_them_again(recipe, run: Run, tmp_path: Path) -> None:
    run("--recipe_cfg", recipe("[VQA, Accuracy, {metric_type: VQA, content_only: true}]"))
    place = folder(tmp_path)
    names = ("results.json", "results_Accuracy.json", "results_VQA.json")
    before = {name: (place / name).read_bytes() for name in names}
    for name in names:
        (place / name).unlink()
    code, out, _ = run("score", place)
    assert code == 0
    assert ("by Accuracy" in out, "by VQA" in out) == (True, True)
    assert {name: (place / name).read_bytes() for name in names} == before
    code, out, _ = run("score", place, "--metric", "Accuracy")  # one of them has its own file
    assert "results_Accuracy.json" in out
    assert "by VQA" not in out
    # The main metric with other options than any in the recipe replaces the file of none.
    run("score", place, "--metric", "VQA", "content_only=false")
    run("score", place, "--metric", "MMBenchVQA")
    assert {name: (place / name).read_bytes() for name in names} == before
    assert (place / "results_MMBenchVQA.json").is_file()


def test_a_metric_that_cannot_score_is_found_before_the_first_question(
    recipe, run: Run, tmp_path: Path
) -> None:
    for given in ([], ["--dry-run"]):
        code, _, err = run("--recipe_cfg", recipe("[VQA, Absent]"), *given)
        assert (code, "pip install it" in err) == (3, True)
        code, _, err = run("--recipe_cfg", recipe("[VQA, ScienceQA_Calibration]"), *given)
        assert (code, "ScienceQA_Calibration scores options" in err) == (2, True)
    assert not (tmp_path / "results").exists()


def test_a_metric_that_fails_loses_no_other(recipe, run: Run, tmp_path: Path) -> None:
    metrics = "[VQA, {metric_type: Length, fails: true}, Accuracy]"
    code, _, err = run("--recipe_cfg", recipe(metrics))
    assert code == 3
    assert "own.py:17, in metric_func" in err
    assert (folder(tmp_path) / "results.json").is_file()
    assert (folder(tmp_path) / "results_Accuracy.json").is_file()
    assert not (folder(tmp_path) / "results_Length.json").exists()


def test_a_subset_replaces_the_results_of_none(recipe, run: Run, tmp_path: Path) -> None:
    run("--recipe_cfg", recipe(LIST))
    whole = (folder(tmp_path) / "results_Length.json").read_bytes()
    run("--recipe_cfg", recipe(LIST), "--limit", "5")
    assert (folder(tmp_path) / "results_Length.json").read_bytes() == whole
    part = json.loads((folder(tmp_path) / "results_Length_5_samples.json").read_text())
    assert part["coverage"]["total"] == 5


@pytest.mark.parametrize(
    ("metrics", "says"),
    [
        ("[VQA, VQQA]", r"r\.yaml:5: eval_cfg\.metric_cfg\.1\.metric_type: unknown metric 'VQQA'"),
        ("[VQA, {metric_type: VQA, contnt_only: 1}]", r"metric_cfg\.1\.contnt_only: unknown key"),
        ("[VQA, 3]", r"metric_cfg\.1: must be a mapping, the name of a metric"),
        ("[VQA, {metric_type: VQA}]", r"metric_cfg\.1: is the same metric as .*\.0"),
        ("3", r"eval_cfg\.metric_cfg: must be a mapping"),
    ],
)  # fmt: skip
def test_mistakes_are_located(recipe, metrics: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        load_recipe(recipe(metrics))


def test_overrides_reach_each_metric(recipe) -> None:
    path = recipe("[VQA, {metric_type: Length}]")
    at = "eval_cfg.metric_cfg"

    def changed(*overrides: str) -> list[dict[str, object]]:
        return [dict(item.values) for item in load_recipe(path, overrides).metrics]

    assert changed(f"{at}.1.words=true")[1] == {"metric_type": "Length", "words": True}
    assert changed(f"{at}[1].words=true") == changed(f"{at}.1.words=true")
    assert changed(f"{at}=[VQA,Accuracy]")[1] == {"metric_type": "Accuracy"}
    assert changed(f"{at}=Length") == [{"metric_type": "Length"}]
    assert changed(f"{at}={{metric_type: VQA}}") == [{"metric_type": "VQA"}]
    for override, says in (
        (f"{at}.words=true", r"name the place of one of them \(0 to 1\): .*metric_cfg\.0\.words"),
        (f"{at}.2.words=true", "its places are 0 to 1"),
        (f"{at}.0.words=true", r"is a single value .*\n.*metric_cfg\.0=\{words: \.\.\.\}"),
    ):
        with pytest.raises(ConfigError, match=says):
            changed(override)


def test_the_files_of_scores_and_results_belong_together() -> None:
    assert score_file_of(Path("a/results_5_samples.json")) == Path("a/scores_5_samples.jsonl")
    assert score_file_of(Path("a/x_results_VQA.json")) == Path("a/x_scores_VQA.jsonl")


def test_scores_by_category_and_exported_samples_have_every_metric(
    run: Run, recipe, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    several = recipe("[basic, VQA, {metric_type: Length, words: true}]")
    code, out, err = run("--recipe_cfg", several, "--by", "category")
    assert code == 0, err
    tables = [line for line in out.splitlines() if line.startswith("Shapes/r by category: ")]
    assert [line.split()[-1] for line in tables] == ["ACC", "VQA", "Length"]
    assert "by category: ACC by VQA" in out
    assert out.count("every figure of each group: ") == 3
    assert f"every figure of each group: {folder(tmp_path) / 'results_Length.json'}" in out
    rows = chef.load_run(folder(tmp_path)).rows
    assert list(rows[0])[12:16] == ["score", "status", "score_VQA", "score_Length"]
    for column, name in (
        ("score", "scores"), ("score_VQA", "scores_VQA"),
        ("score_Length", "scores_Length"),
    ):  # fmt: skip
        lines = (folder(tmp_path) / f"{name}.jsonl").read_text().splitlines()
        stored = {line["id"]: line["score"] for line in map(json.loads, lines)}
        assert {row["id"]: row[column] for row in rows} == stored


def test_the_files_of_a_metric_that_was_removed_stay_and_are_no_part_of_the_run(
    run: Run, recipe, tmp_path: Path
) -> None:
    assert run("--recipe_cfg", recipe("[basic, VQA]"))[0] == 0
    before = (folder(tmp_path) / "results_VQA.json").read_bytes()
    code, out, err = run("--recipe_cfg", recipe("[basic]"))
    assert (code, "by VQA" in out) == (0, False), err
    loaded = chef.load_run(folder(tmp_path))
    assert not loaded.report.further
    assert "score_VQA" not in loaded.rows[0]
    assert (folder(tmp_path) / "results_VQA.json").read_bytes() == before


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["--metric", "Acuracy"], "error: --metric Acuracy: unknown metric 'Acuracy'"),
        (["--metric", "VQA", "foo=1"], "error: override 'foo=...': unknown key for VQA"),
        (["foo=1"], "error: override 'foo=...': unknown key for Accuracy"),
    ],
)
def test_a_wrong_option_of_score_is_told_as_it_was_typed(
    run: Run, recipe, tmp_path: Path, given: list[str], says: str
) -> None:
    path = recipe("[basic]")
    path.write_text(path.read_text().replace("plugins: [own.py]\n", ""))
    assert run("--recipe_cfg", path)[0] == 0
    code, _, err = run("score", folder(tmp_path), *given)
    assert (code, err.splitlines()[0].startswith(says)) == (2, True), err
    assert "config.yaml" not in err
