"""Radars: several scores of one or several models on axes that start at one point."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from textwrap import wrap

from chef.document.numbers import number
from chef.report.page.content import Plot
from chef.report.page.plots.bars import IntervalMark, dots
from chef.report.page.plots.drawing import WIDTH, Anchor, Drawing, legend, series

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
