import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.errors import ConfigError
from chef.metric import METRICS, Base_Metric, Estimate, Metric, Report
from chef.metric.vqa.accuracy import Accuracy
from chef.types import Prediction, Status


class Tutorial(Base_Metric):
    """As a user writes it."""

    def metric_func(self, answers):
        right = sum(answer["answer"] == answer["gt_answers"] for answer in answers)
        return {"ACC": 100 * right / len(answers)}


def test_a_user_writes_one_function(make):
    report = Tutorial("mine").evaluate(
        [make("1", "cat", gt_answers="cat"), make("2", "dog", gt_answers="cat")]
    )
    assert report.metrics == {"ACC": Estimate(50.0, 2)}
    assert report.primary == "ACC"
    assert report.metrics["ACC"].method == "none"


def test_a_function_that_empties_its_list_has_scored_all_of_it(make):
    class Popping(Tutorial):
        def metric_func(self, answers):
            right, number = 0, len(answers)
            while answers:
                right += answers.pop()["answer"] == "cat"
            return {"ACC": 100 * right / number}

    report = Popping().evaluate([make("1", "cat"), make("2", "dog")])
    assert report.metrics == {"ACC": Estimate(50.0, 2)}


def test_a_mean_of_nothing_is_no_crash():
    report = Tutorial().evaluate([])
    assert [item.value for item in report.metrics.values()] == [None]
    assert report.coverage.coverage == 0.0


def test_the_policy_stands_among_the_details(make):
    class Reader(Tutorial):
        policy = "mine-1"

    answers = [make("1", "cat", gt_answers="cat")]
    assert Reader().evaluate(answers).details == {"policy": "mine-1"}
    assert Reader().evaluate([]).details == {}  # nothing was read
    assert Tutorial().evaluate(answers).details == {}


def test_a_metric_that_fails_on_answers_says_so(make):
    with pytest.raises(KeyError):
        Tutorial().evaluate([make("1", "cat")])


def test_whatever_the_function_returns_becomes_metrics_and_details(make):
    class Mixed(Metric):
        def metric_func(self, answers):
            return {
                "numpy": np.float32(0.5),
                "nan": float("nan"),
                "none": None,
                "whole": 3,
                "bins": np.array([0.5, float("nan")]),
                "art": {"acc": 1.0, "deep": {"er": 2}},
                "own": Estimate(1.0, 9, unit="x"),
            }

    report = Mixed().evaluate([make("1", "a")])
    values = {name: item.value for name, item in report.metrics.items()}
    assert values == {
        "numpy": 0.5, "nan": None, "none": None, "whole": 3.0, "art/acc": 1.0, "art/deep/er": 2.0,
        "own": 1.0,
    }  # fmt: skip
    assert report.metrics["own"].n == 9
    assert report.details == {"bins": [0.5, None]}
    json.dumps(report.to_json(samples=True), allow_nan=False)


def test_a_bare_number_is_the_score(make):
    class Bare(Metric):
        def metric_func(self, answers):
            return 12.5

    assert Bare().evaluate([make("1", "a")]).metrics["score"].value == 12.5


def test_errors_are_never_wrong_answers(make):
    good = [make("1", "A", gt_choice=0, choices=["cat", "dog"])]
    bad = Prediction("2", Status.ERROR, error={"type": "ImageError", "message": "corrupt"})
    alone = Accuracy().evaluate(good)
    report = Accuracy().evaluate([*good, bad])
    assert report.metrics == alone.metrics
    assert (report.coverage.total, report.coverage.scored, report.coverage.errors) == (2, 1, 1)
    assert report.coverage.coverage == 0.5
    assert report.samples[1] == {
        "id": "2", "status": "error", "error": {"type": "ImageError", "message": "corrupt"},
    }  # fmt: skip


def test_a_sample_that_cannot_be_scored_makes_an_error_and_the_rest_count(make):
    class Picky(Metric):
        def score_sample(self, record):
            return {"metric_result": 1 / record["answer"]}

        def metric_func(self, answers):
            return {"sum": sum(answer["metric_result"] for answer in answers)}

    report = Picky().evaluate([make("1", 2), make("2", 0)])
    assert report.metrics["sum"].value == 0.5
    assert report.coverage.errors == 1
    assert report.samples[1]["error"]["type"] == "ZeroDivisionError"
    assert report.samples[1]["error"]["stage"] == "metric"
    assert report.samples[1]["status"] == "error"


class Halved(Accuracy):
    """As a user wrote it when the method was called ``judge``."""

    def judge(self, record):
        return {**super().judge(record), "metric_result": 0.5}


class Tagging:
    """A class that is no metric, and adds to one."""

    def judge(self, record):
        return {**super().judge(record), "tag": "t"}


class Tagged(Tagging, Halved):
    pass


class Newer(Halved):
    def score_sample(self, record):
        return {**super().score_sample(record), "newer": True}


def test_the_former_name_of_score_sample_still_works(make):
    answer = make("1", "A", gt_choice=0, choices=["cat", "dog"])
    entry = {"metric_result": 0.5, "parsed": 0}
    for kind, more in ((Halved, {}), (Tagged, {"tag": "t"}), (Newer, {"newer": True})):
        report = kind().evaluate([answer])
        assert report.samples[0].items() >= (entry | more).items()
        assert report.metrics["ACC"].value == 50
        assert kind().running(answer) == 0.5
        record = {**answer.to_record(), "id": "1"}
        assert kind().judge(record) == kind().score_sample(record)


def test_raw_answers_are_left_alone(make):
    class Vandal(Metric):
        def score_sample(self, record):
            record["answer"].append("spoilt")
            record["options"].clear()
            return {"answer": "other", "id": "other"}

        def metric_func(self, answers):
            return {"seen": len(answers)}

    prediction = make("1", ["raw"], options=["(A"])
    report = Vandal().evaluate([prediction])
    assert prediction.answer == ["raw"]
    assert prediction.sample["options"] == ["(A"]
    assert report.samples[0]["id"] == "1"


def test_coverage_counts(make):
    def options(**fields):
        return {"choices": ["cat", "dog"], "gt_choice": 0, **fields}

    report = Accuracy().evaluate(
        [
            make("1", "A", **options()),
            make("2", "hmm", **options()),
            make("3", "B", Status.TRUNCATED, **options()),
            make("4", "I cannot help with that", Status.REFUSED, **options()),
            make("5", None, Status.ERROR, **options()),
        ],
        expected=8,
    )
    coverage = report.coverage
    assert (coverage.total, coverage.scored, coverage.errors, coverage.missing) == (8, 4, 1, 3)
    assert (coverage.truncated, coverage.refused, coverage.unparsed) == (1, 1, 2)
    assert coverage.unparsed_rate == 0.5
    assert coverage.to_json()["coverage"] == 0.5
    assert report.metrics["ACC"].value == 25.0


def test_a_status_of_unparsed_counts_when_the_metric_reads_nothing(make):
    report = Tutorial().evaluate([make("1", "?", Status.UNPARSED, gt_answers="cat")])
    assert report.coverage.unparsed == 1


def test_the_last_line_of_a_sample_counts(make):
    report = Tutorial().evaluate(
        [make("1", "dog", gt_answers="cat"), make("1", "cat", gt_answers="cat")]
    )
    assert (report.metrics["ACC"].value, report.coverage.total) == (100.0, 1)


def test_not_a_number_becomes_null(make):
    class Nan(Metric):
        def score_sample(self, record):
            return {"metric_result": float("nan"), "deep": {"inf": [math.inf]}}

        def metric_func(self, answers):
            assert answers[0]["metric_result"] is None
            return {"x": math.inf}

    report = Nan().evaluate([make("1", "a")])
    assert report.samples[0]["deep"] == {"inf": [None]}
    assert report.metrics["x"].value is None


def test_json_holds_the_samples_only_when_asked(make):
    report = Tutorial().evaluate([make("1", "cat", gt_answers="cat")])
    assert "samples" not in report.to_json()
    assert report.to_json(samples=True)["samples"] == [{"id": "1", "status": "ok"}]
    assert report.to_json()["metrics"]["ACC"]["value"] == 100.0


#: The keys that a metric cannot do without.
_CHAIN = {"rule_score_eval": {"metrics_cfg": {"pred_mean": {}}}}
KEYS = {"Evaluators": {"evaluator_seq_cfgs": [_CHAIN]}}


@pytest.mark.parametrize("name", sorted(METRICS))
def test_every_metric_copes_with_no_answers(name):
    report = METRICS.get(name)(**KEYS.get(name, {})).evaluate([])
    assert report.primary in report.metrics
    assert report.metrics[report.primary].value is None
    json.dumps(report.to_json(samples=True), allow_nan=False)


def test_the_registry_lists_every_metric():
    known = {"Accuracy", "Caption", "Counting", "Detection", "KOSMOS_Detection", "YesNo"}
    assert known <= set(METRICS)  # other tests may have registered more
    for name in known:
        metric = METRICS.get(name)(dataset_name="x")
        assert isinstance(metric, Metric)
        report = metric.evaluate([])
        assert isinstance(report, Report)
        assert report.primary in report.metrics
        assert len(report.metrics) > 1, "the metric itself copes with no answers"
        assert all(item.value is None for item in report.metrics.values())
        json.dumps(report.to_json(samples=True), allow_nan=False)
    with pytest.raises(ConfigError, match="YesNoo"):
        METRICS.get("YesNoo")


_answers = st.lists(
    st.tuples(st.sampled_from(["A", "B", "(B)", "perhaps", ""]), st.integers(0, 1)),
    min_size=1,
    max_size=12,
)


@settings(max_examples=40, deadline=None)
@given(_answers, st.randoms())
def test_order_does_not_matter_and_an_error_changes_only_the_coverage(make, items, shuffler):
    predictions = [
        make(str(i), answer, gt_choice=truth, choices=["cat", "dog"])
        for i, (answer, truth) in enumerate(items)
    ]
    report = Accuracy().evaluate(predictions)
    shuffled = list(predictions)
    shuffler.shuffle(shuffled)
    assert Accuracy().evaluate(shuffled) == report
    more = Accuracy().evaluate([*predictions, Prediction("x", Status.ERROR)])
    assert more.metrics == report.metrics
    assert more.coverage.coverage < report.coverage.coverage


#: What these score needs no reference: a judge compares with a rubric, or with another answer; an
#: evaluator may read the answer alone.
WITHOUT_TRUTH = {"JudgedRating", "JudgedPreference", "Evaluators"}


@pytest.mark.parametrize("name", sorted({*METRICS} - WITHOUT_TRUTH))
@pytest.mark.parametrize("fields", [{}, {"choice": 1, "options": ["a", "b"]}])
def test_without_a_known_truth_an_answer_is_kept_and_not_scored(make, name, fields):
    """A test split is predicted: neither wrong answers nor errors."""
    metric = METRICS.get(name)()
    report = metric.evaluate([make("1", "b", gt_answers=None, **fields)], expected=2)
    counts = report.coverage
    assert (counts.no_truth, counts.errors, counts.scored, counts.missing) == (1, 0, 0, 1)
    assert report.metrics[report.primary].value is None
    assert report.samples[0]["no_truth"] is True


def test_options_scored_by_text_may_be_lettered_in_the_question(make):
    fields = {"options": ["red", "blue"], "choices": ["red", "blue"], "gt_choice": 1}
    accuracy = METRICS.get("Accuracy")()
    plain = accuracy.evaluate([make("1", "(B)", **fields)])
    lettered = accuracy.evaluate([make("1", "(B)", labels=["A", "B"], **fields)])
    assert plain.coverage.unparsed == 1
    assert lettered.metrics["ACC"].value == 100
