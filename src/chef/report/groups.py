"""Tables of the scores by category, or by another field of the samples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from chef.errors import ConfigError, nearest
from chef.metric import Coverage, Estimate
from chef.metric.groups import LIMIT, Group
from chef.report.outline import interval, number, outline, quantity
from chef.report.run_report import RunReport

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
            near = nearest(field, everything) if everything else ""
            guess = f"{near} " if near.startswith("did you mean") else ""
            raise ConfigError(
                f"the samples have no field '{field}' to group by",
                where="--by",
                hint=f"{guess}{'; '.join(lists)}",
            )


def group_tables(reports: Sequence[RunReport], fields: Sequence[str], width: int | None) -> str:
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


def _heading(main: RunReport, report: RunReport, field: str, *, with_model: bool) -> str:
    """What the figures below are of, as far as several tables differ in it."""
    model = f"{report.title}, " if with_model else ""
    metric = "" if report is main else f" by {report.metric_type}"
    return f"{model}{report.label} by {field}: {report.primary}{metric}\n"


def _table(report: RunReport, field: str, width: int | None) -> str:
    groups = report.by.get(field)
    if groups is None:
        has = ", ".join(report.by) or "no field to group by"
        return f"no sample has the field '{field}' (it has {has})"
    key = report.primary
    lines = [
        _line(name, group.metrics.get(key), group.coverage, _chance(report, group))
        for name, group in groups.items()
    ]
    whole = _line(ALL, report.metrics.get(key), report.coverage, report.chance.get(key))
    headers = (field, "value", "95% interval", "n", "chance", "coverage")
    shown = [outline(headers, [*lines, whole], width, names=1)]
    shown += [f"{name}: {group.error}" for name, group in groups.items() if group.error]
    if report.judge and report.judge.had_part:
        shown.append(f"judged by {report.judge.label}")
    if rest := report.left_out.get(field):
        shown.append(f"the {LIMIT} groups with the most samples; {rest} others are left out")
    shown.append(f"every figure of each group: {report.file}")
    return "\n".join(shown)


def _line(
    name: str, item: Estimate | None, coverage: Coverage, chance: float | None
) -> tuple[str, ...]:
    short = name if len(name) <= _WIDEST else f"{name[: _WIDEST - 1]}…"
    share = f"{100 * coverage.coverage:.1f}%"
    guessed = "" if chance is None else number(chance, "0-1")
    if item is None:
        return short, "-", "", str(coverage.scored), guessed, share
    return short, quantity(item), interval(item), str(item.n), guessed, share


def _chance(report: RunReport, group: Group) -> float | None:
    """What guessing scores in a group, if the main metric is compared with it."""
    return group.random_accuracy if report.primary in report.chance else None
