"""Position bias and rotation, against counts by hand and simulated habits."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from chef.suite.sweep.levels import (
    PositionChoices,
    circular_change,
    position_biases,
    rotation_change,
)
from chef.suite.sweep.matrix import ScoreMatrix, run_means

NAMES = tuple(f"q{place}" for place in range(1000))


def test_letters_are_counted_by_hand() -> None:
    """Of six answers, one unread and one to a question without a single truth."""
    run = PositionChoices({}, [0, 0, 0, 1, None, 2], [0, 1, 1, 2, 0, None], NAMES[:6])
    found = position_biases([run], {})
    assert len(found) == 1
    letters = {item.letter: item for item in found[0].letters}
    assert list(letters) == ["A", "B", "C"]
    assert [item.chosen.value for item in letters.values()] == [75.0, 25.0, 0.0]
    assert [item.right.value for item in letters.values()] == [25.0, 50.0, 25.0]
    assert [item.bias.value for item in letters.values()] == [50.0, -25.0, -25.0]
    assert letters["A"].chosen.n == 4
    assert found[0].distance == 50.0


def test_the_permutation_is_that_of_all_exchanges() -> None:
    """Three answers A where B is right: 2 of the 8 exchanges are as far from even."""
    run = PositionChoices({}, [0, 0, 0], [1, 1, 1], NAMES[:3])
    found = position_biases([run], {}, resamples=4000)[0]
    assert found.distance == 100.0
    assert found.p_value == pytest.approx(2 / 8, abs=0.03)
    # 2 of 8 have 3 more of one letter, and 6 have 1 more: (2 * 100 + 6 * 33.3) / 8.
    assert found.by_chance == pytest.approx(50.0, abs=1.5)


def test_no_bias_is_found_where_there_is_none() -> None:
    rng, low = np.random.default_rng(0), 0
    for seed in range(100):
        right = rng.integers(0, 4, 200)
        chosen = np.where(rng.random(200) < 0.6, right, rng.integers(0, 4, 200))
        run = PositionChoices({}, chosen.tolist(), right.tolist(), NAMES[:200])
        low += position_biases([run], {}, resamples=200, seed=seed)[0].p_value < 0.05
    assert low <= 13  # 5 are expected; more than 13 in 1 of 1,500 cases


def test_a_habit_of_one_inferencer_is_found_where_it_is() -> None:
    rng = np.random.default_rng(1)
    factors = {"inferencer": ["ppl", "direct"], "wording": ["a", "b"]}
    right = rng.integers(0, 4, 400)
    made = []
    for inferencer in factors["inferencer"]:
        for wording in factors["wording"]:
            habit = rng.integers(0, 4, 400) if inferencer == "ppl" else np.zeros(400, int)
            chosen = np.where(rng.random(400) < 0.7, right, habit)
            values = {"inferencer": inferencer, "wording": wording}
            made.append(PositionChoices(values, chosen.tolist(), right.tolist(), NAMES[:400]))
    found = position_biases(made, factors)
    assert [(item.factor, item.value) for item in found] == [
        ("", ""), ("inferencer", "ppl"), ("inferencer", "direct"),
    ]  # fmt: skip
    assert found[1].p_value > 0.01
    assert found[2].p_value < 0.01
    bias = found[2].letters[0].bias
    # 30 % of the answers are A, of which a quarter is right by luck.
    assert bias.value == pytest.approx(30 * 0.75, abs=3)
    assert bias.low is not None
    assert bias.low > 15


def test_gaps_of_the_grid_do_not_make_a_habit_of_another_factor() -> None:
    """One wording was asked of the inferencer with the habit more often than the other."""
    rng, right = np.random.default_rng(2), [0, 1, 2, 3] * 100
    factors = {"inferencer": ["ppl", "direct"], "wording": ["a", "b"], "seed": ["0", "1", "2"]}
    cells = [
        ("ppl", "a", "0"), ("direct", "b", "0"), ("direct", "b", "1"),
        ("direct", "a", "1"), ("ppl", "b", "2"), ("direct", "b", "2"), ("ppl", "a", "1"),
        ("ppl", "a", "2"),
    ]  # fmt: skip
    made = []
    for cell in cells:
        habit = rng.integers(0, 4, 400) if cell[0] == "ppl" else np.zeros(400, int)
        chosen = np.where(rng.random(400) < 0.7, right, habit).tolist()
        made.append(
            PositionChoices(dict(zip(factors, cell, strict=True)), chosen, right, NAMES[:400])
        )
    found = position_biases(made, factors)
    assert {item.factor for item in found} == {"", "inferencer"}


def test_no_options_give_no_bias() -> None:
    assert position_biases([PositionChoices({}, [None], [0], NAMES[:1])], {}) == []
    assert position_biases([PositionChoices({}, [0], [0], NAMES[:1])], {}) == []
    assert position_biases([], {}) == []


def test_runs_without_letters_have_no_bias_of_their_own() -> None:
    """Of three recipes one is answered freely: its answers are no options."""
    right = [place % 4 for place in range(40)]
    answers: dict[str, list[int | None]] = {"a": [0] * 40, "b": [1] * 40, "free": [None] * 40}
    runs = [PositionChoices({"recipe": key}, answers[key], right, NAMES[:40]) for key in answers]
    found = position_biases(runs, {"recipe": list(answers)})
    assert [item.value for item in found] == ["", "a", "b"]
    one = [run for run in runs if run.values["recipe"] != "b"]
    assert len(position_biases(one, {"recipe": ["a", "free"]})) == 1


def test_a_bias_is_at_most_all_answers() -> None:
    run = PositionChoices({}, [0] * 6, [1, 1, 1, 1, 1, 0], NAMES[:6])
    letters = position_biases([run], {})[0].letters
    assert (letters[0].bias.high, letters[1].bias.low) == (100.0, -100.0)


def test_rotation_is_paired_by_run_by_hand() -> None:
    """Original .5 and .75, moved .25 and .5 (mean of .75 and .25): 25 points less each."""
    scores = np.array(
        [[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 1]]
    ).astype(float)
    values = [
        {"w": "a", "rotation": "0"}, {"w": "a", "rotation": "1"}, {"w": "b", "rotation": "0"},
        {"w": "b", "rotation": "1"}, {"w": "b", "rotation": "2"}, {"w": "c", "rotation": "1"},
    ]  # fmt: skip
    means = run_means(ScoreMatrix(scores, np.arange(4)))
    found = rotation_change(means, values, "rotation", "0", 100.0)
    assert found is not None
    assert found.value == pytest.approx(-25.0)
    # By sample: (0, -1, 0, 0) and (0, -.5, -.5, 0), half of each; their standard deviation / 2.
    assert found.stderr == pytest.approx(100 * np.std([0, -0.75, -0.25, 0], ddof=1) / 2)
    assert rotation_change(means, values[1:2] * 6, "rotation", "0", 100.0) is None


def test_circular_rows_are_paired_by_question_by_hand() -> None:
    """Questions lose 1, 0 and 1/2; the fourth has no rotation that is scored."""
    rotations = [[0, 1, 2, 0, 1, 0, 1, 2, 0, 1]]
    scores: list[list[float | None]] = [[1, 0, 0, 1, 1, 1, 1, 0, 1, None]]
    clusters = [list("aaabbcccdd")]
    for order in permutations(range(3)):
        rows = [place for group in order for place in ((0, 1, 2), (3, 4), (5, 6, 7))[group]] + [
            8,
            9,
        ]
        found = circular_change(
            [[rotations[0][row] for row in rows]],
            [[scores[0][row] for row in rows]],
            [[clusters[0][row] for row in rows]],
            100.0,
        )
        assert found is not None
        assert (found.value, found.n) == (pytest.approx(-50.0), 3)
        assert found.stderr == pytest.approx(100 * np.std([-1, 0, -0.5], ddof=1) / 3**0.5)
    assert circular_change([], [], [], 100.0) is None
