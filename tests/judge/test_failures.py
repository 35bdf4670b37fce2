"""What is told of judges that cannot be read or asked, and what is kept when judges change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

import chef
from chef.cli import main
from chef.errors import ConfigError, RunError
from chef.judge.stage import JudgeInferencer, JudgeName
from chef.judge.tasks import Judged
from chef.metric import METRICS
from chef.metric.judge_kind import JUDGE_KINDS
from chef.types import Generated

PLUGIN = ROOT / "tests" / "judge" / "scripted.py"


@pytest.mark.parametrize(
    ("reason", "told"), [("length", "max_new_tokens"), ("refused", "refused"), ("stop", "")]
)
def test_an_unparsed_judgement_tells_a_reply_that_was_cut_or_refused(
    bench: Any, reason: Any, told: str
) -> None:
    bench.evaluate({"model_cfg": bench.judge()}, name="day")
    predictions = chef.load_run(bench.run_folder).predictions[:1]
    kinds = {"grade": JUDGE_KINDS.get("grade")()}
    decoding = chef.config.judge.JudgeOptions().decoding
    judged = Judged([METRICS.get("JudgedGrade")("")], kinds, None, "always", decoding)
    units = {unit.name: unit for unit in judged.units(predictions)}
    noted = []
    asking = JudgeInferencer(
        JudgeName("j", "f"), units, decoding, 2,
        known=lambda task: None, note=noted.append,
    )  # fmt: skip
    (name,) = units
    program = asking.infer(chef.types.Sample(name))
    next(program)
    reply = Generated("Verdict: [[1", finish_reason=reason)
    program.send(reply)  # with the reminder
    with pytest.raises(StopIteration):
        program.send(reply)
    (made,) = noted
    assert (str(made.status), made.attempts) == ("unparsed", 2)
    assert told in ((made.error or {}).get("message") or "")
    assert (made.error is None) is (not told)


def test_failed_requests_to_a_judge_are_told_and_are_exit_code_1(
    bench: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JUDGE_FAIL_ON", "item 3")
    monkeypatch.chdir(bench.folder)
    model = bench.folder / "talker.yaml"
    model.write_text(json.dumps({"plugins": [str(PLUGIN)], "model_name": "Talker"}))
    recipe = bench.recipe({"model_cfg": bench.judge()}, metric="JudgedAccuracy")
    assert main(["eval", "--model_cfg", str(model), "--recipe_cfg", str(recipe)]) == 1
    out = capsys.readouterr().out
    assert "1 without a judgement: fair: the request failed" in out
    assert "the judge does not take this" in out


def test_of_several_judges_each_tells_what_it_could_not_read(
    bench: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    judges = [bench.judge(), bench.judge(mute=True, name="mute")]
    report = bench.evaluate({"model_cfg": judges, "kind": "equivalence"})
    assert report.coverage.scored == 10
    assert main(["score", str(bench.run_folder), "--trust-plugins"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (told,) = [line for line in lines if line.startswith("  mute (")]
    assert told.endswith("10 unparsed of 10 judgements")


def test_a_figure_without_judged_answers_does_not_name_the_judge_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    judge = tmp_path / "judge.yaml"
    judge.write_text(json.dumps({"plugins": [str(PLUGIN)], "model_name": "Fair"}))
    command = ["eval", "--model_cfg", "tiny", "--recipe_cfg", "Shapes/color_ppl", "--limit", "4"]
    assert main([*command, "--judge_cfg", str(judge)]) == 0
    out = capsys.readouterr().out
    assert "read by rule" in out
    header = next(line for line in out.splitlines() if "95% interval" in line)
    assert "judge" not in header


def test_another_judge_of_a_run_is_asked_what_its_recipe_asks(bench: Any) -> None:
    bench.evaluate({"model_cfg": bench.judge(), "kind": "equivalence", "wording": "brief"})
    other = bench.judge(name="other")
    chef.ask_judge(bench.run_folder, other, trust_plugins=True)
    record = bench.results("environment.json")["judging"]
    assert (record["kinds"], record["judge_cfg"]["wording"]) == (["equivalence"], "brief")
    assert [judge["name"] for judge in record["judges"]] == ["other"]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"model_name": "Gone"}, "the judge Gone failed: the server is gone"),
        ({"mute": True, "name": "mute"}, "none of the 10 answers has a judgement"),
    ],
)
def test_judgements_stay_until_another_judge_has_given_some(
    keys: dict[str, Any], message: str, bench: Any
) -> None:
    bench.evaluate({"model_cfg": bench.judge(), "kind": "equivalence"}, metric="JudgedAccuracy")
    before = chef.score(bench.run_folder, trust_plugins=True)
    with pytest.raises(RunError, match=message):
        chef.ask_judge(bench.run_folder, bench.judge(**keys), trust_plugins=True)
    after = chef.score(bench.run_folder, trust_plugins=True)
    assert (after.value, after.coverage) == (before.value, before.coverage)
    record = bench.results("environment.json")["judging"]
    assert [judge["name"] for judge in record["judges"]] == ["fair"]
    chef.ask_judge(bench.run_folder, bench.judge(name="other"), trust_plugins=True)
    record = bench.results("environment.json")["judging"]
    assert [(judge["name"], len(judge["sessions"])) for judge in record["judges"]] == [("other", 1)]


def test_a_judge_within_a_recipe_has_its_plugins_beside_the_recipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "recipes"
    place.mkdir()
    (place / "mine.py").write_text(PLUGIN.read_text())
    section = {"model_cfg": {"model_name": "Fair", "plugins": ["mine.py"]}}
    recipe = {
        "scenario_cfg": {"dataset_name": "Shapes"},
        "eval_cfg": {"inferencer_cfg": {"inferencer_type": "Direct"}, "judge_cfg": section},
    }
    (place / "r.yaml").write_text(json.dumps(recipe))
    monkeypatch.chdir(tmp_path)
    loaded = chef.config.load_recipe("recipes/r.yaml")
    assert loaded.judge is not None
    assert loaded.judge.names == "fair"
    section["model_cfg"]["plugins"] = ["mine_too.py"]
    (place / "r.yaml").write_text(json.dumps(recipe))
    with pytest.raises(ConfigError, match="plugin file not found"):
        chef.config.load_recipe("recipes/r.yaml")


def test_a_judge_in_the_place_of_a_run_is_told(
    bench: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    judge = bench.judge()
    assert main(["score", judge, "--judge"]) == 2
    assert f"--judge {judge}" in capsys.readouterr().err


def test_judgements_of_an_earlier_kind_can_still_be_scored(
    bench: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.evaluate(None, metric="ExactMatch")
    toy = bench.judge(model_name="Fixed")
    for metric in ("JudgedGrade", "JudgedRating"):
        chef.ask_judge(bench.run_folder, toy, metric=metric, trust_plugins=True)
    bench.asked()
    for metric in ("JudgedGrade", "JudgedRating"):
        assert main(["score", str(bench.run_folder), "--metric", metric]) == 0
        assert "10 of 10 answers" in capsys.readouterr().out
    assert not bench.asked()
    (earlier,) = bench.results("environment.json")["judging"]["earlier"]
    assert (earlier["kinds"], earlier["judges"][0]["name"]) == (["grade"], "Fixed")


def test_an_object_is_no_judge(bench: Any) -> None:
    bench.evaluate(None, metric="ExactMatch")
    for judge in (object(), [object()]):
        with pytest.raises(ConfigError, match=r"judge_cfg: an object of type object is no judge"):
            chef.ask_judge(bench.run_folder, judge)
