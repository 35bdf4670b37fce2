"""How far judges agree with one another and with a metric's rule.

Of each pair, Cohen's kappa (by scikit-learn) for options, for true and false and for preferences;
for grades and ratings, which are numbers on an interval scale, Krippendorff's alpha of the pair. Of
all judges, Krippendorff's alpha (by krippendorff): nominal, and of grades and ratings interval.

Sources: Cohen 1960, "A coefficient of agreement for nominal scales"; Krippendorff 2011, "Computing
Krippendorff's Alpha-Reliability". Intervals are those of `chef.stats.figures.of_sums` between -1
and 1, so that perfect agreement on few answers is not taken for certain.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from chef.frozen import Frozen
from chef.stats.arrays import Array, NDArray, np
from chef.stats.estimate import Estimate, undefined
from chef.stats.figures import of_sums
from chef.stats.influence import OfSums

KAPPA = "Cohen's kappa"
ALPHA = "Krippendorff's alpha"
Units: TypeAlias = Sequence[Sequence[Any]]
#: How much each answer counts; None: all alike.
Weights: TypeAlias = Sequence[float] | None
#: What is stored of an estimate.
_NUMBERS = ("value", "n", "stderr", "low", "high", "method", "clusters")
#: Below this, what is left of a sum of squares is rounding.
_TINY = 1e-9


class Agreement(Frozen):
    """The agreement of two or more raters.

    Attributes:
        measure: ``Cohen's kappa``, or ``Krippendorff's alpha`` with its level in brackets.
        estimate: the coefficient: 1 is perfect, 0 what chance gives, below 0 is worse than chance.
            ``n`` is the number of answers that at least two of the raters have read.
        percent: equal readings, in % of the pairs of readings; None where there are none.
        reason: why the coefficient is undefined; empty where it has a value.
    """

    raters: tuple[str, ...]
    measure: str
    estimate: Estimate
    percent: float | None
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        numbers = self.estimate.to_json()
        return {
            "raters": list(self.raters),
            "measure": self.measure,
            **{key: numbers[key] for key in _NUMBERS},
            "percent_agreement": self.percent,
            **({"reason": self.reason} if self.reason else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Agreement:
        """Read what `to_json` gave."""
        numbers = {key: data[key] for key in _NUMBERS if key in data}
        return cls(
            raters=tuple(data["raters"]),
            measure=data["measure"],
            estimate=Estimate.from_json(numbers),
            percent=data["percent_agreement"],
            reason=data.get("reason", ""),
        )


def agreements(
    readings: Mapping[str, Sequence[Any]],
    clusters: Sequence[Hashable],
    *,
    numbers: bool,
    rule: str | None = None,
    weights: Weights = None,
) -> list[Agreement]:
    """The agreement of each pair of raters, then that of all judges where it is another figure.

    Readings are one for each answer, None where there is none; ``rule`` is the rater that is no
    judge; ``weights``: how much each answer counts, where some were drawn with another probability.
    """
    agreements = []
    for pair in itertools.combinations(readings, 2):
        both = [readings[name] for name in pair]
        item = (
            alpha(both, clusters, numbers=True, weights=weights)
            if numbers
            else kappa(both, clusters, weights)
        )
        agreements.append(replace(item, raters=pair))
    judges = [name for name in readings if name != rule]
    if len(judges) > (2 if numbers else 1):  # of two and numbers it is that of the pair
        several = [readings[name] for name in judges]
        of_all = alpha(several, clusters, numbers=numbers, weights=weights)
        agreements.append(replace(of_all, raters=tuple(judges)))
    return agreements


def kappa(
    readings: Sequence[Sequence[Any]], clusters: Sequence[Hashable], weights: Weights = None
) -> Agreement:
    """Cohen's kappa over the answers that both raters have read (None: not); undefined of fewer
    than two, or if both give one and the same reading to all.
    """
    pairs, kept, counts = _complete(readings, clusters, weights)
    percent = _percent(pairs, counts)
    if reason := _undefined(pairs):
        return Agreement((), KAPPA, undefined(n=len(pairs)), percent, reason)
    from sklearn.metrics import cohen_kappa_score

    codes = _codes(pairs)
    first, second = codes[:, 0], codes[:, 1]
    value = float(cohen_kappa_score(first, second, sample_weight=counts))
    places = np.eye(codes.max() + 1)
    rows = np.column_stack([first == second, places[first], places[second], np.ones(len(codes))])
    rows = rows * counts[:, None]
    return Agreement((), KAPPA, _interval(value, rows, kept, kappa_of_sums), percent)


def kappa_of_sums(sums: Array) -> Array:
    """Cohen's kappa of each row of sums over answers; NaN where it is undefined.

    ``sums`` is ``(r, 2 + 2 k)``: of ``equal``, of k indicators of each rater's readings, and the
    number of answers.
    """
    count = (sums.shape[1] - 2) // 2
    n = sums[:, -1]
    observed = sums[:, 0] / n
    expected = (sums[:, 1 : 1 + count] * sums[:, 1 + count : -1]).sum(axis=1) / n**2
    same = expected > 1 - _TINY
    return np.where(same, np.nan, (observed - expected) / np.where(same, 1.0, 1 - expected))


def alpha(
    readings: Sequence[Sequence[Any]],
    clusters: Sequence[Hashable],
    *,
    numbers: bool = False,
    weights: Weights = None,
) -> Agreement:
    """Krippendorff's alpha, nominal or interval, over answers that two raters or more have read
    (None: not); undefined of fewer than two, or if all readings are equal.
    """
    level = "interval" if numbers else "nominal"
    measure = f"{ALPHA} ({level})"
    units, kept, counts = _complete(readings, clusters, weights)
    percent = _percent(units, counts)
    if reason := _undefined(units):
        return Agreement((), measure, undefined(n=len(units)), percent, reason)
    import krippendorff

    given = units if numbers else _codes(units).tolist()
    table = np.array([[np.nan if item is None else item for item in unit] for unit in given])
    value = float(krippendorff.alpha(reliability_data=table.T, level_of_measurement=level))
    rows = _interval_rows(table) if numbers else _nominal_rows(table)
    statistic = interval_alpha_of_sums if numbers else nominal_alpha_of_sums
    if weights is not None:
        rows = rows * counts[:, None]
        value = float(statistic(rows.sum(axis=0)[None, :])[0])
    return Agreement((), measure, _interval(value, rows, kept, statistic), percent)


def nominal_alpha_of_sums(sums: Array) -> Array:
    """``1 - (n - 1) sum_u d_u / (n^2 - sum_c n_c^2)`` of each row, with n readings, n_c of category
    c, and ``d_u`` the unequal ordered pairs of answer u over its readings less one; NaN where
    undefined. ``sums`` is ``(r, 2 + k)``: of the number of readings, of ``d_u``, and of each
    category.
    """
    n = sums[:, 0]
    return _ratio((n - 1) * sums[:, 1], n**2 - (sums[:, 2:] ** 2).sum(axis=1))


def interval_alpha_of_sums(sums: Array) -> Array:
    """``1 - (n - 1) sum_u d_u / (2 (n sum v^2 - (sum v)^2))`` of each row, with ``d_u`` the squared
    differences of the ordered pairs of answer u over its readings less one; NaN where undefined.
    ``sums`` is ``(r, 4)``: of the number of readings, of ``d_u``, of v and of ``v^2``.
    """
    n = sums[:, 0]
    return _ratio((n - 1) * sums[:, 1], 2 * (n * sums[:, 3] - sums[:, 2] ** 2))


def _ratio(observed: Array, expected: Array) -> Array:
    same = expected < _TINY
    return np.where(same, np.nan, 1 - observed / np.where(same, 1.0, expected))


def _nominal_rows(table: Array) -> Array:
    categories = np.arange(np.nanmax(table) + 1)
    counts = (table[:, :, None] == categories).sum(axis=1)
    m = counts.sum(axis=1)
    unequal = (m**2 - (counts**2).sum(axis=1)) / (m - 1)
    return np.column_stack([m, unequal, counts])


def _interval_rows(table: Array) -> Array:
    centred = table - np.nanmean(table)  # differences are the same, and sums of squares exact
    m = (~np.isnan(table)).sum(axis=1)
    total, squares = np.nansum(centred, axis=1), np.nansum(centred**2, axis=1)
    return np.column_stack([m, 2 * (m * squares - total**2) / (m - 1), total, squares])


def _interval(
    value: float, rows: Array, clusters: Sequence[Hashable], function: OfSums
) -> Estimate:
    """The value with its interval; it is that of the package, and the function tells the spread."""
    found = of_sums(rows, function, clusters, least=min(-1.0, value), most=1.0)
    return replace(found, value=value)


def _complete(
    readings: Sequence[Sequence[Any]], clusters: Sequence[Hashable], weights: Weights
) -> tuple[list[tuple[Any, ...]], list[Hashable], Array]:
    """The readings of answers that two raters have read, their clusters, weights with mean 1."""
    every = [1.0] * len(clusters) if weights is None else weights
    kept = [
        (unit, cluster, weight)
        for unit, cluster, weight in zip(zip(*readings, strict=True), clusters, every, strict=True)
        if sum(item is not None for item in unit) >= 2
    ]
    counts = np.array([weight for _, _, weight in kept], dtype=np.float64)
    scale = counts.mean() if kept else 1.0
    return [unit for unit, _, _ in kept], [cluster for _, cluster, _ in kept], counts / scale


def _undefined(units: Units) -> str:
    """Why there is no coefficient; empty where there is one."""
    if len(units) < 2:
        return f"{len(units)} answer(s) have two readings, and at least 2 are needed"
    if len({item for unit in units for item in unit if item is not None}) < 2:
        return "all readings are equal, so chance agreement is perfect"
    return ""


def _percent(units: Units, weights: Array) -> float | None:
    """Equal readings, in % of the pairs of readings of one answer."""
    pairs = [
        (one == other, weight)
        for unit, weight in zip(units, weights.tolist(), strict=True)
        for one, other in itertools.combinations([item for item in unit if item is not None], 2)
    ]
    whole = math.fsum(weight for _, weight in pairs)
    return 100 * math.fsum(weight for same, weight in pairs if same) / whole if pairs else None


def _codes(units: Units) -> NDArray[Any]:
    """Readings as whole numbers from 0, in the order in which they occur; None stays."""
    known: dict[Any, int] = {}
    for item in itertools.chain.from_iterable(units):
        if item is not None:
            known.setdefault(item, len(known))
    # A known reading is never None, so this is None for one that is missing.
    coded = [[known.get(item) for item in unit] for unit in units]
    whole = all(item is not None for unit in coded for item in unit)
    return np.array(coded, dtype=np.int64 if whole else object)
