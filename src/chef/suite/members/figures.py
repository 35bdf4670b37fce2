"""Figures of a suite: formulas over the samples of its members, with intervals through the whole.

A formula is a function of sums over samples. The samples of all members that a formula names stand
in one table, whose rows of one sample, or of one image, are one cluster: what chance does to them
it does in every member at once. `chef.stats.figures.of_sums` does the rest.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from chef.frozen import Frozen
from chef.stats.arrays import Array, np
from chef.stats.calibration import CalibrationError, calibration_error
from chef.stats.clusters import components
from chef.stats.estimate import PERCENT, Estimate, undefined
from chef.stats.figures import of_sums, share
from chef.suite.formula import (
    CHANCE,
    SCORE,
    Combined,
    Figure,
    Formula,
    bounds,
    evaluate,
    figures,
    ratios,
)
from chef.suite.sweep.samples import RunSamples

#: Between which values figures of a unit lie.
_ENDS = {"0-1": (0.0, 1.0), "0-100": (0.0, 100.0)}
#: Figures of calibration, which have no interval.
ERRORS = ("ece", "ece_debiased")
#: Figures that hold a member against another one.
AGAINST = ("same", "changed", "follows")
#: A column of samples.
T = TypeVar("T")
#: The share of the answers that are one option.
CHOSEN = "chosen"
#: The share of the answers that the limit of new tokens cut.
CUT = "cut"


class MemberRun(Frozen):
    """A run that has finished.

    Samples of one id and ``scenario`` are the same question; ``chance`` is 0 to 1, None if unknown.
    """

    samples: RunSamples
    scenario: str
    chance: float | None = None

    def of_category(self, category: str) -> MemberRun:
        """The samples of one category; chance is that of all."""
        return replace(self, samples=self.samples.of_category(category))

    def column(self, values: Sequence[T], *, rotated: bool = False) -> dict[str, T]:
        """Values of the samples that have a score, by id; also of rotations if wanted."""
        samples = self.samples
        rows = zip(samples.ids, values, samples.scores, samples.is_main, strict=True)
        return {
            name: value
            for name, value, score, is_main in rows
            if score is not None and (is_main or rotated)
        }

    @property
    def scores(self) -> dict[str, float]:
        """The scores of the samples that have one, by id, without rotations of others."""
        return {name: score or 0.0 for name, score in self.column(self.samples.scores).items()}

    @property
    def right(self) -> set[str]:
        """The ids of those that are right."""
        return {name for name, score in self.scores.items() if score >= 1}


class FigureValue(Frozen):
    """The value of a formula: None, with a reason, where members are missing or it is withheld."""

    estimate: Estimate
    missing: tuple[str, ...] = ()
    withheld: str = ""


def value_of(formula: Formula, runs: Mapping[str, MemberRun], unit: str = "") -> FigureValue:
    """The value of a formula over members by name with its interval, or why there is none.

    A quotient over what a model has above chance is withheld where the interval of its accuracy
    reaches down to chance: it would divide by nothing but chance. The unit is ``0-1`` or ``0-100``
    for what lies between these, else any other.
    """
    if isinstance(formula, Combined) and formula.least is not None:
        whole = value_of(replace(formula, least=None, most=None), runs, unit)
        return replace(whole, estimate=_within(formula.least, formula.most, whole.estimate))
    wanted = list(dict.fromkeys(figures(formula)))
    names = [name for item in wanted for name in members_of(item)]
    if missing := tuple(name for name in dict.fromkeys(names) if name not in runs):
        return FigureValue(undefined(unit), missing=missing)
    reasons = (*(_at_chance(item, runs) for item in ratios(formula)), _unknown(wanted, runs))
    if reason := next(filter(None, reasons), ""):
        return FigureValue(undefined(unit), withheld=reason)
    return _computed(formula, wanted, runs, unit)


def _unknown(wanted: Sequence[Figure], runs: Mapping[str, MemberRun]) -> str:
    """Why a figure that needs chance is withheld; empty where chance is known, or not needed."""
    names = (item.dataset for item in wanted if item.field == CHANCE)
    scenario = next((runs[name].scenario for name in names if runs[name].chance is None), None)
    return "" if scenario is None else f"what guessing scores in {scenario} is not known"


def _computed(
    formula: Formula, wanted: Sequence[Figure], runs: Mapping[str, MemberRun], unit: str
) -> FigureValue:
    """The value of a formula none of whose figures (``wanted``, each once) is missing."""
    constants = {item: one for item in wanted if (one := _constant(item, runs)) is not None}
    summed = [item for item in wanted if item not in constants]
    rows, clusters, count = _table(summed, runs)

    def function(sums: Array) -> Array:
        known = {item: np.full(len(sums), value) for item, value in constants.items()}
        for place, item in enumerate(summed):
            known[item] = sums[:, 2 * place] / sums[:, 2 * place + 1]
        return evaluate(formula, known.__getitem__)

    ends = _ENDS.get(unit, (None, None))
    if not summed:
        value = float(function(np.zeros((1, 0)))[0])
        estimate = Estimate(value if math.isfinite(value) else None, _size(wanted, runs), unit=unit)
        return FigureValue(estimate)
    if len(wanted) == 1 and unit in PERCENT and all(0 <= row[0] <= 1 for row in rows):
        # A share alone has the interval that shares have everywhere.
        alone = share([row[0] for row in rows], clusters, unit)
        if alone.value is None or math.isclose(
            alone.value, float(function(_totals(rows))[0]), abs_tol=1e-9
        ):
            return FigureValue(alone)
    estimate = of_sums(rows, function, clusters, unit, least=ends[0], most=ends[1])
    if any(item.field in ERRORS for item in wanted):  # the error of calibration has no interval
        estimate = replace(estimate, stderr=None, low=None, high=None, method="none")
    withheld = "" if estimate.value is not None else "no sample has all that it is made of"
    return FigureValue(_within(*bounds(formula), replace(estimate, n=count)), withheld=withheld)


def members_of(item: Figure) -> list[str]:
    """The members that a figure needs."""
    return [item.dataset, item.subset] if item.field in AGAINST else [item.dataset]


def is_offered(formula: Formula, runs: Mapping[str, MemberRun]) -> bool:
    """Whether every option that a formula counts is one of some sample."""
    return not any(
        item.field == CHOSEN
        and not (
            item.dataset in runs
            and place_of(item.subset) < max(runs[item.dataset].samples.options, default=0)
        )
        for item in figures(formula)
    )


def place_of(letter: str) -> int:
    """The place of an option, from 0, by its letter."""
    return ord(letter) - ord("A")


def _within(least: float, most: float | None, item: Estimate) -> Estimate:
    """An estimate and its interval where they lie between two numbers, else the nearer one."""
    ends = {
        name: min(max(least, value), math.inf if most is None else most)
        for name in ("value", "low", "high")
        if (value := getattr(item, name)) is not None
    }
    return replace(item, **ends)


def _at_chance(item: object, runs: Mapping[str, MemberRun]) -> str:
    """Why a quotient is withheld; empty where it is not."""
    clean, chance = getattr(item, "clean", None), getattr(item, "chance", None)
    if clean is None:
        return ""
    run = runs[clean.dataset]
    links = run.column(run.samples.links)
    accuracy = share([*run.scores.values()], components(links.values()))
    shown = f"the accuracy of {clean.dataset} is {accuracy.value or 0:.1f}%"
    if chance is None:
        return f"{shown}: there is nothing to lose" if not accuracy.value else ""
    if run.chance is None:
        return f"what guessing scores in {run.scenario} is not known"
    low = accuracy.low if accuracy.low is not None else accuracy.value or 0.0
    if low > 100 * run.chance:
        return ""
    within = f" [{low:.1f}, {accuracy.high or 0:.1f}]"
    return f"{shown}{within}, which is not above chance ({100 * run.chance:.1f}%)"


def _constant(item: Figure, runs: Mapping[str, MemberRun]) -> float | None:
    """A figure that is no mean over samples; None of one that is."""
    run = runs[item.dataset]
    if item.field == CHANCE:
        return math.nan if run.chance is None else run.chance
    if item.field not in ERRORS:
        return None
    error = calibration_of(run)
    if error is None:
        return math.nan
    return error.error if item.field == "ece" else error.debiased


def calibration_of(run: MemberRun) -> CalibrationError | None:
    """The error of calibration of a run's main rows; None where options were not scored."""
    scores, probs = run.scores, run.column(run.samples.probs)
    known = {name: prob for name, prob in probs.items() if prob is not None}
    return calibration_error([*known.values()], [scores[name] for name in known])


def _values(item: Figure, runs: Mapping[str, MemberRun]) -> dict[str, float]:
    """What is averaged of each sample, by its id."""
    run = runs[item.dataset]
    samples = run.samples
    if item.field == SCORE:
        every = run.column(samples.scores, rotated=True)
        return {name: score or 0.0 for name, score in every.items()}
    if item.field == CUT:
        return {
            name: float(is_cut) for name, is_cut in run.column(samples.cut, rotated=True).items()
        }
    if item.field == "follows":
        right = runs[item.subset].right
        return {name: score for name, score in run.scores.items() if name in right}
    if item.field not in (CHOSEN, *AGAINST):
        return run.scores
    return _of_choices(item, run, runs)


def _of_choices(item: Figure, run: MemberRun, runs: Mapping[str, MemberRun]) -> dict[str, float]:
    """Whether a sample's choice is an option, or that of another member, by its id."""
    chosen = run.column(run.samples.chosen)
    if item.field == CHOSEN:
        place = place_of(item.subset)
        return {
            name: float(choice == place) for name, choice in chosen.items() if choice is not None
        }
    other = runs[item.subset]
    before = other.column(other.samples.chosen, rotated=True)
    shared = {name: (choice, before[name]) for name, choice in chosen.items() if name in before}
    if item.field == "same":
        return {name: float(one is not None and one == was) for name, (one, was) in shared.items()}
    known = {name: pair for name, pair in shared.items() if None not in pair}
    return {name: float(one != was) for name, (one, was) in known.items()}


def _table(
    wanted: Sequence[Figure], runs: Mapping[str, MemberRun]
) -> tuple[list[list[float]], list[int], int]:
    """Rows of ``(value, 1)`` in the columns of each figure; their clusters; distinct samples."""
    rows: list[list[float]] = []
    shared: list[list[Hashable]] = []
    for place, item in enumerate(wanted):
        run = runs[item.dataset]
        links = dict(zip(run.samples.ids, run.samples.links, strict=True))
        for name, value in _values(item, runs).items():
            row = [0.0] * (2 * len(wanted))
            row[2 * place], row[2 * place + 1] = value, 1.0
            rows.append(row)
            shared.append([("sample", run.scenario, name), *links[name]])
    return rows, components(shared), len({links_[0] for links_ in shared})


def _totals(rows: Sequence[Sequence[float]]) -> Array:
    """The sums over all rows: ``(1, columns)``."""
    totals: Array
    totals = np.asarray(np.asarray(rows, dtype=np.float64).sum(axis=0, keepdims=True))
    return totals


def _size(wanted: Sequence[Figure], runs: Mapping[str, MemberRun]) -> int:
    """The number of samples that figures without a mean are made of."""
    names = {item.dataset for item in wanted if item.field != CHANCE}
    return sum(len(runs[name].scores) for name in names)
