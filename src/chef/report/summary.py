"""The summary of several recipes: one line each, with the name of the run and the main metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from chef.report.run_report import RunReport
from chef.report.table import interval, quantity


def summary(
    reports: Sequence[RunReport], failed: Mapping[str, str], width: int | None = None
) -> str:
    """One line for each recipe, those that failed last.

    Args:
        reports: of the recipes that finished.
        failed: the first line of the error of each recipe that did not finish, by its file.
        width: the columns of the terminal; None for any number.
    """
    rows = [_cells(report) for report in reports]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(5)]
    lines = [
        "  ".join(cell.ljust(size) for cell, size in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    lines += [f"{Path(file).stem}  failed: {why}" for file, why in failed.items()]
    return "\n".join(["summary:", *(shorten(f"  {line}", width) for line in lines)])


def _cells(report: RunReport) -> tuple[str, str, str, str, str]:
    counts = report.coverage
    scored = f"{counts.scored} of {counts.total}"
    scored += f", {counts.errors} errors" if counts.errors else ""
    if (item := report.metrics.get(report.primary)) is None:
        return report.label, report.folder.name, "-", "-", scored
    value = f"{quantity(item)} {interval(item)}".strip()
    return report.label, report.folder.name, report.primary, value, scored


def shorten(line: str, width: int | None) -> str:
    """A line that fits the terminal; what is left out of its middle is marked.

    >>> shorten("Shapes/counting_direct  ACC", 20)
    'Shapes/cou…rect  ACC'
    """
    if width is None or len(line) <= width:
        return line
    tail = (width - 1) // 2
    return f"{line[: width - 1 - tail]}…{line[len(line) - tail :]}"
