"""Dots with intervals: the same scores of several runs, one above the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chef.document.numbers import number
from chef.report.page.content import Plot
from chef.report.page.plots.axes import Scale, around, bottom_axis
from chef.report.page.plots.bars import whisker
from chef.report.page.plots.drawing import WIDTH, Drawing, series
from chef.report.page.plots.legend import legend
from chef.report.page.plots.marks import IntervalMark

_LEFT, _RIGHT, _ROW = 8, WIDTH - 12, 16


def dots(
    title: str,
    groups: Mapping[str, Sequence[IntervalMark]],
    *,
    unit: str = "%",
    label: str = "",
    reference: float | None = None,
    ends: tuple[float, float] | None = None,
) -> Plot:
    """A dot with its interval for each mark; groups stand one below the other.

    Marks of the same label have the same colour in all groups, which the legend explains; a group
    with one mark that is called like it needs none.

    Args:
        title: of the drawing.
        groups: the marks of each group, by its name, from the top.
        unit: of their values.
        label: of the axis; the unit if empty.
        reference: a value to compare with, such as 0 of differences; None for none.
        ends: of the axis; None for those of the unit, or of the values.
    """
    labels = list(dict.fromkeys(mark.label for marks in groups.values() for mark in marks))
    alone = all([mark.label for mark in marks] in ([], [name]) for name, marks in groups.items())
    numbers = [item for marks in groups.values() for mark in marks for item in mark.numbers]
    low, high = ends or around([*numbers, *([] if reference is None else [reference])], unit=unit)
    scale = Scale(low, high, _LEFT, _RIGHT)
    above = 0 if alone else legend(None, labels)
    bottom = above + sum(22 + _ROW * len(marks) for marks in groups.values())
    drawing = Drawing(title, bottom + 44)
    if not alone:
        legend(drawing, labels)
    bottom_axis(drawing, scale, top=above, bottom=bottom, label=label or unit)
    if reference is not None:
        drawing.line(scale(reference), above, scale(reference), bottom, "muted", is_dashed=True)
    y: float = above
    for name, marks in groups.items():
        drawing.text(_LEFT, y + 14, name, room=_RIGHT - _LEFT)
        for place, mark in enumerate(marks):
            color = series(0 if alone else labels.index(mark.label))
            _dot(drawing, mark, scale, y + 24 + _ROW * place, classes=color, note=mark.words(unit))
        y += 22 + _ROW * len(marks)
    return Plot(title, drawing.svg(), _words(groups, unit, reference, alone=alone))


def _dot(
    drawing: Drawing, mark: IntervalMark, scale: Scale, y: float, *, classes: str, note: str
) -> None:
    whisker(drawing, mark, scale, y, classes)
    if mark.value is not None:
        drawing.circle(scale(mark.value), y, 5, classes, note=note)


def _words(
    groups: Mapping[str, Sequence[IntervalMark]], unit: str, reference: float | None, *, alone: bool
) -> str:
    told = [
        mark.words(unit) if alone else f"{name}, {mark.words(unit)}"
        for name, marks in groups.items()
        for mark in marks
    ]
    told += [] if reference is None else [f"dashed line: {number(reference, unit)}"]
    return "; ".join(told)
