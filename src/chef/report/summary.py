"""The summary of several recipes: one line each, with the name of the run and the main metric."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from chef.document.numbers import interval, quantity
from chef.document.outline import shorten
from chef.metric.groups import COMMA
from chef.scoring.result import RunResult


def summary(
    reports: Sequence[RunResult],
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


def next_steps(reports: Sequence[RunResult], results: Path, *, by: Sequence[str] = ()) -> str:
    """What may be typed next, in a line or two.

    Args:
        reports: of the runs that finished; at least one.
        results: the folder of all results.
        by: the fields by which the scores are shown already.
    """
    run = next((item for item in reports if item.by), reports[0])
    steps = [f"look at the samples: chef show {shlex.quote(str(run.folder))} --page"]
    if run.by and not by:
        # A crossing of several fields is no table to begin with.
        field = next((name for name in run.by if COMMA not in name), next(iter(run.by)))
        again = f"chef score {shlex.quote(str(run.folder))} --by {shlex.quote(field)}"
        steps.append(f"by {field}: {again}")
    elif len(reports) > 1:
        steps.append(f"all runs: chef show {shlex.quote(str(results))}")
    return "\n".join(steps)


def _cells(report: RunResult) -> tuple[str, str, str, str, str]:
    counts = report.coverage
    scored = f"{counts.scored} of {counts.total}"
    errors = "1 error" if counts.errors == 1 else f"{counts.errors} errors"
    scored += f", {errors}" if counts.errors else ""
    scored += f", {counts.unjudged} unjudged" if counts.unjudged else ""
    scored += f", of {report.stopped.total} in all" if report.stopped else ""
    scored += f", judged by {report.judge.label}" if report.judge and report.judge.had_part else ""
    if (item := report.metrics.get(report.primary)) is None:
        return report.label, report.folder.name, "-", "-", scored
    value = f"{quantity(item)} {interval(item)}".strip()
    return report.label, report.folder.name, report.primary, value, scored
