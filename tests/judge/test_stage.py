"""Judging as a stage of its own: what is asked, what is kept, and what becomes of failures."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import forked
import pytest

import chef
from chef.errors import ConfigError, RunError


def test_answers_are_judged_once_and_scored_by_what_the_judge_says(bench: Any) -> None:
    report = bench.evaluate({"model_cfg": bench.judge()})
    assert bench.asked() == {"talker": 10, "judge": 10}
    assert report.metrics["share"].value == 0.8  # the answers to numbers 0 and 5 are wrong
    read = {line["id"]: line["reading"] for line in bench.lines()}
    assert read == {f"c{i}": -1 if i % 5 == 0 else 0 for i in range(10)}
    assert all(line["judge"] == "fair" and len(line["request"]) == 32 for line in bench.lines())
    again = bench.evaluate({"model_cfg": bench.judge()})
    assert bench.asked() == {}
    assert again.metrics == report.metrics
    assert len(bench.lines()) == 10


def test_another_run_that_needs_the_same_judgements_asks_nothing(bench: Any) -> None:
    bench.evaluate({"model_cfg": bench.judge()})
    bench.asked()
    bench.evaluate({"model_cfg": bench.judge()}, name="other")
    assert bench.asked() == {"talker": 10}
    assert (bench.folder / "results" / "judge_replies" / "responses.sqlite").is_file()


def test_a_reply_without_the_form_is_asked_again_with_a_reminder(bench: Any) -> None:
    report = bench.evaluate({"model_cfg": bench.judge(odd=True)})
    assert bench.asked()["judge"] == 20
    assert {line["attempts"] for line in bench.lines()} == {2}
    assert report.coverage.scored == 10


def test_what_cannot_be_read_three_times_is_unparsed_and_not_scored(bench: Any) -> None:
    report = bench.evaluate({"model_cfg": bench.judge(mute=True)})
    assert bench.asked()["judge"] == 30
    assert {(line["status"], line["attempts"]) for line in bench.lines()} == {("unparsed", 3)}
    assert (report.coverage.scored, report.coverage.unjudged) == (0, 10)
    bench.evaluate({"model_cfg": bench.judge(mute=True)})
    assert bench.asked() == {}
    bench.evaluate({"model_cfg": bench.judge(mute=True), "attempts": 4})
    assert bench.asked() == {"judge": 10}  # the first three replies are known


def test_the_embedded_model_is_a_poor_judge_and_that_is_counted(bench: Any) -> None:
    section = {"model_cfg": "tiny", "max_new_tokens": 8}
    report = bench.evaluate(section, size=3)
    assert {line["status"] for line in bench.lines()} == {"unparsed"}
    assert all(line["reply"] for line in bench.lines())
    assert report.coverage.unjudged == 3


def test_a_failed_judgement_is_an_error_and_is_asked_again_by_the_next_call(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_FAIL_ON", "number 3?")
    report = bench.evaluate({"model_cfg": bench.judge()})
    status = {line["id"]: line["status"] for line in bench.lines()}
    assert status.pop("c3") == "error"
    assert set(status.values()) == {"ok"}
    assert (report.coverage.scored, report.coverage.unjudged) == (9, 1)
    bench.asked()
    monkeypatch.delenv("JUDGE_FAIL_ON")
    report = bench.evaluate({"model_cfg": bench.judge()})
    assert bench.asked() == {"judge": 1}
    assert report.coverage.scored == 10


def test_a_judge_that_is_down_stops_the_run_and_keeps_the_answers(bench: Any) -> None:
    with pytest.raises(RunError, match="the judge Broken failed") as caught:
        bench.evaluate({"model_cfg": bench.judge(model_name="Broken")})
    assert "the same command goes on" in str(caught.value.hint)
    assert bench.asked() == {"talker": 10, "broken": 1}
    assert len(bench.lines("predictions.jsonl")) == 10
    assert not (bench.run_folder / "results.json").exists()
    report = bench.evaluate({"model_cfg": bench.judge()})
    assert bench.asked() == {"judge": 10}
    assert report.coverage.scored == 10


def test_a_process_killed_while_it_judges_goes_on_where_it_was(bench: Any) -> None:
    recipe = bench.recipe({"model_cfg": bench.judge()}, size=40)
    model = bench.folder / "talker.yaml"
    plugin = Path(__file__).with_name("scripted.py")
    model.write_text(json.dumps({"plugins": [str(plugin)], "model_name": "Talker"}))
    command = [
        sys.executable, "-m", "chef", "eval", "--model_cfg", str(model), "--recipe_cfg",
        str(recipe), "--save_dir", str(bench.folder / "results"), "--run_name", "day",
    ]  # fmt: skip
    killed = forked.run(command, env={**os.environ, "JUDGE_STOP_AFTER": "20"})
    assert killed.returncode == -signal.SIGKILL
    assert bench.asked() == {"talker": 40, "judge": 20}
    done = {line["id"] for line in bench.lines()}
    assert 0 < len(done) <= 20
    whole = (bench.run_folder / "judgements.jsonl").read_bytes()
    (bench.run_folder / "judgements.jsonl").write_bytes(whole + b'{"id":"c39","kind":"opt')
    rest = forked.run(command, check=True)
    assert "40 of 40 samples scored" in rest.stdout
    assert bench.asked() == {"judge": 40 - len(done)}
    assert sorted(line["id"] for line in bench.lines()) == sorted(f"c{i}" for i in range(40))
    assert (bench.run_folder / "judgements.jsonl").read_bytes().startswith(whole)


def test_a_changed_answer_is_judged_anew_and_no_other(bench: Any) -> None:
    bench.evaluate({"model_cfg": bench.judge()})
    bench.asked()
    journal = bench.run_folder / "predictions.jsonl"
    first = bench.lines("predictions.jsonl")[0]
    with journal.open("a") as stream:
        stream.write(json.dumps({**first, "answer": "After all it is red."}) + "\n")
    stale = chef.score(bench.run_folder, recipe=bench.folder / "r.yaml")
    assert stale.coverage.unjudged == 1  # what the judge said was about another answer
    report = bench.evaluate({"model_cfg": bench.judge()})
    assert bench.asked() == {"judge": 1}
    assert report.metrics["share"].value == 0.9


def test_a_changed_wording_is_judged_anew_and_the_first_one_is_remembered(bench: Any) -> None:
    judge = bench.judge()
    for wording, asked in (("default", 10), ("brief", 10), ("default", 0)):
        bench.evaluate({"model_cfg": judge, "kind": "option", "wording": wording})
        assert bench.asked()["judge"] == asked
    assert len(bench.lines()) == 30


def test_stored_judgements_are_scored_again_without_the_judge(bench: Any) -> None:
    judge = bench.judge()
    report = bench.evaluate({"model_cfg": judge})
    bench.asked()
    Path(judge).unlink()
    recipe = bench.recipe(None)
    again = chef.score(bench.run_folder, recipe=recipe)
    assert again.metrics == report.metrics
    assert bench.asked() == {}


def test_scores_without_judgements_are_not_made_by_the_rule(bench: Any) -> None:
    with pytest.raises(RunError):
        bench.evaluate({"model_cfg": bench.judge(model_name="Broken")})
    with pytest.raises(RunError, match="none of the 10 answers has a judgement"):
        chef.score(bench.run_folder, recipe=bench.recipe(None))
    assert not (bench.run_folder / "results.json").exists()


def test_two_judges_are_asked_one_after_the_other(bench: Any) -> None:
    judges = [bench.judge(name="first"), bench.judge(name="second", mute=True)]
    bench.evaluate({"model_cfg": judges})
    assert bench.asked()["judge"] == 40
    names = [item["name"] for item in bench.results("environment.json")["judging"]["judges"]]
    assert names == ["first", "second"]
    found = [(line["judge"], line["status"]) for line in bench.lines()]
    assert found == [("first", "ok")] * 10 + [("second", "unparsed")] * 10


def test_the_environment_tells_of_the_judge_and_survives_further_sessions(bench: Any) -> None:
    bench.evaluate({"model_cfg": bench.judge()}, size=5)
    bench.evaluate({"model_cfg": bench.judge()}, size=10, name="longer")
    record = bench.results("environment.json")["judging"]
    (judge,) = record["judges"]
    assert (record["when"], record["kinds"][0]) == ("unread", "option")
    assert len(judge["fingerprint"]) == 32
    assert judge["sessions"][0]["ok"] == judge["sessions"][0]["requests"] == 5
    assert record["versions"]["chef"]


def test_only_unread_answers_are_judged_unless_all_are_wanted(bench: Any) -> None:
    bench.evaluate({"model_cfg": bench.judge()})
    bench.asked()
    journal = bench.run_folder / "predictions.jsonl"
    first = bench.lines("predictions.jsonl")[1]
    with journal.open("a") as stream:
        stream.write(json.dumps({**first, "answer": "blue"}) + "\n")
    report = bench.evaluate({"model_cfg": bench.judge()})
    assert bench.asked() == {}  # the rule reads blue
    assert report.metrics["share"].value == 0.7
    bench.evaluate({"model_cfg": bench.judge(), "when": "always"})
    assert bench.asked() == {"judge": 1}


def test_a_group_stops_at_its_first_wrong_answer(bench: Any) -> None:
    report = bench.evaluate({"model_cfg": bench.judge()}, metric="InPairs")
    status = {line["id"]: line["status"] for line in bench.lines()}
    # c0 is wrong, so c1 is not judged; c5 is wrong, and c4 was judged before it.
    assert status == {f"c{i}": "skipped" if i == 1 else "ok" for i in range(10)}
    assert bench.asked()["judge"] == 9
    assert report.coverage.skipped == 1
    bench.evaluate({"model_cfg": bench.judge()}, metric="InPairs")
    assert bench.asked() == {}
    assert len(bench.lines()) == 10


def test_a_preference_is_asked_in_both_orders(bench: Any) -> None:
    report = bench.evaluate({"model_cfg": bench.judge(), "kind": "preference"}, size=2)
    found = [(line["id"], line["order"], line["reading"]) for line in bench.lines()]
    assert sorted(found) == [("c0", 0, 1.0), ("c0", 1, 0.0), ("c1", 0, 1.0), ("c1", 1, 0.0)]
    assert report.coverage.scored == 2


def test_a_preference_against_another_run_shows_its_answers(bench: Any) -> None:
    bench.evaluate(None, name="other", size=2)
    other = bench.run_folder.with_name("r-other")
    section = {"model_cfg": bench.judge(), "kind": "preference", "against": str(other)}
    bench.evaluate(section, size=3)
    by_order = {(line["id"], line["order"]): line for line in bench.lines()}
    assert by_order["c1", 0]["prompt"].count("I would say red, in item 1.") == 2
    missing = by_order["c2", 0]
    assert missing["status"] == "error"
    assert "the other run has no answer" in missing["error"]["message"]


def test_a_kind_of_a_plugin_is_asked(bench: Any) -> None:
    report = bench.evaluate({"model_cfg": bench.judge(), "kind": "Politeness"})
    assert {line["kind"] for line in bench.lines()} == {"Politeness"}
    assert {line["reading"] for line in bench.lines()} == {True, False}
    assert report.coverage.scored == 10


def test_judged_afterwards_the_results_of_the_rule_stay(bench: Any) -> None:
    bench.evaluate(None)
    before = bench.results()
    bench.asked()
    recipe = bench.folder / "r.yaml"
    report = chef.ask_judge(bench.run_folder, bench.judge(), recipe=recipe)
    assert bench.asked() == {"judge": 10}
    assert report.metrics["share"].value == 0.8
    assert bench.results() == before
    assert bench.results("results_judged.json")["result"]["share"] == 0.8
    assert (bench.run_folder / "scores_judged.jsonl").is_file()
    chef.ask_judge(bench.run_folder, recipe=recipe)
    assert bench.asked() == {}
    chef.score(bench.run_folder, recipe=recipe)
    assert bench.results()["result"] == before["result"]


def test_judged_afterwards_by_another_judge_a_judged_run_says_so(bench: Any) -> None:
    bench.evaluate({"model_cfg": bench.judge(mute=True)})
    bench.asked()
    chef.ask_judge(bench.run_folder, bench.judge(name="other"), recipe=bench.folder / "r.yaml")
    assert bench.asked() == {"judge": 10}
    assert bench.results()["result"]["share"] == 0.8
    assert "name: other" in (bench.run_folder / "config.yaml").read_text()
    assert not (bench.run_folder / "results_judged.json").exists()


def test_a_lost_file_of_judgements_ends_the_run(
    bench: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def remove(*_: Any) -> None:
        (bench.run_folder / "judgements.jsonl").unlink(missing_ok=True)

    monkeypatch.setattr("tqdm.tqdm.update", remove)
    with pytest.raises(RunError, match="was deleted or moved"):
        bench.evaluate({"model_cfg": bench.judge()})


def test_a_judge_may_not_be_named_where_no_metric_uses_it(bench: Any) -> None:
    with pytest.raises(ConfigError, match="no metric uses what it says"):
        bench.evaluate({"model_cfg": bench.judge()}, metric="ANLS")
    assert bench.asked() == {}


def test_the_section_itself_says_who_judges_and_how(bench: Any) -> None:
    bench.evaluate(None)
    section = {"model_cfg": bench.judge(), "attempts": 2}
    report = chef.ask_judge(bench.run_folder, section, recipe=bench.folder / "r.yaml")
    assert report.coverage.scored == 10
    assert bench.results("environment.json")["judging"]["judge_cfg"]["attempts"] == 2
    file = bench.folder / "section.yaml"
    file.write_text(json.dumps(section))
    with pytest.raises(ConfigError, match="not the key judge_cfg itself"):
        chef.ask_judge(bench.run_folder, file)


def test_a_model_that_judges_itself_is_told(bench: Any, caplog: pytest.LogCaptureFixture) -> None:
    itself = bench.judge(model_name="Talker")
    bench.evaluate({"model_cfg": itself, "attempts": 1})
    assert "is the model that gave the answers" in caplog.text
    caplog.clear()
    bench.evaluate({"model_cfg": bench.judge(mute=True)}, name="other")
    assert "is the model that gave the answers" not in caplog.text
