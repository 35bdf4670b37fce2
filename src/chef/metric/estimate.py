"""One figure with its uncertainty."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Estimate:
    """One number with its uncertainty.

    Attributes:
        value: in ``unit``; None when undefined (nothing to average, a division by zero).
        n: how many items it rests on.
        stderr: standard error, in ``unit``; None when unknown.
        low: lower end of the 95% interval, in ``unit``; None when unknown.
        high: upper end of it.
        unit: ``%``, ``0-1``, ``0-100``, ``count``, ...; empty when the metric did not say.
        method: how the interval was made: ``wilson``, ``wilson, clustered``, ``bootstrap``,
            ``normal``; ``none`` when it was not.
        higher_is_better: False for errors and distances, None where neither end is good.
    """

    value: float | None
    n: int
    stderr: float | None = None
    low: float | None = None
    high: float | None = None
    unit: str = ""
    method: str = "none"
    higher_is_better: bool | None = True

    def scaled(self, factor: float, unit: str) -> Estimate:
        """The same figure in another unit; ``factor`` is positive.

        >>> Estimate(0.5, 4, low=0.25, high=0.75, unit="0-1").scaled(100, "%").high
        75.0
        """

        def times(number: float | None) -> float | None:
            return None if number is None else number * factor

        return replace(
            self,
            value=times(self.value),
            stderr=times(self.stderr),
            low=times(self.low),
            high=times(self.high),
            unit=unit,
        )

    def to_json(self) -> dict[str, Any]:
        """Plain data; numbers that are not finite become None, as JSON has no name for them."""
        return {
            key: None if isinstance(item, float) and not math.isfinite(item) else item
            for key, item in asdict(self).items()
        }


def undefined(unit: str = "", n: int = 0, *, higher_is_better: bool | None = True) -> Estimate:
    """A figure without a value."""
    return Estimate(None, n, unit=unit, higher_is_better=higher_is_better)
