"""The overview of many runs, and drawings and tables of several runs at once."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from chef.common.text import typed
from chef.document.numbers import number
from chef.frozen import Frozen
from chef.report.load import Run
from chef.report.page.content import (
    Cell,
    PageContent,
    Plot,
    RunCell,
    SampleRow,
    Section,
    Table,
    Words,
)
from chef.report.page.opened import OpenedRun, rows_of
from chef.report.page.plots import IntervalMark, Point, dots, lines, mark_of, radar_or_dots
from chef.report.page.plots.bars import MOST_AXES, unit_of
from chef.report.runs import RunLine, matrix, runs_table
from chef.run.configuration import flat
from chef.stats.estimate import PERCENT

#: The number of examples in config.yaml, and the section that other keys of them stand in.
_ASKED = ("model_cfg", "recipe_cfg")
_EXAMPLES = ("recipe_cfg", "eval_cfg", "instruction_cfg", "incontext_cfg")


def scores_plots(runs: Sequence[OpenedRun]) -> Iterator[Plot]:
    """The main figures of the runs, those of one unit in a drawing."""
    by_unit: dict[str, dict[str, list[IntervalMark]]] = {}
    for run in runs:
        if (item := run.primary) is not None and item.value is not None:
            marks = by_unit.setdefault(unit_of(item), {})
            name = f"{run.label}: {run.report.primary}" if run.report else run.label
            marks[name] = [mark_of(name, item)]
    for unit, marks in by_unit.items():
        if len(marks) > 1:
            yield dots(f"Main figures{f', in {unit}' if unit else ''}", marks, unit=unit)


def examples_plots(runs: Sequence[OpenedRun]) -> Iterator[Plot]:
    """The main figure against the number of in-context examples, of runs alike in all else."""
    by_unit: dict[str, dict[tuple[str, ...], dict[int, Point]]] = {}
    for run in runs:
        item = run.primary
        if item is None or item.value is None or run.report is None:
            continue
        mark, number = mark_of("", item), examples_of(run.run.config)
        label = f"{run.report.model}, {run.report.scenario}, {run.report.primary}"
        name = (label, *_without_examples(run.run.config))
        point = Point(number, mark.value or 0.0, mark.low, mark.high)
        by_unit.setdefault(unit_of(item), {}).setdefault(name, {}).setdefault(number, point)
    for unit, curves in by_unit.items():
        found: dict[str, list[Point]] = {}
        for (label, *_), points in curves.items():
            if len(points) > 1:
                name_ = label if label not in found else f"{label} ({len(found) + 1})"
                found[name_] = [*points.values()]
        if found:
            title = "Score against the number of in-context examples"
            yield lines(title, found, x_label="in-context examples", unit=unit)


def _without_examples(config: Mapping[str, Any]) -> list[str]:
    """All keys of the recipe and the model but those of in-context examples, as texts."""
    section = ".".join(_EXAMPLES)
    return [
        f"{key}={value}"
        for key, value in flattened({name: config.get(name) or {} for name in _ASKED})
        if key != section and not key.startswith(f"{section}.")
    ]


def examples_of(config: Mapping[str, Any]) -> int:
    """The number of in-context examples of a run; 0 where it has none."""
    section: Any = config
    for key in _EXAMPLES:
        section = section.get(key) if isinstance(section, Mapping) else None
    if not isinstance(section, Mapping):
        return 0
    number = section.get("ice_num", 1)
    return number if isinstance(number, int) else 0


def radar_plots(runs: Sequence[OpenedRun]) -> Iterator[Plot]:
    """The scores in percent of at least three recipes, the models on top of each other."""
    scores: dict[str, dict[str, IntervalMark]] = {}
    for run in runs:
        item, report = run.primary, run.report
        if report is None or item is None or item.value is None or item.unit not in PERCENT:
            continue
        if item.higher_is_better:
            scores.setdefault(report.model, {})[report.label] = mark_of(run.label, item)
    axes = list(dict.fromkeys(axis for of in scores.values() for axis in of))
    if len({axis.partition("/")[0] for axis in axes}) == 1:  # all of one scenario
        scores = {
            model: {axis.partition("/")[2]: mark for axis, mark in of.items()}
            for model, of in scores.items()
        }
        axes = [axis.partition("/")[2] for axis in axes]
    if len(scores) == 1 and len(axes) > MOST_AXES:  # the dots of `scores_plots`
        return
    if (plot := radar_or_dots("Scores of the recipes, in percent", axes, scores)) is not None:
        yield plot


def made_tables(run: Run) -> list[Table]:
    """The configuration, and the machine and versions; to be opened by a click."""
    config = [*flattened(run.config)]
    environment = run.environment
    machine = [*flattened({k: v for k, v in environment.items() if k != "sessions"})]
    tables = [Table("How it was made: the configuration", ("key", "value"), config, "", True)]
    if machine:
        tables.append(
            Table("How it was made: versions and machine", ("key", "value"), machine, "", True)
        )
    if sessions := _sessions(environment.get("sessions", ())):
        tables.append(sessions)
    return tables


def flattened(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The keys of nested mappings, joined by points, with their values as texts.

    >>> list(flattened({"a": {"b": 1, "c": None}, "d": [1, 2]}))
    [('a.b', '1'), ('a.c', 'null'), ('d', '1, 2')]
    """
    return ((key, _shown(value)) for key, value in flat(data).items() if value != {})


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value))
    return "null" if value is None else str(value)


def _sessions(sessions: Sequence[Mapping[str, Any]]) -> Table | None:
    """What each session did: those keys that any of them has."""
    keys = ("started", "seconds", "asked", "batch_size", "requests", "generated_tokens", "notices")
    there = [key for key in keys if any(one.get(key) not in (None, [], "") for one in sessions)]
    rows = [tuple(_shown(one.get(key, "")) for key in there) for one in sessions]
    if not rows or not there:
        return None
    headers = [key.replace("_", " ") for key in there]
    return Table("How it was made: sessions", headers, rows, "", True)


#: So many answers of samples a page can search at once; a browser reads them in a second.
_MOST = 200_000


class OverviewRun(Frozen):
    """A run of an overview.

    ``opened`` is None where it is damaged; ``link`` to its page and the name of its ``sweep`` may
    be empty.
    """

    line: RunLine
    opened: OpenedRun | None = None
    link: str = ""
    sweep: str = ""


def suite_page(
    runs: Sequence[OverviewRun], made: str, sweeps: Mapping[str, str] | None = None
) -> PageContent:
    """The content of the page: the matrix, drawings, and the samples of all runs to be searched.

    The runs of a sweep are a line together, with its link of ``sweeps``.
    """
    alone = [run for run in runs if not run.sweep]
    opened = [run.opened for run in alone if run.opened is not None]
    models = dict.fromkeys(run.line.model for run in runs)
    scored = sum(run.line.estimate is not None for run in runs)
    answers = sum(len(run.views.predictions) for run in opened)
    return PageContent(
        kind="suite",
        title=f"{len(runs)} runs of {', '.join(models)}" if runs else "No runs yet",
        subtitle=f"{scored} of {len(runs)} runs are scored",
        made=made,
        sections=[*_sections(alone, opened), *_sweeps(runs, sweeps or {}), *_left_out(answers)],
        runs=[run.label for run in opened],
        rows=_rows(opened) if answers <= _MOST else (),
        commands=[typed(run.run.folder) for run in opened],
        links=[run.link for run in alone if run.opened is not None],
    )


def _sections(runs: Sequence[OverviewRun], opened: Sequence[OpenedRun]) -> Iterator[Section]:
    # Those that can be opened come first, so that a cell's number is that of its run on the page.
    ordered = sorted(runs, key=lambda run: run.opened is None)
    lines, links = [run.line for run in ordered], [run.link for run in ordered]
    table = matrix(lines, links)
    if len(table.rows) > 1:
        yield table
    if lines:
        above = Path(os.path.commonpath([line.path.parent for line in lines]))
        yield replace(runs_table(lines, above, links), title="Runs")
    yield from radar_plots(opened)
    yield from scores_plots(opened)
    yield from examples_plots(opened)


def _sweeps(runs: Sequence[OverviewRun], links: Mapping[str, str]) -> Iterator[Table]:
    """A line for each sweep: how many runs it has, and how far their figures are apart."""
    rows = []
    for name in dict.fromkeys(run.sweep for run in runs if run.sweep):
        lines = [run.line for run in runs if run.sweep == name]
        known = [item for line in lines if (item := line.estimate) and item.value is not None]
        ends = sorted(known, key=lambda item: item.value or 0.0)
        low, high = ([number(one.value, one.unit) for one in (ends[0], ends[-1])]
                     if ends else ("", ""))  # fmt: skip
        models = ", ".join(dict.fromkeys(line.model for line in lines))
        figures = ", ".join(dict.fromkeys(line.figure for line in lines if line.figure))
        rows.append(
            (Cell(name, href=links.get(name, "")), models, str(len(lines)), figures, low, high)
        )
    if rows:
        headers = ("sweep", "models", "runs", "metric", "lowest", "highest")
        yield Table("Sweeps", headers, rows, names=2)


def _left_out(answers: int) -> Iterator[Words]:
    if answers > _MOST:
        text = (
            f"The runs have {answers:,} answers, more than a page can search at once ({_MOST:,}): "
            "give fewer runs, or look at the page of one."
        )
        yield Words("Samples", [text])


def _rows(runs: Sequence[OpenedRun]) -> list[SampleRow]:
    """The samples of all runs; those of one scenario are about the same questions."""
    scenarios: dict[str, list[int]] = {}
    for place, run in enumerate(runs):
        scenarios.setdefault(run.run.record.scenario_name, []).append(place)
    rows = []
    for name, places in scenarios.items():
        for row in rows_of([runs[place] for place in places]):
            cells: list[RunCell | None] = [None] * len(runs)
            for place, cell in zip(places, row.runs, strict=True):
                cells[place] = cell
            more = {"scenario": name} if len(scenarios) > 1 else {}
            rows.append(replace(row, runs=cells, fields={**more, **row.fields}))
    return rows
