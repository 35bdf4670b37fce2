"""Errors in a user's own files: where they are, on the terminal and in the run folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from chef.cli import main

MODEL = """\
from fakes import Hashing


class Mine(Hashing):
    name = "mine"

    def __init__(self, *, wrong: str = ""):
        super().__init__()
        self.wrong = wrong
        if wrong == "init":
            self.seed = unknown_name

    def score(self, requests):
        if self.wrong == "all" or any("7?" in r.conversation[-1].text for r in requests):
            return {}["colour"]
        return super().score(requests)
"""
METRIC = """\
from chef import Metric


class Odd(Metric):
    def __init__(self, dataset_name: str = "", *, whole: bool = False):
        super().__init__(dataset_name)
        self.whole = whole

    def score_sample(self, record):
        if self.whole:
            return {}
        return {"metric_result": record["anwser"] == "one"}

    def metric_func(self, answers):
        return sum(a["metric_rsult"] for a in answers) / len(answers)
"""
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, recipe_file: Callable[..., Path], capsys, monkeypatch) -> Run:
    """Runs ``chef eval`` with a model and a metric of the user's, in their folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mymodel.py").write_text(MODEL)
    (tmp_path / "mymetric.py").write_text(METRIC)
    (tmp_path / "m.yaml").write_text("plugins: [mymodel.py]\nmodel_name: Mine\n")
    recipe = recipe_file()
    odd = recipe.read_text().replace("plugins: [", "plugins: [mymetric.py, ")
    (tmp_path / "odd.yaml").write_text(odd + "  metric_cfg: {metric_type: Odd}\n")

    def run(*arguments: str, recipe: str = "r.yaml") -> tuple[int, str, str]:
        given = ["--model_cfg", "m.yaml", "--recipe_cfg", recipe, "--time", "t"]
        code = main(["eval", *given, *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_samples_that_fail_are_grouped_by_cause(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("scenario_cfg.bad=[3,4,5]")
    assert code == 1
    folder = Path("results/mine/Numbers/r-t")
    shown = out.partition("errors of Numbers/r: 5 of 20 samples\n")[2].splitlines()
    assert shown == [
        "  3 x SampleError: row 3: made bad on purpose",
        "    samples: n3, n4, n5",
        "    -> the same command asks these samples again",
        "  2 x KeyError('colour')",
        '    at mymodel.py:15, in score: return {}["colour"]',
        "    samples: n17, n7",
        "    -> correct mymodel.py:15; the same command asks these samples again",
        f"  all of them: {folder}/errors.txt",
    ]
    groups = json.loads((folder / "results.json").read_text())["errors"]
    assert [(item["count"], item["first_ids"]) for item in groups] == [
        (3, ["n3", "n4", "n5"]),
        (2, ["n17", "n7"]),
    ]
    assert groups[1]["at"].startswith("mymodel.py:15")
    text = (folder / "errors.txt").read_text()
    assert f'File "{tmp_path}/mymodel.py", line 15, in score' in text
    assert "executor.py" not in text  # how often a batch was halved is not the user's concern


def test_the_file_of_errors_goes_when_they_are_mended(run: Run, tmp_path: Path) -> None:
    run()
    folder = tmp_path / "results/mine/Numbers/r-t"
    assert (folder / "errors.txt").exists()
    lines = (folder / "predictions.jsonl").read_text().splitlines()
    kept = [line for line in lines if '"status":"error"' not in line]
    (folder / "predictions.jsonl").write_text("\n".join(kept) + "\n")
    assert main(["score", str(folder)]) == 0
    assert not (folder / "errors.txt").exists()


def test_a_model_that_fails_always_names_its_line(run: Run, tmp_path: Path) -> None:
    code, _, err = run("model_cfg.wrong=all")
    assert code == 3
    assert 'at mymodel.py:15, in score: return {}["colour"]' in err
    assert "Traceback" not in err
    file = tmp_path / "results/mine/Numbers/r-t/traceback.txt"
    assert f"the whole traceback: {file.relative_to(tmp_path)}" in err
    assert 'return {}["colour"]' in file.read_text()
    (tmp_path / "mymodel.py").write_text(MODEL)
    assert run("model_cfg.wrong=all", "--traceback")[2].count("Traceback") >= 1


def test_a_constructor_that_fails_names_its_line(run: Run) -> None:
    code, _, err = run("model_cfg.wrong=init")
    assert code == 3
    assert "NameError: name 'unknown_name' is not defined" in err
    assert "at mymodel.py:11, in __init__: self.seed = unknown_name" in err
    assert "-> correct mymodel.py:11" in err
    assert "this is a bug" not in err


def test_a_file_that_is_no_python_names_its_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("x = 1\ndef f(:\n")
    (tmp_path / "m.yaml").write_text("plugins: [broken.py]\nmodel_name: Mine\n")
    code, _, err = run()
    assert code == 2
    assert "at broken.py:2: def f(:" in err


def test_a_metric_that_fails_on_every_answer(run: Run) -> None:
    code, out, err = run(recipe="odd.yaml")
    assert code == 1
    assert "18 x KeyError: 'anwser' (in the metric)" in out
    # It was said before the first question.
    said = "the metric Odd cannot score sample 'n0': KeyError: 'anwser' (at mymetric.py:12"
    assert err.index(said) < err.index("batch size: automatic")
    assert 'at mymetric.py:12, in score_sample: return {"metric_result"' in out
    assert "scores again and asks the model nothing" in out


def test_a_metric_that_fails_as_a_whole(run: Run, tmp_path: Path, capsys) -> None:
    given = "eval_cfg.metric_cfg.whole=true"
    code, _, err = run(given, recipe="odd.yaml")
    assert code == 3
    assert "at mymetric.py:15, in <genexpr>: return sum(" in err
    folder = tmp_path / "results/mine/Numbers/odd-t"
    assert "metric_rsult" in (folder / "traceback.txt").read_text()
    assert main(["score", str(folder), "--recipe_cfg", "odd.yaml", "whole=true"]) == 3
    assert "at mymetric.py:15" in capsys.readouterr().err


def test_the_traceback_of_each_cause_can_be_printed(run: Run) -> None:
    _, out, _ = run("--traceback")
    assert "Traceback (most recent call last)" in out
    assert "Traceback" not in run()[1]


def test_a_method_with_the_wrong_arguments_names_its_definition(run: Run, tmp_path: Path) -> None:
    text = METRIC.replace(
        "def score_sample(self, record):", "def score_sample(self, record, more):"
    )
    (tmp_path / "mymetric.py").write_text(text)
    code, out, _ = run(recipe="odd.yaml")
    assert code == 1
    assert "at mymetric.py:9, in score_sample: def score_sample(self, record, more):" in out


def test_a_model_with_the_wrong_arguments_names_its_definition(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mymodel.py").write_text(MODEL.replace("score(self, requests)", "score(self)"))
    code, _, err = run()
    assert code == 3
    assert "at mymodel.py:13, in score: def score(self):" in err
    assert "this is a bug" not in err
