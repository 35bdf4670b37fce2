"""What a sweep finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from chef.stats.estimate import Estimate


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
        term: the factor, or two joined by `` × `` for their interaction, ``other interactions``
            (what runs differ by and no term explains), ``samples`` (which sample it is), or
            ``rest``.
        share: of the variance between the runs, 0-1, with its interval; the value is None for
            ``samples`` and ``rest``, and where runs differ by no more than chance.
        deviation: the standard deviation that it gives the score of a run, in points of percent;
            None for ``samples`` and ``rest``.
        of_answers: share of the variance of single answers' scores, 0-1.
        p_value: of no effect: how often the noise of the samples alone makes one of this size;
            None for ``samples`` and ``rest``.
        squares: the type III sum of squares of the answers' scores, in their unit squared.
    """

    term: str
    share: Estimate
    deviation: Estimate | None = None
    of_answers: Estimate | None = None
    p_value: float | None = None
    squares: float | None = None


@dataclass(frozen=True, slots=True)
class Stability:
    """A recipe: one value of each factor that is a choice of the recipe's author.

    Attributes:
        values: by factor.
        accuracy: on the half of the samples that did not choose it; the mean of its runs, in
            percent (in points where scores are not from 0 to 1).
        spread: standard deviation of its scores over the other factors, in points, on the same half
            and without the noise of the samples; 0 where ``interval`` is None, as it is unknown.
        chosen: whether it was chosen on the first half: highest accuracy less its spread.
        interval: the spread with its interval; None where a recipe has one run.
        first_half: its accuracy on the half that chose, in the unit of ``accuracy``.
        on_front: whether no other recipe is better in accuracy or spread without being worse in the
            other (the Pareto front).
        lead: of the chosen recipe, by how many points its accuracy exceeds that of the one that
            came second on the first half; None for the others.
        runs: how many runs it has.
    """

    values: Mapping[str, str]
    accuracy: Estimate
    spread: float
    chosen: bool = False
    interval: Estimate | None = None
    first_half: float | None = None
    on_front: bool = False
    lead: Estimate | None = None
    runs: int = 1


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
class PositionBias:
    """How far the letters that are chosen differ from those that are right.

    Attributes:
        factor, value: of the runs that it is of; empty for all runs.
        distance: the total variation distance in points: half of the sum of the biases' sizes,
            which is the share of answers that would have to move to another letter.
        by_chance: what it would be on average without any bias, by permutation within clusters.
        p_value: of no bias, by the same permutation.
        letters: of each option letter.
    """

    factor: str
    value: str
    distance: float
    by_chance: float
    p_value: float
    letters: Sequence[Position]


@dataclass(frozen=True, slots=True)
class Level:
    """A value of a factor, all else being equal.

    Attributes:
        factor, value: which.
        score: mean of its runs, in percent (points where scores are not from 0 to 1).
        effect: its difference from the mean of all values, in points, on the same samples.
    """

    factor: str
    value: str
    score: Estimate
    effect: Estimate


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
        levels: the score of each value of each factor.
        positions: of each option letter, over all runs; empty where there are no options.
        biases: the position bias over all runs, then by the values of the factors that change it.
        rotation: change of the score when options are moved to other letters, in points: moved
            minus original order, paired by sample; None where the sweep does not rotate.
        fall: how far the recipe that was chosen on one half of the samples falls on the other,
            against the mean of all recipes, in points; None where none was chosen.
        notes: what a reader has to know.
    """

    name: str
    folder: Path
    factors: Mapping[str, Sequence[str]]
    combinations: Sequence[Combination]
    shares: Sequence[Share] = ()
    stable: Sequence[Stability] = ()
    levels: Sequence[Level] = ()
    positions: Sequence[Position] = ()
    biases: Sequence[PositionBias] = ()
    rotation: Estimate | None = None
    fall: float | None = None
    notes: Sequence[str] = ()
