"""Tables and bars of the scores by category, and by the other fields of samples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from chef.metric.groups import Group
from chef.report.groups import chance_of, group_table
from chef.report.page.content import Plot, Table
from chef.report.page.plots import bars, mark_of
from chef.report.page.plots.marks import unit_of
from chef.scoring.result import RunResult
from chef.stats.estimate import PERCENT

#: The most groups that bars are drawn of.
_DRAWN = 40
#: The coverage of a group that is scored as a whole.
_WHOLE = "100.0%"


def grouping_tables(report: RunResult, by: Sequence[str] = ()) -> Iterator[Table]:
    """For each grouping a table of every metric.

    Args:
        report: the scores.
        by: the groupings that are wanted; empty for all.
    """
    for field in by or report.by:
        for item in report.all_metrics:
            if item.by.get(field):
                yield from _table(item, field, is_main=item is report)


def grouping_plots(report: RunResult, by: Sequence[str] = ()) -> Iterator[Plot]:
    """Bars of the main figure for each grouping; arguments as of `grouping_tables`."""
    for field in by or report.by:
        if (plot := _bars(report, field)) is not None:
            yield plot


def _table(report: RunResult, field: str, *, is_main: bool) -> Iterator[Table]:
    """As the terminal has it, folded where a drawing has the same figures."""
    table = group_table(report, field)
    if table is None:
        return
    headers, rows = table.headers, table.rows
    if all(row[-1] == _WHOLE for row in rows):  # a column that says nothing takes room
        headers, rows = headers[:-1], [row[:-1] for row in rows]
    is_drawn = is_main and _bars(report, field) is not None
    title = table.title if is_main else f"{table.title}, {report.metric_type}"
    yield replace(table, title=title, headers=headers, rows=rows, is_collapsed=is_drawn)


def _bars(report: RunResult, field: str) -> Plot | None:
    """Bars of the groups; None where they are too few or too many to be looked at."""
    key = report.primary
    groups: Mapping[str, Group] = report.by.get(field, {})
    found = {name: group.metrics[key] for name, group in groups.items() if key in group.metrics}
    if not 2 <= len(found) <= _DRAWN:
        return None
    first = next(iter(found.values()))
    chances = [chance_of(report, groups[name]) for name in found] if first.unit in PERCENT else []
    return bars(
        f"{key} by {field}",
        [mark_of(name, item) for name, item in found.items()],
        unit=unit_of(first),
        label=f"{key}, %" if first.unit in PERCENT else key,
        references=[None if item is None else 100 * item for item in chances],
    )
