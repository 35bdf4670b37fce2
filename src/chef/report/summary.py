"""The summary of several recipes: one line each, with the name of the run and the main metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chef.report.outline import interval, quantity, shorten
from chef.report.run_report import RunReport


def summary(
    reports: Sequence[RunReport],
    failed: Mapping[str, str],
    width: int | None = None,
    *,
    with_model: bool = False,
) -> str:
    """One line for each recipe and model, those that did not finish last.

    Args:
        reports: of the runs that finished.
        failed: what became of each of the others, by what it is called.
        width: the columns of the terminal; None for any number.
        with_model: whether each line begins with the name of the model.
    """
    rows = [(*((report.model,) if with_model else ()), *_cells(report)) for report in reports]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(size) for cell, size in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    lines += [f"{label}  {what}" for label, what in failed.items()]
    return "\n".join(["summary:", *(shorten(f"  {line}", width) for line in lines)])


def _cells(report: RunReport) -> tuple[str, str, str, str, str]:
    counts = report.coverage
    scored = f"{counts.scored} of {counts.total}"
    scored += f", {counts.errors} errors" if counts.errors else ""
    scored += f", {counts.unjudged} unjudged" if counts.unjudged else ""
    scored += f", the first of {report.stopped.total}" if report.stopped else ""
    scored += f", judged by {report.judge.label}" if report.judge and report.judge.had_part else ""
    if (item := report.metrics.get(report.primary)) is None:
        return report.label, report.folder.name, "-", "-", scored
    value = f"{quantity(item)} {interval(item)}".strip()
    return report.label, report.folder.name, report.primary, value, scored
