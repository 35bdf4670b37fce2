"""The command line of judges: eval --judge_cfg, judge, --dry-run, and what is said of mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import ROOT

from chef.cli import main

PLUGIN = ROOT / "tests" / "judge" / "scripted.py"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with model files of a tested model and of judges, and a recipe."""
    for name, kind in (("talker", "Talker"), ("fair", "Fair"), ("broken", "Broken")):
        content = {"plugins": [str(PLUGIN)], "model_name": kind}
        (tmp_path / f"{name}.yaml").write_text(json.dumps(content))
    recipe = {
        "plugins": [str(PLUGIN)],
        "scenario_cfg": {"dataset_name": "Colours"},
        "eval_cfg": {"inferencer_cfg": {"inferencer_type": "Direct"}},
    }
    (tmp_path / "r.yaml").write_text(json.dumps(recipe))
    monkeypatch.chdir(tmp_path)
    return tmp_path


RUN = ["eval", "--model_cfg", "talker.yaml", "--recipe_cfg", "r.yaml", "--run_name", "day"]
FOLDER = "results/Talker/Colours/r-day"


def test_eval_with_a_judge_shows_its_figure(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*RUN, "--judge_cfg", "fair.yaml", "judge_cfg.kind=equivalence"]) == 0
    out = capsys.readouterr().out
    assert "0.800" in out
    assert "fair (" in out
    lines = (place / FOLDER / "judgements.jsonl").read_text().splitlines()
    assert {json.loads(line)["kind"] for line in lines} == {"equivalence"}


def test_a_file_with_the_section_is_a_judge_too(place: Path) -> None:
    section = {"judge_cfg": {"model_cfg": "fair.yaml", "kind": "option", "when": "always"}}
    (place / "judges.yaml").write_text(json.dumps(section))
    assert main([*RUN, "--judge_cfg", "judges.yaml"]) == 0
    record = json.loads((place / FOLDER / "environment.json").read_text())["judging"]
    assert (record["when"], record["kinds"]) == ("always", ["option"])


def test_a_judge_that_is_down_is_exit_code_3_and_the_command_goes_on(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*RUN, "--judge_cfg", "broken.yaml"]) == 3
    captured = capsys.readouterr()
    assert "the judge Broken failed" in captured.err
    assert "the same command goes on" in captured.err
    assert "coverage" not in captured.out
    assert main([*RUN, "--judge_cfg", "fair.yaml"]) == 0


def test_judge_afterwards_writes_files_of_its_own_and_says_so(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(RUN) == 0
    judge = ["score", FOLDER, "--judge_cfg", "fair.yaml", "--recipe_cfg", "r.yaml"]
    assert main(judge) == 0
    captured = capsys.readouterr()
    assert "results_judged.json" in captured.err
    assert (place / FOLDER / "results_judged.json").is_file()
    assert main([*judge, "--judge_cfg", "broken.yaml"]) == 3


def test_dry_run_shows_the_first_question_to_a_judge(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*RUN, "--judge_cfg", "fair.yaml", "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "judged by fair" in out
    assert "Which colour has number 0?" in out
    assert "Verdict: [[X]]" in out
    assert not (place / "results").exists()


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        (["fair.yaml", "judge_cfg.knd=grade"], "did you mean 'judge_cfg.kind=...'?"),
        (["fair.yaml", "judge_cfg.kind=graed"], "did you mean 'grade'?"),
        (["fair.yaml", "judge_cfg.when=allways"], "did you mean 'always'?"),
        (["fair.yaml", "judge_cfg.kind=grade", "judge_cfg.wording=brif"], "did you mean 'brief'?"),
        (["fair.yaml", "judge_cfg.kind=grade", "judge_cfg.rubric=x"], "kind: rating"),
        (["fair.yaml", "judge_cfg.kind=grade", "judge_cfg.against=x"], "kind: preference"),
        (["fair.yaml", "judge_cfg.kind=preference", "judge_cfg.against=x"], "the folder of a run"),
        (["fair.yaml", "judge_cfg.attempts=0"], "it must be 1 or more"),
        (["fiar.yaml"], "did you mean 'fair.yaml'?"),
        (["fair.yaml", "fair.yaml", "./fair.yaml"], "remove one of the two"),
        (["r.yaml"], "a file with the section judge_cfg"),
        (["fair.yaml", "eval_cfg.metric_cfg=ANLS"], "remove judge_cfg, or choose a metric"),
    ],
)
def test_mistakes_are_told_before_anything_is_asked(
    place: Path, capsys: pytest.CaptureFixture[str], given: list[str], hint: str
) -> None:
    assert main([*RUN, "--judge_cfg", *given]) == 2
    assert hint in capsys.readouterr().err
    assert not (place / "results").exists()


def test_a_metric_that_needs_a_judge_asks_for_one(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*RUN, "eval_cfg.metric_cfg=JudgedAccuracy"]) == 2
    assert "--judge_cfg FILE" in capsys.readouterr().err


def test_judge_without_a_judge_or_a_run_says_what_is_missing(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", "--judge_cfg", "fair.yaml"]) == 2
    assert "RUN_DIR is missing" in capsys.readouterr().err
    assert main(RUN) == 0
    assert main(["score", FOLDER, "--judge"]) == 2
    assert "--judge_cfg FILE" in capsys.readouterr().err
    assert main(["score", FOLDER, "--judge_cfg", "fair.yaml", "kind=grade"]) == 2
    assert "judge_cfg.kind=grade" in capsys.readouterr().err


def test_the_kinds_are_listed_and_described(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", "judges"]) == 0
    listed = capsys.readouterr().out
    for kind in ("option", "equivalence", "grade", "rating", "preference"):
        assert kind in listed
    assert main(["list", "rating"]) == 0
    assert "rubric" in capsys.readouterr().out
