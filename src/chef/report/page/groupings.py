"""Tables and bars of the scores by category, and by the other fields of samples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from chef.document.numbers import number, quantity
from chef.metric.groups import COMMA, LIMIT, NONE, TIMES, Group, group_cells
from chef.report.groups import ALL
from chef.report.page.content import Cell, Plot, Table
from chef.report.page.figures import interval_cell
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
                yield _table(item, field, is_main=item is report)


def grouping_plots(report: RunResult, by: Sequence[str] = ()) -> Iterator[Plot]:
    """Bars of the main figure for each grouping; arguments as of `grouping_tables`."""
    for field in by or report.by:
        if (plot := _bars(report, field)) is not None:
            yield plot


def group_filter(field: str, name: str) -> dict[str, str] | None:
    """The filter that shows the samples of a group; None for those that lack the field.

    >>> group_filter("split,category", "dev × color")
    {'split': 'dev', 'category': 'color'}
    """
    if COMMA not in field or TIMES not in name:
        return None if name == NONE else {field: name}
    fields = field.split(COMMA)
    cells = dict(zip(fields, group_cells(name, len(fields)), strict=True))
    known = {key: value for key, value in cells.items() if value not in ("", NONE)}
    return known if len(known) == len(fields) else None


def _table(report: RunResult, field: str, *, is_main: bool) -> Table:
    key = report.primary
    headers: tuple[str, ...]
    rows: list[tuple[str | Cell, ...]] = [
        (Cell(name, group_filter(field, name)), *_figures(group, key, _chance(report, group)))
        for name, group in report.by[field].items()
    ]
    rows.append((Cell(ALL), *_figures(report, key, report.chance.get(key))))
    metric = "" if is_main else f" by {report.metric_type}"
    notes = [f"{name}: {group.error}." for name, group in report.by[field].items() if group.error]
    if rest := report.left_out.get(field):
        notes.append(f"The {LIMIT} groups with the most samples; {rest} others are left out.")
    headers = (field, key, "95% interval", "n", "chance", "coverage")
    if all(row[-1] == _WHOLE for row in rows):  # a column that says nothing takes room
        headers, rows = headers[:-1], [row[:-1] for row in rows]
    is_drawn = is_main and _bars(report, field) is not None  # the drawing has the same figures
    return Table(f"{key}{metric} by {field}", headers, rows, " ".join(notes), is_drawn)


def _figures(scored: Group | RunResult, key: str, chance: float | None) -> tuple[str | Cell, ...]:
    coverage, item = scored.coverage, scored.metrics.get(key)
    share = f"{100 * coverage.coverage:.1f}%"
    guessed = "" if chance is None else number(chance, "0-1")
    if item is None:
        return "-", "", str(coverage.scored), guessed, share
    return quantity(item), interval_cell(item), str(item.n), guessed, share


def _chance(report: RunResult, group: Group) -> float | None:
    return group.random_accuracy if report.primary in report.chance else None


def _bars(report: RunResult, field: str) -> Plot | None:
    """Bars of the groups; None where they are too few or too many to be looked at."""
    key = report.primary
    groups: Mapping[str, Group] = report.by.get(field, {})
    found = {name: group.metrics[key] for name, group in groups.items() if key in group.metrics}
    if not 2 <= len(found) <= _DRAWN:
        return None
    first = next(iter(found.values()))
    chances = [_chance(report, groups[name]) for name in found] if first.unit in PERCENT else []
    return bars(
        f"{key} by {field}",
        [mark_of(name, item) for name, item in found.items()],
        unit=unit_of(first),
        label=f"{key}, %" if first.unit in PERCENT else key,
        references=[None if item is None else 100 * item for item in chances],
    )
