"""Variance components against the analysis of variance of statsmodels, and by simulation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from chef.stats.generalizability import ITEMS, components

statsmodels = pytest.importorskip("statsmodels.formula.api")


def grid(shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    """Items, wordings and seeds with deviations 3, 1 and 0.5, items by wordings 2, rest 1."""
    rng = np.random.default_rng(seed)
    w, s, n = shape
    return (
        3 * rng.standard_normal((1, 1, n)) + rng.standard_normal((w, 1, 1))
        + 0.5 * rng.standard_normal((1, s, 1)) + 2 * rng.standard_normal((w, 1, n))
        + rng.standard_normal(shape)
    )  # fmt: skip


def test_the_components_are_those_of_the_mean_squares_of_statsmodels() -> None:
    from statsmodels.stats.anova import anova_lm

    scores = grid((3, 2, 7))
    rows = [(*at, scores[at]) for at in np.ndindex(scores.shape)]
    frame = pd.DataFrame(rows, columns=["w", "s", "i", "y"])
    # Without the highest interaction, which is the rest.
    fit = statsmodels.ols("y ~ (C(w) + C(s) + C(i)) ** 2", frame).fit()
    table = anova_lm(fit)
    ms = {name: table.loc[name, "mean_sq"] for name in table.index}
    rest = ms["Residual"]
    ws, wi, si = (
        (ms[f"C({a}):C({b})"] - rest) / n
        for a, b, n in (("w", "s", 7), ("w", "i", 2), ("s", "i", 3))
    )
    by_hand = {
        ("wording", "seed", ITEMS): rest,
        ("wording", "seed"): ws, ("wording", ITEMS): wi, ("seed", ITEMS): si,
        ("wording",): (ms["C(w)"] - rest - 7 * ws - 2 * wi) / 14,
        ("seed",): (ms["C(s)"] - rest - 7 * ws - 3 * si) / 21,
        (ITEMS,): (ms["C(i)"] - rest - 2 * wi - 3 * si) / 6,
    }  # fmt: skip
    found = components(scores, ["wording", "seed"], range(7)).parts
    assert found == pytest.approx({name: max(0.0, part) for name, part in by_hand.items()})


def test_one_condition_is_the_mixed_model_of_reml() -> None:
    """Of a balanced grid with positive parts, REML and the analysis of variance agree."""
    scores = grid((6, 2, 40))[:, 0]
    scores = scores - scores.mean(axis=1, keepdims=True)  # wordings fixed, as REML has them here
    rows = [(w, i, scores[w, i]) for w in range(6) for i in range(40)]
    frame = pd.DataFrame(rows, columns=["w", "i", "y"])
    fit = statsmodels.mixedlm("y ~ C(w)", frame, groups=frame["i"]).fit(reml=True)
    found = components(scores, ["wording"], range(40)).parts
    assert found[ITEMS,] == pytest.approx(float(fit.cov_re.iloc[0, 0]), rel=1e-3)
    assert found["wording", ITEMS] == pytest.approx(fit.scale, rel=1e-3)


def test_the_variance_of_a_mean_is_what_comes_out() -> None:
    """Of designs of another size than the one that was studied."""
    found = [
        components(grid((5, 3, 60), seed), ["wording", "seed"], range(60)) for seed in range(60)
    ]
    sizes = {"wording": 2, "seed": 4, ITEMS: 25}
    means = [grid((2, 4, 25), 1000 + seed).mean() for seed in range(4000)]
    promised = np.mean([one.variance(sizes) for one in found])
    assert promised == pytest.approx(np.var(means), rel=0.1)


def test_items_of_an_image_count_less() -> None:
    rng = np.random.default_rng(1)
    shared = np.repeat(rng.standard_normal(1000), 4)
    clusters = np.repeat(np.arange(1000), 4).tolist()
    scores = shared + rng.standard_normal(4000) + 0.1 * rng.standard_normal((3, 4000))
    found = components(scores, ["wording"], clusters)
    assert found.clusters == pytest.approx(1.0, rel=0.1)
    assert found.cluster_size == pytest.approx(4)
    # 1000 images with deviation 1, 4000 items with deviation 1.
    promised = found.variance({"wording": 3, ITEMS: 4000})
    assert promised == pytest.approx(1 / 1000 + 1 / 4000, rel=0.1)
    assert components(scores, ["wording"], range(4000)).clusters == 0


def test_the_cheapest_design_is_that_of_trying_all() -> None:
    found = components(10 * grid((3, 2, 50)), ["wording", "seed"], range(50))
    best = found.cheapest(10.0)
    assert best is not None
    assert found.reach(best) <= 10.0
    tried = [
        (w * s * n, w, s, n)
        for w in range(3, 13) for s in range(2, 13) for n in range(2, 400)
        if found.reach({"wording": w, "seed": s, ITEMS: n}) <= 10.0
    ]  # fmt: skip
    assert min(tried)[0] == best["wording"] * best["seed"] * best[ITEMS]
    assert found.cheapest(0.1) is None
