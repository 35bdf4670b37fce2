"""The analysis against cases worked by hand from the page on sweeps, not from its code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from sweeps_by_hand import run_of

from chef.stats.estimate import Estimate
from chef.suite.sweep.analysis import analyse
from chef.suite.sweep.result import Share, SweepResult
from chef.suite.sweep.samples import CombinationScores
from chef.suite.sweep.words import sentences

Scores = Sequence[float | None]


def run(
    values: Mapping[str, str],
    scores: Scores,
    clusters: Sequence[str] | None = None,
    chosen: Sequence[int | None] = (),
    right: Sequence[int | None] = (),
    rotations: Sequence[int] = (),
) -> CombinationScores:
    known = [score for score in scores if score is not None]
    figure = Estimate(100 * sum(known) / len(known), n=len(known), unit="%")
    return run_of(values, figure, scores, clusters, chosen, right, rotations)


def of_table(
    table: Mapping[tuple[str, str], Scores], clusters: Sequence[str] | None = None
) -> SweepResult:
    """A sweep of two factors, a and b, from the scores of each of its runs."""
    factors = {
        "a": list(dict.fromkeys(a for a, _ in table)),
        "b": list(dict.fromkeys(b for _, b in table)),
    }
    runs = [run({"a": a, "b": b}, scores, clusters) for (a, b), scores in table.items()]
    return analyse("blind", Path("sweep"), factors, runs)


def exact(rows: Mapping[str, Sequence[float | None]]) -> SweepResult:
    """A sweep whose samples all score what their run scores: nothing is noise."""
    table = {
        (a, f"b{place}"): [score] * 5
        for a, row in rows.items()
        for place, score in enumerate(row)
        if score is not None
    }
    return of_table(table)


def share(found: SweepResult, term: str) -> Share:
    return next(item for item in found.shares if item.term == term)


def deviation(found: SweepResult, term: str) -> float:
    of_term = share(found, term).deviation
    assert of_term is not None
    assert of_term.value is not None
    return of_term.value


def of_answers(found: SweepResult, term: str) -> float:
    item = share(found, term).of_answers
    assert item is not None
    assert item.value is not None
    return item.value


# --- what decides the score


def test_a_table_of_two_by_two_without_interaction() -> None:
    found = exact({"a0": [0.2, 0.4], "a1": [0.6, 0.8]})
    # The effects are -0.2, 0.2 and -0.1, 0.1: variances 0.04 and 0.01 of 0.05.
    assert deviation(found, "a") == pytest.approx(20)
    assert deviation(found, "b") == pytest.approx(10)
    assert deviation(found, "a × b") == pytest.approx(0, abs=1e-6)
    assert share(found, "a").share.value == pytest.approx(0.8)
    assert share(found, "b").share.value == pytest.approx(0.2)
    assert [item.term for item in found.shares] == ["a", "b", "a × b", "samples", "rest"]


def test_a_table_of_two_by_three_with_interaction() -> None:
    found = exact({"a0": [0.1, 0.2, 0.6], "a1": [0.3, 0.8, 0.4]})
    # Rows: -0.1, 0.1. Columns: -0.2, 0.1, 0.1. What is left: 0, -0.2, 0.2 and its negative.
    variances = {"a": 0.01, "b": 0.02, "a × b": 0.16 / 6}
    total = 0.34 / 6  # the mean square of the six deviations from 0.4
    assert sum(variances.values()) == pytest.approx(total)
    for term, variance in variances.items():
        assert share(found, term).share.value == pytest.approx(variance / total)
        assert of_answers(found, term) == pytest.approx(variance / total)
        assert deviation(found, term) == pytest.approx(100 * variance**0.5)
    assert share(found, "samples").share.value is None
    levels = {(item.factor, item.value): item for item in found.levels}
    assert levels["a", "a0"].score.value == pytest.approx(30)
    assert levels["a", "a0"].effect.value == pytest.approx(-10)
    assert levels["b", "b1"].score.value == pytest.approx(50)
    assert levels["b", "b0"].effect.value == pytest.approx(-20)


_NOISY = {  # four samples in each cell
    ("a0", "b0"): [1, 1, 1, 0],
    ("a0", "b1"): [1, 1, 0, 1],
    ("a1", "b0"): [0, 0, 1, 0],
    ("a1", "b1"): [0, 1, 0, 0],
}


def test_the_noise_of_the_samples_is_subtracted() -> None:
    found = of_table({cell: scores * 10 for cell, scores in _NOISY.items()})
    # Half the difference of the rows, of each of the four samples: 0.5, 0.25, 0, 0.25. Its mean is
    # 0.25, and the mean's variance 10 * 0.125 / (40 * 39).
    assert deviation(found, "a") == pytest.approx(100 * (0.0625 - 1.25 / 1560) ** 0.5)
    assert deviation(found, "b") == 0


def test_samples_about_one_image_are_noise_together() -> None:
    clusters = ["one", "two", "three", "four"] * 10
    found = of_table({cell: scores * 10 for cell, scores in _NOISY.items()}, clusters)
    assert deviation(found, "a") == pytest.approx(100 * (0.0625 - 0.125 / 12) ** 0.5)


def test_runs_that_are_the_same_differ_by_nothing() -> None:
    found = of_table({cell: [1, 0, 1, 1, 0, 0] for cell in _NOISY})
    for term in ("a", "b", "a × b"):
        assert share(found, term).share.value is None
        assert deviation(found, term) == 0
    assert of_answers(found, "samples") == pytest.approx(1)
    assert of_answers(found, "rest") == pytest.approx(0)


def test_a_gap_in_the_grid_is_bridged_by_least_squares() -> None:
    found = exact({"a0": [0.2, 0.3, 0.4], "a1": [0.6, 0.7, None]})
    assert deviation(found, "a") == pytest.approx(20)
    assert deviation(found, "b") == pytest.approx(100 * (0.02 / 3) ** 0.5)
    total = 0.04 + 0.02 / 3
    assert share(found, "a").share.value == pytest.approx(0.04 / total)


def test_a_sample_without_a_score_is_left_out_and_told() -> None:
    table: dict[tuple[str, str], Scores] = {}
    for (a, b), mean in zip(_NOISY, (0.2, 0.4, 0.6, 0.8), strict=True):
        table[a, b] = [mean] * 60
    table["a0", "b1"] = [0.4] * 59 + [None]
    found = of_table(table)
    assert deviation(found, "a") == pytest.approx(20)
    assert any("1 of 60" in note for note in found.notes)


def _simulated(seed: int, n: int) -> SweepResult:
    """Three factors of known effects; scores from 0 to 1, uniform within 0.2 around a run's."""
    stream = np.random.default_rng(seed)
    effects = {
        "wording": dict(zip("0123", (-0.06, -0.02, 0.02, 0.06), strict=True)),
        "inferencer": {"PPL": 0.05, "Direct": -0.05},
        "examples": {"0": 0.0, "2": 0.0},
    }
    samples = stream.uniform(0.3, 0.7, n)  # variance 0.16 / 12
    runs = []
    for labels in product(*(effects[name] for name in effects)):
        values = dict(zip(effects, labels, strict=True))
        mean = sum(effects[name][label] for name, label in values.items())
        runs.append(run(values, list(samples + mean + stream.normal(0, 0.02, n))))
    factors = {name: list(of) for name, of in effects.items()}
    return analyse("simulated", Path("sweep"), factors, runs)


def test_known_components_are_found_again() -> None:
    found = _simulated(3, 400)
    wording, inferencer = 0.002, 0.0025  # mean squares of the effects above
    runs = wording + inferencer
    answers = runs + 0.16 / 12 + 0.0004
    assert deviation(found, "wording") == pytest.approx(100 * wording**0.5, abs=0.4)
    assert deviation(found, "inferencer") == pytest.approx(5, abs=0.4)
    for term, variance in (("wording", wording), ("inferencer", inferencer)):
        item = share(found, term)
        assert item.share.low is not None
        assert item.share.high is not None
        assert item.share.low < variance / runs < item.share.high
        assert item.p_value is not None
        assert item.p_value < 0.001
    of_nothing = share(found, "examples")
    assert of_nothing.p_value is not None
    assert of_nothing.p_value > 0.01
    assert deviation(found, "examples") < 0.5
    assert of_answers(found, "samples") == pytest.approx(0.16 / 12 / answers, abs=0.06)
    assert of_answers(found, "rest") == pytest.approx(0.0004 / answers, abs=0.01)
    parts = [item.of_answers.value for item in found.shares if item.of_answers]
    assert sum(part or 0 for part in parts) == pytest.approx(1, abs=0.01)


# --- the most stable recipe


def _recipes(table: Mapping[str, Sequence[float]]) -> SweepResult:
    wordings = [f"w{place}" for place in range(max(map(len, table.values())))]
    runs = [
        run({"inferencer": name, "wording": wording}, [score] * 40)
        for name, row in table.items()
        for wording, score in zip(wordings, row, strict=False)
    ]
    factors = {"inferencer": list(table), "wording": wordings}
    return analyse("stable", Path("sweep"), factors, runs, roles={"wording": "nuisance"})


def test_the_stable_recipe_wins_over_the_one_with_the_higher_mean() -> None:
    found = _recipes({"x": [0.7] * 4, "y": [0.4, 0.9, 0.95, 0.75], "z": [0.6] * 4})
    stable = {item.values["inferencer"]: item for item in found.stable}
    assert [name for name, item in stable.items() if item.chosen] == ["x"]
    assert stable["x"].accuracy.value == pytest.approx(70)
    assert stable["y"].accuracy.value == pytest.approx(75)
    assert stable["x"].spread == pytest.approx(0, abs=1e-6)
    assert stable["y"].spread == pytest.approx(100 * (0.185 / 4) ** 0.5)
    assert {name for name, item in stable.items() if item.on_front} == {"x", "y"}
    # By accuracy less spread y comes third (53.5), so the next one is z.
    assert stable["x"].lead is not None
    assert stable["x"].lead.value == pytest.approx(10)
    assert found.fall == pytest.approx(0)
    assert stable["x"].runs == 4


def test_a_recipe_with_one_run_is_not_chosen() -> None:
    found = _recipes({"x": [0.99], "y": [0.6, 0.5]})
    assert [item.values["inferencer"] for item in found.stable if item.chosen] == ["y"]


# --- position bias and rotation


def _chosen(
    chosen: Sequence[int | None], right: Sequence[int | None], clusters: Sequence[str] | None = None
) -> SweepResult:
    scores = [float(one == other) for one, other in zip(chosen, right, strict=True)]
    runs = [run({"a": a}, scores, clusters, chosen, right) for a in ("a0", "a1")]
    return analyse("letters", Path("sweep"), {"a": ["a0", "a1"]}, runs)


def test_letters_are_counted() -> None:
    chosen = [0, 0, 0, 0, 0, 0, 1, 1, 1, 2, None, 0]
    right = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 0, None]
    found = _chosen(chosen, right)  # the last two tell nothing about letters
    letters = found.biases[0].letters
    assert [item.letter for item in letters] == ["A", "B", "C"]
    assert [item.chosen.value for item in letters] == pytest.approx([60, 30, 10])
    assert [item.right.value for item in letters] == pytest.approx([40, 30, 30])
    assert [item.bias.value for item in letters] == pytest.approx([20, 0, -20], abs=1e-6)
    assert found.biases[0].distance == pytest.approx(20)


def test_a_bias_by_chance_is_that_of_exchanged_letters() -> None:
    # Chosen A and right B, twice. Of the four ways to exchange them two give a distance of 100 and
    # two of 0. In one cluster they are only exchanged together, which always gives 100.
    apart, together = _chosen([0, 0], [1, 1], ["x", "y"]), _chosen([0, 0], [1, 1], ["x", "x"])
    assert apart.biases[0].by_chance == pytest.approx(50, abs=3)
    assert apart.biases[0].p_value == pytest.approx(0.5, abs=0.03)
    assert together.biases[0].by_chance == pytest.approx(100)
    assert together.biases[0].p_value == pytest.approx(1)
    always_a = _chosen([0] * 60, [0, 1, 2] * 20)
    assert always_a.biases[0].distance == pytest.approx(200 / 3)
    assert always_a.biases[0].p_value < 0.01
    assert [line for line in sentences(apart) if "bias" in line] == [
        "No position bias is seen over all runs: letters chosen and letters right differ by 100.0 "
        f"points, and by {apart.biases[0].by_chance:.1f} by chance alone (p "
        f"{apart.biases[0].p_value:.2f})."
    ]
    (line,) = [line for line in sentences(always_a) if "bias" in line]
    assert line.startswith("Position bias: A is chosen most above how often it is right. 66.7% of")


def test_a_bias_of_one_value_alone_is_told() -> None:
    right = [0, 1, 2] * 20
    always_a, always_c = [0] * 60, [2] * 60
    runs = [
        run(
            {"a": a},
            [float(x == y) for x, y in zip(chosen, right, strict=True)],
            None,
            chosen,
            right,
        )
        for a, chosen in (("a0", always_a), ("a1", always_c), ("a2", [1] * 60))
    ]
    found = analyse("letters", Path("sweep"), {"a": ["a0", "a1", "a2"]}, runs)
    assert found.biases[0].distance == pytest.approx(0)
    assert len(found.biases) == 4
    told = [line for line in sentences(found) if "bias" in line]
    assert told[0].startswith("No position bias is seen over all runs")
    assert told[1].startswith("Position bias with a a0: A is chosen most above how often it is ri")


def test_the_change_under_rotation() -> None:
    runs = [
        run({"rotation": label}, [score] * 10)
        for label, score in (("0", 0.8), ("1", 0.6), ("2", 0.7))
    ]
    factors = {"rotation": ["0", "1", "2"]}
    found = analyse("moved", Path("sweep"), factors, runs, rotation="rotation")
    assert found.rotation is not None
    assert found.rotation.value == pytest.approx(-15)


def test_the_change_under_rotation_in_circular_runs() -> None:
    scores = [1, 1, 1, 1, 0, 1, 0, 0]  # each question in its order, then moved
    rotations = [0, 1] * 4
    clusters = [f"q{place // 2}" for place in range(8)]
    runs = [run({"a": a}, scores, clusters, rotations=rotations) for a in ("a0", "a1")]
    found = analyse("circular", Path("sweep"), {"a": ["a0", "a1"]}, runs)
    # In order 1, 1, 0, 0 are right; moved 1, 1, 1, 0.
    assert found.rotation is not None
    assert found.rotation.value == pytest.approx(25)
