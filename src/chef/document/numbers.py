"""How numbers are shown: values with their units, and intervals."""

from __future__ import annotations

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
