"""Drawings and tables of several runs at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chef.report.load import Run
from chef.report.page.content import Plot, Table
from chef.report.page.opened import OpenedRun
from chef.report.page.plots import IntervalMark, Point, dots, lines, mark_of, radar_or_dots
from chef.report.page.plots.bars import unit_of
from chef.report.page.plots.radar import MOST_AXES
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


def flattened(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """The keys of nested mappings, joined by points, with their values as texts.

    >>> list(flattened({"a": {"b": 1, "c": None}, "d": [1, 2]}))
    [('a.b', '1'), ('a.c', 'null'), ('d', '1, 2')]
    """
    for key, value in data.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            yield from flattened(value, f"{name}.")
        else:
            yield name, _shown(value)


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
