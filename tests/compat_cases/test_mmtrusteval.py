"""MMTrustEval's rules; see `compat_cases.tables`."""

from __future__ import annotations

from typing import Any

from chef.metric.mmtrusteval.chain import SequentialEvaluator
from chef.metric.mmtrusteval.metrics import METRICS
from chef.suite.formula import Figure, evaluate
from chef.suite.trust.scores import sheet
from compat_cases.tables import Case, cases, check

NOT_SETTINGS = {"rule", "pred", "label", "mode", "from", "expect"}


def outcome(rule: str, case: Case) -> Any:
    """What an evaluator makes of one answer."""
    settings = {key: item for key, item in case.items() if key not in NOT_SETTINGS}
    chain = SequentialEvaluator(
        {rule: {"metrics_cfg": {"pred_no_op": None}, **settings}}, case["mode"]
    )
    return chain([case["pred"]], [case.get("label")])[f"{rule}:pred_no_op"][0]


@cases("mmte_yes_no")
def test_yes_and_no(case: Case) -> None:
    check(outcome("rule_yes_or_no_eval", case), case)


@cases("mmte_contain")
def test_contained_texts(case: Case) -> None:
    check(outcome(case["rule"], case), case)


@cases("mmte_reject")
def test_refusals(case: Case) -> None:
    check(outcome("rule_reject_template_eval", case), case)


@cases("mmte_numbers")
def test_numbers(case: Case) -> None:
    check(outcome(case["rule"], case), case)


@cases("mmte_metrics")
def test_metrics(case: Case) -> None:
    keys = case.get("kwargs", {})
    check(METRICS[case["metric"]].compute(case["y_true"], case["y_pred"], **keys), case)


@cases("mmte_chains")
def test_chains(case: Case) -> None:
    chain = SequentialEvaluator(case["sequence"], case["mode"])
    check(chain(case["preds"], case["labels"]), case)


def figure_of(values: dict[str, float], figure: Figure) -> Any:
    """A figure by its data set and part, by its data set, or by its field alone."""
    import numpy as np

    for name in (f"{figure.dataset}/{figure.subset}", figure.dataset, figure.field):
        if name in values:
            return np.asarray([values[name]], dtype=float)
    raise KeyError(figure)


@cases("mmte_aggregates")
def test_scores_of_tasks(case: Case) -> None:
    values = case["values"]
    if "part" in case:
        (part,) = (item for item in sheet() if item.name == case["part"])
        check(sum(weight * values[task.name] for weight, task in part.tasks), case)
        return
    tasks = {task.name: task for part in sheet() for _, task in part.tasks}
    found = evaluate(tasks[case["task"]].formula, lambda figure: figure_of(values, figure))
    check(float(found[0]), case)
