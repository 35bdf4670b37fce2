"""What is said at the end of a run: the main figure of each recipe, and what may be typed next."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from chef.document.numbers import interval, quantity
from chef.document.outline import as_text
from chef.document.sections import Table
from chef.metric.groups import COMMA
from chef.scoring.result import RunResult


def summary(
    reports: Sequence[RunResult],
    failed: Mapping[str, str],
    width: int | None = None,
    *,
    with_model: bool = False,
) -> str:
    """The main figure of each recipe and model, and below them those that did not finish.

    Args:
        reports: of the runs that finished; at least one.
        failed: what became of each of the others, by what it is called.
        width: the columns of the terminal; None for any number.
        with_model: whether each line begins with the name of the model.
    """
    rows = []
    for report in reports:
        item = report.figure
        figure = ("-", "-", "") if item is None else (
            report.primary, quantity(item), interval(item)
        )  # fmt: skip
        rows.append((*((report.model,) if with_model else ()), report.label, *figure))
    headers = (*(("model",) if with_model else ()), "recipe", "metric", "value", "95% interval")
    note = "\n".join(f"{label}  {what}" for label, what in failed.items())
    return as_text([Table("summary:", headers, rows, note, names=2 + with_model)], width)


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
