"""What the runs of a sweep say together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from chef.metric.estimate import Estimate
from chef.suite.sweep.result import Combination, SweepResult

#: ``choice``: the author of a recipe decides it (inferencer, number of examples). ``nuisance``: the
#: answer should not depend on it (wording, seed, order of options, model).
Role: TypeAlias = Literal["choice", "nuisance"]


@dataclass(frozen=True, slots=True)
class CombinationScores:
    """A run of a sweep, sample by sample.

    The sequences from ``ids`` on have one entry for each sample that was asked, in any order.

    Attributes:
        values: by factor, the label of the value.
        model: the name of the model.
        folder: the run folder.
        figure: the main figure of the run.
        coverage: share of its samples that were scored, 0 to 1.
        ids: of the samples; the same question has the same id in every run.
        scores: as the metric gives them (``metric_result``); None where a sample has none.
        clusters: of the samples, by `chef.metric.records.cluster`.
        chosen: index of the option that the answer is read as; None where it is none.
        right: index of the true option; None where there is not exactly one.
        rotations: in a circular run, by how many places the options of the sample are rotated;
            empty for other runs.
    """

    values: Mapping[str, str]
    model: str
    folder: Path
    figure: Estimate
    coverage: float
    ids: Sequence[str]
    scores: Sequence[float | None]
    clusters: Sequence[str]
    chosen: Sequence[int | None] = ()
    right: Sequence[int | None] = ()
    rotations: Sequence[int] = ()

    @property
    def combination(self) -> Combination:
        """What the result keeps of it."""
        return Combination(self.values, self.model, self.folder, self.figure, self.coverage)


def analyse(
    name: str,
    folder: Path,
    factors: Mapping[str, Sequence[str]],
    combinations: Sequence[CombinationScores],
    *,
    roles: Mapping[str, Role] | None = None,
    rotation: str | None = None,
) -> SweepResult:
    """Analyse the runs of a sweep.

    Args:
        name: of the sweep.
        folder: where it is written.
        factors: the values of each factor, by its name, in the order of the sweep's file.
        combinations: the runs; some of the grid's may be missing.
        roles: by factor; a factor without one is a choice.
        rotation: the factor that moves the options to other letters, its first value the order of
            the data; None where the sweep has none.
    """
    return SweepResult(name, folder, factors, [item.combination for item in combinations])
