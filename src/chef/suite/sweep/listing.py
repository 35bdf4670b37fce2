"""The combinations of a sweep as a table."""

from __future__ import annotations

from chef.report.outline import interval, outline, quantity
from chef.suite.sweep.factors import MODEL
from chef.suite.sweep.result import Combination, SweepResult

#: Of more combinations only the best and the worst are shown.
_MOST = 40


def listing(found: SweepResult, width: int | None = None) -> str:
    """A row for each combination, the highest figure first; of many the first and the last ones.

    Args:
        found: the sweep.
        width: the columns of the terminal; None for any number.
    """
    ordered = sorted(found.combinations, key=_figure, reverse=True)
    several = len({one.model for one in ordered}) > 1
    factors = [name for name in found.factors if name != MODEL] + ([MODEL] if several else [])
    rows = [
        [
            *(one.model if name == MODEL else one.values[name] for name in factors),
            quantity(one.figure),
            interval(one.figure),
            str(one.figure.n),
            f"{100 * one.coverage:.1f}%",
        ]
        for one in ordered
    ]
    if len(rows) > _MOST:
        left_out = ["..."] + [""] * (len(rows[0]) - 1)
        rows = [*rows[: _MOST // 2], left_out, *rows[-_MOST // 2 :]]
    headers = [*factors, "score", "95% interval", "n", "coverage"]
    return outline(headers, rows, width, names=len(factors))


def _figure(one: Combination) -> float:
    return float("-inf") if one.figure.value is None else one.figure.value
