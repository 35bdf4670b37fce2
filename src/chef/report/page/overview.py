"""Drawings and tables of several runs at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chef.report.page.content import Plot
from chef.report.page.made import flattened
from chef.report.page.opened import OpenedRun
from chef.report.page.plots import IntervalMark, Point, dots, lines, mark_of, radar_or_dots
from chef.report.page.plots.marks import unit_of
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
