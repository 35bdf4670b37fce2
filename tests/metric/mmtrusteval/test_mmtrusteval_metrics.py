"""The metrics of MMTrustEval, by hand-worked numbers and against independent statements."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import pytest

from chef.errors import RunError
from chef.metric.mmtrusteval.metrics import METRICS

NAN = math.nan


def value(metric: str, y_true: list[Any], y_pred: list[Any], **keys: Any) -> Any:
    return METRICS[metric].compute(y_true, y_pred, **keys)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and math.isnan(one):
        return isinstance(other, float) and math.isnan(other)
    return bool(one == pytest.approx(other, abs=1e-6))


def test_the_table_has_the_ten_metrics() -> None:
    assert sorted(METRICS) == [
        "accuracy_score",
        "f1_score",
        "failure",
        "iou_judge",
        "pearson_corr",
        "precision_score",
        "pred_mean",
        "pred_no_op",
        "pred_sum",
        "recall_score",
    ]


@pytest.mark.parametrize(
    "preds", [[], [1], [1, None, "a", 0.5, [2], {"a": 1}, True], [None, None], ["x", "y"]]
)
def test_pred_no_op_is_the_predictions(preds: list[Any]) -> None:
    assert value("pred_no_op", [None] * len(preds), preds) == preds


SUMS: list[tuple[list[Any], float, float]] = [
    ([1], 1, 1),
    ([0], 0, 0),
    ([1, 0], 1, 0.5),
    ([1, 1, 0, 0, 0], 2, 0.4),
    ([True, False], 1, 0.5),
    ([0.25, 0.75], 1, 0.5),
    ([100, 0, 50], 150, 50),
    ([-1, 1], 0, 0),
    ([1, None], 1, 1),  # what was not decided is left out
    ([None, 0, 1, None], 1, 0.5),
    ([], 0, NAN),
    ([None], 0, NAN),
    ([NAN, 1], NAN, NAN),
]


@pytest.mark.parametrize(("preds", "total", "mean"), SUMS)
def test_pred_sum_and_mean(preds: list[Any], total: float, mean: float) -> None:
    labels = ["any"] * len(preds)
    assert same(value("pred_sum", labels, preds), total)
    assert same(value("pred_mean", labels, preds), mean)


@pytest.mark.parametrize("metric", ["pred_sum", "pred_mean", "pearson_corr"])
@pytest.mark.parametrize("pred", ["yes", "1", [1], {}])
def test_numbers_are_needed(metric: str, pred: Any) -> None:
    if metric == "pearson_corr" and pred == "1":
        return  # it takes texts that are numbers
    with pytest.raises(RunError, match=metric) as error:
        value(metric, [1, 1], [1, pred])
    assert error.value.hint


#: Labels and predictions, then accuracy, precision, recall and F1.
BINARY: list[tuple[list[Any], list[Any], float, float, float, float]] = [
    ([1], [1], 1, 1, 1, 1),
    ([1], [0], 0, 0, 0, 0),
    ([0], [1], 0, 0, 0, 0),
    ([0], [0], 1, 0, 0, 0),  # a division by zero is 0
    ([1, 0], [1, 0], 1, 1, 1, 1),
    ([1, 0], [0, 1], 0, 0, 0, 0),
    ([1, 0], [1, 1], 0.5, 0.5, 1, 2 / 3),
    ([1, 0], [0, 0], 0.5, 0, 0, 0),
    ([1, 1], [1, 0], 0.5, 1, 0.5, 2 / 3),
    ([0, 0], [1, 0], 0.5, 0, 0, 0),
    ([1, 1, 1, 0, 0], [1, 1, 0, 1, 0], 0.6, 2 / 3, 2 / 3, 2 / 3),
    ([1, 1, 1, 1, 0], [1, 0, 0, 0, 0], 0.4, 1, 0.25, 0.4),
    ([0, 0, 0, 1], [1, 1, 1, 1], 0.25, 0.25, 1, 0.4),
    ([True, False], [1, 0], 1, 1, 1, 1),
    ([1.0, 0.0], [1, 0], 1, 1, 1, 1),
    ([1, 2], [1, 2], 1, 1, 1, 1),  # two classes, 1 is the positive one
    ([1, 2], [2, 2], 0.5, 0, 0, 0),
    # None was not decided: not right, and no 1
    ([1], [None], 0, 0, 0, 0),
    ([0], [None], 0, 0, 0, 0),
    ([1, 1], [1, None], 0.5, 1, 0.5, 2 / 3),
    ([1, 0], [1, None], 0.5, 1, 1, 1),
    ([1, 0, 1, 0], [1, 0, None, None], 0.5, 1, 0.5, 2 / 3),
]


@pytest.mark.parametrize(("truth", "preds", "accuracy", "precision", "recall", "f1"), BINARY)
def test_binary_metrics(
    truth: list[Any],
    preds: list[Any],
    accuracy: float,
    precision: float,
    recall: float,
    f1: float,
) -> None:
    assert same(value("accuracy_score", truth, preds), accuracy)
    assert same(value("precision_score", truth, preds), precision)
    assert same(value("recall_score", truth, preds), recall)
    assert same(value("f1_score", truth, preds), f1)


def test_accuracy_takes_any_classes() -> None:
    assert value("accuracy_score", ["yes", "no", "no"], ["yes", "no", "yes"]) == pytest.approx(
        2 / 3
    )
    assert value("accuracy_score", [0, 1, 2, 3], [0, 1, 2, 2]) == 0.75


@pytest.mark.parametrize(
    "metric", ["accuracy_score", "precision_score", "recall_score", "f1_score"]
)
@pytest.mark.parametrize(
    ("truth", "preds"),
    [([None, 1], [1, 1]), (["1", "0"], [1, 0]), ([0.5, 1], [1, 1]), ([1, 0], ["yes", "no"])],
)
def test_what_cannot_be_compared_is_named(metric: str, truth: list[Any], preds: list[Any]) -> None:
    with pytest.raises(RunError, match=metric) as error:
        value(metric, truth, preds)
    assert error.value.hint


@pytest.mark.parametrize("metric", ["precision_score", "recall_score", "f1_score"])
@pytest.mark.parametrize(
    ("truth", "preds"), [([0, 1], [0, 2]), (["yes", "no"], ["yes", "no"]), ([0, 2], [0, 2])]
)
def test_other_classes_are_refused_where_one_is_positive(
    metric: str, truth: list[Any], preds: list[Any]
) -> None:
    with pytest.raises(RunError, match=metric):
        value(metric, truth, preds)


@pytest.mark.parametrize(
    "metric",
    ["accuracy_score", "precision_score", "recall_score", "f1_score", "failure", "iou_judge"],
)
def test_nothing_has_no_value(metric: str) -> None:
    assert math.isnan(value(metric, [], []))


def test_binary_metrics_of_drawn_lists_by_sets() -> None:
    draw = random.Random(1)
    for n in (1, 2, 5, 40):
        truth = [draw.randint(0, 1) for _ in range(n)]
        preds = [draw.choice([0, 1, None]) for _ in range(n)]
        ones = {place for place in range(n) if truth[place] == 1}
        said = {place for place in range(n) if preds[place] == 1}
        precision = len(ones & said) / len(said) if said else 0
        recall = len(ones & said) / len(ones) if ones else 0
        both = precision + recall
        assert same(value("precision_score", truth, preds), precision)
        assert same(value("recall_score", truth, preds), recall)
        assert same(value("f1_score", truth, preds), 2 * precision * recall / both if both else 0)
        right = [place for place in range(n) if truth[place] == preds[place]]
        assert same(value("accuracy_score", truth, preds), len(right) / n)


# 1, 2, 3 with 1, 2, 4: covariance 3 / (sqrt(2) * sqrt(14 / 3))
CORRELATIONS: list[tuple[list[Any], list[Any], dict[str, Any], float]] = [
    ([1, 2, 3], [1, 2, 3], {}, 1),
    ([1, 2, 3], [3, 2, 1], {}, -1),
    ([1, 2, 3], [1, 2, 4], {}, 3 / math.sqrt(2 * 14 / 3)),
    ([1, 2], [5, 9], {}, 1),
    ([1, 2], [9, 5], {}, -1),
    ([1], [1], {}, NAN),
    ([], [], {}, NAN),
    ([1, 2, 3], [NAN, 2, 4], {}, 1),  # NaN is left out
    ([1, 2, 3], [NAN, NAN, 4], {}, NAN),
    ([1, 2, 3], [NAN, NAN, NAN], {}, NAN),
    ([1, 2, 3], [None, 2, 4], {}, 1),
    ([1, 2, 3], [NAN, 2, 4], {"nan_to_num": 0}, 1),
    ([1, 2, 3], [NAN, 2, 3], {"nan_to_num": 7}, 0 - 4 / math.sqrt(2 * 14)),
    ([1, 2, 3], [None, 2, 3], {"nan_to_num": 7}, 0 - 4 / math.sqrt(2 * 14)),
    ([1, 2, 3], [NAN, NAN, NAN], {"nan_to_num": 0}, NAN),  # a constant
    ([1, 2, 3], [5, 5, 5], {}, NAN),
    ([5, 5, 5], [1, 2, 3], {}, NAN),
    ([1, NAN, 3], [1, 2, 3], {}, NAN),  # a label that is none
    ([-100, 0, 100], [-50, 0, 50], {}, 1),
    ([True, False], [1, 0], {}, 1),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("truth", "preds", "keys", "expected"), CORRELATIONS)
def test_pearson(truth: list[Any], preds: list[Any], keys: dict[str, Any], expected: float) -> None:
    assert same(value("pearson_corr", truth, preds, **keys), expected)


FAILURES: list[tuple[list[Any], dict[str, Any], float]] = [
    ([1, 2], {}, 0),
    ([NAN, 2], {}, 0.5),
    ([NAN, NAN], {}, 1),
    ([None, 2], {}, 0.5),
    ([None, NAN, 1, 2], {}, 0.5),
    ([0, 1], {"fails_num": 0}, 0.5),
    ([0, 0, 1, -1], {"fails_num": 0}, 0.5),
    ([0.0, False], {"fails_num": 0}, 1),
    ([NAN, 1], {"fails_num": 0}, 0),
    ([None, 1], {"fails_num": 0}, 0.5),
    ([-1, NAN], {"fails_num": -1}, 0.5),
    ([NAN, 1], {"fails_num": NAN}, 0.5),
    (["text", NAN], {}, 0.5),
]


@pytest.mark.parametrize(("preds", "keys", "expected"), FAILURES)
def test_failure(preds: list[Any], keys: dict[str, Any], expected: float) -> None:
    assert same(value("failure", [1] * len(preds), preds, **keys), expected)


UNIT = "[0, 0, 1, 1]"
#: (label, prediction, whether the two overlap by more than half)
BOXES: list[tuple[Any, Any, bool]] = [
    (UNIT, "[0, 0, 1, 1]", True),
    (UNIT, "0, 0, 1, 1", True),
    (UNIT, "[0,0,1,1]", True),
    (UNIT, "[[0, 0, 1, 1]]", True),
    (UNIT, "'''[0, 0, 1, 1]'''", True),
    (UNIT, '"""[0, 0, 1, 1]"""', True),
    (UNIT, "'''\n[0, 0, 1, 1]\n'''", True),
    (UNIT, "[0,\n0,\n1,\n1]", True),
    (UNIT, "[0, 0, 1, 0.51]", True),
    (UNIT, "[0, 0, 1, 0.5]", False),  # just half
    (UNIT, "[0, 0, 0.5, 1]", False),
    (UNIT, "[0, 0, 1/2, 1]", False),
    (UNIT, "[0, 0, 2/3, 1]", True),
    (UNIT, "[0/5, 0, 3/4, 9/10]", True),
    (UNIT, "[0, 0, 1.5/2, 1]", True),
    (UNIT, "[0.5, 0.5, 1.5, 1.5]", False),
    (UNIT, "[2, 2, 3, 3]", False),
    (UNIT, "[0, 0, 0, 0]", False),
    (UNIT, "[1, 1, 0, 0]", False),
    (UNIT, "[0, 0, 1]", False),
    (UNIT, "[0, 0, 1, 1, 1]", False),
    (UNIT, "[0, 0, 1, 1, x]", True),  # what is no number is left out
    (UNIT, "[a, 0, 0, 1, 1]", True),
    (UNIT, "[0, 0, 1, one]", False),
    (UNIT, "[0%, 0, 1, 1]", False),
    (UNIT, "[0, 0, 100%, 1]", False),
    (UNIT, "The box is [0, 0, 1, 1]", False),
    (UNIT, "[0, 0, 1, 1].", False),
    (UNIT, "[0 0 1 1]", False),
    (UNIT, "", False),
    (UNIT, "none", False),
    (UNIT, "[0, 0, 1/0, 1]", False),
    (UNIT, "[0, 0, 1/2/3, 1]", False),
    (UNIT, "[0, 0, nan, 1]", False),
    (UNIT, "[0, 0, inf, 1]", False),
    (UNIT, "[0, 0, 1e0, 1.]", True),
    (UNIT, "[ 0 , 0 , 1 , 1 ]", True),
    (UNIT, None, False),
    ([0, 0, 1, 1], "[0, 0, 1, 1]", True),
    ("[0.1, 0.1, 0.3, 0.3]", "[0.1, 0.1, 0.3, 0.3]", True),
    ("[0.1, 0.1, 0.3, 0.3]", "[0.1, 0.1, 0.3, 0.25]", True),
    ("[0.1, 0.1, 0.3, 0.3]", "[0.2, 0.2, 0.4, 0.4]", False),
    ("[0, 0, 0, 0]", "[0, 0, 0, 0]", False),
]


@pytest.mark.parametrize(("label", "pred", "hit"), BOXES)
def test_iou_judge(label: Any, pred: Any, hit: bool) -> None:
    assert value("iou_judge", [label], [pred]) == (100 if hit else 0)


def test_iou_judge_is_in_percent() -> None:
    assert value("iou_judge", [UNIT] * 4, [UNIT, UNIT, UNIT, "none"]) == 75


@pytest.mark.parametrize("label", ["[0, 0, 1]", "a box", None, 5, '["a", 0, 1, 1]', "{}"])
def test_iou_judge_names_a_label_that_is_no_box(label: Any) -> None:
    with pytest.raises(RunError, match="iou_judge"):
        value("iou_judge", [label], [UNIT])


def test_estimates_have_the_value_and_hold_it_in_their_interval() -> None:
    draw = random.Random(2)
    n = 60
    truth = [draw.randint(0, 1) for _ in range(n)]
    preds: list[Any] = [t if draw.random() < 0.7 else 1 - t for t in truth]
    preds[3] = preds[17] = None
    boxes = [json.dumps([0, 0, 1, 1 if item else 0.1]) for item in truth]
    alone = [str(place) for place in range(n)]
    pairs = [str(place // 2) for place in range(n)]
    for name, kind in METRICS.items():
        labels, given = ([UNIT] * n, boxes) if name == "iou_judge" else (truth, preds)
        if name == "pred_no_op":
            assert kind.estimate is None
            continue
        assert kind.estimate is not None
        for clusters in (alone, pairs):
            found = kind.estimate(labels, given, clusters)
            assert found.value is not None, name
            assert found.value == pytest.approx(kind.compute(labels, given), abs=1e-6), name
            assert found.low is not None, name
            assert found.high is not None, name
            assert found.low <= found.value <= found.high, name
            assert found.low < found.high, name


def test_an_interval_is_wider_where_answers_share_an_image() -> None:
    preds = [1, 1, 1, 1, 0, 0, 0, 0] * 6
    truth = [1] * len(preds)
    alone = [str(place) for place in range(len(preds))]
    shared = [str(place // 4) for place in range(len(preds))]
    for name in ("pred_mean", "accuracy_score", "recall_score", "pred_sum"):
        estimate = METRICS[name].estimate
        assert estimate is not None
        one, other = estimate(truth, preds, alone), estimate(truth, preds, shared)
        assert one.high is not None
        assert one.low is not None
        assert other.high is not None
        assert other.low is not None
        assert other.high - other.low > 1.2 * (one.high - one.low), name
        assert one.n == other.n == len(preds)


def test_an_estimate_of_nothing_has_no_value() -> None:
    for name, kind in METRICS.items():
        if kind.estimate is not None:
            assert kind.estimate([], [], []).value in (None, 0), name
    mean = METRICS["pred_mean"].estimate
    assert mean is not None
    assert mean([1], [None], ["a"]).value is None


def test_a_mean_knows_its_unit() -> None:
    mean = METRICS["pred_mean"].estimate
    assert mean is not None
    assert mean([0, 0], [0, 1], ["a", "b"]).unit == "0-1"
    assert mean([0, 0], [0.2, 0.9], ["a", "b"]).unit == "0-1"
    assert mean([0, 0], [25, 75], ["a", "b"]).unit == ""
