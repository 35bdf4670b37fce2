"""Differences of figures by half-samples, and figures without intervals of their own."""

import math

import numpy as np
import pytest
from scipy.stats import t

from chef.metric.vqa.accuracy import share_of
from chef.metric.vqa.calibration import calibration
from chef.stats import halves as module
from chef.stats.agreement import alpha, kappa
from chef.stats.estimate import Estimate
from chef.stats.figures import (
    count,
    f1,
    intervals_skipped,
    mean,
    of_sums,
    ratio,
    share,
    without_intervals,
)
from chef.stats.halves import paired_figures, splits
from chef.stats.paired import paired_mean

LIKE = {"x": Estimate(None, 0, unit="%", higher_is_better=False)}


def mean_of(scores):
    return lambda places: {"x": float(np.mean([scores[place] for place in places]))}


def f1_of(truth, answers):
    def figures(places):
        right = (truth[places] & answers[places]).sum()
        said = truth[places].sum() + answers[places].sum()
        return {"x": 2 * right / said if said else None, "unwanted": 1.0}

    return figures


@pytest.mark.parametrize(("count", "size"), [(60, 1), (41, 3), (5, 2)])
def test_a_mean_of_equal_clusters_has_its_own_standard_error(count, size):
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, count * size))
    clusters = [place // size for place in range(count * size)]
    found = paired_figures(mean_of(first), mean_of(second), clusters, LIKE)["x"]
    mean = paired_mean(first, second, clusters, unit="%", higher_is_better=False)
    assert found.estimate.value == pytest.approx(mean.estimate.value)
    assert found.estimate.stderr == pytest.approx(mean.estimate.stderr, rel=0.1)
    degrees = 1 / (1 / (count - 1) + 1 / splits(count * size))
    reach, power = t.ppf([0.975, 0.8], degrees) * found.estimate.stderr
    assert found.detectable == pytest.approx(reach + power)
    assert found.estimate.high == pytest.approx(found.estimate.value + reach)
    assert (found.estimate.unit, found.estimate.higher_is_better) == ("%", False)
    assert (found.estimate.n, found.clusters) == (count * size, count)
    # The p-value is below 5% where the interval leaves out 0.
    assert (found.p_value < 0.05) == (not found.estimate.low <= 0 <= found.estimate.high)


def test_halves_hold_whole_clusters_once_and_in_order():
    clusters = list("abcaabdeeb")
    seen = []

    def figures(places):
        assert intervals_skipped()
        seen.append(list(places))
        return {"x": float(len(places))}

    ticks = []
    paired_figures(figures, figures, clusters, LIKE, on_split=lambda: ticks.append(1))
    assert not intervals_skipped()
    assert len(ticks) == splits(10) == 500
    assert seen[:2] == [list(range(10))] * 2
    for places in seen:
        assert places == sorted(set(places))
        inside = {clusters[place] for place in places}
        assert places == [place for place in range(10) if clusters[place] in inside]
    for one, _, other, _ in zip(*[iter(seen[2:])] * 4, strict=True):
        assert sorted(one + other) == list(range(10))
    assert len({tuple(places) for places in seen}) == 1 + 20  # all choices of 2 or 3 of 5


def test_order_of_samples_has_no_effect():
    rng = np.random.default_rng(1)
    truth, first, second = rng.random((3, 50)) < 0.5
    clusters = [f"image {place // 2}" for place in range(50)]
    order = rng.permutation(50)
    plain = paired_figures(f1_of(truth, first), f1_of(truth, second), clusters, LIKE)
    other = paired_figures(
        f1_of(truth[order], first[order]),
        f1_of(truth[order], second[order]),
        [clusters[place] for place in order],
        LIKE,
    )
    assert other["x"].estimate.value == plain["x"].estimate.value
    assert other["x"].estimate.stderr == pytest.approx(plain["x"].estimate.stderr)
    assert list(plain) == ["x"]


def test_the_bias_of_small_samples_does_not_widen_the_interval():
    rng = np.random.default_rng(2)
    first, second = rng.normal(size=(2, 80))

    def biased(scores):
        return lambda places: {"x": float(np.mean(scores[places])) + 10 / len(places)}

    def doubly_biased(scores):
        return lambda places: {"x": float(np.mean(scores[places])) + 20 / len(places)}

    plain = paired_figures(mean_of(first), mean_of(second), list(range(80)), LIKE)["x"]
    other = paired_figures(biased(first), doubly_biased(second), list(range(80)), LIKE)["x"]
    assert other.estimate.stderr == pytest.approx(plain.estimate.stderr)


def test_equal_runs_have_no_interval_and_p_1():
    scores = [1.0, 0.0, 1.0, 1.0]
    found = paired_figures(mean_of(scores), mean_of(scores), list("abcd"), LIKE)["x"]
    assert (found.estimate.value, found.estimate.low, found.p_value) == (0, None, 1)
    assert (found.detectable, found.estimate.method) == (None, "none")
    shifted = paired_figures(mean_of(scores), mean_of([2, 1, 2, 2]), list("abcd"), LIKE)["x"]
    assert (shifted.estimate.value, shifted.estimate.low, shifted.p_value) == (1, None, None)


def test_figures_that_are_undefined():
    rng = np.random.default_rng(3)
    truth = np.zeros(40, bool)
    truth[0] = True  # most halves of one kind lack it
    first, second = truth.copy(), rng.random(40) < 0.5
    never = paired_figures(
        f1_of(truth & False, first & False), f1_of(truth, second), list(range(40)), LIKE
    )["x"]
    assert (never.estimate.value, never.estimate.n, never.p_value) == (None, 40, None)
    often = paired_figures(f1_of(truth, first), f1_of(truth, second), list(range(40)), LIKE)["x"]
    assert often.estimate.value is not None
    assert often.estimate.low is often.p_value is None
    missing = paired_figures(lambda _: {}, mean_of(second), list(range(40)), LIKE)["x"]
    assert missing.estimate.value is None
    infinite = paired_figures(lambda _: {"x": math.inf}, mean_of(second), list(range(40)), LIKE)
    assert infinite["x"].estimate.value is None


@pytest.mark.parametrize("clusters", [[], ["a", "a"]])
def test_little_data(clusters):
    def figures(places):
        return {"x": 1.0 if places else None}

    found = paired_figures(figures, figures, clusters, LIKE)["x"]
    assert found.estimate.value == (0.0 if clusters else None)
    assert found.estimate.low is found.p_value is None


def all_rotations_right(right):
    """A figure that joins samples by their question: four rotations of each."""

    def figures(places):
        groups = {}
        for place in places:
            groups.setdefault(place // 4, []).append(right[place])
        assert all(len(group) == 4 for group in groups.values())
        return {"x": sum(map(all, groups.values())) / len(groups)}

    return figures


@pytest.mark.parametrize("figure", ["F1", "rotations"])
def test_intervals_cover(monkeypatch, figure):
    monkeypatch.setattr(module, "MOST", 100)
    rng = np.random.default_rng(4)
    runs = 120
    size, count = (1, 80) if figure == "F1" else (4, 40)
    chance = (0.85, 0.7)
    if figure == "F1":  # of 40% positives, with errors of both kinds alike
        true_f1 = [2 * 0.4 * p / (0.4 + 0.4 * p + 0.6 * (1 - p)) for p in chance]
        true = true_f1[1] - true_f1[0]
    else:  # four right answers that stand alone
        true = chance[1] ** 4 - chance[0] ** 4
    covered = 0
    for _ in range(runs):
        truth = rng.random(count * size) < 0.4
        right = [rng.random(count * size) < p for p in chance]
        runs_of_two = [
            f1_of(truth, truth == hit) if figure == "F1" else all_rotations_right(hit)
            for hit in right
        ]
        clusters = [place // size for place in range(count * size)]
        estimate = paired_figures(*runs_of_two, clusters, LIKE)["x"].estimate
        covered += estimate.low <= true <= estimate.high
    assert covered / runs >= 0.89


def test_splits_depend_on_the_number_of_samples_alone():
    assert [splits(n) for n in (0, 2000, 2001, 5000, 10_000, 100_000)] == [
        500, 300, 299, 120, 60, 30,
    ]  # fmt: skip


def answers(count):
    rng = np.random.default_rng(5)
    return [
        {"id": str(n), "image_path": f"{n // 2}.png", "metric_result": float(rng.random())}
        for n in range(count)
    ]


READINGS = [list("aabbabab") * 3, list("aabbbaab") * 3]
FIGURES = {
    "mean": lambda: mean([1.0, 2.0, 4.0], None),
    "share": lambda: share([1.0, 0.5, 0.0], None),
    "ratio": lambda: ratio([1, 0, 2], [2, 2, 3], None),
    "F1": lambda: f1([1, 0, 1], [0, 1, 0], [0, 0, 0], None),
    "judged": lambda: share_of(answers(9), "metric_result"),
    "kappa": lambda: kappa(READINGS, list(range(24))).estimate,
    "alpha": lambda: alpha(READINGS, list(range(24))).estimate,
    "sums": lambda: of_sums([[1.0], [2.0], [4.0]], lambda sums: sums[:, 0], ["a", "a", "b"]),
}


@pytest.mark.parametrize("figure", FIGURES)
def test_values_are_the_same_without_intervals(figure):
    plain = FIGURES[figure]()
    assert plain.low is not None
    with without_intervals():
        bare = FIGURES[figure]()
    assert (bare.value, bare.n, bare.unit) == (plain.value, plain.n, plain.unit)
    assert bare.low is bare.high is bare.stderr is None
    assert bare.method == "none"


def run_of(hits, calls):
    """The share of hits, and how many there are, by places; notes how often it is asked."""

    def figures(places):
        calls.append(len(places))
        some = [hits[place] for place in places]
        found = {"share": share(some, list(places)), "count": count(some, list(places))}
        return {key: item.value for key, item in found.items()}

    return figures


def test_figures_of_sums_are_told_by_their_rows():
    rng = np.random.default_rng(0)
    first, second = (rng.random((2, 200)) < 0.4).tolist()
    like = {"share": Estimate(None, 0, unit="%"), "count": Estimate(None, 0, unit="count")}
    clusters, calls = [place // 2 for place in range(200)], []
    runs = run_of(first, calls), run_of(second, [])
    told = paired_figures(*runs, clusters, like)
    assert calls == [200, 100, 100]
    plain = [lambda places, run=run: {k: v + 0 for k, v in run(places).items()} for run in runs]
    asked = paired_figures(*plain, clusters, {"count": like["count"]})
    assert asked["count"] == told["count"]
    assert len(calls) == 3 + 1 + 2 * splits(200)
    assert isinstance(told["count"].estimate.value, int)


def test_a_figure_that_depends_on_all_samples_is_asked_of_the_run():
    scores, calls = np.random.default_rng(0).normal(size=60), []

    def figures(places):
        calls.append(len(places))
        some = scores[list(places)]
        return {"x": mean(list(some - some.max()), list(places)).value}

    paired_figures(figures, mean_of(scores), list(range(60)), LIKE)
    assert len(calls) == 1 + 2 * splits(60)


def test_calibration_draws_nothing_without_intervals():
    rows = [
        {"id": str(place), "prob": prob, "correct": float(prob > 0.65)}
        for place, prob in enumerate((0.9, 0.8, 0.6, 0.7))
    ]
    plain = calibration(rows)
    with without_intervals():
        bare = calibration(rows)
    assert (bare["ECE"], bare["ECE_debiased"]) == (plain["ECE"], plain["ECE_debiased"])
    assert plain["ECE_calibrated"].value is not None
    assert bare["ECE_calibrated"].value is None
    assert (len(plain["ECE_test"]), bare["ECE_test"]) == (1, [])
