"""Rules, metrics, chains and logs of ``compat: upstream`` against what their description says."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chef.mmtrusteval import BaseTask
from metric.mmtrusteval.blind_cases import RULES, VALUES
from metric.mmtrusteval.test_chain import Judge, at

from chef.errors import ConfigError
from chef.metric.mmtrusteval import EVALUATORS, register_evaluator
from chef.metric.mmtrusteval.base import BaseEvaluator
from chef.metric.mmtrusteval.chain import SequentialEvaluator
from chef.metric.mmtrusteval.chains import chains_of
from chef.metric.mmtrusteval.metrics import METRICS
from chef.report.task_log import log_form
from chef.stats.estimate import Estimate
from chef.types import Prediction, Status

YES_NO = {"metrics_cfg": {"pred_mean": None, "pred_no_op": None}}
MATCHED = "rule_match_and_score_eval"


def test_each_prediction_of_a_rule() -> None:
    differ = []
    for name, keys, rows in RULES:
        given = {"metrics_cfg": {"pred_no_op": None}, **keys}
        chain = SequentialEvaluator({name: given}, "upstream")
        found = chain([row[0] for row in rows], [row[1] for row in rows])[f"{name}:pred_no_op"]
        pairs = zip(rows, found, strict=True)
        differ += [(name, keys, row, got) for row, got in pairs if not _same(got, row[2])]
    assert not differ


def test_each_value_of_a_metric() -> None:
    found = [(case, METRICS[case[0]].compute(case[2], case[3], **case[1])) for case in VALUES]
    assert [item for item in found if not _same(item[1], item[0][4])] == []


def _same(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, float) and math.isnan(wanted):
        return isinstance(value, float) and math.isnan(value)
    if isinstance(wanted, list):
        return bool(value == wanted)
    return bool(value == pytest.approx(wanted, abs=1e-6))


#: Answer, label, ``test_noise``, what the judge says to the question and about noise, prediction.
SCORES: list[tuple[str, str, bool, str, str, str]] = [
    ("\nA dog.\n", "What?->a dog", False, "25", "", "FULL"),
    ("A d.o.g", "What?->A DOG", False, "25", "", "FULL"),
    ("dog<\\s>", "What?->dog", False, "25", "", "FULL"),
    ("dog</s>", "What?->dog", False, "25", "", "25"),
    ("dog ", "What?->dog", False, "25", "", "25"),
    ("dog.\n.", "What?->dog", False, "25", "", "25"),
    ("3.5", "How many?->3.5", False, "25", "", "25"),
    ("dog", "dog", False, "25", "", "25"),
    ("", "What?->", False, "25", "", "FULL"),
    ("a cat", "What?->dog", True, "0", "yes", "FULL"),
    ("a cat", "cat", True, "No.", "Eyes", "FULL"),
    ("a cat", "cat", True, "No.", "no", "No."),
    ("a cat", "What?->dog", False, "0", "yes", "0"),
]


@pytest.mark.parametrize(("pred", "label", "noise", "says", "about_noise", "wanted"), SCORES)
def test_the_score_of_a_judge(
    pred: str, label: str, noise: bool, says: str, about_noise: str, wanted: str
) -> None:
    judge = Judge(lambda text: says if text.startswith("Q") else about_noise)
    fields = "Q {} {} {}" if "->" in label else "Q {} {}"
    keys = {"prompt_template": fields, "full_score": "FULL", "test_noise": noise}
    chain = {"chatmodel_score": {**keys, "metrics_cfg": {"pred_no_op": None}}}
    found = SequentialEvaluator(chain, "upstream")([pred], [label], [None], at(judge))
    assert found == {"chatmodel_score:pred_no_op": [wanted]}
    if wanted == "FULL" and not noise:
        assert not judge.prompts


def test_what_a_scoring_judge_is_shown() -> None:
    judge = Judge(lambda text: "50")
    keys = {"prompt_template": "{}|{}|{}", "metrics_cfg": {"pred_no_op": None}}
    chain = SequentialEvaluator({"chatmodel_score": keys}, "upstream")
    chain(["x", "y"], ["Is a->b?\nShortly.->so", "What?\nSay it.->dog"], None, at(judge))
    assert sorted(judge.prompts) == ["Is a->b?|so|x", "What?|dog|y"]


class Echo(BaseEvaluator):
    """Gives labels as predictions, and predictions as labels."""

    evaluator_ids = ("test_echo",)

    def process(self, preds: Any, labels: Any, extras: Any = None) -> Any:
        return list(labels), list(preds), extras


@pytest.fixture(scope="module", autouse=True)
def _known() -> Iterator[None]:
    register_evaluator()(Echo)
    yield
    del EVALUATORS._table["test_echo"]


def test_the_names_of_results_and_their_order() -> None:
    last = {"metrics_cfg": {"pred_mean": None, "pred_no_op": None, "accuracy_score": None}}
    chain = {"test_echo": {"metrics_cfg": {"pred_sum": None}}, "rule_yes_or_no_eval": last}
    found = SequentialEvaluator(chain, "upstream")([1, 1], ["yes", "no"])
    both = "test_echo->rule_yes_or_no_eval"
    assert list(found.items()) == [
        ("test_echo:pred_no_op", ["yes", "no"]),
        (f"{both}:pred_mean", 0.5),
        (f"{both}:pred_no_op", [1, 0]),
        (f"{both}:accuracy_score", 0.5),  # of the labels that flow through
    ]
    assert SequentialEvaluator({}, "upstream")([1], [1]) == {}
    nothing = {"rule_yes_or_no_eval": {"metrics_cfg": {}}}
    assert SequentialEvaluator(nothing, "upstream")(["yes"], [1]) == {}


@pytest.mark.parametrize("metrics", [{}, {"pred_no_op": None}])
def test_a_run_without_a_figure_is_refused_before_it_begins(metrics: dict[str, Any]) -> None:
    given = [{}, {"rule_yes_or_no_eval": {"metrics_cfg": metrics}}]
    with pytest.raises(ConfigError, match="no sequence has a metric that gives a figure"):
        chains_of(given, "upstream")
    given.append({"rule_reject_template_eval": {"metrics_cfg": {"pred_mean": {}}}})
    assert len(chains_of(given, "upstream")) == 3


def _evaluated(chains: list[dict[str, Any]], *rows: tuple[Any, Any, Any]) -> dict[str, Any]:
    task = BaseTask("confaide-text", "tiny", evaluator_seq_cfgs=chains, compat="upstream")
    task.evaluators = task.get_evaluators()
    names = ("content", "response", "target", "extra")
    return task.eval([dict(zip(names, ("asked", *row), strict=True)) for row in rows])


def test_subsets_have_figures_and_no_lists() -> None:
    a, b = {"subset": "A"}, {"subset": "B"}
    found = _evaluated([{"rule_yes_or_no_eval": YES_NO}], ("yes", 0, b), ("no", 0, a), ("no", 0, b))
    assert found == {
        "rule_yes_or_no_eval:pred_mean": pytest.approx(1 / 3),
        "rule_yes_or_no_eval:pred_no_op": [1, 0, 0],
        "rule_yes_or_no_eval:pred_mean_B": 0.5,
        "rule_yes_or_no_eval:pred_mean_A": 0.0,
        "content": ["asked"] * 3,
        "pred": ["yes", "no", "no"],
        "extra": [b, a, b],
    }  # the labels, which are all zero, vanish


@pytest.mark.parametrize(
    ("labels", "answers", "extras", "columns"),
    [
        ([0, 0.0], ["a", ""], [None, {}], {"content", "pred"}),
        ([0, 1], ["", ""], [None, {"x": 1}], {"content", "label", "extra"}),
        (["", None], ["0", "b"], [{}, {}], {"content", "pred"}),
        ([[], [0]], ["a", "b"], [None, None], {"content", "pred", "label"}),
        (["0", ""], ["a", "b"], [None, None], {"content", "pred", "label"}),
        ([math.nan, 0], ["a", "b"], [None, None], {"content", "pred", "label"}),
    ],
)
def test_columns_that_are_falsy_are_left_out(
    labels: list[Any], answers: list[str], extras: list[Any], columns: set[str]
) -> None:
    chain = {"rule_reject_template_eval": {"metrics_cfg": {"pred_mean": None}}}
    found = _evaluated([chain], *zip(answers, labels, extras, strict=True))
    assert set(found) == {"rule_reject_template_eval:pred_mean", *columns}


def test_what_is_undefined_is_nan_in_the_log(tmp_path: Path) -> None:
    """By the steps of a task, and by the log of a run, whose folder has null in its place."""
    metrics = {"pearson_corr": {}, "failure": {}, "pred_no_op": {}}
    chain = {MATCHED: {"metrics_cfg": metrics}}
    task = BaseTask(
        "confaide-text", "tiny", evaluator_seq_cfgs=[chain], compat="upstream",
        log_file=str(tmp_path / "log.json"),
    )  # fmt: skip
    task.save_results(_evaluated([chain], ("Well", -50.0, None), ("100", 100.0, None)))
    stepped = (tmp_path / "log.json").read_text()
    values = {"pearson_corr": None, "failure": 0.5}
    estimates = {f"{MATCHED}:{key}": Estimate(value, 2) for key, value in values.items()}
    predictions = [
        Prediction(str(number), status=Status.OK, answer=answer, sample={"gt_answers": label})
        for number, (answer, label) in enumerate([("Well", -50.0), ("100", 100.0)])
    ]
    entries = [
        {"id": str(number), "evaluations": {f"{MATCHED}:pred_no_op": value}}
        for number, value in enumerate([None, 100])
    ]
    form: Callable[..., Any] = log_form
    told = {"sequences": [chain], "run": {}}
    logged = form(estimates, predictions, entries, compat="upstream", **told)
    for text in (stepped, json.dumps(logged)):
        log = json.loads(text, parse_constant=lambda name: name)
        assert log["total_results"] == {f"{MATCHED}:pearson_corr": "NaN", f"{MATCHED}:failure": 0.5}
        rows = log["per_sample_results"]
        assert [row[f"{MATCHED}:pred_no_op"] for row in rows] == ["NaN", 100]
        assert [row["label"] for row in rows] == [-50.0, 100.0]
        assert "extra" not in rows[0]
    corrected = form(estimates, predictions, entries, **told)
    assert corrected["total_results"][f"{MATCHED}:pearson_corr"] is None
    assert corrected["per_sample_results"][0]["extra"] is None
