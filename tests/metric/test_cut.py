"""Answers that the limit of new tokens has cut."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from conftest import process_restored
from fakes import Hashing

import chef
from chef.metric import Metric, Report
from chef.metric.vqa.accuracy import Accuracy
from chef.report.load import load_run
from chef.report.page.figures import headline
from chef.report.page.opened import OpenedRun
from chef.report.views import Views
from chef.scoring.result import RunResult, read_result, table, write_result
from chef.session.replay import RunReplay
from chef.types import Prediction, Status

Make = Callable[..., Prediction]


def answered(make: Make, *, cut: int, of: int = 20) -> list[Prediction]:
    """Answers of which all whole ones are right, and all that are cut wrong."""
    options = {"choices": ["cat", "dog"], "gt_choice": 0}
    whole = [make(f"w{n}", "A", **options) for n in range(of - cut)]
    return whole + [make(f"c{n}", "B", Status.TRUNCATED, **options) for n in range(cut)]


def result(report: Report, file: Path = Path("results.json")) -> RunResult:
    return RunResult.of(report, recipe="r", scenario="s", model="m", file=file)


def test_the_score_among_the_others(make: Make) -> None:
    report = Accuracy().evaluate(answered(make, cut=4))
    assert report.cut is not None
    assert report.metrics["ACC"].value == 80.0
    assert (report.cut.samples, report.cut.thoughts, report.cut.scored) == (4, 0, 20)
    assert report.cut.others == Accuracy().evaluate(answered(make, cut=4)[:16]).metrics["ACC"]
    shown = table([result(report)])
    assert shown.splitlines()[0] == (
        "20.0% of the answers were cut by the limit of new tokens: raise it with "
        "eval_cfg.inferencer_cfg.max_new_tokens=N"
    )
    assert "4 of 20 answers were cut by the limit of new tokens; ACC among the others: " in shown
    assert "100.0% [80.6, 100.0], n=16." in shown


def test_one_in_twenty_is_told_below_the_table_alone(make: Make) -> None:
    shown = table([result(Accuracy().evaluate(answered(make, cut=1)))])
    assert shown.startswith("model: m\n")
    assert "1 of 20 answers were cut by the limit of new tokens; ACC among the others: " in shown


def test_nothing_is_said_where_nothing_is_known_to_be_cut(make: Make) -> None:
    report = Accuracy().evaluate(answered(make, cut=0))
    assert report.cut is None
    assert "cut" not in report.to_json()
    assert "cut" not in table([result(report)])


def test_a_thought_that_was_cut_counts_and_has_a_limit_of_its_own(make: Make) -> None:
    first, *others = answered(make, cut=1, of=10)
    thought = replace(first, trace={"CoT_truncated": True})
    report = Accuracy().evaluate([thought, *others])
    assert report.cut is not None
    assert (report.cut.samples, report.cut.thoughts) == (2, 1)
    assert result(report).warning.endswith(
        "eval_cfg.inferencer_cfg.cot_max_new_tokens=N eval_cfg.inferencer_cfg.max_new_tokens=N"
    )


def test_answers_from_elsewhere_have_no_option_to_set(make: Make) -> None:
    report = Accuracy().evaluate(answered(make, cut=4))
    told = result(report, Path("answers_results.json")).warning
    assert told == "20.0% of the answers were cut by the limit of new tokens."


def test_each_of_several_runs_is_named(make: Make) -> None:
    few, many = (result(Accuracy().evaluate(answered(make, cut=cut))) for cut in (1, 4))
    assert table([few, many]).startswith("s/r: 20.0% of the answers")


def test_failed_samples_are_not_cut_and_all_may_be(make: Make) -> None:
    failed = make("e", None, Status.ERROR, choices=["cat", "dog"], gt_choice=0)
    report = Accuracy().evaluate([*answered(make, cut=2, of=2), failed])
    assert report.cut is not None
    assert (report.cut.samples, report.cut.scored, report.cut.others) == (2, 2, None)
    assert "2 of 2 answers were cut by the limit of new tokens.\n" in f"{report.cut.why}\n"


def test_what_is_scored_as_one_is_left_out_as_one(make: Make) -> None:
    class Pairs(Metric):
        primary = "n"

        def scored_with(self, record):
            return record["pair"]

        def metric_func(self, answers):
            return {"n": float(len(answers))}

    status = {"a1": Status.TRUNCATED}
    names = ("a1", "a2", "b1", "b2")
    report = Pairs().evaluate(
        make(name, "x", status.get(name, Status.OK), pair=name[0]) for name in names
    )
    assert report.cut is not None
    assert report.cut.others is not None
    assert report.cut.others.value == 2.0


def test_results_json_keeps_it(make: Make, tmp_path: Path) -> None:
    written = result(Accuracy().evaluate(answered(make, cut=4)), tmp_path / "results.json")
    write_result(written)
    read = read_result(written.file)
    assert read is not None
    assert read.cut == written.cut
    assert written.to_json()["cut"]["share"] == pytest.approx(0.2)
    damaged = msgspec.json.decode(written.file.read_bytes())
    damaged["cut"].pop("scored")
    written.file.write_bytes(msgspec.json.encode(damaged))
    with pytest.raises(chef.DataError, match="damaged"):
        read_result(written.file)


class Cut(Hashing):
    """A model of which every reply is cut."""

    def generate(self, requests):
        return [replace(reply, finish_reason="length") for reply in super().generate(requests)]


def test_the_page_begins_with_it(tmp_path: Path) -> None:
    recipe = {
        "scenario_cfg": {"dataset_name": "Shapes", "task": "mcq", "size": 6, "ppl": False},
        "eval_cfg": {"inferencer_cfg": {"inferencer_type": "Direct"}},
    }
    with process_restored():
        report = chef.evaluate(Cut(), recipe, save_dir=tmp_path, on_progress=lambda _: None)
    run = load_run(report.folder)
    told = headline(OpenedRun("x", Views(run, RunReplay(run.record))), run.report).paragraphs
    assert told[0] == report.warning
    assert told[0].startswith("100.0% of the answers were cut")
    assert report.cut is not None
    assert report.cut.why in told
