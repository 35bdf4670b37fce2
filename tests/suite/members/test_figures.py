"""Figures of suites: by cases of somebody who knew the definitions alone, by hand, simulated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from compat_cases.tables import Case, cases

from chef.document.sections import Plot, Table, Words, text_of
from chef.suite.formula import read_formula
from chef.suite.members.figures import FigureValue, MemberRun, is_offered, value_of
from chef.suite.members.file import read_suite
from chef.suite.members.result import CurveValues, SuiteResult
from chef.suite.members.sections import sections_of
from chef.suite.sweep.samples import RunSamples

N = 500


def member(
    scores: Sequence[float | None],
    *,
    chance: float | None = None,
    probs: Sequence[float] | None = None,
    chosen: Sequence[int] | None = None,
    ids: Sequence[str] | None = None,
    is_main: Sequence[bool] | None = None,
) -> MemberRun:
    n = len(scores)
    names = list(ids or map(str, range(n)))
    return MemberRun(
        RunSamples(
            ids=names,
            scores=list(scores),
            links=[[] for _ in names],
            chosen=list(chosen or [0] * n),
            right=[0] * n,
            rotations=[],
            probs=list(probs or [1.0] * n),
            is_main=list(is_main or [True] * n),
        ),
        "Data",
        chance,
    )


def of_accuracy(percent: float, chance: float | None = None) -> MemberRun:
    return member([percent / 100] * N, chance=None if chance is None else chance / 100)


def value(formula: Any, unit: str = "", **runs: MemberRun) -> FigureValue:
    return value_of(read_formula(formula), runs, unit)


def check(found: FigureValue, case: Case) -> None:
    if case["expect"] is None:
        assert found.estimate.value is None
        assert "not above chance" in found.withheld
    else:
        assert found.estimate.value == pytest.approx(case["expect"])


# The cases of others.


@cases("chef_desiderata", "riam_leaderboard")
def test_in_context_learning(case: Case) -> None:
    runs = {f"s{place}": of_accuracy(item) for place, item in enumerate(case["acc"])}
    runs["zero"] = of_accuracy(case["zero"], case["rand"])
    riam = {"riam": {"zero": "zero", "shots": ["s0", "s1", "s2"]}}
    check(value({"plus": [50, {"times": [50, riam]}]}, **runs), case)


@cases("chef_desiderata", "rrm")
def test_relative_robustness(case: Case) -> None:
    clean = of_accuracy(case["acc"], case["rand"])
    formula = {"times": [100, {"rrm": {"clean": "a", "corrupted": "b"}}]}
    check(value(formula, a=clean, b=of_accuracy(case["corrupted"])), case)


@cases("chef_desiderata", "rr")
def test_robustness(case: Case) -> None:
    formula = {"times": [100, {"rr": {"clean": "a", "corrupted": "b"}}]}
    check(value(formula, a=of_accuracy(case["acc"]), b=of_accuracy(case["corrupted"])), case)


@cases("chef_desiderata", "mr")
def test_instruction_following(case: Case) -> None:
    runs = {
        name: member([1.0] * len(case[name]), chosen=case[name]) for name in ("origin", "mapped")
    }
    check(
        value({"times": [100, {"field": "same", "of": "mapped", "subset": "origin"}]}, **runs), case
    )


@cases("chef_desiderata", "calibration_leaderboard")
def test_calibration(case: Case) -> None:
    """A model that is sure and right but for a share has that share as its error."""
    runs = {
        f"r{place}": member([1.0] * 100, probs=[1.0 - error] * 100)
        for place, error in enumerate(case["ece"])
    }
    each = [{"inverse": {"field": "ece", "of": name}} for name in runs]
    check(value({"times": [100, {"mean": each}]}, **runs), case)


# By hand.


def test_a_sample_counts_where_it_was_scored() -> None:
    """Errors and rotations have no part; agreement needs both answers."""
    run = member([1.0, 0.0, None, 1.0], is_main=[True, True, True, False])
    assert value({"field": "accuracy", "of": "a"}, a=run).estimate.value == 0.5
    assert value({"field": "score", "of": "a"}, a=run).estimate.value == pytest.approx(2 / 3)
    other = member([1.0, 1.0, 1.0], ids=["0", "1", "9"], chosen=[0, 1, 0])
    same = {"field": "same", "of": "b", "subset": "a"}
    assert value(same, a=run, b=other).estimate.value == 0.5


def test_a_missing_member_is_named() -> None:
    found = value({"mean": [{"field": "accuracy", "of": name} for name in "abc"]}, a=of_accuracy(5))
    assert found.missing == ("b", "c")
    assert found.estimate.value is None


def test_chance_that_is_not_known_withholds() -> None:
    formula = {"rrm": {"clean": "a", "corrupted": "b"}}
    found = value(formula, a=of_accuracy(80), b=of_accuracy(60))
    assert "guessing" in found.withheld


def test_not_above_chance_within_the_interval() -> None:
    """30% of 50 answers may be chance of 25%; of 5,000 it is not."""
    formula = {"rrm": {"clean": "a", "corrupted": "b"}}
    for n, is_withheld in ((50, True), (5000, False)):
        clean = member([1.0] * (3 * n // 10) + [0.0] * (7 * n // 10), chance=0.25)
        found = value(formula, a=clean, b=clean)
        assert bool(found.withheld) == is_withheld
        if not is_withheld:
            assert found.estimate.value == pytest.approx(1)


def test_nothing_to_lose() -> None:
    found = value({"rr": {"clean": "a", "corrupted": "b"}}, a=of_accuracy(0), b=of_accuracy(0))
    assert "nothing to lose" in found.withheld


def test_shared_samples_are_drawn_once() -> None:
    """A run held against itself differs by nothing, and the difference is certain."""
    rng = np.random.default_rng(0)
    run = member([float(item) for item in rng.random(200) < 0.6])
    difference = {"weighted": [[1, {"field": "accuracy", "of": "a"}],
                               [-1, {"field": "accuracy", "of": "b"}]]}  # fmt: skip
    same = value(difference, a=run, b=run).estimate
    assert (same.value, same.stderr) == (0, 0)
    other = member(run.samples.scores, ids=[f"x{place}" for place in range(200)])
    apart = value(difference, a=run, b=other).estimate
    alone = value({"field": "accuracy", "of": "a"}, a=run).estimate
    assert apart.stderr == pytest.approx(2**0.5 * (alone.stderr or 0), rel=0.02)


def test_a_share_alone_has_the_interval_of_shares() -> None:
    """Wilson's of 199 of 200, and not one by the influence of the only error."""
    run = member([1.0] * 199 + [0.0])
    found = value({"times": [100, {"field": "accuracy", "of": "a"}]}, "0-100", a=run).estimate
    assert (found.value, found.n) == (99.5, 200)
    assert found.low == pytest.approx(97.22, abs=0.01)
    inverse = value({"inverse": {"field": "accuracy", "of": "a"}}, "0-1", a=run).estimate
    assert inverse.value == pytest.approx(0.005)


@pytest.mark.parametrize(
    ("formula", "most"),
    [
        ({"field": "accuracy", "of": "a"}, 100),
        ({"max": [{"field": "accuracy", "of": "a"}, {"field": "accuracy", "of": "b"}]}, 100),
        ({"beyond": {"blind": "a"}}, 100),
        ({"gain": {"seen": "a", "blind": "b"}}, 100),
    ],
)
def test_an_interval_ends_where_the_formula_does(formula: dict[str, Any], most: int) -> None:
    runs = {"a": of_right(19, chance=0.25), "b": of_right(1)}
    for unit in ("%", "points"):
        found = value({"times": [100, formula]}, unit, **runs).estimate
        assert (found.value or 0) < (found.high or 0) <= most


def test_errors_of_calibration_have_no_interval() -> None:
    run = member([1.0, 0.0] * 50, probs=[0.8] * 100)
    found = value({"inverse": {"field": "ece", "of": "a"}}, a=run).estimate
    assert found.value == pytest.approx(0.7)
    assert found.low is None


def simulated(rng: np.random.Generator, n: int) -> dict[str, MemberRun]:
    """Runs of one model on the same questions, of which some are easier than others."""
    ease = rng.normal(0, 1, n)

    def run(level: float, chance: float | None = None) -> MemberRun:
        right = ease + rng.normal(0, 1, n) > level
        return member([float(item) for item in right], chance=chance)

    return {"a": run(-0.9, 0.25), "b": run(-0.7), "c": run(-1.0), "d": run(-1.1), "e": run(0.2)}


@pytest.mark.parametrize(
    "formula",
    [{"riam": {"zero": "a", "shots": ["b", "c", "d"]}}, {"rrm": {"clean": "a", "corrupted": "e"}}],
    ids=["riam", "rrm"],
)
def test_intervals_cover_what_is_true(formula: dict[str, Any]) -> None:
    """200 draws: 95% have a standard deviation of 1.5% there."""
    rng = np.random.default_rng(1)
    truth = value(formula, **simulated(rng, 50_000)).estimate.value
    assert truth is not None
    held = 0
    for _ in range(200):
        found = value(formula, **simulated(rng, 150)).estimate
        assert found.low is not None
        assert found.high is not None
        held += found.low <= truth <= found.high
    assert 0.92 <= held / 200 <= 0.98


# Does it look?


def of_right(right: int, n: int = 20, **more: Any) -> MemberRun:
    return member([1.0] * right + [0.0] * (n - right), **more)


def test_gain_and_leakage_by_hand() -> None:
    """18 of 20 with the image, 8 without, and 5 by guessing."""
    runs = {"seen": of_right(18, chance=0.25), "blind": of_right(8, chance=0.25)}
    gain = value({"times": [100, {"gain": {"seen": "seen", "blind": "blind"}}]}, **runs).estimate
    assert gain.value == pytest.approx(50)
    leakage = value({"times": [100, {"leakage": {"blind": "blind"}}]}, **runs).estimate
    assert leakage.value == pytest.approx(15)
    assert leakage.low == 0
    beyond = value({"times": [100, {"beyond": {"blind": "blind"}}]}, **runs).estimate
    assert beyond.value == pytest.approx(20)


def test_gain_is_paired() -> None:
    """The same ten samples are lost in every draw: the variance is that of the differences."""
    runs = {"seen": of_right(18), "blind": of_right(8)}
    gain = value({"gain": {"seen": "seen", "blind": "blind"}}, **runs).estimate
    assert gain.stderr == pytest.approx((0.5 * 0.5 / 20) ** 0.5, rel=0.05)


def test_leakage_is_no_less_than_nothing() -> None:
    blind = of_right(2, chance=0.25)
    leakage = value({"leakage": {"blind": "blind"}}, blind=blind).estimate
    assert (leakage.value, leakage.low) == (0, 0)
    assert (leakage.high or 0) >= 0
    found = value({"leakage": {"blind": "blind"}}, blind=of_right(2))
    assert "what guessing scores in Data is not known" in found.withheld


def test_changed_answers_and_chosen_options() -> None:
    """Answers that name no option have no part in either."""
    before = member([1.0] * 5, chosen=[0, 1, 2, 1, 3])
    after = member([1.0] * 5, chosen=[0, 2, 2, 0, 3])
    after = MemberRun(after.samples._replace(chosen=[0, 2, 2, 0, None], options=[4] * 5), "Data")
    changed = value({"field": "changed", "of": "b", "subset": "a"}, a=before, b=after).estimate
    assert (changed.value, changed.n) == (0.5, 4)
    chosen = {"field": "chosen", "of": "b"}
    shares = [value({**chosen, "subset": name}, b=after).estimate.value for name in "ABCD"]
    assert shares == [0.5, 0, 0.5, 0]
    assert is_offered(read_formula({**chosen, "subset": "D"}), {"b": after})
    assert not is_offered(read_formula({**chosen, "subset": "E"}), {"b": after})


def test_a_category_alone() -> None:
    run = of_right(10)
    names = ["x", "y"] * 10
    run = MemberRun(run.samples._replace(categories=names), "Data")
    part = run.of_category("x")
    assert (len(part.samples.ids), value({"field": "accuracy", "of": "a"}, a=part).estimate.n) == (
        10,
        10,
    )
    assert part.right == {str(place) for place in range(0, 10, 2)}


def test_the_worst_line_of_a_curve_is_first() -> None:
    """Of 20 answers the methods leave 18 and 10, and 16 and 14: means of 70% and 75%."""
    suite = read_suite(
        {
            "values": {"levels": [1, 5]},
            "members": {
                "clean": {"recipe": "Shapes/ppl"},
                "{m}{n}": {"recipe": "Shapes/ppl", "each": {"m": ["fog", "blur"], "n": "levels"}},
            },
            "curves": {
                "lost": {
                    "each": {"m": ["blur", "fog"]},
                    "over": {"n": "levels"},
                    "score": {"times": [100, {"gain": {"seen": "{m}{n}", "blind": "clean"}}]},
                    "unit": "points",
                    "reference": {"times": [100, {"field": "accuracy", "of": "clean"}]},
                }
            },
        }
    )
    runs = {
        name: of_right(right)
        for name, right in {"clean": 19, "fog1": 18, "fog5": 10, "blur1": 16, "blur5": 14}.items()
    }
    curve = CurveValues.of(suite.curves[0], runs)
    assert [*curve.lines] == ["fog", "blur"]
    assert curve.means["fog"].estimate.value == pytest.approx(70 - 95)
    at = {number: one.estimate.value for number, one in curve.lines["blur"].items()}
    assert at == {1: pytest.approx(-15), 5: pytest.approx(-25)}
    # Ten of 20 pairs differ by one: the standard error of a mean of differences.
    at5 = curve.lines["fog"][5].estimate
    assert at5.stderr == pytest.approx(100 * (0.45 * 0.55 / 20) ** 0.5, rel=0.05)
    assert curve.reference is not None
    assert curve.reference.estimate.value == pytest.approx(95)
    result = SuiteResult.of(suite, "m", runs, {})
    words, table, plot = sections_of(result)
    assert isinstance(words, Words)
    assert isinstance(table, Table)
    assert [text_of(cell) for cell in table.rows[0]][:2] == ["fog", "-25.0"]
    assert table.headers == ("m", "mean", "95% interval", "1", "5")
    assert isinstance(plot, Plot)
    assert "fog: -5.0 at 1, -45.0 at 5" in plot.text


def test_the_share_of_cut_answers() -> None:
    run = of_right(4, 4)
    run = MemberRun(run.samples._replace(cut=[True, False, False, False]), "Data")
    assert value({"field": "cut", "of": "a"}, a=run).estimate.value == 0.25


def test_how_often_the_answer_follows() -> None:
    """Four were right before; of these two are right in the changed scene, and one has none."""
    before = member([1.0, 1.0, 0.0, 1.0, 1.0])
    after = member([1.0, 0.0, 1.0, 1.0, None])
    follows = {"field": "follows", "of": "b", "subset": "a"}
    found = value(follows, a=before, b=after).estimate
    assert (found.value, found.n) == (pytest.approx(2 / 3), 3)
