"""The one table at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chef.metric import Estimate, Report
from chef.scoring.scoring import MetricRun


@dataclass(frozen=True, slots=True)
class Row:
    """One scored set of answers.

    Attributes:
        metric_run: the metric that scored it.
        of: whose answers they are, the title of the table (``model: tiny``).
        report: the scores.
        place: where they were written, as the closing line says it (``Run folder: ...``).
    """

    metric_run: MetricRun
    of: str
    report: Report
    place: str


def show_summary(rows: Sequence[Row]) -> None:
    """Print every metric with its uncertainty, what was covered, and where the scores are.

    One table for each of those who answered.
    """
    for of in dict.fromkeys(row.of for row in rows):
        _show_table(of, [row for row in rows if row.of == of])


def _show_table(of: str, rows: Sequence[Row]) -> None:
    from tabulate import tabulate

    headers = ["recipe", "metric", "value", "std. error", "95% interval", "n", "chance", "coverage"]
    lines = []
    for row in rows:
        label = row.metric_run.label
        for key, item in row.report.metrics.items():
            chance = _chance(row, item) if key == row.report.primary else ""
            coverage = f"{100 * row.report.coverage.coverage:.1f}%" if label else ""
            lines.append([label, key, *_cells(item), chance, coverage])
            label = ""
    print(f"\n{of}")
    align = ("left", "left", *["right"] * 6)
    print(
        tabulate(lines, headers, tablefmt="simple_outline", colalign=align, disable_numparse=True)
    )
    for row in rows:
        print(_closing(row))


def _closing(row: Row) -> str:
    counts = row.report.coverage
    notes = [f"{counts.scored} of {counts.total} samples scored"]
    for number, what in (
        (counts.errors, "errors (not scored)"),
        (counts.truncated, "truncated"),
        (counts.refused, "refused"),
        (counts.unparsed, "unparsed"),
        (counts.no_truth, "without a known truth"),
    ):
        if number:
            notes.append(f"{number} {what}")
    return f"{', '.join(notes)}. {row.place}"


def _chance(row: Row, item: Estimate) -> str:
    chance = row.metric_run.random_accuracy
    if chance is None:
        return ""
    return number(100 * chance if item.unit == "%" else chance, item.unit)


def _cells(item: Estimate) -> list[str]:
    interval = ""
    if item.low is not None and item.high is not None:
        low, high = (number(end, item.unit).rstrip("%") for end in (item.low, item.high))
        interval = f"[{low}, {high}]"
    return [number(item.value, item.unit), number(item.stderr, item.unit), interval, str(item.n)]


def number(value: float | None, unit: str) -> str:
    """A figure as the table shows it.

    >>> number(87.25, "%"), number(0.5, "0-1"), number(31.26, "0-100"), number(None, "%")
    ('87.2%', '0.500', '31.3', '-')
    """
    if value is None:
        return "-"
    if unit == "%":
        return f"{value:.1f}%"
    return f"{value:.1f}" if unit.startswith("0-100") else f"{value:.3f}"
