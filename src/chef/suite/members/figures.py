"""Figures of a suite: formulas over the samples of its members, with intervals through the whole.

A formula is a function of sums over samples. The samples of all members that a formula names stand
in one table, whose rows of one sample, or of one image, are one cluster: what chance does to them
it does in every member at once. `chef.stats.figures.of_sums` does the rest.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chef.stats.calibration import CalibrationError, calibration_error
from chef.stats.clusters import components
from chef.stats.estimate import Estimate, undefined
from chef.stats.figures import of_sums, share
from chef.suite.formula import CHANCE, Combined, Figure, Formula, evaluate, figures, ratios

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chef.suite.sweep.samples import RunSamples

#: Between which values figures of a unit lie.
_ENDS = {"0-1": (0.0, 1.0), "0-100": (0.0, 100.0)}
#: Figures of calibration, which have no interval.
ERRORS = ("ece", "ece_debiased")
#: Figures that hold a member against another one.
AGAINST = ("same", "changed", "follows")
#: The share of the answers that are one option.
CHOSEN = "chosen"
#: The share of the answers that the limit of new tokens cut.
CUT = "cut"


@dataclass(frozen=True, slots=True)
class MemberRun:
    """A run that has finished.

    Samples of one id and ``scenario`` are the same question; ``chance`` is 0 to 1, None if unknown.
    """

    samples: RunSamples
    scenario: str
    chance: float | None = None

    def of_category(self, category: str) -> MemberRun:
        """The samples of one category; chance is that of all."""
        return replace(self, samples=self.samples.of_category(category))

    @property
    def scored(self) -> set[str]:
        """The ids of the samples that have a score, without rotations of others."""
        samples = self.samples
        rows = zip(samples.ids, samples.scores, samples.is_main, strict=True)
        return {name for name, score, is_main in rows if is_main and score is not None}

    @property
    def right(self) -> set[str]:
        """The ids of those that are right."""
        scored = self.scored
        pairs = zip(self.samples.ids, self.samples.scores, strict=True)
        return {
            name for name, score in pairs if name in scored and score is not None and score >= 1
        }


@dataclass(frozen=True, slots=True)
class FigureValue:
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

    def function(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        known = {item: np.full(len(sums), value) for item, value in constants.items()}
        for place, item in enumerate(summed):
            known[item] = sums[:, 2 * place] / sums[:, 2 * place + 1]
        return evaluate(formula, known.__getitem__)

    ends = _ENDS.get(unit, (None, None))
    if not summed:
        import numpy as np

        value = float(function(np.zeros((1, 0)))[0])
        estimate = Estimate(value if math.isfinite(value) else None, _size(wanted, runs), unit=unit)
        return FigureValue(estimate)
    if len(wanted) == 1 and unit in _ENDS and all(0 <= row[0] <= 1 for row in rows):
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
    return FigureValue(replace(estimate, n=count), withheld=withheld)


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
    scores, links = _scores(run), _links_of_main(run)
    accuracy = share(scores, components(links))
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
    samples = run.samples
    pairs = [
        (prob, score)
        for prob, score, is_main in zip(samples.probs, samples.scores, samples.is_main, strict=True)
        if prob is not None and score is not None and is_main
    ]
    return calibration_error([prob for prob, _ in pairs], [score for _, score in pairs])


def _scores(run: MemberRun) -> list[float]:
    samples = run.samples
    pairs = zip(samples.scores, samples.is_main, strict=True)
    return [score for score, is_main in pairs if is_main and score is not None]


def _links_of_main(run: MemberRun) -> list[list[Hashable]]:
    samples = run.samples
    items = zip(samples.links, samples.scores, samples.is_main, strict=True)
    return [links for links, score, is_main in items if is_main and score is not None]


def _values(item: Figure, runs: Mapping[str, MemberRun]) -> dict[str, float]:
    """What is averaged of each sample, by its id."""
    samples = runs[item.dataset].samples
    if item.field == "score":
        pairs = zip(samples.ids, samples.scores, strict=True)
        return {name: score for name, score in pairs if score is not None}
    mains = {name for name, is_main in zip(samples.ids, samples.is_main, strict=True) if is_main}
    if item.field == CHOSEN:
        return {
            name: float(choice == place_of(item.subset))
            for name, choice in zip(*_chosen(samples), strict=True)
            if choice is not None and name in mains
        }
    if item.field == CUT:
        rows = zip(samples.ids, samples.cut, samples.scores, strict=True)
        return {name: float(is_cut) for name, is_cut, score in rows if score is not None}
    if item.field in AGAINST:
        before = dict(zip(*_chosen(runs[item.subset].samples), strict=True))
    if item.field == "changed":
        return {
            name: float(choice != before[name])
            for name, choice in zip(*_chosen(samples), strict=True)
            if choice is not None and before.get(name) is not None and name in mains
        }
    if item.field == "same":
        return {
            name: float(choice is not None and choice == before[name])
            for name, choice in zip(*_chosen(samples), strict=True)
            if name in before and name in mains
        }
    if item.field == "follows":
        mains &= runs[item.subset].right
    return {
        name: score
        for name, score in zip(samples.ids, samples.scores, strict=True)
        if score is not None and name in mains
    }


def _chosen(samples: RunSamples) -> tuple[Sequence[str], Sequence[int | None]]:
    """Ids and chosen options of the samples that were scored."""
    keep = [place for place, score in enumerate(samples.scores) if score is not None]
    return [samples.ids[place] for place in keep], [samples.chosen[place] for place in keep]


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


def _totals(rows: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """The sums over all rows: ``(1, columns)``."""
    import numpy as np

    totals: NDArray[np.float64]
    totals = np.asarray(np.asarray(rows, dtype=np.float64).sum(axis=0, keepdims=True))
    return totals


def _size(wanted: Sequence[Figure], runs: Mapping[str, MemberRun]) -> int:
    """The number of samples that figures without a mean are made of."""
    names = {item.dataset for item in wanted if item.field != CHANCE}
    return sum(len(_scores(runs[name])) for name in names)
