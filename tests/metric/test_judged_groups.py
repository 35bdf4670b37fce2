"""Judgements of groups: what one wrong answer decides, and what is not asked then."""

from __future__ import annotations

from typing import Any

from judgements_by_hand import ERROR, SKIPPED, judging, said
from metric.judged import PETS, entry, values

from chef.metric import METRICS, Metric
from chef.metric.judgeable import plain


def test_a_wrong_answer_decides_its_group_and_an_unknown_one_does_not() -> None:
    metric: Metric = METRICS.get("MMBenchVQA")()
    record = {"id": "1", "answer": "hm", **PETS}
    assert metric.is_right({**record, "answer": "(B"})
    assert not metric.is_right(record)
    assert not metric.is_right({**record, "judgements": plain([said("1", "option", 0)])})
    assert metric.is_right({**record, "judgements": plain([said("1", "option", ERROR)])})
    assert metric.is_right({**record, "gt_choice": None})


def rotations(make, count: int = 3, **answers: str) -> list[Any]:
    """The rows of a question, all with the right answer but those given."""
    names = ["7", *(f"7-{place}" for place in range(1, count))]
    return [
        make(name, answers.get(name.replace("-", "_"), "(B"), circular_group="7",
             circular_size=count, category="pets", **PETS)
        for name in names
    ]  # fmt: skip


def test_skipped_rotations_are_wrong_in_circular_accuracy_alone(make) -> None:
    given = judging("option", {"7": 1, "7-1": 0, "7-2": SKIPPED})
    metric = METRICS.get("MMBenchVQA")()
    report = metric.evaluate(rotations(make), judging=given, groupings={"category": "category"})
    counts = report.coverage
    assert (counts.scored, counts.skipped, counts.unjudged, counts.errors) == (3, 1, 0, 0)
    assert counts.missing == 0
    found = values(report)
    assert (found["vanilla_acc"], found["circular_acc"]) == (100, 0)
    assert found["incomplete_groups"] == 0
    assert report.metrics["option_match"].n == 2
    assert entry(report, "7-2").keys() == {"id", "status", "judgements", "skipped"}
    assert report.judge is not None
    assert (report.judge.judged, report.judge.skipped, report.judge.total) == (2, 1, 3)
    group = report.by["category"]["pets"]
    assert (group.coverage.skipped, group.metrics["circular_acc"].value) == (1, 0)


def test_rotations_after_a_failed_judgement_leave_the_group_out(make) -> None:
    given = judging("option", {"7": 1, "7-1": ERROR, "7-2": 1})
    report = METRICS.get("MMBenchVQA")().evaluate(rotations(make), judging=given)
    assert report.coverage.unjudged == 1
    assert report.metrics["circular_acc"].n == 0
    assert values(report)["incomplete_groups"] == 1


def test_main_rows_are_never_skipped() -> None:
    metric = METRICS.get("MMBenchVQA")()
    assert metric.stops_groups
    assert not metric.may_skip({"id": "7", "circular_group": "7"})
    assert metric.may_skip({"id": "7-1", "circular_group": "7"})
    assert not METRICS.get("VQA")().may_skip({"id": "7-1", "circular_group": "7"})


def test_a_metric_without_groups_lacks_the_skipped_judgement(make) -> None:
    given = judging("option", {"7": 1, "7-1": 0, "7-2": SKIPPED})
    report = METRICS.get("VQA")().evaluate(rotations(make), judging=given)
    assert (report.coverage.scored, report.coverage.unjudged) == (2, 1)
    assert "another answer of the group is wrong" in entry(report, "7-2")["unjudged"]
