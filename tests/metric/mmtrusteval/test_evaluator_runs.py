"""Runs with chains of evaluators: figures, what is asked, failures, kill and resume."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import forked
import pytest

import chef
from chef.config.recipe import load_recipe, with_judge
from chef.errors import ConfigError, RunError
from chef.evaluator import Evaluator
from chef.report.task_log import log_form
from chef.run.journal import load_predictions
from chef.types import Prediction, Status

PLUGIN = Path(__file__).with_name("scripted_evaluators.py")
CHAIN = {
    "chatmodel_eval": {
        "prompt_template": "{pred} / {label} / {number} {{x}}",
        "generation_kwargs": {"max_new_tokens": 20, "do_sample": False},
        "metrics_cfg": {},
    },
    "verdict": {"metrics_cfg": {"pred_no_op": None, "pred_mean": {}, "failure": None}},
}
KEY = "chatmodel_eval->verdict"


class Bench:
    """A recipe, its runs, and what the judge was asked."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder, folder / "log"
        self.run = folder / "results" / "Speaker" / "Words" / "r-day"
        judge = {"plugins": [str(PLUGIN)], "model_name": "Referee"}
        (folder / "judge.yaml").write_text(json.dumps(judge))
        (folder / "model.yaml").write_text(json.dumps({**judge, "model_name": "Speaker"}))
        self.write([CHAIN])

    def write(
        self, chains: list[Any], size: int = 10, judge: Any = "judge.yaml", **keys: Any
    ) -> None:
        evaluation = {
            "inferencer_cfg": {"inferencer_type": "Direct"},
            "metric_cfg": {"evaluator_seq_cfgs": chains},
            **({"judge_cfg": {"model_cfg": judge}} if judge else {}),
        }
        content = {
            "plugins": [str(PLUGIN)],
            "scenario_cfg": {"dataset_name": "Words", "size": size},
            "eval_cfg": evaluation,
            **keys,
        }
        (self.folder / "r.yaml").write_text(json.dumps(content, indent=1))

    def evaluate(self, **options: Any) -> Any:
        files = self.folder / "model.yaml", self.folder / "r.yaml"
        return chef.evaluate(*files, name="day", save_dir=self.folder / "results", **options)

    def asked(self) -> Counter[str]:
        """What the judge was asked since the last call."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return Counter(json.loads(line) for line in lines)

    def results(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.run / "results.json").read_text())
        return found

    def lines(self, name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.run / name).read_text().splitlines()]


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    made = Bench(tmp_path)
    monkeypatch.setenv("REFEREE_LOG", str(made.log))
    return made


def test_a_chain_is_scored_logged_and_asked_once(bench: Bench) -> None:
    report = bench.evaluate()

    # good: 0 3 6 9, bad: 1 4 7, odd (nothing can be decided): 2 5 8
    values = {name: (item.value, item.n) for name, item in report.metrics.items()}
    assert values == {
        f"{KEY}:pred_mean": (pytest.approx(4 / 7), 7),
        f"{KEY}:failure": (0.3, 10),
        f"{KEY}:failure_rate": (0.3, 10),
        f"{KEY}:pred_mean_EVEN": (pytest.approx(2 / 3), 3),
        f"{KEY}:failure_EVEN": (0.4, 5),
        f"{KEY}:pred_mean_ODD": (0.5, 4),
        f"{KEY}:failure_ODD": (0.2, 5),
    }
    means = [name for name in values if ":pred_mean" in name]
    assert means == [f"{KEY}:pred_mean{end}" for end in ("", "_EVEN", "_ODD")]
    assert report.primary == f"{KEY}:pred_mean"
    mean = report.metrics[f"{KEY}:pred_mean"]
    assert 0.2 < mean.low < mean.value < mean.high < 0.9
    assert (report.coverage.scored, report.coverage.unparsed) == (10, 3)

    words = ["good", "bad", "odd"]
    wanted = Counter(f"{words[n % 3]} / truth {n} / {n} {{x}}" for n in range(10))
    assert bench.asked() == wanted
    first = bench.lines("scores.jsonl")[0]
    assert first["evaluations"] == {"chatmodel_eval:pred_no_op": "[Yes]", f"{KEY}:pred_no_op": 1}
    assert (first["score"], bench.results()["details"]["judge"].split()[0]) == (1, "Referee")
    assert len(bench.lines("evaluations.jsonl")) == 10

    again = bench.evaluate()
    scored = chef.score(bench.run, recipe=bench.folder / "r.yaml")
    assert again.metrics == scored.metrics == report.metrics
    assert not bench.asked()
    _check_log(bench, report)
    _check_edits(bench)


def _check_log(bench: Bench, report: Any) -> None:
    """The log of the finished run, by the keys that MMTrustEval gives it."""
    predictions = list(load_predictions(bench.run / "predictions.jsonl").values())
    entries = [item for item in bench.lines("scores.jsonl") if item["id"] != "w004"]
    log = log_form(
        report.metrics, predictions, entries, sequences=[CHAIN], run={"model": "Speaker"}
    )
    assert list(log) == ["total_results", "per_sample_results", "run"]
    assert log["total_results"][f"{KEY}:pred_mean_ODD"] == 0.5
    rows = {row["extra"]["number"]: row for row in log["per_sample_results"]}
    assert sorted(rows) == [0, 1, 2, 3, 5, 6, 7, 8, 9]
    assert rows[2] == {
        "chatmodel_eval:pred_no_op": "maybe",
        f"{KEY}:pred_no_op": None,
        "content": "Number 2: say odd",
        "pred": "odd",
        "label": "truth 2",
        "extra": {"subset": "EVEN", "number": 2},
    }
    assert log["run"] == {
        "model": "Speaker",
        "not_scored": [{"id": "w004", "reason": "it was not scored"}],
    }
    without = [{**CHAIN, "verdict": {"metrics_cfg": {"pred_mean": None}}}]
    log = log_form(report.metrics, predictions, entries, sequences=without, run={})
    assert f"{KEY}:pred_no_op" not in log["per_sample_results"][0]


def _check_edits(bench: Bench) -> None:
    """Another last evaluator asks nothing; another chain with the same beginning neither."""
    twice = {**CHAIN, "verdict": {"metrics_cfg": {"pred_sum": {}}}}
    mean = {"metrics_cfg": {"pred_mean": {}}}
    bench.write([twice, {"chatmodel_eval": CHAIN["chatmodel_eval"], "verdict": mean}])
    report = bench.evaluate()
    assert not bench.asked()
    assert report.metrics[f"{KEY}:pred_sum"].value == 4
    assert report.metrics[f"{KEY}:pred_mean"].value == pytest.approx(4 / 7)
    edited = {**CHAIN["chatmodel_eval"], "prompt_template": "Was this good? {pred}"}
    bench.write([{"chatmodel_eval": edited, "verdict": mean}])
    assert bench.evaluate().metrics[f"{KEY}:pred_mean"].value == 1
    assert sum(bench.asked().values()) == 3  # equal questions are asked once


def test_what_a_judge_fails_on_is_left_out_and_asked_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIL_ON", "bad / truth 1 ")
    plain = {"verdict": {"metrics_cfg": {"pred_sum": {}}}}
    bench.write([CHAIN, plain])
    report = bench.evaluate()

    assert report.metrics[f"{KEY}:pred_mean"].value == pytest.approx(4 / 6)  # no 0 for the failure
    assert {item.n for name, item in report.metrics.items() if ":failure" in name} == {9, 5, 4}
    assert (report.coverage.scored, report.coverage.unjudged) == (9, 1)
    lacking = next(line for line in bench.lines("scores.jsonl") if line["id"] == "w001")
    assert "the judge does not take this" in lacking["unjudged"]
    ((told,),) = [bench.results()["details"]["not_evaluated"]]
    assert (told["evaluator"], told["count"]) == ("chatmodel_eval", 1)
    assert len(bench.lines("evaluations.jsonl")) == 9

    bench.asked()
    monkeypatch.delenv("FAIL_ON")
    assert bench.evaluate().coverage.scored == 10
    assert bench.asked() == {"bad / truth 1 / 1 {x}": 1}


def test_answers_on_which_a_judge_always_fails_do_not_end_the_next_call(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIL_ON", "odd")
    bench.write([CHAIN], size=30)
    first = bench.evaluate()
    assert (first.coverage.scored, first.coverage.unjudged) == (20, 10)
    again = bench.evaluate()  # all ten that are asked fail
    assert again.coverage == first.coverage
    assert again.metrics == first.metrics


def test_with_their_rules_a_failure_is_a_text_that_is_scored(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIL_ON", "bad / truth 1 ")
    bench.write([CHAIN], compat="upstream")
    report = bench.evaluate()
    assert report.coverage.scored == 10
    outputs = {line["id"]: line["evaluations"] for line in bench.lines("scores.jsonl")}
    assert outputs["w001"]["chatmodel_eval:pred_no_op"].startswith("Error")
    assert f"{KEY}:failure_rate" not in report.metrics


def test_a_judge_that_answers_nothing_ends_the_run(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIL_ON", "truth")
    bench.write([CHAIN], size=40)
    with pytest.raises(RunError, match=r"failed on each of the first 8 answers.*does not take"):
        bench.evaluate()
    assert not (bench.run / "results.json").exists()
    monkeypatch.delenv("FAIL_ON")
    assert bench.evaluate().coverage.scored == 40


def test_a_judge_that_cannot_be_loaded_is_tried_once(bench: Bench) -> None:
    bench.write([CHAIN], judge={"plugins": [str(PLUGIN)], "model_name": "Absent"})
    with pytest.raises(RunError, match="nothing listens at port 9"):
        bench.evaluate()
    assert bench.asked() == {"prepare": 1}


def test_kill_in_the_middle_asks_nothing_twice(bench: Bench) -> None:
    bench.write([CHAIN], size=30)
    command = [
        sys.executable, "-m", "chef", "eval", "--time", "day",
        "--model_cfg", str(bench.folder / "model.yaml"),
        "--recipe_cfg", str(bench.folder / "r.yaml"), "--save_dir", str(bench.folder / "results"),
    ]  # fmt: skip
    environment = {**os.environ, "REFEREE_LOG": str(bench.log), "STOP_AFTER": "17"}
    killed = forked.run(command, env=environment)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    before = bench.asked()
    kept = bench.lines("evaluations.jsonl")
    assert sum(before.values()) == 17
    assert not (bench.run / "results.json").exists()

    report = bench.evaluate()
    assert report.coverage.scored == 30
    assert report.metrics[f"{KEY}:pred_mean"].value == 0.5
    after = bench.asked()
    words = ["good", "bad", "odd"]
    kept_prompts = {
        f"{words[n % 3]} / truth {n} / {n} {{x}}" for n in (int(line["id"][1:]) for line in kept)
    }
    assert not kept_prompts & set(after)
    assert sum((before + after).values()) <= 30 + 8  # a batch may have been cut short
    assert len({line["id"] for line in bench.lines("evaluations.jsonl")}) == 30


def test_the_judge_that_evaluators_name(bench: Bench) -> None:
    def chain(**keys: Any) -> dict[str, Any]:
        return {**CHAIN, "chatmodel_eval": {**CHAIN["chatmodel_eval"], **keys}}

    recipe = bench.folder / "r.yaml"
    bench.write([chain(model_id="judge.yaml")], judge=None)
    named = load_recipe(recipe).judge
    assert named is not None
    assert named.names == "Referee"
    refusals = {
        "asks the judge gpt-9, which is no model": [chain(model_id="gpt-9")],
        "scores what a judge says, and there is none": [CHAIN],
        "asks several judges": [chain(model_id="a"), {"chatmodel_score": {
            "model_id": "b", "prompt_template": "{} {}", "metrics_cfg": {"pred_mean": None}}}],
    }  # fmt: skip
    for what, chains in refusals.items():
        bench.write(chains, judge=None)
        with pytest.raises(ConfigError, match=what):
            bench.evaluate()
    bench.write([CHAIN], judge=["judge.yaml", {"model_name": "tiny"}])
    with pytest.raises(ConfigError, match="asks one judge, and judge_cfg names Referee, tiny"):
        bench.evaluate()
    bench.write([{"verdict": {"metrics_cfg": {"pred_mean": None}}}])
    with pytest.raises(ConfigError, match="no metric uses what it says"):
        bench.evaluate()

    bench.write([chain(model_id="gpt-9")], judge=None)  # --judge_cfg wins
    recipe_with_judge = with_judge(load_recipe(recipe), [bench.folder / "judge.yaml"])
    evaluator = Evaluator(recipe_with_judge)
    sample = Prediction("x", Status.OK, "good", sample={"gt_answers": "t", "extra": {"number": 1}})
    assert evaluator.metric.first_prompt(sample) == "good / t / 1 {x}"
    assert not bench.asked()


def test_wrong_keys_are_told_with_their_line(bench: Bench) -> None:
    wrong = {**CHAIN, "verdict": {"metrics_cfg": {"pred_meen": None}}}
    bench.write([wrong])
    with pytest.raises(ConfigError, match=r"unknown metric 'pred_meen'") as caught:
        Evaluator(load_recipe(bench.folder / "r.yaml"))
    assert caught.value.hint == "did you mean 'pred_mean'?"
    lines = (bench.folder / "r.yaml").read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "pred_meen" in text)
    assert f"r.yaml:{line}: eval_cfg.metric_cfg.evaluator_seq_cfgs.0." in str(caught.value)
