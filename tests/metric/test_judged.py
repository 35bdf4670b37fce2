"""What judges say becomes figures; an answer that lacks its judgement is not scored."""

from __future__ import annotations

from typing import Any

import pytest
from judgements_by_hand import ERROR, JUDGES, ONE, THREE, TWO, UNPARSED, judging, said
from metric.judged import PETS, entry, values

from chef.common.judgements import Judging
from chef.errors import DataError
from chef.metric import METRICS
from chef.metric.judgeable import plain
from chef.types import Status


@pytest.mark.parametrize("metric", ["Accuracy", "VQA", "LAMM_VQA", "MMMU_Metric", "JudgedAccuracy"])
def test_every_answer_takes_the_reading_of_the_judge(make, metric: str) -> None:
    answers = [make("1", "(B", **PETS), make("2", "(A", **PETS), make("3", "a puppy", **PETS)]
    report = METRICS.get(metric)().evaluate(
        answers, judging=judging("option", {"1": 0, "2": 1, "3": 1})
    )
    assert [item["metric_result"] for item in report.samples] == [0, 1, 1]
    assert [item["parsed"] for item in report.samples] == [0, 1, 1]
    assert entry(report, "3")["evidence"] == {
        "rule": "judge one", "text": "Verdict: [[1]]", "span": None,
    }  # fmt: skip
    assert entry(report, "3")["judgements"] == [
        {"judge": "one", "kind": "option", "status": "ok", "reading": 1, "reply": "Verdict: [[1]]"}
    ]
    assert report.judge is not None
    assert (report.judge.judged, report.judge.by_rule, report.judge.total) == (3, 0, 3)


def test_unread_only_answers_that_the_rule_cannot_read_are_judged(make) -> None:
    answers = [make("1", "(A", **PETS), make("2", "a puppy", **PETS), make("3", "hm", **PETS)]
    given = judging("option", {"2": 1}, when="unread")
    report = METRICS.get("VQA")().evaluate(answers, judging=given)
    assert [item.get("metric_result") for item in report.samples] == [0, 1, None]
    # The third one was to be judged, and nobody was asked: no rule stands in for the judge.
    assert entry(report, "3")["unjudged"] == "no judge was asked about it"
    counts = report.coverage
    assert (counts.scored, counts.unjudged, counts.missing, counts.errors) == (2, 1, 0, 0)
    assert values(report)["ACC"] == 50
    assert report.judge is not None
    assert (report.judge.judged, report.judge.by_rule, report.judge.not_asked) == (1, 1, 1)
    assert report.judge.total == 3


def test_without_a_judge_nothing_changes(make) -> None:
    answers = [make("1", "(B", **PETS), make("2", "a puppy", **PETS)]
    report = METRICS.get("VQA")().evaluate(answers)
    assert report.judge is None
    assert report.coverage.unjudged == 0
    assert "judge" not in report.to_json()
    assert [item["metric_result"] for item in report.samples] == [1, 0]


def test_a_judge_that_finds_none_of_the_options_makes_an_unparsed_answer(make) -> None:
    report = METRICS.get("VQA")().evaluate(
        [make("1", "a horse", **PETS)], judging=judging("option", {"1": -1})
    )
    assert (report.coverage.scored, report.coverage.unparsed) == (1, 1)
    assert values(report) == {"ACC": 0, "match_ratio": 0}


def test_an_option_that_there_is_not_is_an_error_of_its_sample(make) -> None:
    report = METRICS.get("VQA")().evaluate(
        [make("1", "a horse", **PETS)], judging=judging("option", {"1": 2})
    )
    assert report.coverage.errors == 1
    assert "option 2, and there are 2 options" in report.samples[0]["error"]["message"]


@pytest.mark.parametrize(
    ("status", "why", "count"),
    [
        (ERROR, "one: the request failed (no answer in 60 s)", "errors"),
        (UNPARSED, "one: the reply cannot be read", "unparsed"),
    ],
)
def test_a_failed_judgement_scores_nothing(make, status: Any, why: str, count: str) -> None:
    answers = [make("1", "(B", **PETS), make("2", "(B", **PETS)]
    report = METRICS.get("VQA")().evaluate(
        answers, judging=judging("option", {"1": status, "2": 1})
    )
    assert entry(report, "1")["unjudged"] == why
    assert (report.coverage.scored, report.coverage.unjudged) == (1, 1)
    assert report.metrics["ACC"].n == 1
    assert report.judge is not None
    assert getattr(report.judge, count) == 1
    assert report.judge.total == 2


def test_open_answers_are_compared_by_the_judge(make) -> None:
    answers = [make("1", "a feline", gt_answers="cat"), make("2", "cat", gt_answers="cat")]
    given = judging("equivalence", {"1": True, "2": False})
    report = METRICS.get("Accuracy")().evaluate(answers, judging=given)
    assert [item["metric_result"] for item in report.samples] == [1, 0]
    assert [item["parsed"] for item in report.samples] == ["a feline", "cat"]
    assert "open_answers" not in report.details  # no rule compared them


def test_open_questions_of_mmmu_are_compared_by_the_judge(make) -> None:
    question = {"question_type": "open", "gt_answers": ["cat"]}
    answers = [make("1", "a feline", **question), make("2", "cat", **question)]
    given = judging("equivalence", {"1": True}, when="unread")
    metric = METRICS.get("MMMU_Metric")()
    assert metric.judge_kind(answers[0].to_record()) == "equivalence"
    report = metric.evaluate(answers, judging=given)
    assert [item["metric_result"] for item in report.samples] == [1, 1]


def test_yes_and_no_are_read_by_the_judge(make) -> None:
    answers = [
        make("1", "Certainly not", gt_answers="no"),
        make("2", "Mmm", gt_answers="yes", options=["No", "Yes"]),
    ]
    metric = METRICS.get("POPE_Metric")()
    assert metric.judge_options(answers[0].to_record()) == ["Yes", "No"]
    assert metric.judge_options(answers[1].to_record()) == ["No", "Yes"]
    report = metric.evaluate(answers, judging=judging("option", {"1": 1, "2": 1}))
    assert [item["parsed"] for item in report.samples] == ["no", "yes"]
    assert values(report)["Accuracy"] == 1
    assert [metric.rule_reading(item.to_record()) for item in answers] == [1, None]


def test_a_sample_without_truth_is_neither_judged_nor_unjudged(make) -> None:
    unknown = {**PETS, "gt_choice": None}
    metric = METRICS.get("VQA")()
    assert metric.judge_kind({"id": "1", "answer": "hm", **unknown}) is None
    report = metric.evaluate([make("1", "hm", **unknown)], judging=judging("option", {}))
    assert (report.coverage.no_truth, report.coverage.unjudged) == (1, 0)


def test_an_option_chosen_by_its_score_needs_no_judge(make) -> None:
    answer = make("1", "(B", choice=1, **PETS)
    metric = METRICS.get("VQA")()
    assert metric.judge_kind(answer.to_record()) is None
    report = metric.evaluate([answer], judging=judging("option", {"1": 0}))
    assert entry(report, "1")["metric_result"] == 1
    assert report.judge is not None
    assert (report.judge.judged, report.judge.by_rule) == (0, 1)


@pytest.mark.parametrize(
    ("readings", "expected"),
    [
        ([1, 1, 0], 1),
        ([1, UNPARSED, UNPARSED], 1),
        ([0, 0, UNPARSED], 0),
        ([0, 1, UNPARSED], None),
        ([0, 1, -1], None),
    ],
)
def test_more_than_half_of_the_readings_decide(make, readings: list[Any], expected: Any) -> None:
    report = METRICS.get("VQA")().evaluate(
        [make("1", "(B", **PETS)], judging=judging("option", {"1": readings}, judges=JUDGES)
    )
    found = report.samples[0]
    assert found.get("parsed") == expected
    if expected is None:
        assert found["unjudged"].startswith("the judges disagree: one says 0, two says 1")
        assert report.coverage.unjudged == 1
        assert report.judge is not None
        assert report.judge.disagreed == 1
    else:
        pairs = zip(JUDGES, readings, strict=True)
        agreeing = [name for (name, _), reading in pairs if reading == expected]
        who = "judges" if len(agreeing) > 1 else "judge"
        assert found["evidence"]["rule"] == f"{who} {', '.join(agreeing)}"


def test_judges_are_counted_and_compared_with_the_rule(make) -> None:
    answers = [make(str(place), "(A" if place % 2 else "(B", **PETS) for place in range(4)]
    readings = {"0": [1, 1], "1": [0, 1], "2": [1, UNPARSED], "3": [0, 0]}
    report = METRICS.get("VQA")().evaluate(
        answers, judging=judging("option", readings, judges=(ONE, TWO))
    )
    found = report.judge
    assert found is not None
    assert [(item.name, item.ok, item.unparsed) for item in found.judges] == [
        ("one", 4, 0), ("two", 3, 1),
    ]  # fmt: skip
    pairs = {item.raters: item for item in found.agreement["option"]}
    assert set(pairs) == {("one", "two"), ("one", "rule"), ("two", "rule")}
    assert pairs["one", "rule"].estimate.value == 1
    assert pairs["one", "rule"].percent == 100
    assert pairs["two", "rule"].estimate.n == 3
    assert pairs["two", "rule"].percent == pytest.approx(200 / 3)


def test_grades_are_averaged_over_judges_and_answers(make) -> None:
    answers = [make(name, "x", gt_answers="y") for name in "12"]
    given = judging("grade", {"1": [0.5, 1.0], "2": [0.25, ERROR]}, judges=(ONE, TWO))
    report = METRICS.get("JudgedGrade")().evaluate(answers, judging=given)
    assert [item["metric_result"] for item in report.samples] == [0.75, 0.25]
    item = report.metrics["grade"]
    assert (item.value, item.unit, item.n) == (50, "%", 2)
    assert report.judge is not None
    (pair,) = report.judge.agreement["grade"]
    assert pair.measure == "Krippendorff's alpha (interval)"
    assert "1 answer(s) have two readings" in pair.reason


def test_a_grade_needs_a_reference(make) -> None:
    metric = METRICS.get("JudgedGrade")()
    assert metric.judge_kind({"id": "1", "answer": "x"}) is None
    report = metric.evaluate([make("1", "x")], judging=judging("grade", {}))
    assert (report.coverage.no_truth, report.coverage.unjudged) == (1, 0)


def test_ratings_are_points_and_need_no_reference(make) -> None:
    answers = [make(name, "x") for name in "123"]
    given = judging("rating", {"1": 7.0, "2": 10.0, "3": UNPARSED})
    report = METRICS.get("JudgedRating")().evaluate(answers, judging=given)
    assert (report.metrics["rating"].value, report.metrics["rating"].unit) == (8.5, "points")
    assert report.coverage.unjudged == 1


def test_preferences_win_in_both_orders_or_tie(make) -> None:
    answers = [make(name, "x") for name in "12345"]
    orders = {"1": [(1, 1)], "2": [(0, 0)], "3": [(1, 0)], "4": [(1, 0.5)], "5": [(1, UNPARSED)]}
    report = METRICS.get("JudgedPreference")().evaluate(
        answers, judging=judging("preference", orders)
    )
    assert [item.get("parsed") for item in report.samples] == ["win", "loss", "tie", "tie", None]
    # The fifth was read in one order only, which would favour a place.
    assert report.coverage.unjudged == 1
    assert values(report) == {
        "win_rate": 50, "wins": 25, "ties": 50, "losses": 25, "consistency": 50,
    }  # fmt: skip


def test_preferences_of_several_judges_need_a_majority_or_tie(make) -> None:
    win, loss = (1, 1), (0, 0)
    orders = {"1": [win, win, loss], "2": [win, loss, (1, UNPARSED)], "3": [win, loss, (1, 0)]}
    report = METRICS.get("JudgedPreference")().evaluate(
        [make(name, "x") for name in "123"], judging=judging("preference", orders, judges=JUDGES)
    )
    assert [item["parsed"] for item in report.samples] == ["win", "tie", "tie"]
    assert [item["consistent"] for item in report.samples] == pytest.approx([1, 1, 2 / 3])


def test_preferences_about_one_image_are_one_cluster(make) -> None:
    answers = [make(str(place), "x", image_path=f"{place // 4}.png") for place in range(16)]
    won = {str(place): [(1, 1)] if place < 8 else [(0, 0)] for place in range(16)}
    report = METRICS.get("JudgedPreference")().evaluate(answers, judging=judging("preference", won))
    # Four images, two of which win: the standard error of four trials, not of sixteen.
    assert report.metrics["win_rate"].stderr == pytest.approx(100 * (0.25 / 3) ** 0.5)
    assert report.metrics["win_rate"].clusters == 4


@pytest.mark.parametrize(
    "name", ["JudgedAccuracy", "JudgedGrade", "JudgedRating", "JudgedPreference"]
)
def test_a_metric_that_needs_a_judge_scores_nothing_without_one(make, name: str) -> None:
    metric = METRICS.get(name)()
    assert metric.needs_judge
    assert metric.needs_options is False
    assert metric.judge_kinds
    assert not metric.reads({"id": "1", "answer": "cat", "gt_answers": "cat"})
    for given in (None, judging("option", {}), Judging("unread", (), {})):
        report = metric.evaluate([make("1", "cat", gt_answers="cat")], judging=given)
        assert (report.coverage.scored, report.coverage.unjudged) == (0, 1)


def test_judgements_of_another_kind_are_not_used(make) -> None:
    given = judging("rating", {"1": 9.0})
    by_rule = METRICS.get("VQA")().evaluate([make("1", "(B", **PETS)], judging=given)
    assert by_rule.judge is None
    assert by_rule.samples[0]["evidence"]["rule"] != "judge one"
    graded = METRICS.get("JudgedGrade")().evaluate([make("1", "x", gt_answers="y")], judging=given)
    assert graded.coverage.unjudged == 1


def test_upstream_rules_take_no_judge() -> None:
    kinds = {name: METRICS.get(name, upstream=True).judge_kinds for name in METRICS}
    own = {name: METRICS.get(name).judge_kinds for name in METRICS}
    upstream = {
        name for name in METRICS if METRICS.get(name, upstream=True) is not METRICS.get(name)
    }
    assert {name: kinds[name] for name in upstream if kinds[name]} == {}
    assert own["VQA"]  # the corrected rules do


def test_a_subclass_that_reads_answers_in_its_own_way_uses_no_judge(make) -> None:
    class Own(METRICS.get("VQA")):  # type: ignore[misc]
        def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
            return {"metric_result": 1.0, "parsed": 1}

    report = Own().evaluate([make("1", "x", **PETS)], judging=judging("option", {"1": ERROR}))
    assert Own.judge_kinds == ()
    assert (report.judge, report.coverage.scored) == (None, 1)


def test_a_field_of_the_data_is_no_judgement(make) -> None:
    data = {**PETS, "judgements": [{"status": "ok", "reading": 0}], "skipped": True}
    report = METRICS.get("VQA")().evaluate([make("1", "(B", **data)])
    assert report.samples[0]["metric_result"] == 1
    assert report.coverage.skipped == 0


def test_the_answers_of_samples_that_failed_are_not_judged(make) -> None:
    failed = make("1", None, Status.ERROR, **PETS)
    report = METRICS.get("VQA")().evaluate([failed], judging=judging("option", {}))
    assert (report.coverage.errors, report.coverage.unjudged) == (1, 0)
    assert report.judge is not None
    assert report.judge.total == 0


def test_of_a_long_reply_the_evidence_has_both_ends(make) -> None:
    long = said("1", "option", 1)
    reply = "It says " + "very " * 500 + "Verdict: [[B]]"
    long = type(long)(**{**{f: getattr(long, f) for f in long.__slots__}, "reply": reply})
    report = METRICS.get("VQA")().evaluate(
        [make("1", "(B", **PETS)], judging=Judging("always", (ONE,), {"1": [long]})
    )
    kept = report.samples[0]["judgements"][0]["reply"]
    assert len(kept) == 300
    assert kept.startswith("It says very")
    assert kept.endswith("Verdict: [[B]]")


def test_equivalence_is_not_taken_for_an_option(make) -> None:
    given = judging("equivalence", {"1": True})
    report = METRICS.get("Accuracy")().evaluate([make("1", "the dog", **PETS)], judging=given)
    assert entry(report, "1")["metric_result"] == 1
    record = {"id": "1", "answer": "x", **PETS, "judgements": plain(given.judgements["1"])}
    with pytest.raises(DataError, match="of kind equivalence"):
        METRICS.get("VQA")().score_sample(record)


def test_two_judges_of_one_name_are_two(make) -> None:
    same = (ONE, ("one", "9" * 32), THREE)
    report = METRICS.get("VQA")().evaluate(
        [make("1", "(B", **PETS)], judging=judging("option", {"1": [1, 0, 0]}, judges=same)
    )
    assert report.samples[0]["parsed"] == 0
    assert report.judge is not None
    raters = {name for item in report.judge.agreement["option"] for name in item.raters}
    assert raters == {"one (11111111)", "one (99999999)", "three", "rule"}
