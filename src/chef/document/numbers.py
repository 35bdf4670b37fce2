"""How numbers are shown: values with their units, and intervals."""

from __future__ import annotations

from chef.document.sections import Cell
from chef.stats.estimate import PERCENT, Estimate


def number(value: float | None, unit: str) -> str:
    """Format a value for the table: every share in percent, other values in their own unit.

    >>> number(87.25, "%"), number(0.5, "0-1"), number(31.26, "0-100"), number(None, "%")
    ('87.2%', '50.0%', '31.3%', '-')
    >>> number(96.42, "0-1000"), number(3.0, "count"), number(0.354, "count")
    ('96.4', '3', '0.354')
    """
    if value is None:
        return "-"
    if unit in PERCENT:
        return f"{value * PERCENT[unit]:.1f}%"
    if unit == "count" and value == int(value):
        return str(int(value))
    return f"{value:.1f}" if unit in ("0-1000", "points") else f"{value:.3f}"


def counted(count: int, what: str) -> str:
    """A number of things, whose first word is a plural with s if it is countable.

    >>> counted(1, "errors (not scored)"), counted(2, "groups"), counted(1, "refused")
    ('1 error (not scored)', '2 groups', '1 refused')
    """
    noun, blank, rest = what.partition(" ")
    return f"{count} {noun.removesuffix('s') if count == 1 else noun}{blank}{rest}"


def quantity(item: Estimate) -> str:
    """Format a value with its unit, if it is not a share.

    >>> quantity(Estimate(96.42, 9, unit="0-1000")), quantity(Estimate(3.0, 9, unit="count"))
    ('96.4 of 1000', '3 count')
    """
    text = number(item.value, item.unit)
    if item.value is None or item.unit in PERCENT or not item.unit:
        return text
    return f"{text} of {item.unit[2:]}" if item.unit.startswith("0-") else f"{text} {item.unit}"


def clusters(item: Estimate) -> str:
    """The number of clusters of samples for the table; empty where each sample is its own.

    >>> clusters(Estimate(50.0, 9, clusters=3)), clusters(Estimate(50.0, 9, clusters=9))
    ('3', '')
    """
    return "" if item.clusters is None or item.clusters >= item.n else str(item.clusters)


def interval(item: Estimate) -> str:
    """Format the 95% interval for the table; empty if it is unknown.

    >>> interval(Estimate(50.0, 9, low=20.0, high=80.0, unit="%"))
    '[20.0, 80.0]'
    """
    if item.low is None or item.high is None:
        return ""
    low, high = (number(end, item.unit).rstrip("%") for end in (item.low, item.high))
    return f"[{low}, {high}]"


def with_interval(item: Estimate) -> str:
    """A value with its unit, and its interval where it has one.

    >>> with_interval(Estimate(50.0, 9, low=20.0, high=80.0, unit="%"))
    '50.0% [20.0, 80.0]'
    """
    return f"{quantity(item)} {interval(item)}".strip()


def p_value(value: float | None) -> str:
    """A p-value as tables show it; the smallest ones are not written out.

    >>> p_value(0.0312), p_value(0.00001), p_value(1.0), p_value(None)
    ('0.031', '<0.001', '1.000', '-')
    """
    if value is None:
        return "-"
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def interval_cell(item: Estimate) -> Cell:
    """The interval as text, and of a share as a bar from 0 to 1."""
    return Cell(interval(item), interval=shares_of(item))


def shares_of(item: Estimate) -> tuple[float, float, float] | None:
    """Low, value and high of a share, 0 to 1; None for other figures."""
    factor = PERCENT.get(item.unit)
    ends = (item.low, item.value, item.high)
    if factor is None or None in ends:
        return None
    low, value, high = (min(1.0, max(0.0, (end or 0.0) * factor / 100)) for end in ends)
    return low, value, high
