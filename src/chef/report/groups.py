"""Tables of the scores by category, or by another field of the samples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from chef.document.numbers import interval_cell, number, quantity
from chef.document.outline import shorten_end
from chef.document.sections import Cell, Section, Table, Words
from chef.errors import ConfigError, nearest
from chef.metric.groups import COMMA, LIMIT, NONE, TIMES, Group, group_cells
from chef.scoring.result import RunResult

#: The name of the last line, and what a longer name is cut to.
ALL, _WIDEST = "all", 40


def check_groupings(fields: Iterable[str], known: Mapping[str, Iterable[str]]) -> None:
    """ConfigError for fields of ``--by`` that nothing (fields by label) is grouped by."""
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


def group_sections(reports: Sequence[RunResult], fields: Sequence[str]) -> list[Section]:
    """A table for each report, field and metric: the main figure of each group."""
    models = {report.model for report in reports}
    sections: list[Section] = []
    for main in reports:
        for field in fields:
            for report in main.all_metrics:
                table = group_table(report, field)
                model = f"{report.title}, " if len(models) > 1 else ""
                metric = "" if report is main else f" by {report.metric_type}"
                title = f"{model}{report.label} by {field}: {report.primary}{metric}"
                if table is None:
                    has = ", ".join(report.by) or "no field to group by"
                    lacks = f"no sample has the field '{field}' (it has {has})"
                    sections.append(Words(title, [lacks]))
                    continue
                note = f"{table.note}\nevery figure of each group: {report.file}".strip()
                sections.append(replace(table, title=title, note=note))
    return sections


def group_table(report: RunResult, field: str) -> Table | None:
    """The main figure of each group, the whole run last; None where no sample has the field."""
    key, groups = report.primary, report.by.get(field)
    if groups is None:
        return None
    fields = _columns(field, groups)
    rows = [
        (*_names(name, field, fields), *_figures(group, key, chance_of(report, group)))
        for name, group in groups.items()
    ]
    all_names = (ALL, *("" for _ in fields[1:]))
    rows.append((*all_names, *_figures(report, key, report.chance.get(key))))
    headers = (*fields, "value", "95% interval", "n", "chance", "coverage")
    notes = [f"{name}: {group.error}" for name, group in groups.items() if group.error]
    if report.judge and report.judge.had_part:
        notes.append(f"judged by {report.judge.label}")
    if rest := report.left_out.get(field):
        notes.append(f"the {LIMIT} groups with the most samples; {rest} others are left out")
    return Table(f"{key} by {field}", headers, rows, "\n".join(notes), names=len(fields))


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


def _names(name: str, field: str, shown: Sequence[str]) -> list[Cell]:
    """The first cells of a group's line; they lead to its samples."""
    texts = [name]
    if shown != [field]:
        fields = field.split(COMMA)
        by_field = dict(zip(fields, group_cells(name, len(fields)), strict=True))
        texts = [by_field[one] for one in shown]
    leads = group_filter(field, name)
    return [Cell(text, leads, short=shorten_end(text, _WIDEST)) for text in texts]


def _figures(scored: Group | RunResult, key: str, chance: float | None) -> tuple[str | Cell, ...]:
    """Value, interval, n, chance and coverage of a group, or of the whole run."""
    coverage, item = scored.coverage, scored.metrics.get(key)
    share = f"{100 * coverage.coverage:.1f}%"
    guessed = "" if chance is None else number(chance, "0-1")
    if item is None:
        return "-", "", str(coverage.scored), guessed, share
    return quantity(item), interval_cell(item), str(item.n), guessed, share


def chance_of(report: RunResult, group: Group) -> float | None:
    """What guessing scores in a group, if the main metric is compared with it."""
    return group.random_accuracy if report.primary in report.chance else None


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
