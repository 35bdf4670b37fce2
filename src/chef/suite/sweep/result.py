"""What a sweep finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from chef.metric.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Combination:
    """One combination of values, and its run.

    Attributes:
        values: by the name of the factor, the label of the value.
        model: the name of the model.
        folder: the run folder.
        figure: the main figure of the run.
        coverage: share of its samples that were scored, 0 to 1.
    """

    values: Mapping[str, str]
    model: str
    folder: Path
    figure: Estimate
    coverage: float


@dataclass(frozen=True, slots=True)
class Share:
    """How much of the variance of the score a factor decides.

    Attributes:
        term: the factor, or several joined by `` × `` for their interaction, or ``samples`` (which
            sample it is), or ``rest``.
        share: of the variance, 0-1, with its interval.
        deviation: the standard deviation that it gives the score of a run, in points of percent;
            None for ``samples`` and ``rest``.
    """

    term: str
    share: Estimate
    deviation: Estimate | None = None


@dataclass(frozen=True, slots=True)
class Stability:
    """A recipe: one value of each factor that is a choice of the recipe's author.

    Attributes:
        values: by factor.
        accuracy: on the half of the samples that did not choose it.
        spread: standard deviation of its scores over the other factors, in points.
        chosen: whether it was chosen on the first half: highest accuracy less its spread.
    """

    values: Mapping[str, str]
    accuracy: Estimate
    spread: float
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """How often an option letter is chosen, against how often it is right.

    Attributes:
        letter: of the option.
        chosen, right: shares of the answers, in percent.
        bias: chosen minus right, in points, with its interval.
    """

    letter: str
    chosen: Estimate
    right: Estimate
    bias: Estimate


@dataclass(frozen=True, slots=True)
class SweepResult:
    """A sweep.

    Attributes:
        name: of the sweep.
        folder: where it is written.
        factors: the values of each factor, by its name.
        combinations: the runs.
        shares: of the variance, the largest first, ``samples`` and ``rest`` last.
        stable: recipes, the most stable first; empty where no factor is a choice of the recipe.
        positions: of each option letter; empty where there are no options.
        rotation: change of the main figure under rotation of the options, in points; None where
            the sweep does not rotate.
        notes: what a reader has to know.
    """

    name: str
    folder: Path
    factors: Mapping[str, Sequence[str]]
    combinations: Sequence[Combination]
    shares: Sequence[Share] = ()
    stable: Sequence[Stability] = ()
    positions: Sequence[Position] = ()
    rotation: Estimate | None = None
    notes: Sequence[str] = ()
