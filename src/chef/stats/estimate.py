"""A number with its uncertainty."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import msgspec

from chef.frozen import Frozen

#: The units of shares, and the factor that makes them percent. Every table shows them in percent.
PERCENT = {"%": 1.0, "0-100": 1.0, "0-1": 100.0}


class Estimate(Frozen):
    """The value of a metric with its uncertainty.

    Attributes:
        value: in ``unit``; None if undefined (nothing to average, a division by zero).
        n: the number of items it is based on.
        stderr: standard error, in ``unit``; None if unknown.
        low: lower end of the 95% interval, in ``unit``; None if unknown.
        high: upper end of the interval, likewise.
        unit: ``%``, ``0-1``, ``0-100``, ``count``, ...; empty if the metric does not say. Tables
            show the first three in percent; here the value stays as the metric gives it.
        method: how the interval was computed: ``wilson``, ``log`` or ``student`` by the scale of
            the figure (`chef.stats.scales`), ``unseen`` where nothing varies, ``bootstrap``; with
            ``, clustered`` where samples depend on each other; ``none`` if there is no interval.
        higher_is_better: False for errors and distances, None if neither direction is better.
        clusters: the number of clusters of samples that are independent of each other
            (`chef.stats.clusters`); None where it is not known.
        effective_n: how many independent items that are right or wrong would tell as much about a
            share; None of other figures.
    """

    value: float | None
    n: int
    stderr: float | None = None
    low: float | None = None
    high: float | None = None
    unit: str = ""
    method: str = "none"
    higher_is_better: bool | None = True
    clusters: int | None = None
    effective_n: float | None = None

    def scaled(self, factor: float, unit: str) -> Estimate:
        """The same estimate in another unit; ``factor`` must be positive.

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

    def holding_zero(self) -> Estimate:
        """The same with an interval, where it has one, that reaches to 0."""
        if self.low is None or self.high is None:
            return self
        return replace(self, low=min(self.low, 0.0), high=max(self.high, 0.0))

    def to_json(self) -> dict[str, Any]:
        """Plain data; numbers that are not finite become None, because JSON cannot hold them."""
        return _finite(asdict(self))

    @classmethod
    def from_json(cls, data: Any) -> Estimate:
        """Read what `to_json` gave, without keys of later versions; raises ValueError."""
        # An edited file may hold NaN.
        return msgspec.convert(_finite(data) if isinstance(data, Mapping) else data, cls)


def _finite(data: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: None if isinstance(item, float) and not math.isfinite(item) else item
        for key, item in data.items()
    }


def method_of(name: str, clusters: int | None, n: int) -> str:
    """How an interval was computed: the method, and whether samples depend on each other."""
    return f"{name}, clustered" if (clusters or 0) < n else name


def undefined(unit: str = "", n: int = 0, *, higher_is_better: bool | None = True) -> Estimate:
    """An estimate without a value."""
    return Estimate(None, n, unit=unit, higher_is_better=higher_is_better)
