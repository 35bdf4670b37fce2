"""Formulas against cases worked out by hand, by an author who had not seen how they are computed.

The cases and their conventions are in `blind_cases.yaml`. Where a function has other arguments than
the formula, a test says by which equation the two are the same.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from chef.scoring.sampled import Sampling, majority_is_right, pass_at_k, sampled_figures
from chef.stats import generalizability, guide, rectified
from chef.stats.agreement import alpha, kappa
from chef.stats.confidence_sequence import Draws, Game, Population
from chef.stats.estimate import Estimate
from chef.stats.guide import Guide, Items

#: Everything is repeated so often: means stay as they are, and labels become as many as are needed.
COPIES = 10


@cache
def all_cases() -> dict[str, Any]:
    text = Path(__file__).with_name("blind_cases.yaml").read_text()
    return yaml.load(text, Loader=yaml.CSafeLoader)


def cases(*path: str) -> Any:
    part: Any = all_cases()
    for key in path:
        part = part[key]
    return pytest.mark.parametrize("case", part, ids=[str(number) for number in range(len(part))])


def number(value: Any) -> float:
    return float(Fraction(value))


def near(value: Any) -> Any:
    return pytest.approx(number(value), rel=1e-12, abs=1e-12)


def test_no_case_is_left_out() -> None:
    used = {"pass_at_k", "majority", "rectified_mean", "stratified_mean", "kappa", "two_pl",
            "horvitz_thompson", "variance_components"}  # fmt: skip
    assert set(all_cases()) == used
    assert set(all_cases()["kappa"]) == {"cohen", "krippendorff_nominal", "krippendorff_interval"}
    assert set(all_cases()["two_pl"]) == {"probability", "information"}


@cases("pass_at_k")
def test_pass_at_k(case: dict[str, Any]) -> None:
    k = case["k"]
    if "counts" not in case:
        assert pass_at_k(case["n"], case["c"], k) == near(case["value"])
        return
    questions = [
        Sampling([place < right for place in range(n)], [None] * n) for n, right in case["counts"]
    ]
    found = sampled_figures(questions, range(len(questions)), k)
    assert found[f"pass@{k}"].value == near(100 * Fraction(case["value"]))


@cases("majority")
def test_majority(case: dict[str, Any]) -> None:
    right = [answer == case["right"] for answer in case["answers"]]
    assert majority_is_right(Sampling(right, case["answers"])) == near(case["value"])


def rectified_value(strata: list[dict[str, Any]], slope: float) -> float:
    """The mean for a slope that is fixed, on a scale so wide that it does not clip."""
    scores: list[float] = []
    names: list[int] = []
    labels: dict[int, float] = {}
    for name, stratum in enumerate(strata):
        for _ in range(COPIES):
            at = len(scores)
            pairs = zip(stratum["labelled"], stratum["labels"], strict=True)
            labels.update({at + place: label for place, label in pairs})
            scores += stratum["scores"]
            names += [name] * len(stratum["scores"])
    drawn = rectified._drawn(scores, labels, names)
    bare = Estimate(None, len(scores))
    found = rectified._mean(
        drawn, slope, np.zeros(len(labels)), range(len(scores)), bare, least=-1e3, most=1e3
    )
    assert found.estimate.value is not None
    # What is public takes the slope that the labels have, and has the same mean for it.
    whole = rectified.rectified_mean(
        scores, labels, range(len(scores)), unit="", least=-1e3, most=1e3, strata=names
    )
    again = rectified._mean(
        drawn, whole.slope, np.zeros(len(labels)), range(len(scores)), bare, least=-1e3, most=1e3
    )
    assert whole.estimate.value == pytest.approx(again.estimate.value, abs=1e-12)
    return found.estimate.value


@cases("rectified_mean")
def test_rectified_mean(case: dict[str, Any]) -> None:
    one = {"scores": case["all"], "labelled": case["labelled"], "labels": case["labels"]}
    assert rectified_value([one], case["lambda"]) == near(case["value"])


@cases("stratified_mean")
def test_stratified_mean(case: dict[str, Any]) -> None:
    assert all(len(one["scores"]) == one["size"] for one in case["strata"])
    assert rectified_value(case["strata"], case["lambda"]) == near(case["value"])


@cases("kappa", "cohen")
def test_cohens_kappa(case: dict[str, Any]) -> None:
    found = kappa([case["a"], case["b"]], range(len(case["a"])))
    assert found.estimate.value == near(case["value"])


@pytest.mark.parametrize("level", ["nominal", "interval"])
def test_krippendorffs_alpha(level: str) -> None:
    for case in all_cases()["kappa"][f"krippendorff_{level}"]:
        readings = list(zip(*case["units"], strict=True))
        found = alpha(readings, range(len(case["units"])), numbers=level == "interval")
        assert found.estimate.value == near(case["value"])


def one_item(case: dict[str, Any]) -> Items:
    """The item ``a (theta - b)`` as ``a theta + level``, and one run of that ability."""
    slope, level = np.array([case["a"]]), np.array([-case["a"] * case["b"]])
    return Items(["one"], slope, level, np.array([0.5]), np.array([case["theta"]]), 1)


@cases("two_pl", "probability")
def test_probability_of_an_item(case: dict[str, Any]) -> None:
    item = one_item(case)
    found = guide._chances(item.slopes, item.levels, item.abilities)[0, 0]
    assert found == pytest.approx(case["probability"], rel=1e-12)
    if case["a"]:
        assert item.difficulties[0] == near(case["b"])


@cases("two_pl", "information")
def test_information_of_an_item(case: dict[str, Any]) -> None:
    assert one_item(case).information[0] == near(case["information"])


@cases("horvitz_thompson")
def test_what_was_drawn_counts_by_its_probability(case: dict[str, Any]) -> None:
    """The estimates of single draws, by the sum that they share.

    chef draws one unit after the other. Of one draw with probability p its estimate is
    ``(sum of predictions + (outcome - prediction) / p) / N``; so the estimator of Horvitz and
    Thompson is the mean prediction plus, of each unit, how far its estimate is from that.
    """
    predictions = [number(item) for item in case["population_predictions"]]
    n = len(predictions)
    base = value = sum(predictions) / n
    for place, p, outcome in zip(
        case["sampled"], case["probabilities"], case["outcomes"], strict=True
    ):
        guide = Guide(
            weights=[p], predictions=[predictions[place] - 0.5], weight=1.0,
            prediction=sum(predictions) - 0.5 * n, largest=1 / p, least=-1 / p, most=1 / p,
        )  # fmt: skip
        single = Game(Draws([outcome], [1], [1], guide), Population(n, n, 1)).mean()[0]
        value += single - base
    assert value == near(case["value"])


@cases("variance_components")
def test_variance_components(case: dict[str, Any]) -> None:
    """The component between groups; that within them by the whole sum of squares.

    ``(N - 1) variance = (N - g) W + (g - 1) B`` and ``B = n between + W`` where it is above 0.
    Groups that are moved apart make it so, and leave W as it is.
    """
    groups = [[number(item) for item in group] for group in case["groups"]]
    size, count = len(groups[0]), len(groups)
    labels = [name for name in range(count) for _ in range(size)]
    between, _ = generalizability._of_clusters(np.concatenate(groups), labels)
    assert between == near(case["between"])
    apart = np.concatenate([np.array(group) + 10 * at for at, group in enumerate(groups)])
    moved, _ = generalizability._of_clusters(apart, labels)
    assert moved > 0
    whole = float(((apart - apart.mean()) ** 2).sum())
    within = (whole - size * moved * (count - 1)) / (size * count - 1)
    assert within == pytest.approx(number(case["within"]), abs=1e-9)
