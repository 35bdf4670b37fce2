"""Values with their intervals: as bars, as dots, and on the axes of a radar."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from textwrap import wrap

from chef.document.numbers import number
from chef.frozen import Frozen
from chef.report.page.content import Plot
from chef.report.page.plots.drawing import (
    WIDTH,
    Anchor,
    Drawing,
    Scale,
    around,
    bottom_axis,
    legend,
    series,
)
from chef.stats.estimate import PERCENT, Estimate

_LEFT, _RIGHT, _TOP, _ROW = 8, WIDTH - 12, 8, 36
_DOT_ROW = 16


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
    bottom = above + sum(22 + _DOT_ROW * len(marks) for marks in groups.values())
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
            middle = y + 24 + _DOT_ROW * place
            whisker(drawing, mark, scale, middle, color)
            if mark.value is not None:
                drawing.circle(scale(mark.value), middle, 5, color, note=mark.words(unit))
        y += 22 + _DOT_ROW * len(marks)
    return Plot(title, drawing.svg(), _words(groups, unit, reference, alone=alone))


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


class IntervalMark(Frozen):
    """A value with its interval.

    Attributes:
        label: what it is of.
        value: in the unit of the drawing; None if undefined.
        low, high: the ends of the 95% interval; None if unknown.
        n: on how many items it is based; None if unknown.
    """

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None

    def words(self, unit: str = "%") -> str:
        """The same in words.

        >>> IntervalMark("red", 80.0, 60.0, 90.0, 20).words()
        'red: 80.0% [60.0, 90.0], n=20'
        """
        text = f"{self.label}: {number(self.value, unit)}"
        if self.low is not None and self.high is not None:
            text += (
                f" [{number(self.low, unit).rstrip('%')}, {number(self.high, unit).rstrip('%')}]"
            )
        return text if self.n is None else f"{text}, n={self.n}"

    @property
    def numbers(self) -> list[float]:
        """The value and the ends of its interval, as far as they are known."""
        return [item for item in (self.value, self.low, self.high) if item is not None]


class Point(Frozen):
    """A value with its interval at a place of a numeric axis."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None


def mark_of(label: str, item: Estimate) -> IntervalMark:
    """The mark of an estimate; shares are in percent.

    >>> mark_of("red", Estimate(0.5, 8, unit="0-1")).value
    50.0
    """
    factor = PERCENT.get(item.unit, 1.0)

    def times(value: float | None) -> float | None:
        return None if value is None else value * factor

    return IntervalMark(label, times(item.value), times(item.low), times(item.high), item.n)


def unit_of(item: Estimate) -> str:
    """The unit of `mark_of`: ``%`` for every share."""
    return "%" if item.unit in PERCENT else item.unit


def bars(
    title: str,
    marks: Sequence[IntervalMark],
    *,
    unit: str = "%",
    label: str = "",
    references: Sequence[float | None] = (),
) -> Plot:
    """A bar for each mark with its interval; each has its label above it.

    Args:
        title: of the drawing.
        marks: the bars, from the top.
        unit: of their values.
        label: of the axis; the unit if empty.
        references: a value for each bar to compare it with, such as that of guessing, or None;
            empty for none at all.
    """
    numbers = [item for mark in marks for item in mark.numbers]
    compared = [item for item in references if item is not None]
    low, high = around([*numbers, *compared], unit=unit)
    scale = Scale(low, high, _LEFT, _RIGHT)
    bottom = _TOP + _ROW * len(marks)
    drawing = Drawing(title, bottom + 44)
    bottom_axis(drawing, scale, top=_TOP, bottom=bottom, label=label or unit)
    for place, mark in enumerate(marks):
        _bar(drawing, mark, unit, scale, _TOP + _ROW * place)
    for place, item in enumerate(references):
        if item is not None:
            top = _TOP + _ROW * place
            drawing.line(scale(item), top, scale(item), top + _ROW, "muted", is_dashed=True)
    words = [mark.words(unit) for mark in marks]
    if compared:
        shown = [number(item, unit) for item in references]
        words.append(f"dashed lines: {', '.join(dict.fromkeys(shown))}")
    return Plot(title, drawing.svg(), "; ".join(words))


def _bar(drawing: Drawing, mark: IntervalMark, unit: str, scale: Scale, top: float) -> None:
    value = number(mark.value, unit)
    drawing.text(_LEFT, top + 13, mark.label, room=_RIGHT - _LEFT - 70)
    drawing.text(_RIGHT, top + 13, value, anchor="end")
    if mark.value is None:
        return
    zero, end, middle = scale(0.0), scale(mark.value), top + 24
    note = mark.words(unit)
    drawing.rect(
        min(zero, end), middle - 5, abs(end - zero), 10, "series-1", note=note, opacity=0.7
    )
    whisker(drawing, mark, scale, middle, "ink")


def whisker(drawing: Drawing, mark: IntervalMark, scale: Scale, y: float, classes: str) -> None:
    """The interval of a mark as a horizontal line with ends; nothing where it is unknown."""
    if mark.low is None or mark.high is None:
        return
    low, high = scale(mark.low), scale(mark.high)
    drawing.line(low, y, high, y, classes)
    for end in (low, high):
        drawing.line(end, y - 4, end, y + 4, classes)


_MIDDLE, _RADIUS = WIDTH / 2, 118.0
#: Of fewer axes there is no area, and on more no line can be followed.
_FEWEST, MOST_AXES = 3, 8


def radar_or_dots(
    title: str, axes: Sequence[str], scores: Mapping[str, Mapping[str, IntervalMark]]
) -> Plot | None:
    """A radar of three to eight axes; dots with their intervals of more, and None of fewer.

    Args:
        title: of the drawing.
        axes: the scores, in order.
        scores: by model and axis, all in percent.
    """
    if len(axes) < _FEWEST:
        return None
    if len(axes) > MOST_AXES:
        groups = {
            axis: [replace(of[axis], label=model) for model, of in scores.items() if axis in of]
            for axis in axes
        }
        return dots(title, groups, ends=(0.0, 100.0))
    values = {
        model: [of[axis].value if axis in of else None for axis in axes]
        for model, of in scores.items()
    }
    return radar(title, axes, values)


def radar(title: str, axes: Sequence[str], scores: Mapping[str, Sequence[float | None]]) -> Plot:
    """A line around the centre for each model.

    Areas of radars mislead and their order of axes is arbitrary: put the numbers beside it.

    Args:
        title: of the drawing.
        axes: the scores, clockwise from the top; at least three.
        scores: 0 to 100, of each model in the order of ``axes``; None where there is none, which
            interrupts the line.
    """
    above = legend(None, list(scores)) if len(scores) > 1 else 0.0
    centre = above + 40 + _RADIUS
    drawing = Drawing(title, centre + _RADIUS + 40)
    if len(scores) > 1:
        legend(drawing, list(scores))
    places = range(len(axes))
    for level in (25, 50, 75, 100):
        ring = [spot(place, len(axes), level, centre) for place in places]
        drawing.path(ring, "grid", closed=True)
        drawing.text(_MIDDLE + 3, centre - _RADIUS * level / 100 + 9, str(level), "muted", size=9)
    for place, name in enumerate(axes):
        drawing.line(_MIDDLE, centre, *spot(place, len(axes), 100, centre))
        _label(drawing, name, *spot(place, len(axes), 110, centre))
    told = []
    for number_, (model, values) in enumerate(scores.items()):
        shown = [f"{axis} {number(value, '%')}" for axis, value in zip(axes, values, strict=True)]
        told.append(f"{model}: {', '.join(shown)}")
        spots = [
            None if value is None else spot(place, len(axes), value, centre)
            for place, value in enumerate(values)
        ]
        _outline(drawing, spots, [f"{model}, {one}" for one in shown], series(number_))
    return Plot(title, drawing.svg(), "; ".join(told))


def spot(place: int, count: int, value: float, centre: float) -> tuple[float, float]:
    """Where a value from 0 to 100 stands on the axis ``place`` of ``count``."""
    angle = 2 * math.pi * place / count
    reach = _RADIUS * value / 100
    return _MIDDLE + reach * math.sin(angle), centre - reach * math.cos(angle)


def _label(drawing: Drawing, name: str, x: float, y: float) -> None:
    """The name of an axis; beside the radar in up to three lines."""
    anchor: Anchor = "middle" if abs(x - _MIDDLE) < 8 else "start" if x > _MIDDLE else "end"
    room = WIDTH - 8 if anchor == "middle" else WIDTH - x - 4 if anchor == "start" else x - 4
    rows = wrap(name, max(4, int(room / 6.5)), max_lines=3, placeholder="…") or [""]
    for place, row in enumerate(rows):
        drawing.text(x, y + 4 + 12 * place, row, anchor=anchor, room=room, size=11)


def _outline(
    drawing: Drawing, spots: Sequence[tuple[float, float] | None], notes: Sequence[str], color: str
) -> None:
    """Lines between neighbours that both have a value, and a dot at each value."""
    for place, here in enumerate(spots):
        following = spots[(place + 1) % len(spots)]
        if here and following:
            drawing.line(*here, *following, color)
    for here, note in zip(spots, notes, strict=True):
        if here:
            drawing.circle(*here, 4, color, note=note)
