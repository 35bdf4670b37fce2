"""Tables of the scores by category, or by another field of the samples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from chef.document.numbers import interval, number, quantity
from chef.document.outline import outline
from chef.errors import ConfigError, nearest
from chef.metric.groups import COMMA, LIMIT, NONE, TIMES, Group, group_cells
from chef.scoring.result import RunResult

#: The name of the last line, and what a longer name is cut to.
ALL, _WIDEST = "all", 40


def check_groupings(fields: Iterable[str], known: Mapping[str, Iterable[str]]) -> None:
    """Refuse fields that nothing is grouped by.

    Args:
        fields: what ``--by`` names.
        known: the fields there are, by the label of the recipe or the file.

    Raises:
        ConfigError: none of the recipes has such a field.
    """
    there = {label: sorted(names) for label, names in known.items()}
    everything = {name for names in there.values() for name in names}
    for field in fields:
        if field not in everything:
            lists = [f"{label} has {', '.join(names) or 'none'}" for label, names in there.items()]
            alike = {name for name in everything if COMMA in name} if COMMA in field else set()
            near = nearest(field, alike or everything) if everything else ""
            guess = f"{near} " if near.startswith("did you mean") else ""
            raise ConfigError(
                f"the samples have no field '{field}' to group by",
                where="--by",
                hint=f"{guess}{'; '.join(lists)}",
            )


def group_tables(reports: Sequence[RunResult], fields: Sequence[str], width: int | None) -> str:
    """A table for each report, metric and field: the main figure of each group, the whole run last.

    Args:
        reports: the reports.
        fields: the groupings, such as ``category``.
        width: the columns of the terminal; None for any number.
    """
    several = len({report.title for report in reports}) > 1
    parts = [
        _heading(main, report, field, with_model=several) + _table(report, field, width)
        for main in reports
        for field in fields
        for report in main.all_metrics
    ]
    return "\n\n".join(parts)


def _heading(main: RunResult, report: RunResult, field: str, *, with_model: bool) -> str:
    """What the figures below are of, as far as several tables differ in it."""
    model = f"{report.title}, " if with_model else ""
    metric = "" if report is main else f" by {report.metric_type}"
    return f"{model}{report.label} by {field}: {report.primary}{metric}\n"


def _table(report: RunResult, field: str, width: int | None) -> str:
    groups = report.by.get(field)
    if groups is None:
        has = ", ".join(report.by) or "no field to group by"
        return f"no sample has the field '{field}' (it has {has})"
    key = report.primary
    fields = _columns(field, groups)
    lines = [
        (*_names(name, field, fields), *_figures(group, key, _chance(report, group)))
        for name, group in groups.items()
    ]
    all_names = (ALL, *("" for _ in fields[1:]))
    lines.append((*all_names, *_figures(report, key, report.chance.get(key))))
    headers = (*fields, "value", "95% interval", "n", "chance", "coverage")
    shown = [outline(headers, lines, width, names=len(fields))]
    shown += [f"{name}: {group.error}" for name, group in groups.items() if group.error]
    if report.judge and report.judge.had_part:
        shown.append(f"judged by {report.judge.label}")
    if rest := report.left_out.get(field):
        shown.append(f"the {LIMIT} groups with the most samples; {rest} others are left out")
    shown.append(f"every figure of each group: {report.file}")
    return "\n".join(shown)


def _columns(field: str, groups: Iterable[str]) -> list[str]:
    """The fields of a grouping that some group has a value of: several of a crossing."""
    fields = (
        field.split(COMMA) if all(TIMES in name or name == NONE for name in groups) else [field]
    )
    rows = [group_cells(name, len(fields)) for name in groups]
    told = [
        name
        for place, name in enumerate(fields)
        if any(row[place] not in ("", NONE) for row in rows)
    ]
    return told or [field]


def _names(name: str, field: str, shown: Sequence[str]) -> list[str]:
    """The first cells of a group's line."""
    if shown == [field]:
        return [_short(name)]
    fields = field.split(COMMA)
    by_field = dict(zip(fields, group_cells(name, len(fields)), strict=True))
    return [_short(by_field[one]) for one in shown]


def _short(name: str) -> str:
    return name if len(name) <= _WIDEST else f"{name[: _WIDEST - 1]}…"


def _figures(scored: Group | RunResult, key: str, chance: float | None) -> tuple[str, ...]:
    """Value, interval, n, chance and coverage of a group, or of the whole run."""
    coverage, item = scored.coverage, scored.metrics.get(key)
    share = f"{100 * coverage.coverage:.1f}%"
    guessed = "" if chance is None else number(chance, "0-1")
    if item is None:
        return "-", "", str(coverage.scored), guessed, share
    return quantity(item), interval(item), str(item.n), guessed, share


def _chance(report: RunResult, group: Group) -> float | None:
    """What guessing scores in a group, if the main metric is compared with it."""
    return group.random_accuracy if report.primary in report.chance else None
