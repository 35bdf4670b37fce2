"""What a comparison of runs finds, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from chef.metric.coverage import Coverage
from chef.stats.estimate import Estimate
from chef.stats.paired import PairedDifference


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure of two runs on the samples that both have, and its paired difference.

    Attributes:
        figure: the key of the metric, such as ``ACC``.
        difference: second minus first with its 95% interval, in the unit of the figure.
        p_value: two-sided, of no difference; None where it cannot be told.
        detectable: the smallest true difference that is found with a power of 80% at the 5% level,
            in the unit of the figure.
    """

    figure: str
    first: Estimate
    second: Estimate
    difference: Estimate
    p_value: float | None = None
    detectable: float | None = None


class Matched(NamedTuple):
    """A figure of two runs on the samples that both have, and what its difference is made of."""

    first: Estimate
    second: Estimate
    paired: PairedDifference

    def difference(self, figure: str) -> Difference:
        """What is told of it, under the key of the figure."""
        paired = self.paired
        return Difference(
            figure, self.first, self.second, paired.estimate, paired.p_value, paired.detectable
        )


@dataclass(frozen=True, slots=True)
class McNemar:
    """Right and wrong answers of two runs, in samples, and McNemar's exact two-sided test.

    ``p_value`` is None where samples stand in clusters, as the test takes them as independent.
    """

    both: int
    first_only: int
    second_only: int
    neither: int
    p_value: float | None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two of the runs, by their labels.

    Attributes:
        samples: number of shared samples that both runs have scored.
        differences: of every figure, the main one first.
        mcnemar: None where samples are not right or wrong.
        gained, lost: ids that only the second run, or only the first, has right.
        by: differences of the main figure of each group, by field and value.
        joint: the main figure with the interval and the p-value that hold for all pairs of a
            comparison together (`chef.stats.joint`); None for two runs.
        notes: what a reader has to know of this pair, such as samples that failed in one run.
    """

    first: str
    second: str
    samples: int
    differences: Mapping[str, Difference]
    mcnemar: McNemar | None = None
    gained: Sequence[str] = ()
    lost: Sequence[str] = ()
    by: Mapping[str, Mapping[str, Difference]] = field(default_factory=dict)
    joint: Difference | None = None
    notes: Sequence[str] = ()

    def deciding(self, figure: str) -> Difference:
        """What verdict, gate and colours go by: of several runs the joint one, where there is."""
        joint = self.joint
        return joint if joint is not None and joint.figure == figure else self.differences[figure]


@dataclass(frozen=True, slots=True)
class RunScore:
    """A run as a whole, with the figures and the coverage of all its samples.

    ``place`` is the run folder, or the file of answers.
    """

    label: str
    place: Path
    figures: Mapping[str, Estimate]
    coverage: Coverage


@dataclass(frozen=True, slots=True)
class Best:
    """The run with the best of several scores, which has an interval corrected for the choice."""

    run: str
    score: Estimate


@dataclass(frozen=True, slots=True)
class RectifiedPair:
    """The difference of two runs by labels of people, who have labelled some answers of both.

    Attributes:
        labels: the number of labelled samples of each.
        both: samples that are labelled in both.
        difference: second minus first, of the samples that both have scored and that could be drawn
            in both, with its 95% interval.
        p_value: two-sided, of no difference; None where it is not known.
    """

    first: str
    second: str
    figure: str
    labels: tuple[int, int]
    both: int
    difference: Estimate
    p_value: float | None


@dataclass(frozen=True, slots=True)
class ComparisonData:
    """A comparison of two or more runs.

    Attributes:
        runs: labels of the runs, in the order given.
        primary: the main figure.
        pairs: every pair of runs, in order.
        allowed: what the runs differ in that was allowed to differ.
        notes: what a reader has to know, such as samples that only some runs have.
        scores: every run as a whole, in the order given.
        differs: the keys of config.yaml in which the runs differ, with the value of each run.
        ranks: of three runs or more, the best and the worst place that each may have, 1 for the
            first, all of them together in 95% of the comparisons (`chef.stats.ranks`).
        best: of three runs or more; None where no direction is better.
        rectified: the difference by labels, of pairs of runs that people have labelled.
    """

    runs: Sequence[str]
    primary: str
    pairs: Sequence[Pair]
    allowed: Sequence[str] = ()
    notes: Sequence[str] = ()
    scores: Sequence[RunScore] = ()
    differs: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    ranks: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    best: Best | None = None
    rectified: Sequence[RectifiedPair] = ()
