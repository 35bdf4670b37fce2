"""Values with their intervals, as drawings take them."""

from __future__ import annotations

from dataclasses import dataclass

from chef.document.numbers import number
from chef.stats.estimate import PERCENT, Estimate


@dataclass(frozen=True, slots=True)
class IntervalMark:
    """A value with its interval.

    Attributes:
        label: what it is of.
        value: in the unit of the drawing; None if undefined.
        low, high: the ends of the 95% interval; None if unknown.
        n: on how many items it is based; None if unknown.
    """

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None

    def words(self, unit: str = "%") -> str:
        """The same in words.

        >>> IntervalMark("red", 80.0, 60.0, 90.0, 20).words()
        'red: 80.0% [60.0, 90.0], n=20'
        """
        text = f"{self.label}: {number(self.value, unit)}"
        if self.low is not None and self.high is not None:
            text += (
                f" [{number(self.low, unit).rstrip('%')}, {number(self.high, unit).rstrip('%')}]"
            )
        return text if self.n is None else f"{text}, n={self.n}"

    @property
    def numbers(self) -> list[float]:
        """The value and the ends of its interval, as far as they are known."""
        return [item for item in (self.value, self.low, self.high) if item is not None]


@dataclass(frozen=True, slots=True)
class Point:
    """A value with its interval at a place of a numeric axis."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None


def mark_of(label: str, item: Estimate) -> IntervalMark:
    """The mark of an estimate; shares are in percent.

    >>> mark_of("red", Estimate(0.5, 8, unit="0-1")).value
    50.0
    """
    factor = PERCENT.get(item.unit, 1.0)

    def times(value: float | None) -> float | None:
        return None if value is None else value * factor

    return IntervalMark(label, times(item.value), times(item.low), times(item.high), item.n)


def unit_of(item: Estimate) -> str:
    """The unit of `mark_of`: ``%`` for every share."""
    return "%" if item.unit in PERCENT else item.unit
