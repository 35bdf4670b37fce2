"""The outline of plain-text tables, and how numbers are shown in them."""

from __future__ import annotations

from collections.abc import Sequence

from chef.metric import Estimate
from chef.stats.estimate import PERCENT

#: What a narrow terminal does without, the least important first; the last line has the counts.
SPARE = ("coverage", "chance", "clusters", "n")
#: Names are shortened to no fewer characters.
_SHORTEST = 16


def outline(
    headers: Sequence[str],
    lines: Sequence[Sequence[str]],
    width: int | None,
    *,
    names: int,
    spare: Sequence[str] = SPARE,
) -> str:
    """A table with as many of its columns as fit.

    Args:
        headers: the columns; empty ones among the spare ones are left out.
        lines: the cells.
        width: the columns of the terminal; None for any number. Names are shortened where leaving
            columns out is not enough.
        names: how many of the first columns hold names, not numbers.
        spare: the columns that a narrow terminal does without, the least important first.
    """
    from tabulate import tabulate

    rows = [list(line) for line in lines]

    def shown() -> str:
        cells = [[line[column] for column in kept] for line in rows]
        align = ["left" if column < names else "right" for column in kept]
        names_ = [headers[column] for column in kept]
        return tabulate(
            cells, names_, tablefmt="simple_outline", colalign=align, disable_numparse=True
        )

    kept = list(range(len(headers)))
    table = shown()

    def excess() -> int:
        return 0 if width is None else max(0, len(table.partition("\n")[0]) - width)

    for header in spare:
        if excess() and header in headers:
            kept.remove(headers.index(header))
            table = shown()
    for column in range(names):
        longest = max((len(line[column]) for line in rows), default=0)
        if excess() and longest > _SHORTEST:
            fitting = max(_SHORTEST, longest - excess())
            for line in rows:
                line[column] = shorten(line[column], fitting)
            table = shown()
    return table


def shorten(line: str, width: int | None) -> str:
    """A line that fits the terminal; what is left out of its middle is marked.

    >>> shorten("Shapes/counting_direct  ACC", 20)
    'Shapes/cou…rect  ACC'
    """
    if width is None or len(line) <= width:
        return line
    tail = (width - 1) // 2
    return f"{line[: width - 1 - tail]}…{line[len(line) - tail :]}"


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
