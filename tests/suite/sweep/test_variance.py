"""Shares of the variance: against hand-worked designs, statsmodels and simulated factors."""

from __future__ import annotations

import importlib.util
import itertools
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT

from chef.suite.sweep.components import (
    OTHER,
    components,
    effects,
    missing_error,
    shares,
)
from chef.suite.sweep.design import Design, Term, design, matrix_of
from chef.suite.sweep.matrix import ScoreMatrix, run_means, score_matrix


@pytest.fixture(scope="module")
def benchmark() -> Any:
    """``benchmarks/sweeps.py``, which simulates sweeps of known factors."""
    spec = importlib.util.spec_from_file_location(
        "sweeps_benchmark", ROOT / "benchmarks" / "sweeps.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def grid(**factors: str) -> tuple[dict[str, list[str]], list[dict[str, str]]]:
    known = {name: list(values) for name, values in factors.items()}
    return known, [
        dict(zip(known, cell, strict=True)) for cell in itertools.product(*known.values())
    ]


def test_two_by_two_by_hand() -> None:
    """Means .5 .7 / .6 1: the effects are .1, .15 and .05 about a mean of .7."""
    factors, values = grid(A="01", B="01")
    means = np.array([0.5, 0.7, 0.6, 1.0])
    matrix = ScoreMatrix(np.repeat(means[:, None], 20, axis=1), np.arange(20))
    found = {item.term: item for item in shares(matrix, run_means(matrix), design(factors, values))}
    assert list(found) == ["B", "A", "A × B", "samples", "rest"]
    variances = {"A": 0.1**2, "B": 0.15**2, "A × B": 0.05**2}
    for term, variance in variances.items():
        assert found[term].share.value == pytest.approx(variance / 0.035)
        assert found[term].deviation is not None
        assert found[term].deviation.value == pytest.approx(100 * variance**0.5)
        assert found[term].of_answers is not None
        assert found[term].of_answers.value == pytest.approx(variance / 0.035)
    assert found["samples"].share.value is None


def test_noise_is_subtracted_by_hand() -> None:
    """Two runs, four samples: differences 1, 1, 0, 0 have the mean .5 and its variance 1/12."""
    factors, values = grid(A="01")
    matrix = ScoreMatrix(np.array([[0.0, 0, 0, 1], [1, 1, 0, 1]]), np.arange(4))
    part = components(run_means(matrix), design(factors, values))[0]
    # The effect is half of the difference, so its variance is a quarter of the square.
    assert part.length == pytest.approx(0.5**2 / 4)
    assert part.noise == pytest.approx(1 / 12 / 4)
    found = {item.term: item for item in shares(matrix, run_means(matrix), design(factors, values))}
    # Deviations -1 -1 -1 3 and 1 1 -3 1, in quarters: squares 12 and 12, products 4, over 3.
    between, within, shared = 1 / 16 - 1 / 48, 12 / 16 / 3, 4 / 16 / 3
    for term, part_ in (("samples", shared), ("rest", within - shared)):
        item = found[term].of_answers
        assert item is not None
        assert item.value == pytest.approx(part_ / (between + within), rel=1e-6)


def unexplained(means: Any, terms: list[Term], layout: Design) -> float:
    """The sum of squares that terms leave of the means of runs."""
    columns = matrix_of(terms, layout.runs)
    left = means - columns @ np.linalg.lstsq(columns, means, rcond=None)[0]
    return float(left @ left)


@pytest.mark.parametrize("gaps", [0, 2])
def test_sums_of_squares_are_those_of_statsmodels(gaps: int) -> None:
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    factors, values = grid(A="01", B="012", D="012")
    rng = np.random.default_rng(gaps)
    kept = sorted(rng.permutation(len(values))[: len(values) - gaps])
    values = [values[place] for place in kept]
    scores = rng.random((len(values), 7)) + 0.1 * np.arange(len(values))[:, None]
    rows = [{**run, "y": score} for run, line in zip(values, scores, strict=True) for score in line]
    layout = design(factors, values)
    assert layout.is_full == (gaps == 0)
    fitted = ols("y ~ (C(A, Sum) + C(B, Sum) + C(D, Sum)) ** 2", pd.DataFrame(rows)).fit()
    expected = anova_lm(fitted, typ=3)["sum_sq"]
    means = scores.mean(axis=1)
    assert len(layout.terms) == 6
    for term in layout.terms:
        others = [item for item in layout.model if item is not term]
        squares = unexplained(means, others, layout) - unexplained(means, layout.model, layout)
        name = ":".join(f"C({factor}, Sum)" for factor in term.name.split(" × "))
        assert 7 * squares == pytest.approx(expected[name], rel=1e-8), term.name


def test_variances_are_unbiased(benchmark: Any) -> None:
    """The mean over simulations is the truth; that of the squared effects alone is not."""
    plan = benchmark.Plan(
        {"A": (-0.02, 0.02), "B": (-0.03, 0.01, 0.02), "C": (0.0, 0.0)}, 0.01, 200, 100
    )
    truth, rng, found = plan.truth(), np.random.default_rng(3), {}
    for _ in range(300):
        matrix, factors, values = benchmark.simulate(plan, rng)
        for part in components(run_means(matrix), design(factors, values), resamples=1):
            found.setdefault(part.name, []).append((part.variance, part.length))
    assert set(found) == {"A", "B", "C", "A × B", "A × C", "B × C", OTHER}
    for term, rows in found.items():
        table = np.array(rows)
        mean, error = table.mean(axis=0), table.std(axis=0, ddof=1) / len(rows) ** 0.5
        assert abs(mean[0] - truth.get(term, 0.0)) < 3.5 * error[0], term
        assert mean[1] - truth.get(term, 0.0) > 3.5 * error[1], term


def test_gaps_leave_variances_unbiased(benchmark: Any) -> None:
    """Also with an interaction that the runs cannot tell: it is noise of the runs."""
    plan = benchmark.Plan(
        {"A": (-0.03, 0.03), "B": (-0.04, 0.01, 0.03), "C": (0.0, 0.0, 0.0)},
        0.02,
        400,
        400,
        gaps=10,
    )
    truth, rng, found = plan.truth(), np.random.default_rng(4), {}
    for _ in range(300):
        matrix, factors, values = benchmark.simulate(plan, rng)
        for part in components(run_means(matrix), design(factors, values), resamples=1):
            found.setdefault(part.name, []).append(part.variance)
    for term in "ABC":
        rows = np.array(found[term])
        error = rows.std(ddof=1) / len(rows) ** 0.5
        # What is left of the interaction is clipped at 0 in each of them, so some bias remains.
        assert abs(rows.mean() - truth[term]) < 3.5 * error + 0.0001, term


def test_intervals_cover(benchmark: Any) -> None:
    plan = benchmark.Plan({"A": (-0.02, 0.02), "B": (0.0, 0.0, 0.0)}, samples=300, clusters=150)
    found = benchmark.covered(plan, 120, resamples=400)
    for term, row in found.items():
        assert row["covered"] >= 0.88, term
        assert row["share covered"] >= 0.88, term
    assert found["A"]["covered"] < 1


def test_factors_that_change_together_are_not_told_apart() -> None:
    factors, values = grid(A="012", B="01")
    values = [{**run, "seed": run["B"]} for run in values]
    layout = design({**factors, "seed": ["0", "1"]}, values)
    assert [term.name for term in layout.terms] == ["A"]
    assert [term.name for term in layout.confounded] == ["B", "seed"]
    assert "do not tell B and seed apart" in layout.notes[0]


def test_aliased_interactions_are_named() -> None:
    """Half of a 2 x 2 x 2 grid: each interaction is the third factor's main effect."""
    factors, values = grid(A="01", B="01", C="01")
    half = [run for run in values if sum(map(int, run.values())) % 2 == 0]
    layout = design(factors, half)
    assert [term.name for term in layout.terms] == ["A", "B", "C"]
    assert "A × B, A × C and B × C" in layout.notes[0]
    assert [term.name for term in design(factors, values).terms][3:] == ["A × B", "A × C", "B × C"]


def test_a_factor_of_one_value_is_noted() -> None:
    factors, values = grid(A="01", B="0")
    layout = design(factors, values)
    assert [term.name for term in layout.terms] == ["A"]
    assert "Only one value was run of B" in layout.notes[0]


def test_missing_scores_are_those_of_least_squares() -> None:
    from statsmodels.formula.api import ols

    rng = np.random.default_rng(5)
    scores = rng.random((4, 30)) + np.linspace(0, 2, 30)
    scores[rng.random(scores.shape) < 0.3] = np.nan
    scores[:, np.isfinite(scores).sum(axis=0) < 2] = 1.0
    rows = [
        {"run": str(run), "sample": str(sample), "y": scores[run, sample]}
        for run, sample in np.argwhere(np.isfinite(scores))
    ]
    expected = ols("y ~ C(run) + C(sample)", pd.DataFrame(rows)).fit().params
    means = run_means(ScoreMatrix(scores, np.arange(30))).means
    for run in (1, 2, 3):
        assert means[run] - means[0] == pytest.approx(expected[f"C(run)[T.{run}]"])


@pytest.mark.parametrize("is_complete", [True, False])
def test_influence_is_what_another_draw_of_a_cluster_does(is_complete: bool) -> None:
    rng = np.random.default_rng(6)
    scores = rng.random((3, 4000))
    if not is_complete:
        scores[0, rng.random(4000) < 0.4] = np.nan
    clusters = np.arange(4000) // 2
    found = run_means(ScoreMatrix(scores, clusters))
    assert found.influence.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-9)
    for cluster in (0, 7):
        own = clusters == cluster
        twice = ScoreMatrix(np.hstack([scores, scores[:, own]]), np.append(clusters, clusters[own]))
        moved = run_means(twice).means - found.means
        assert moved == pytest.approx(found.influence[cluster], rel=0.01, abs=1e-6)


def test_samples_that_some_run_lacks_are_left_out_unless_too_few_remain() -> None:
    ids = [[f"q{place}" for place in range(50)]] * 2
    names = {name: name for name in ids[0]}
    full: list[float | None] = [1.0] * 50
    few = score_matrix(ids, [full, [None] * 10 + full[10:]], names)
    assert few.scores.shape == (2, 40)
    assert few.left_out == 10
    assert few.is_complete
    third = [*full[:25], *[None] * 25]
    many = score_matrix([*ids, ids[0]], [full, [None] * 30 + full[30:], third], names)
    # Five have a score in one run only, which compares nothing.
    assert many.scores.shape == (3, 45)
    assert not many.is_complete


def test_clusters_are_drawn_whole() -> None:
    """Ten copies of each sample tell no more than one."""
    rng = np.random.default_rng(7)
    scores = (rng.random((2, 100)) < 0.6).astype(float)
    once = run_means(ScoreMatrix(scores, np.arange(100)))
    copies = run_means(ScoreMatrix(np.repeat(scores, 10, axis=1), np.repeat(np.arange(100), 10)))
    assert copies.covariance == pytest.approx(once.covariance)
    assert once.covariance == pytest.approx(np.cov(scores) / 100)


def test_equal_runs_have_no_share_of_anything() -> None:
    factors, values = grid(A="01")
    matrix = ScoreMatrix(np.array([[1.0, 0, 1, 0]] * 2), np.arange(4))
    found = {item.term: item for item in shares(matrix, run_means(matrix), design(factors, values))}
    assert found["A"].share.value is None
    assert found["A"].deviation is not None
    assert (found["A"].deviation.value, found["A"].deviation.high) == (0.0, 0.0)
    assert found["A"].p_value == 1.0
    assert found["samples"].of_answers is not None
    assert found["samples"].of_answers.value == pytest.approx(1.0)


@pytest.mark.parametrize(
    "scores",
    [np.ones((4, 6)), np.array([[1.0], [0.0], [1.0], [1.0]]), np.zeros((4, 2))],
    ids=["all right", "one sample", "all wrong"],
)
def test_scores_that_tell_nothing_give_no_share(scores: np.ndarray) -> None:
    factors, values = grid(A="01", B="01")
    matrix = ScoreMatrix(scores, np.arange(scores.shape[1]))
    for item in shares(matrix, run_means(matrix), design(factors, values)):
        for estimate in (item.share, item.of_answers, item.deviation):
            if estimate is not None and estimate.value is not None:
                assert 0 <= estimate.value <= 100
                assert scores.shape[1] > 1 or estimate.low is None
        if len(np.unique(scores)) == 1:
            assert item.share.value is None


def test_runs_that_ask_the_same_are_no_noise() -> None:
    """Combinations that ask the same share their answers: the factor between them does nothing."""
    factors, values = grid(A="01", B="01")
    one, other = (np.random.default_rng(8).random((2, 200)) < [[0.5], [0.7]]).astype(float)
    matrix = ScoreMatrix(np.array([one, one, other, other]), np.arange(200))
    found = {item.term: item for item in shares(matrix, run_means(matrix), design(factors, values))}
    for term in ("B", "A × B"):
        assert found[term].share.value == 0.0
        assert found[term].share.high is not None
        assert found[term].share.high < 0.01
    assert found["A"].share.value == 1.0


def test_interactions_hide_no_factor_where_runs_are_missing(benchmark: Any) -> None:
    """Two of 18 runs are missing, and an interaction is larger than the factors."""
    plan_of = {"A": (-0.03, 0.03), "B": (-0.04, 0.01, 0.03), "C": (0.0, 0.0, 0.0)}
    plan = benchmark.Plan(plan_of, 0.05, samples=1000, clusters=1000, gaps=2)
    found = benchmark.covered(plan, 25, resamples=300)
    for term in ("A", "B", "A × B"):
        assert found[term]["shown"] >= 0.8, term
        assert found[term]["estimated share"] == pytest.approx(found[term]["share"], abs=0.06), term
    assert found["C"]["shown"] <= 0.2


def test_what_runs_are_missing_is_no_error_of_the_full_grid() -> None:
    factors, values = grid(A="01", B="012", C="01")
    full = design(factors, values)
    for kept in (values, values[1:], values[:-3]):
        layout = design(factors, kept)
        for term, same in zip(layout.terms, full.terms, strict=False):
            if len(term.factors) == 1:
                error = missing_error(term, layout)
                # By hand: the effects of unit deviations of all cells, and those of the runs.
                whole = effects(same, full)
                padded = np.zeros_like(whole)
                padded[:, [values.index(value) for value in kept]] = effects(term, layout)
                assert error == pytest.approx((padded - whole) @ (padded - whole).T, abs=1e-12)
                assert (np.trace(error) > 1e-6) == (kept is not values)
