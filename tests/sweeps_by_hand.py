"""Runs of a sweep as its analysis takes them, made of scores without a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from chef.metric import Coverage, Estimate
from chef.scoring.result import RunResult
from chef.suite.sweep.result import Combination
from chef.suite.sweep.samples import CombinationScores, RunSamples

Choices = Sequence[int | None]


def run_of(
    values: Mapping[str, str],
    figure: Estimate,
    scores: Sequence[float | None],
    clusters: Sequence[str] | None = None,
    chosen: Choices = (),
    right: Choices = (),
    rotations: Sequence[int] = (),
) -> CombinationScores:
    """A run whose samples are q0, q1, and so on."""
    ids = [f"q{place}" for place in range(len(scores))]
    folder = Path("runs") / "+".join(f"{key}.{value}" for key, value in values.items())
    report = RunResult(
        recipe="r", scenario="S", model="tiny", file=folder / "results.json",
        metrics={"ACC": figure}, primary="ACC", coverage=Coverage(len(ids), figure.n),
    )  # fmt: skip
    samples = RunSamples(
        ids, list(scores), [[] for _ in ids], list(chosen), list(right), list(rotations)
    )
    return CombinationScores(Combination(values, report), samples, clusters or ids)
